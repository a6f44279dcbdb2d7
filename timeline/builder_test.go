package timeline

import (
	"slices"
	"strings"
	"testing"
)

func TestStagesAreOneRequest(t *testing.T) {
	base := event{id: "a", verb: "update", res: "revisions/status", name: "r-00001", uid: "u", received: 1}
	stage := func(name string, at float64, code int) event {
		e := base
		e.stage, e.at, e.code = name, at, code
		if name == "RequestReceived" {
			e.uid, e.code = "", -1
		}
		return e
	}
	ready := object("revisions", "r-00001", "u", "", conditions("Ready=True"))
	received, started, done := stage("RequestReceived", 1, 0), stage("ResponseStarted", 1.1, 200), stage("ResponseComplete", 1.2, 200).both("7", ready)
	panicked := stage("Panic", 1.2, 500)
	tests := []struct {
		name    string
		stages  []event
		outcome Outcome
		at      float64
		stage   string
		bodies  bool
	}{
		{"RequestReceived only", []event{received}, Unanswered, 1, "RequestReceived", false},
		{"all", []event{received, started, done}, Applied, 1.2, "ResponseComplete", true},
		{"in another order", []event{done, received, started}, Applied, 1.2, "ResponseComplete", true},
		{"ResponseStarted twice", []event{started, stage("ResponseStarted", 1.15, 200), done}, Applied, 1.2, "ResponseComplete", true},
		{"no end", []event{stage("ResponseStarted", 1.15, 200), started, received}, Applied, 1.15, "ResponseStarted", false},
		{"panic", []event{received, panicked}, Failed, 1.2, "Panic", false},
		{"panic first", []event{panicked, received}, Failed, 1.2, "Panic", false},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.stages {
			records = append(records, e)
		}
		writes := one(t, read(t, join(records...)), KindRevision, "r-00001").Writes
		if len(writes) != 1 {
			t.Errorf("%s: %d requests, want 1", test.name, len(writes))
			continue
		}
		w := writes[0]
		if w.Outcome != test.outcome || !w.Time.Equal(sec(test.at)) || !w.Received.Equal(sec(1)) || w.Stage != test.stage || w.BodySeen != test.bodies {
			t.Errorf("%s: outcome %d at %s, stage %s, body %v: %+v", test.name, w.Outcome, w.Time, w.Stage, w.BodySeen, w.Source)
		}
	}
}

func TestRequestsAreToldApart(t *testing.T) {
	e := event{id: "a", at: 1, verb: "patch", res: "revisions", name: "r-00001"}
	change := func(f func(*event)) event {
		other := e
		f(&other)
		return other
	}
	tests := []struct {
		name  string
		other event
		want  int
	}{
		{"another ID", change(func(e *event) { e.id = "b" }), 2},
		{"one ID, another verb", change(func(e *event) { e.verb = "update" }), 2},
		{"one ID, another URI", change(func(e *event) { e.res = "revisions/status" }), 2},
		{"one ID that the client chose, at another time", change(func(e *event) { e.at = 5 }), 2},
		{"one ID in the logs of two servers", change(func(e *event) { e.received, e.at = 0.995, 0.999 }), 2},
		{"the same once more", e, 1},
	}
	for _, test := range tests {
		h := read(t, join(e), join(test.other))
		if got := len(one(t, h, KindRevision, "r-00001").Writes); got != test.want {
			t.Errorf("%s: %d requests, want %d", test.name, got, test.want)
		}
	}
}

// TestOneIDAboutTwoObjects: an aggregated server logs the ID of the request that
// was passed on, and a client can use one ID for all it does.
func TestOneIDAboutTwoObjects(t *testing.T) {
	h := read(t, join(event{id: "a", at: 1, verb: "patch", res: "revisions", name: "r-00001"}, event{id: "a", at: 1, verb: "patch", res: "revisions", name: "r-00002"}))
	for _, name := range []string{"r-00001", "r-00002"} {
		if got := len(one(t, h, KindRevision, name).Writes); got != 1 {
			t.Errorf("%s: %d requests, want 1", name, got)
		}
	}
}

func TestCreateIsNamedByItsLastStage(t *testing.T) {
	received := event{id: "a", at: 1, received: 1, verb: "create", res: "revisions", stage: "RequestReceived"}
	done := event{id: "a", at: 1.1, received: 1, verb: "create", res: "revisions"}.both("1", object("revisions", "r-00001", "u", ""))
	h := read(t, join(received, done))
	o := one(t, h, KindRevision, "r-00001")
	if len(o.Writes) != 1 || o.BornBy != o.Writes[0] || o.UID != "u" {
		t.Errorf("%d writes, born by %v, uid %q", len(o.Writes), o.BornBy, o.UID)
	}
	if len(h.Families) != 1 {
		t.Errorf("%d families, want 1: a request without a name is about nothing", len(h.Families))
	}
}

