package synthetic

import (
	"fmt"
	"time"
)

// rollout is how a Service gets a new Revision, step by step.
type rollout struct {
	*revision
	c     *cluster
	early bool      // written Ready with the first of its replicas
	next  time.Time // of the step that is planned next
}

func (c *cluster) rollOut(s *service, t time.Time) {
	s.scale = 1 + c.rng.IntN(3)
	first := s.object.version == 0
	c.write(t, &c.deployer, s.object, "", func() { s.renew(t) })
	r := &rollout{revision: c.newRevision(s), c: c, early: c.rng.IntN(25) == 0, next: t}
	r.begin(first)
	r.start()
	for i := range r.pods {
		r.grow(i)
	}
	if !r.early {
		r.finish()
	}
	r.live()
}

// then plans the next step, so many milliseconds after the one before.
func (r *rollout) then(least, most int, do func(t time.Time)) {
	r.next = r.next.Add(r.c.between(least, most))
	r.c.at(r.next, do)
}

// write plans a write by Knative's controller, with the reconcile that makes it.
func (r *rollout) write(least, most int, o *object, subresource string, change func(t time.Time)) {
	r.then(least, most, func(t time.Time) {
		r.c.write(t, &r.c.knative, o, subresource, func() { change(t) })
		r.c.reconcile(t, o)
	})
}

func unchanged(time.Time) {}

// begin makes what is written of the Service, its Configuration and its Route
// before a Revision can run.
func (r *rollout) begin(first bool) {
	r.write(10, 40, r.configuration, "", unchanged)
	r.write(10, 40, r.object, "", func(t time.Time) { r.setRevision(t, "Unknown", "Deploying") })
	r.write(5, 30, r.configuration, "status", func(t time.Time) { r.setConfiguration(t, r.revision, "Unknown") })
	if first {
		message := fmt.Sprintf("Configuration %q is waiting for a Revision to become ready.", r.configuration.name)
		r.write(5, 30, r.route, "", func(t time.Time) { r.setRoute(t, "Unknown", message) })
	}
	r.write(1, 10, r.service.object, "status", func(t time.Time) { r.setService(t, r.revision, "Unknown") })
}

// start makes what a Revision runs on, up to its Pods.
func (r *rollout) start() {
	r.write(5, 30, r.cache, "", unchanged)
	r.write(20, 90, r.deployment, "", r.setWorkload)
	r.write(5, 30, r.autoscaler, "", func(t time.Time) { r.setAutoscaler(t, "Unknown") })
	r.then(5, 30, func(t time.Time) {
		r.c.write(t, &r.c.autoscaler, r.serverless, "", func() { r.setServerless(t, "Unknown") })
	})
	r.then(5, 30, func(t time.Time) { r.c.write(t, &r.c.managers, r.replicaSet, "", func() {}) })
	for _, pod := range r.pods {
		r.then(10, 50, func(t time.Time) {
			r.c.write(t, &r.c.managers, pod, "", func() { pod.status = podStatus(t, "Pending", "False", 0) })
		})
		r.then(5, 20, func(t time.Time) {
			r.c.ask(t, &r.c.scheduler, request{verb: "create", about: pod.ref("binding"), code: 201, took: r.c.between(3, 5)})
		})
	}
}

// grow has one more Pod become ready, and all hear of it.
func (r *rollout) grow(i int) {
	pod, kubelet, address := r.pods[i], &r.c.kubelets[r.c.rng.IntN(len(r.c.kubelets))], r.c.rng.IntN(250)
	for _, p := range podPhases {
		r.then(100, 800, func(t time.Time) {
			r.patch(t, kubelet, pod, "status", func() []byte {
				pod.status = podStatus(t, p.phase, p.ready, address)
				return fmt.Appendf(nil, `{"metadata":{"uid":%q},"status":%s}`, pod.uid, pod.status)
			})
		})
	}
	for _, o := range []*object{r.replicaSet, r.deployment} {
		r.then(5, 40, func(t time.Time) {
			r.ready = i + 1
			r.c.write(t, &r.c.managers, o, "status", func() { r.setWorkload(t) })
		})
	}
	r.then(5, 40, func(t time.Time) {
		slice := ref{group: "discovery.k8s.io", version: "v1", resource: "endpointslices", namespace: r.object.namespace, name: r.object.name + "-private-x7k2p"}
		r.c.ask(t, &r.c.managers, request{verb: "update", about: slice, code: 200, took: r.c.between(3, 5)})
	})
	if r.early && i == 0 {
		r.finish()
		return
	}
	r.write(5, 60, r.autoscaler, "status", func(t time.Time) { r.setAutoscaler(t, "Unknown") })
	if !r.early {
		r.write(5, 60, r.object, "status", func(t time.Time) { r.setRevision(t, "Unknown", "Deploying") })
	}
}

// finish makes the Revision Ready and gives it all traffic.
func (r *rollout) finish() {
	if !r.early {
		r.write(20, 200, r.autoscaler, "status", func(t time.Time) { r.setAutoscaler(t, "True") })
	}
	r.write(5, 30, r.serverless, "status", func(t time.Time) { r.setServerless(t, "True") })
	r.write(8, 28, r.object, "status", func(t time.Time) { r.setRevision(t, "True", "") })
	r.write(40, 90, r.configuration, "status", func(t time.Time) {
		r.service.ready = r.revision
		r.setConfiguration(t, r.revision, "True")
	})
	r.write(10, 60, r.ingress, "", func(t time.Time) { r.setIngress(t, "Unknown") })
	r.then(10, 60, func(t time.Time) {
		r.c.write(t, &r.c.kourier, r.ingress, "status", func() { r.setIngress(t, "True") })
	})
	r.write(10, 60, r.route, "status", func(t time.Time) { r.setRoute(t, "True", "") })
	r.write(10, 60, r.service.object, "status", func(t time.Time) { r.setService(t, r.revision, "True") })
	for range 6 {
		r.then(20, 120, func(t time.Time) {
			event := ref{version: "v1", resource: "events", namespace: r.object.namespace, name: fmt.Sprintf("%s.%016x", r.object.name, r.c.rng.Uint64())}
			r.c.ask(t, &r.c.knative, request{verb: "create", about: event, code: 201, took: r.c.between(2, 4)})
		})
	}
}

// live has the autoscaler scale the Revision and people look at it.
func (r *rollout) live() {
	for range 6 {
		r.then(20_000, 120_000, func(t time.Time) {
			r.wanted = r.c.rng.IntN(8)
			r.ready = r.wanted
			r.patch(t, &r.c.autoscaler, r.deployment, "", func() []byte {
				r.deployment.generation++
				r.setWorkload(t)
				return fmt.Appendf(nil, `[{"op":"replace","path":"/spec/replicas","value":%d}]`, r.wanted)
			})
		})
		r.write(5, 10, r.autoscaler, "status", func(t time.Time) { r.setAutoscaler(t, "True") })
	}
	for range 10 {
		r.then(1000, 30_000, func(t time.Time) {
			about := r.object.ref("")
			about.uid = ""
			r.c.ask(t, &r.c.deployer, request{verb: "get", about: about, code: 200, took: r.c.between(1, 3)})
		})
	}
}

// patch writes a patch, which change returns when it has made it.
func (r *rollout) patch(t time.Time, by *user, o *object, subresource string, change func() []byte) {
	o.changed, o.version = t, r.c.newVersion()
	about := o.ref(subresource)
	about.uid = ""
	asked := change()
	r.c.ask(t, by, request{verb: "patch", about: about, code: 200, took: r.c.between(3, 9), request: asked, response: o.body()})
}
