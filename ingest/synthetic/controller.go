package synthetic

import (
	"fmt"
	"strings"
	"time"
)

// reconcile writes what Knative's controller logs at level debug of the
// reconcile that made a write, and of two more that found nothing to do. The
// lines are those of knative.dev/pkg controller/controller.go and of Serving's
// reconcilers, as release 1.20 writes them.
func (c *cluster) reconcile(t time.Time, o *object) {
	name, p := strings.ToLower(o.kind.name), c.pass(t.Add(-c.between(4, 8)), o)
	p.run(func() {
		diff := "  v1.%[1]sStatus{\n  \tStatus: v1.Status{\n- \t\tObservedGeneration: 0,\n+ \t\tObservedGeneration: %[2]d,\n  \t\tConditions: v1.Conditions{\n  \t\t\t{\n  \t\t\t\tType:               \"Ready\",\n- \t\t\t\tStatus:             \"Unknown\",\n+ \t\t\t\tStatus:             \"True\",\n  \t\t\t\tSeverity:           \"\",\n- \t\t\t\tLastTransitionTime: apis.VolatileTime{Inner: v1.Time{Time: s\"%[3]s\"}},\n+ \t\t\t\tLastTransitionTime: apis.VolatileTime{Inner: v1.Time{Time: s\"%[4]s\"}},\n  \t\t\t},\n  \t\t},\n  \t},\n  }\n"
		p.log("DEBUG", name+"/reconciler.go:333", "Updating status with: "+fmt.Sprintf(diff, o.kind.name, o.generation, o.created, p.t), "")
	})
	p.run(func() {})
	p.run(func() {})
}

// pass returns a reconcile of an object that is to begin at t.
func (c *cluster) pass(t time.Time, o *object) *pass {
	return &pass{c: c, t: t, key: o.namespace + "/" + o.name, of: fmt.Sprintf(`"knative.dev/controller":"knative.dev.serving.pkg.reconciler.%s.Reconciler","knative.dev/kind":"%s.%s"`,
		strings.ToLower(o.kind.name), o.group, o.kind.name)}
}

// pass is one reconcile of one object.
type pass struct {
	c       *cluster
	t       time.Time
	of, key string
	trace   string // empty while it is in the queue
}

// run logs a pass from the queue to its end.
func (p *pass) run(work func()) {
	p.trace = ""
	p.log("DEBUG", "controller/controller.go:407", fmt.Sprintf("Adding to queue %s (depth: %d)", p.key, p.c.rng.IntN(60)), "")
	p.log("DEBUG", "controller/controller.go:500", fmt.Sprintf("Processing from queue %s (depth: %d)", p.key, p.c.rng.IntN(60)), "")
	p.trace = p.c.uid()
	const endpoints = `Activator endpoints: [&EndpointSubset{Addresses:[]EndpointAddress{EndpointAddress{IP:10.244.8.2,TargetRef:&ObjectReference{Kind:Pod,Namespace:knative-serving,Name:activator-7f9cb8476b-w7bj4,},Hostname:,NodeName:*worker-08,},},Ports:[]EndpointPort{EndpointPort{Name:http2,Port:8013,Protocol:TCP,},},}]`
	p.log("DEBUG", "serverlessservice/serverlessservice.go:203", endpoints, "")
	p.log("INFO", "revision/reconcile_resources.go:161", "Reconciling PA: "+p.key, "")
	work()
	p.log("INFO", "controller/controller.go:529", "Reconcile succeeded", fmt.Sprintf(`,"duration":%q`, p.c.between(1, 30)))
}

func (p *pass) log(severity, caller, message, more string) {
	if p.trace != "" {
		more = fmt.Sprintf(`,"knative.dev/traceid":%q,"knative.dev/key":%q`, p.trace, p.key) + more
	}
	p.t = p.t.Add(p.c.between(0, 1))
	out := &p.c.controller
	out.line = fmt.Appendf(out.line[:0], `{"severity":%q,"timestamp":%q,"logger":"controller","caller":%q,"message":%s,"knative.dev/pod":"controller-787f694b45-xhkv8",%s%s}`,
		severity, p.t.Format(time.RFC3339Nano), caller, quoted(message), p.of, more)
	out.end()
}
