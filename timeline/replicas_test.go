package timeline

import (
	"fmt"
	"slices"
	"testing"
)

func TestReady(t *testing.T) {
	hpa := "initial-scale=3 class=hpa.autoscaling.knative.dev"
	actual := func(n int) string { return fmt.Sprintf(`"status":{"actualScale":%d}`, n) }
	own := func(f *family, at float64, n int) *family {
		return f.add(event{at: at, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", scale("initial-scale=3"), fmt.Sprintf(`"status":{"actualReplicas":%d}`, n))))
	}
	gone := func(f *family, at float64, res, name string) *family {
		return f.add(event{at: at, verb: "delete", res: res, name: name, level: "Metadata"})
	}
	tests := []struct {
		name   string
		family *family
		at     float64
		want   string // "count source", or "unknown"
	}{
		{"nothing", newFamily(""), 9, "unknown"},
		{"Deployment", newFamily("").deployment(2, 1), 9, "1 Deployment status"},
		{"a Deployment that says nothing has none ready", newFamily("").status(2, "deployments", "r-00001-deployment", `"status":{}`), 9, "0 Deployment status"},
		{"a PodAutoscaler that says nothing is unknown", newFamily("").pa(2, "/status", "", "Reachable", `"status":{}`), 9, "unknown"},
		{"ReplicaSets", newFamily("").status(2, "replicasets", "r-00001-deployment-1", `"status":{"readyReplicas":2}`).status(3, "replicasets", "r-00001-deployment-2", `"status":{"readyReplicas":1}`), 9, "3 ReplicaSet status"},
		{"PodAutoscaler", newFamily("").pa(2, "/status", "", "Reachable", actual(2)), 9, "2 PodAutoscaler status"},
		{"that of class HPA does not count", newFamily(hpa).pa(2, "/status", hpa, "Reachable", actual(2)), 9, "unknown"},
		{"Pods", newFamily("").pod(2, "a", "True").pod(3, "b", "True").pod(4, "c", "False"), 9, "2 Pods"},
		{"a Pod that was deleted", gone(newFamily("").pod(2, "a", "True").pod(3, "b", "True"), 4, "pods", "r-00001-deployment-1-b"), 9, "1 Pods"},
		{"the Revision itself", own(newFamily(""), 2, 2), 9, "2 Revision status"},
		{"the highest counts", newFamily("").deployment(2, 1).pod(2, "a", "True").pod(2, "b", "True"), 9, "2 Pods"},
		{"as of then", newFamily("").deployment(2, 1).deployment(5, 3), 4, "1 Deployment status"},
		{"from when it came in", newFamily("").deployment(2, 1).deployment(5, 3), 4.995, "3 Deployment status"},
		{"contradicted within seconds: both are current", newFamily("").pa(2, "/status", "", "Reachable", actual(3)).deployment(8, 1), 9, "3 PodAutoscaler status"},
		{"contradicted for long: the older is out of date", newFamily("").pa(2, "/status", "", "Reachable", actual(3)).deployment(20, 1), 29, "1 Deployment status"},
		{"supported by what is newer", newFamily("").pa(2, "/status", "", "Reachable", actual(3)).deployment(20, 3), 29, "3 Deployment status"},
		{"the Revision contradicts nobody", own(newFamily("").deployment(2, 3), 20, 0), 29, "3 Deployment status"},
		{"a write to the rest is no news", newFamily("").deployment(2, 1).add(event{at: 5, verb: "update", res: "deployments", name: "r-00001-deployment", uid: "r-00001-deployment"}.both("", object("deployments", "r-00001-deployment", "r-00001-deployment", ofRevision, `"status":{"readyReplicas":9}`))), 9, "1 Deployment status"},
		{"a refused write is none", newFamily("").deployment(2, 1).add(event{at: 5, verb: "update", res: "deployments/status", name: "r-00001-deployment", code: 409, req: object("deployments", "r-00001-deployment", "", "", `"status":{"readyReplicas":9}`)}), 9, "1 Deployment status"},
		{"of two Deployments of one name the newer", newFamily("").deployment(2, 3).add(event{at: 5, verb: "delete", res: "deployments", name: "r-00001-deployment", level: "Metadata"}).
			add(event{at: 6, verb: "update", res: "deployments/status", name: "r-00001-deployment", uid: "d2"}.both("", object("deployments", "r-00001-deployment", "d2", ofRevision, `"status":{"readyReplicas":1}`))), 9, "1 Deployment status"},
	}
	for _, test := range tests {
		got := "unknown"
		if n, ok := test.family.read(t).Ready(sec(test.at)); ok {
			got = fmt.Sprintf("%d %s", n.Count, n.Source)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestSources(t *testing.T) {
	actual := func(n int) string { return fmt.Sprintf(`"status":{"actualScale":%d}`, n) }
	tests := []struct {
		name   string
		family *family
		want   int
	}{
		{"none", newFamily(""), 0},
		{"one", newFamily("").deployment(2, 1), 1},
		{"Deployment and ReplicaSet are of one program", newFamily("").deployment(2, 1).status(2, "replicasets", "r-00001-deployment-1", `"status":{"readyReplicas":1}`), 1},
		{"another program", newFamily("").deployment(2, 1).pa(2, "/status", "", "Reachable", actual(1)), 2},
		{"that says something else", newFamily("").deployment(2, 1).pa(2, "/status", "", "Reachable", actual(0)), 1},
		{"three", newFamily("").deployment(2, 1).pa(2, "/status", "", "Reachable", actual(1)).pod(2, "a", "True"), 3},
	}
	for _, test := range tests {
		if got := test.family.read(t).Sources(sec(9)); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// TestDoubt: what speaks for more ready replicas than are counted.
func TestDoubt(t *testing.T) {
	blind := func(f *family, at float64, res, name string) *family {
		return f.add(event{at: at, verb: "patch", res: res + "/status", name: name, level: "Metadata"})
	}
	old := &family{} // a Revision of before the inputs
	old.add(event{at: 1, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", `"creationTimestamp":"2026-03-01T00:00:00Z",`+scale("initial-scale=3"), conditions("Ready=Unknown"))))
	own := func(ready string, before, n int) *family {
		f := newFamily("")
		for i, actual := range []int{before, n} {
			state := "Unknown"
			if i == 1 {
				state = ready
			}
			f.add(event{at: float64(2 + i), verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", "", conditions("Ready="+state, fmt.Sprintf(`"actualReplicas":%d`, actual)))))
		}
		return f
	}
	tests := []struct {
		name   string
		family *family
		doubt  bool
	}{
		{"a Deployment, and nothing later", newFamily("").deployment(2, 1), false},
		{"Pods were written later without bodies", blind(newFamily("").deployment(2, 1), 3, "pods", "r-00001-deployment-1-a"), true},
		{"before", blind(newFamily("").deployment(3, 1), 2, "pods", "r-00001-deployment-1-a"), false},
		{"after the moment", blind(newFamily("").deployment(2, 1), 9.5, "pods", "r-00001-deployment-1-a"), false},
		{"the PodAutoscaler was", blind(newFamily("").deployment(2, 1), 3, "podautoscalers", "r-00001"), true},
		{"the Deployment itself was", blind(newFamily("").deployment(2, 1), 3, "deployments", "r-00001-deployment"), true},
		{"with bodies: they are counted", newFamily("").deployment(2, 1).pod(3, "a", "True"), false},
		{"one Pod of two without a body", blind(newFamily("").pod(3, "a", "True"), 2, "pods", "r-00001-deployment-1-b"), true},
		{"the Deployment caught up soon after", newFamily("").deployment(2, 1).deployment(9.5, 3), true},
		{"it grew, but not to the target", newFamily("").deployment(2, 1).deployment(9.5, 2).deployment(15, 3), false},
		{"long after", newFamily("").deployment(2, 1).deployment(30, 3), false},
		{"soon after, but the Pods are known", newFamily("").deployment(2, 1).pod(2, "a", "True").deployment(9.5, 3), false},
		{"Pods of a Revision of before the inputs", (&family{slices.Clone(old.events)}).pod(2, "a", "True"), true},
		{"the Revision's own status", own("Unknown", 0, 1), true},
		{"that came with Ready=True", own("True", 0, 1), false},
		{"that Ready=True repeats", own("True", 1, 1), true},
	}
	for _, test := range tests {
		r := test.family.read(t)
		n, ok := r.Ready(sec(9))
		if !ok {
			t.Errorf("%s: replicas unknown", test.name)
			continue
		}
		if got := r.Doubt(n, sec(9), 3); (got != "") != test.doubt {
			t.Errorf("%s: %+v, %q", test.name, n, got)
		}
	}
}

func TestCovered(t *testing.T) {
	status := func(born string) event {
		return event{id: "s", at: 5, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", `"creationTimestamp":"`+born+`"`, conditions("Ready=True")))
	}
	first := event{id: "f", at: 1.5, verb: "patch", res: "routes", name: "r", level: "Metadata"}
	tests := []struct {
		name   string
		events []interface{ json() string }
		want   bool
	}{
		{"created in the inputs", newFamily("").events, true},
		{"made after they begin", []interface{ json() string }{first, status("2026-03-02T09:00:03Z")}, true},
		{"made in the second in which they begin", []interface{ json() string }{first, status("2026-03-02T09:00:01Z")}, true},
		{"made before", []interface{ json() string }{first, status("2026-03-02T09:00:00Z")}, false},
		{"nothing tells", []interface{ json() string }{first, event{id: "s", at: 5, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"}}, false},
	}
	for _, test := range tests {
		if got := revision(t, read(t, join(test.events...)), "r-00001").Covered(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestKnownBefore: versions order writes of different objects where the clocks
// of two API servers do not.
func TestKnownBefore(t *testing.T) {
	dep := func(id string, at float64, version string) event {
		return event{id: id, at: at, verb: "update", res: "deployments/status", name: "r-00001-deployment", uid: "d"}.both(version, object("deployments", "r-00001-deployment", "d", ofRevision, `"status":{"readyReplicas":3}`))
	}
	ready := func(version string) event { return rev("ready", 5, version, "Ready=True") }
	tests := []struct {
		name   string
		events []interface{ json() string }
		want   float64 // 0: nothing is known
	}{
		{"later by time, before by version", []interface{ json() string }{dep("d", 5.2, "10"), ready("11")}, 5.2},
		{"later by both", []interface{ json() string }{dep("d", 5.2, "12"), ready("11")}, 0},
		{"too much later to be a matter of clocks", []interface{ json() string }{dep("d", 60, "10"), ready("11")}, 0},
		{"no versions", []interface{ json() string }{dep("d", 5.2, ""), ready("x")}, 0},
	}
	for _, test := range tests {
		r := revision(t, read(t, join(test.events...)), "r-00001")
		got := r.KnownBefore(r.Writes[0])
		if test.want == 0 && !got.IsZero() || test.want != 0 && !got.Equal(sec(test.want)) {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}
