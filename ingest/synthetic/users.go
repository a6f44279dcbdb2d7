package synthetic

import "fmt"

// user is who asks. All of it is JSON.
type user struct{ info, ip, agent, reason string }

// users are those of the cluster.
type users struct {
	kubelets                                          []user
	knative, autoscaler, kourier                      user
	deployer, prometheus, managers, scheduler, probes user
}

// roleReason is why a controller of Knative is allowed what it does.
const roleReason = `RBAC: allowed by ClusterRoleBinding \"knative-serving-controller-admin\" of ClusterRole \"knative-serving-admin\" to ServiceAccount \"controller/knative-serving\"`

// people makes the users.
func (c *cluster) people() {
	for i := range 12 {
		c.kubelets = append(c.kubelets, user{
			info:  fmt.Sprintf(`{"username":"system:node:%s","groups":["system:nodes","system:authenticated"]}`, node(i)),
			ip:    fmt.Sprintf("10.10.0.%d", 10+i),
			agent: "kubelet/v1.35.2 (linux/amd64) kubernetes/9f1b2c3",
		})
	}
	c.knative = c.account("knative-serving", "controller", "10.244.1.17", "controller/v0.0.0 (linux/amd64) kubernetes/$Format")
	c.autoscaler = c.account("knative-serving", "autoscaler", "10.244.1.18", "autoscaler/v0.0.0 (linux/amd64) kubernetes/$Format")
	c.kourier = c.account("knative-serving", "net-kourier-controller", "10.244.1.19", "kourier/v0.0.0 (linux/amd64) kubernetes/$Format")
	c.deployer = c.account("ci", "deployer", "10.244.7.3", "kn/v1.18.0 (linux/amd64)")
	c.prometheus = c.account("monitoring", "prometheus-k8s", "10.244.5.5", "Prometheus/3.2.1")
	c.managers = component("system:kube-controller-manager", "kube-controller-manager/v1.35.2 (linux/amd64) kubernetes/9f1b2c3/leader-election")
	c.scheduler = component("system:kube-scheduler", "kube-scheduler/v1.35.2 (linux/amd64) kubernetes/9f1b2c3/scheduler")
	c.probes = user{
		info:   `{"username":"system:anonymous","groups":["system:unauthenticated"]}`,
		ip:     "10.10.0.2",
		agent:  "kube-probe/1.35",
		reason: `RBAC: allowed by ClusterRoleBinding \"system:public-info-viewer\" of ClusterRole \"system:public-info-viewer\" to Group \"system:unauthenticated\"`,
	}
}

func node(i int) string { return fmt.Sprintf("worker-%02d", i) }

func component(name, agent string) user {
	return user{info: fmt.Sprintf(`{"username":%q,"groups":["system:authenticated"]}`, name), ip: "10.10.0.2", agent: agent}
}

// account returns a service account that a Pod uses.
func (c *cluster) account(namespace, name, ip, agent string) user {
	const extra = `{"authentication.kubernetes.io/credential-id":["JTI=%s"],"authentication.kubernetes.io/node-name":["worker-03"],` +
		`"authentication.kubernetes.io/node-uid":["%s"],"authentication.kubernetes.io/pod-name":["%s-6f8d9c7b5d-x2k4q"],"authentication.kubernetes.io/pod-uid":["%s"]}`
	info := fmt.Sprintf(`{"username":"system:serviceaccount:%[1]s:%[2]s","uid":%[3]q,"groups":["system:serviceaccounts","system:serviceaccounts:%[1]s","system:authenticated"],"extra":`,
		namespace, name, c.uid())
	return user{info: info + fmt.Sprintf(extra, c.uid(), c.uid(), name, c.uid()) + "}", ip: ip, agent: agent, reason: roleReason}
}
