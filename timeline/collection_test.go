package timeline

import (
	"testing"
)

// TestDeletedCollections reads deletions of the Pods of a namespace, with and
// without an answer that lists them.
func TestDeletedCollections(t *testing.T) {
	const name = "r-00001-deployment-x-y"
	meta := `"labels":{"serving.knative.dev/revision":"r-00001","serving.knative.dev/service":"r"}`
	ready := object("pods", name, "p", meta, conditions("Ready=True", `"phase":"Running"`))
	before := []interface{ json() string }{
		event{at: 1, verb: "create", res: "revisions", name: "r-00001"}.both("1", object("revisions", "r-00001", "r", "")),
		event{at: 2, verb: "create", res: "pods", name: name}.both("2", object("pods", name, "p", meta)),
		event{at: 3, verb: "patch", res: "pods/status", name: name}.both("3", ready),
	}
	list := func(items string) string {
		return `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[` + items + `]}`
	}
	tests := []struct {
		name    string
		stages  []event
		rows    int
		summary string
		grade   Grade
		ready   int
	}{
		{"listed", []event{{resp: list(withVersion(ready, "3"))}}, 1, "deleted", Observed, 0},
		{"listed, both stages", []event{{stage: "RequestReceived"}, {resp: list(withVersion(ready, "3"))}}, 1, "deleted", Observed, 0},
		{"an empty list", []event{{stage: "RequestReceived"}, {resp: list("")}}, 0, "", "", 1},
		{"not listed", []event{{stage: "RequestReceived", level: "Metadata"}, {level: "Metadata"}}, 1,
			"perhaps deleted: a collection of its kind was, of which the log does not tell the members", Inferred, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			records := before
			for i, e := range test.stages {
				e.id, e.verb, e.res, e.received = "gone", "deletecollection", "pods", 3.9
				e.at = 4 + float64(i)
				records = append(records[:len(records):len(records)], e)
			}
			h := read(t, join(records...))
			pod := one(t, h, KindPod, name)
			writes := pod.Writes[2:]
			if len(writes) != test.rows {
				t.Fatalf("%d rows, want %d: %s", len(writes), test.rows, ids(writes))
			}
			for _, w := range writes {
				if e := writeEntry(w); e.Grade != test.grade || len(e.Summary) < len(test.summary) || e.Summary[:len(test.summary)] != test.summary {
					t.Errorf("%s %q, want %s %q", e.Grade, e.Summary, test.grade, test.summary)
				}
			}
			if n, ok := revision(t, h, "r-00001").Ready(sec(6)); !ok || n.Count != test.ready {
				t.Errorf("%d Pods ready, want %d", n.Count, test.ready)
			}
		})
	}
}
