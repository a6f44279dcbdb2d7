package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// revision is the state of Revision shop/cart-00001 after a write at a second, or
// in a snapshot if that is negative, as "READY[/REASON]".
type revision struct {
	second  int
	ready   string
	change  func(*request)
	version string
	pod     string // if set, it is a Pod of it instead, that waits for this reason
}

// historyOf builds the history of the Revision.
func historyOf(list ...revision) *timeline.History {
	rows := table.NewBuilder()
	for i, r := range list {
		o := table.Object{Origin: table.OriginSnapshot, Group: "serving.knative.dev", Version: "v1", Kind: "Revision",
			Namespace: "shop", Name: "cart-00001", UID: "u1", ResourceVersion: r.version, HasStatus: true,
			Labels: []table.Pair{{Key: "app", Value: "cart"}}, Fields: []table.Pair{{Key: "status.actualReplicas", Value: fmt.Sprint(i)}}}
		o.File, o.Line, o.Offset = "final.json", int64(i+1), int64(i+1)
		if status, reason, _ := strings.Cut(r.ready, "/"); status != "" {
			o.Conditions = []table.Condition{{Type: "Ready", Status: status, Reason: reason}}
		}
		resource := "revisions"
		if r.pod != "" {
			resource = "pods"
			o.Group, o.Kind, o.Name, o.UID = "", "Pod", "cart-00001-deployment-x", "u2"
			o.Labels = []table.Pair{{Key: "serving.knative.dev/service", Value: "cart"}}
			o.Fields = []table.Pair{{Key: "status.containerStatuses[0].state.waiting.reason", Value: r.pod}}
		}
		if r.second >= 0 {
			o.Origin, o.File, o.AuditID = table.OriginResponse, "audit.log", fmt.Sprintf("id-%d", r.second)
			e := at(float64(r.second), r.change)
			e.Group, e.Version, e.Resource, e.Subresource, e.Name = o.Group, o.Version, resource, "status", o.Name
			e.Location = o.Location
			rows.AuditEvent(e)
		}
		rows.Object(&o)
	}
	batch := rows.Batch()
	defer batch.Release()
	b := timeline.NewBuilder()
	b.Add(batch)
	return b.Build()
}

func judgeHistory(set *Set, h *timeline.History) *detectors.Result {
	w := set.Watch(nil, "")
	w.Families(h.Families)
	result, _ := w.Judge(h.Clusters, always)
	result.Sort()
	return result
}

func TestStates(t *testing.T) {
	h := historyOf(
		revision{second: 1, ready: "Unknown/Deploying", version: "10"},
		revision{second: 2, ready: "True", version: "20"},
		revision{second: 3, ready: "False/ExitCode1", version: "30"},
		revision{second: 4, ready: "True", version: "40", change: func(r *request) { r.Code, r.Reason = 409, "Conflict" }},
		revision{second: 5, ready: "True", version: "50"})
	for when, summary := range map[string]string{
		`object.conditions.Ready.status == "True"`:         "2 of Revision shop/cart-00001",
		`object.conditions["Ready"].reason == "ExitCode1"`: "1 of Revision shop/cart-00001",
		`has(oldObject.conditions.Ready) && oldObject.conditions.Ready.status == "True" && object.conditions.Ready.status == "False"`: "1 of Revision shop/cart-00001",
		`!has(oldObject.conditions.Ready)`: "1 of Revision shop/cart-00001",
		`object.metadata.labels[?"app"].orValue("") == "cart" && object.metadata.namespace == "shop"`:         "4 of Revision shop/cart-00001",
		`object.fields["status.actualReplicas"] == "2" && component == "kubectl" && user.username == "alice"`: "1 of Revision shop/cart-00001",
		`verb == "update" && subresource == "status" && stageTimestamp > timestamp("2026-03-02T09:00:02Z")`:   "2 of Revision shop/cart-00001",
		`object.metadata.uid == "u1" && object.kind == "Pod"`:                                                 "",
	} {
		result := judgeHistory(parse(t, one("over: objects", "when: |-\n      "+when)), h)
		if got := fmt.Sprintf("%s", said(result)); len(result.Blind) > 0 || summary == "" && len(result.Findings) > 0 || !strings.Contains(got, summary) {
			t.Errorf("%s: %s %+v", when, got, result.Blind)
		}
	}
	f := judgeHistory(parse(t, one("over: objects", `message: "{object.conditions.Ready.reason} {count}"`)), h).Findings[0]
	if f.UID != "u1" || f.Summary != "Deploying 4" || f.Decisive[0] != "id-1" || !f.Time.Equal(at(1, nil).StageTime) {
		t.Errorf("%+v", f)
	}
}

// TestStateInSnapshot has a snapshot of a version that the inputs show being
// written, and of one that they do not.
func TestStateInSnapshot(t *testing.T) {
	set := parse(t, one("over: objects", `when: object.conditions.Ready.status == "True"`, `message: "{count}, first {from} by {user.username}"`))
	written := historyOf(revision{second: 2, ready: "True", version: "20"}, revision{second: -1, ready: "True", version: "20"})
	want(t, said(judgeHistory(set, written)), "Revision shop/cart-00001: 1, first 2026-03-02T09:00:02Z by alice")
	alone := historyOf(revision{second: 2, ready: "False", version: "20"}, revision{second: -1, ready: "True", version: "30"})
	result := judgeHistory(set, alone)
	want(t, said(result), "Revision shop/cart-00001: 1, first ? by")
	if f := result.Findings[0]; !f.Time.IsZero() || f.Fact("from") != nil || f.Decisive[0] != "u1@30" {
		t.Errorf("%+v", f)
	}
	windowed := parse(t, one("over: objects", "window: 2 within 1h"))
	want(t, said(judgeHistory(windowed, alone)))
}

func TestMissingCondition(t *testing.T) {
	set := parse(t, one("over: objects", `when: object.conditions.Ready.status == "True"`))
	result := judgeHistory(set, historyOf(revision{second: 1, version: "10"}))
	if len(result.Findings) > 0 || len(result.Blind) != 1 || result.Blind[0].Reason != "for 1 of the objects it could not, the first at audit.log:1: no such key: Ready" {
		t.Errorf("%+v", result)
	}
}
