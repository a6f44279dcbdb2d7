package synthetic

import (
	"fmt"
	"strings"
	"time"
)

// service is a Service with what stays when it is rolled out anew.
type service struct {
	object, configuration, route, ingress *object
	image, env                            string
	scale                                 int // initial-scale
	ready                                 *revision
}

// newService returns the Service of a number. One in ten has a hundred
// environment variables.
func (c *cluster) newService(i int) *service {
	namespace := []string{"shop", "team-a", "team-b", "pay"}[i%4]
	name := fmt.Sprintf("%s-%03d", []string{"checkout", "cart", "catalog", "search", "email", "fraud", "ledger"}[i%7], i)
	variables := c.rng.IntN(12)
	if i%10 == 9 {
		variables += 80
	}
	var env strings.Builder
	for v := range variables {
		fmt.Fprintf(&env, `{"name":"APP_SETTING_%02d","value":"value-%016x-%016x"},`, v, c.rng.Uint64(), c.rng.Uint64())
	}
	s := &service{
		object: c.owned(serviceKind, nil, namespace, name),
		image:  fmt.Sprintf("registry.example.com/shop/app-%03d:v%d", i, c.rng.IntN(50)),
		env:    "[" + strings.TrimSuffix(env.String(), ",") + "]",
	}
	s.configuration = c.owned(configurationKind, s.object, namespace, name)
	s.route = c.owned(routeKind, s.object, namespace, name)
	s.ingress = c.owned(ingressKind, s.route, namespace, name)
	labels := fmt.Sprintf(`{"app.kubernetes.io/part-of":"shop","serving.knative.dev/service":%q,"serving.knative.dev/serviceUID":%q,"team":"payments"}`, name, s.object.uid)
	for _, o := range []*object{s.object, s.configuration, s.route, s.ingress} {
		o.labels = labels
	}
	return s
}

// renew gives the Service, its Configuration and its Route the specs of its
// next generation.
func (s *service) renew(t time.Time) {
	annotations := fmt.Sprintf(`{"client.knative.dev/updateTimestamp":%q,"client.knative.dev/user-image":%q,"collector.example.com/note":"canary \u003e 5%% \u0026 \"quoted\" café","serving.knative.dev/creator":"system:serviceaccount:ci:deployer"}`,
		t.Format(time.RFC3339), s.image)
	template := fmt.Sprintf(`"template":{"metadata":{"annotations":%s,"creationTimestamp":null},"spec":%s}`, s.scaling(), s.podSpec())
	for _, o := range []*object{s.object, s.configuration, s.route, s.ingress} {
		o.generation++
		o.annotations = annotations
	}
	s.object.spec = `{` + template + `,"traffic":[{"latestRevision":true,"percent":100}]}`
	s.configuration.spec = `{` + template + `}`
	s.route.spec = fmt.Sprintf(`{"traffic":[{"configurationName":%q,"latestRevision":true,"percent":100}]}`, s.object.name)
}

func (s *service) scaling() string {
	return fmt.Sprintf(`{"autoscaling.knative.dev/initial-scale":"%d","autoscaling.knative.dev/max-scale":"20","autoscaling.knative.dev/min-scale":"1","serving.knative.dev/creator":"system:serviceaccount:ci:deployer"}`, s.scale)
}

func (s *service) podSpec() string {
	return fmt.Sprintf(`{"containerConcurrency":0,"containers":[{"env":%s,"image":%q,"imagePullPolicy":"IfNotPresent","name":"user-container","ports":[{"containerPort":8080,"name":"http1","protocol":"TCP"}],"readinessProbe":{"successThreshold":1,"tcpSocket":{"port":0}},"resources":{"limits":{"cpu":"1","memory":"512Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}}],"enableServiceLinks":false,"timeoutSeconds":300}`, s.env, s.image)
}

// revision is a Revision with what is made for it.
type revision struct {
	*service
	object, autoscaler, serverless, cache, deployment, replicaSet *object
	pods                                                          []*object
	scale, wanted, ready                                          int
}