func TestActor(t *testing.T) {
	tests := []struct {
		user, agent, as string
		want            Actor
	}{
		{"system:serviceaccount:knative-serving:controller", "controller/v0.0.0 (linux/amd64) kubernetes/$Format", "", Actor{Component: "controller"}},
		{"system:serviceaccount:knative-serving:controller", "autoscaler/v0.0.0 (linux/amd64) kubernetes/$Format", "", Actor{Component: "autoscaler"}},
		{"system:serviceaccount:knative-serving:controller", "autoscaler-hpa/v0.0.0", "", Actor{Component: "autoscaler-hpa"}},
		{"system:serviceaccount:kube-system:deployment-controller", "kube-controller-manager/v1.34.2 (linux/amd64)", "", Actor{Component: "deployment-controller"}},
		{"system:kube-controller-manager", "kube-controller-manager/v1.34.2 (linux/amd64)", "", Actor{Component: "kube-controller-manager"}},
		{"system:serviceaccount:kube-system:someone", "curl/8", "", Actor{Component: "curl"}},
		{"system:node:n1", "kubelet/v1.34.2", "", Actor{Component: "kubelet"}},
		{"ops-admin", "controller/v0.0.0", "system:serviceaccount:knative-serving:controller",
			Actor{Component: "controller", User: "ops-admin as system:serviceaccount:knative-serving:controller"}},
	}
	for _, test := range tests {
		e := event{at: 1, verb: "patch", res: "revisions", name: "r-00001", user: test.user, agent: test.agent, as: test.as, pod: "pod-1"}
		got := one(t, read(t, join(e)), KindRevision, "r-00001").Writes[0].Actor
		want := test.want
		if want.User == "" {
			want.User = test.user
		}
		want.UserAgent, want.Pod = e.agent, "pod-1"
		if got != want {
			t.Errorf("%s by %s: %+v, want %+v", test.user, test.agent, got, want)
		}
	}
	if got := Component("ops-admin", ""); got != "ops-admin" {
		t.Errorf("without a user agent: %q", got)
	}
}

// TestImpersonation: the identity that was acted as stands in the later stage
// only.
func TestImpersonation(t *testing.T) {
	received := event{id: "a", at: 1, received: 1, verb: "patch", res: "revisions", name: "r-00001", user: "ops-admin", stage: "RequestReceived"}
	done := event{id: "a", at: 1.1, received: 1, verb: "patch", res: "revisions", name: "r-00001", user: "ops-admin", as: "robot"}
	for _, records := range [][]interface{ json() string }{{received, done}, {done, received}} {
		w := one(t, read(t, join(records...)), KindRevision, "r-00001").Writes[0]
		if w.Actor.User != "ops-admin as robot" {
			t.Errorf("user %q", w.Actor.User)
		}
	}
}

// TestRequestsWithoutAuditID are never folded: nothing tells which belong
// together.
func TestRequestsWithoutAuditID(t *testing.T) {
	line := func(e event) string { return strings.Replace(e.json(), `"auditID":"x",`, "", 1) }
	a := event{id: "x", at: 1, verb: "patch", res: "revisions", name: "r-00001"}
	b := event{id: "x", at: 2, verb: "patch", res: "revisions", name: "r-00001"}
	h := read(t, line(b)+"\n"+line(a)+"\n")
	var times []bool
	writes := one(t, h, KindRevision, "r-00001").Writes
	for i, w := range writes {
		times = append(times, w.Time.Equal(sec(float64(i+1))))
	}
	if !slices.Equal(times, []bool{true, true}) {
		t.Errorf("%d requests, in order %v", len(writes), times)
	}
}

func TestOnlyTheFamily(t *testing.T) {
	h := read(t, join(
		event{at: 1, verb: "create", res: "pods/binding", name: "r-00001-deployment-1-a"},
		event{at: 1, verb: "list", res: "revisions"},
		event{at: 1, verb: "get", res: "revisions", name: "r-00009", level: "Metadata"},
		event{at: 1, verb: "update", res: "leases", name: "r-00001"},
		event{at: 1, verb: "update", res: "deployments", name: "someone-elses"},
		event{at: 1, verb: "update", res: "configmaps", name: "settings"},
	))
	if len(h.Families) != 0 {
		t.Errorf("families %v", h.Families[0].objects[0].Ref)
	}
	if !h.Clusters[0].From.Equal(sec(1)) || !h.Clusters[0].To.Equal(sec(1)) {
		t.Errorf("span %s to %s: all events count", h.Clusters[0].From, h.Clusters[0].To)
	}
}
