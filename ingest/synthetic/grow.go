package synthetic

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Ways returns the ways in which the log of one family grows long, sorted: see Grow.
func Ways() []string { return slices.Sorted(maps.Keys(ways)) }

// Grow writes an audit log and a controller's log of one Service to which one thing
// happens again and again, n requests or lines in all, or some more.
func Grow(audit, controller io.Writer, way string, n int) error {
	c := newCluster(audit, controller, 0)
	g := &growth{cluster: c, service: c.newService(0), t: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)}
	g.service.scale = 6
	g.service.renew(g.t)
	for _, o := range []*object{g.service.object, g.configuration, g.route} {
		g.write(&c.knative, o, "", func() {})
	}
	ways[way](g, n)
	return c.flush()
}

// growth is a Service to which something happens, each 0.2 s after what was before.
type growth struct {
	*cluster
	*service
	revision *revision
	t        time.Time
}

func (g *growth) write(by *user, o *object, subresource string, change func()) {
	g.t = g.t.Add(200 * time.Millisecond)
	g.cluster.write(g.t, by, o, subresource, change)
}

// renew makes a Revision.
func (g *growth) renew() {
	if g.revision != nil {
		g.service.renew(g.t)
	}
	g.revision = g.newRevision(g.service)
	g.write(&g.knative, g.revision.object, "", func() {})
}

// start makes what the Revision runs on, with so many ready replicas.
func (g *growth) start(ready int) {
	r := g.revision
	g.write(&g.knative, r.autoscaler, "", func() {})
	g.write(&g.knative, r.deployment, "", func() {})
	g.count(ready)
}

func (g *growth) count(ready int) {
	g.write(&g.managers, g.revision.deployment, "status", func() {
		g.revision.ready = ready
		g.revision.setWorkload(g.t)
	})
}

// turn writes a status of the Revision that tells no replicas.
func (g *growth) turn(ready, reason string) {
	g.write(&g.knative, g.revision.object, "status", func() {
		g.revision.object.status = `{` + conditions(g.t, condition{"ContainerHealthy", ready, reason, ""}, condition{"Ready", ready, reason, ""}, condition{"ResourcesAvailable", ready, reason, ""}) + `}`
	})
}

// flap has the Revision turn Ready, and then not.
func (g *growth) flap() {
	g.turn("True", "")
	g.turn("False", "ContainerMissing")
}

// latch has the Configuration move to the Revision, and traffic follow.
func (g *growth) latch() {
	g.service.ready = g.revision
	g.move()
	g.write(&g.knative, g.ingress, "", func() { g.setIngress(g.t, "True") })
	g.write(&g.knative, g.route, "status", func() { g.setRoute(g.t, "True", "") })
}

// move has the Configuration say that it is Ready, with the Revision that it has.
func (g *growth) move() {
	g.write(&g.knative, g.configuration, "status", func() { g.setConfiguration(g.t, g.revision, "True") })
}

// refuse writes a request that was refused.
func (g *growth) refuse(o *object, verb, subresource string, code int, reason string, version int64) {
	g.t = g.t.Add(200 * time.Millisecond)
	g.ask(g.t, &g.knative, request{verb: verb, about: o.ref(subresource), code: code, took: g.between(2, 14), version: version, request: o.body(),
		status: fmt.Sprintf(`"status":"Failure","message":"it was refused","reason":%q,`, reason), response: []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure"}`)})
}

// fail logs a reconcile that ended in an error.
func (g *growth) fail(o *object, text string) {
	g.t = g.t.Add(200 * time.Millisecond)
	p := g.pass(g.t, o)
	p.trace = g.uid()
	p.log("ERROR", "revision/reconciler.go:303", "Returned an error", fmt.Sprintf(`,"error":%q`, text))
	p.log("ERROR", "controller/controller.go:545", "Reconcile error", fmt.Sprintf(`,"duration":"20ms","error":%q`, text))
}

// bodiless writes an update of which the log has no body.
func (g *growth) bodiless(o *object, subresource string) {
	g.t = g.t.Add(200 * time.Millisecond)
	g.ask(g.t, &g.knative, request{verb: "update", about: o.ref(subresource), code: 200, took: g.between(2, 14)})
}

// event writes a Kubernetes Event.
func (g *growth) event(o *object, reason, message string) {
	g.t = g.t.Add(200 * time.Millisecond)
	about := ref{version: "v1", resource: "events", namespace: o.namespace, name: fmt.Sprintf("%s.%016x", o.name, g.rng.Uint64())}
	body := fmt.Appendf(nil, `{"kind":"Event","apiVersion":"v1","metadata":{"name":%q,"namespace":%q},"involvedObject":{"kind":%q,"namespace":%q,"name":%q,"uid":%q,"apiVersion":%q},"reason":%q,"message":%q,"source":{"component":"controller"},"count":1,"type":"Normal"}`,
		about.name, about.namespace, o.kind.name, o.namespace, o.name, o.uid, o.apiVersion(), reason, message)
	g.ask(g.t, &g.knative, request{verb: "create", about: about, code: 201, took: g.between(2, 4), request: body, response: body})
}

// again returns an object of the same name, made anew.
func (g *growth) again(o *object) *object {
	next := *o
	next.uid, next.version, next.status = g.uid(), 0, ""
	return &next
}

// remove writes that an object was deleted.
func (g *growth) remove(o *object) {
	g.t = g.t.Add(200 * time.Millisecond)
	g.ask(g.t, &g.managers, request{verb: "delete", about: o.ref(""), code: 200, took: g.between(2, 4)})
}
