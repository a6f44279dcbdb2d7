package synthetic

import (
	"fmt"
	"time"
)

// background writes a request that has nothing to do with a rollout.
func (c *cluster) background(t time.Time) {
	n := c.rng.IntN(len(c.kubelets))
	kubelet, took := &c.kubelets[n], c.between(1, 9)
	switch x := c.rng.IntN(100); {
	case x < 34:
		c.lease(t, kubelet, node(n))
	case x < 48:
		pod := ref{version: "v1", resource: "pods", namespace: pick(c, "shop", "kube-system", "monitoring", "team-a"),
			name: fmt.Sprintf("web-%06x-%05x", c.rng.IntN(4000), c.rng.IntN(900)), subresource: pick(c, "", "status")}
		c.ask(t, kubelet, request{verb: pick(c, "get", "patch"), about: pod, code: 200, took: took})
	case x < 58:
		about := ref{version: "v1", resource: "nodes", name: node(n), subresource: "status"}
		c.ask(t, kubelet, request{verb: "patch", about: about, uri: about.path("patch") + "?timeout=10s", code: 200, took: took})
	case x < 68:
		c.ask(t, &c.prometheus, request{verb: "create", about: ref{group: "authentication.k8s.io", version: "v1", resource: "tokenreviews"}, code: 201, took: took})
	case x < 74:
		c.ask(t, &c.prometheus, request{verb: "create", about: ref{group: "authorization.k8s.io", version: "v1", resource: "subjectaccessreviews"}, code: 201, took: took})
	case x < 82:
		c.watch(t, kubelet)
	case x < 90:
		path := pick(c, "/healthz", "/readyz", "/livez?exclude=etcd", "/openapi/v2", "/apis", "/version")
		c.ask(t, &c.probes, request{verb: "get", uri: path, code: 200, took: took})
	case x < 95:
		event := ref{group: "events.k8s.io", version: "v1", resource: "events", namespace: "shop", name: fmt.Sprintf("web.%016x", c.rng.Uint64())}
		c.ask(t, &c.managers, request{verb: "create", about: event, code: 201, took: took})
	case x < 98:
		slice := ref{group: "discovery.k8s.io", version: "v1", resource: "endpointslices", namespace: "shop", name: fmt.Sprintf("web-%05x", c.rng.IntN(500))}
		c.ask(t, &c.managers, request{verb: "update", about: slice, code: 200, took: took})
	default:
		secret := ref{version: "v1", resource: "secrets", namespace: "kube-system", name: "missing"}
		c.ask(t, &c.deployer, request{verb: "get", about: secret, code: 404, took: took,
			status: `"status":"Failure","message":"secrets \"missing\" not found","reason":"NotFound","details":{"name":"missing","kind":"secrets"},`})
	}
}

// lease writes that a node, or who leads, says that it is alive.
func (c *cluster) lease(t time.Time, kubelet *user, node string) {
	by, namespace, name := kubelet, "kube-node-lease", node
	switch c.rng.IntN(4) {
	case 1:
		by, namespace, name = &c.managers, "kube-system", "kube-controller-manager"
	case 2:
		by, namespace = &c.knative, "knative-serving"
		name = fmt.Sprintf("controller.knative.dev.serving.pkg.reconciler.revision.reconciler.%02d-of-10", c.rng.IntN(10))
	case 3:
		by, namespace, name = &c.autoscaler, "knative-serving", fmt.Sprintf("autoscaler-bucket-%02d-of-10", c.rng.IntN(10))
	}
	about := ref{group: "coordination.k8s.io", version: "v1", resource: "leases", namespace: namespace, name: name}
	c.ask(t, by, request{verb: pick(c, "get", "update"), about: about, uri: about.path("get") + "?timeout=5s", code: 200, took: c.between(1, 7)})
}

// watch writes the beginning or the end of a watch.
func (c *cluster) watch(t time.Time, by *user) {
	about := ref{version: "v1", resource: pick(c, "configmaps", "secrets", "services", "endpoints", "namespaces", "serviceaccounts"), namespace: "kube-system"}
	uri := fmt.Sprintf("%s?allowWatchBookmarks=true&fieldSelector=metadata.name%%3Dkube-root-ca.crt&resourceVersion=%d&timeoutSeconds=%d&watch=true", about.path("watch"), c.version, 400+c.rng.IntN(200))
	c.ask(t, by, request{verb: "watch", about: about, uri: uri, code: 200, took: time.Duration(c.rng.IntN(500)) * time.Second, stage: pick(c, "ResponseStarted", "ResponseComplete")})
}