func (c *cluster) newRevision(s *service) *revision {
	name := fmt.Sprintf("%s-%05d", s.object.name, s.object.generation)
	namespace := s.object.namespace
	r := &revision{service: s, scale: s.scale, wanted: s.scale, object: c.owned(revisionKind, s.configuration, namespace, name)}
	r.autoscaler = c.owned(autoscalerKind, r.object, namespace, name)
	r.serverless = c.owned(serverlessKind, r.autoscaler, namespace, name)
	r.cache = c.owned(imageKind, r.object, namespace, name+"-cache-user-container")
	r.deployment = c.owned(deploymentKind, r.object, namespace, name+"-deployment")
	r.replicaSet = c.owned(replicaSetKind, r.deployment, namespace, fmt.Sprintf("%s-%08x", r.deployment.name, c.rng.Uint32()))
	all := []*object{r.object, r.autoscaler, r.serverless, r.cache, r.deployment, r.replicaSet}
	for range r.scale {
		pod := c.owned(podKind, r.replicaSet, namespace, fmt.Sprintf("%s-%05x", r.replicaSet.name, c.rng.IntN(1<<20)))
		r.pods = append(r.pods, pod)
		all = append(all, pod)
	}
	labels := fmt.Sprintf(`{"app":%q,"serving.knative.dev/configuration":%q,"serving.knative.dev/configurationGeneration":"%d","serving.knative.dev/configurationUID":%q,"serving.knative.dev/revision":%q,"serving.knative.dev/revisionUID":%q,"serving.knative.dev/routingState":"active","serving.knative.dev/service":%q,"serving.knative.dev/serviceUID":%q}`,
		name, s.object.name, s.object.generation, s.configuration.uid, name, r.object.uid, s.object.name, s.object.uid)
	for _, o := range all {
		o.generation, o.labels, o.annotations = 1, labels, s.scaling()
	}
	r.specs(labels)
	return r
}

// specs fills in what is asked for of each object.
func (r *revision) specs(labels string) {
	const queue = `{"env":[{"name":"SERVING_NAMESPACE","value":%q},{"name":"SERVING_SERVICE","value":%q},{"name":"SERVING_REVISION","value":%q},{"name":"QUEUE_SERVING_PORT","value":"8012"},{"name":"CONTAINER_CONCURRENCY","value":"0"},{"name":"REVISION_TIMEOUT_SECONDS","value":"300"},{"name":"SERVING_LOGGING_CONFIG","value":"{\"level\":\"info\",\"development\":false,\"outputPaths\":[\"stdout\"],\"encoding\":\"json\"}"},{"name":"SERVING_READINESS_PROBE","value":"{\"tcpSocket\":{\"port\":8080,\"host\":\"127.0.0.1\"},\"successThreshold\":1}"}],"image":"gcr.io/knative-releases/knative.dev/serving/cmd/queue@sha256:0123456789abcdef","name":"queue-proxy","ports":[{"containerPort":8022,"name":"http-queueadm","protocol":"TCP"},{"containerPort":8012,"name":"queue-port","protocol":"TCP"}],"resources":{"requests":{"cpu":"25m"}}}`
	proxy := fmt.Sprintf(queue, r.object.namespace, r.service.object.name, r.object.name)
	pod := fmt.Sprintf(`{"containers":[{"env":%s,"image":%q,"name":"user-container"},%s],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","terminationGracePeriodSeconds":300}`, r.env, r.image, proxy)
	template := fmt.Sprintf(`"selector":{"matchLabels":{"serving.knative.dev/revisionUID":%q}},"template":{"metadata":{"creationTimestamp":null,"labels":%s},"spec":%s}`, r.object.uid, labels, pod)
	target := fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","name":%q}`, r.deployment.name)
	r.object.spec = r.podSpec()
	r.autoscaler.spec = `{"protocolType":"http1","reachability":"Reachable","scaleTargetRef":` + target + `}`
	r.serverless.spec = `{"mode":"Proxy","numActivators":2,"objectRef":` + target + `,"protocolType":"http1"}`
	r.cache.spec = fmt.Sprintf(`{"image":%q}`, r.image)
	r.deployment.spec = fmt.Sprintf(`{"progressDeadlineSeconds":600,"replicas":%d,%s,"strategy":{"rollingUpdate":{"maxSurge":"25%%","maxUnavailable":0},"type":"RollingUpdate"}}`, r.wanted, template)
	r.replicaSet.spec = fmt.Sprintf(`{"replicas":%d,%s}`, r.wanted, template)
	for _, p := range r.pods {
		p.spec = pod
	}
}
