package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// known writes what is known of a state: conditions, fields, labels and
// annotations, each sorted, and "whole" if what is missing is absent.
func known(s *State) string {
	if s == nil {
		return "nothing"
	}
	var parts []string
	for _, c := range s.Conditions {
		parts = append(parts, c.Type+"="+c.Text())
	}
	for path, v := range s.Fields.All() {
		parts = append(parts, path+"="+v)
	}
	for key, v := range s.Labels.All() {
		parts = append(parts, "label "+key+"="+v)
	}
	for key, v := range s.Annotations.All() {
		parts = append(parts, "@"+key[strings.LastIndexByte(key, '/')+1:]+"="+v)
	}
	slices.Sort(parts)
	if s.Whole {
		parts = append(parts, "whole")
	}
	return strings.Join(parts, " ")
}

// edits writes the changes of a write.
func edits(w *Write) string {
	var parts []string
	for _, c := range w.Changes() {
		from, to := "∅", "∅"
		if c.From != nil {
			from = *c.From
		}
		if c.To != nil {
			to = *c.To
		}
		parts = append(parts, fmt.Sprintf("%s %s→%s", c.Path, from, to))
	}
	return strings.Join(parts, ", ")
}

const (
	initial3 = `"annotations":{"autoscaling.knative.dev/initial-scale":"3"}`
	initial5 = `"annotations":{"autoscaling.knative.dev/initial-scale":"5"}`
)

func TestOutcomes(t *testing.T) {
	ready := object("revisions", "r-00001", "u", "", conditions("Ready=True"))
	before := rev("0", 1, "10", "Ready=Unknown/Deploying")
	update := func(code int) event {
		return event{id: "a", at: 2, verb: "update", res: "revisions/status", name: "r-00001", uid: "u", sent: "10", code: code, req: ready}
	}
	answered := update(200)
	answered.resp = withVersion(ready, "11")
	dry := answered
	dry.dryRun = true
	same := update(200)
	same.resp = withVersion(object("revisions", "r-00001", "u", "", conditions("Ready=Unknown/Deploying")), "10")
	unanswered := update(0)
	unanswered.stage, unanswered.code, unanswered.req = "RequestReceived", -1, ""
	noCode := update(-1)
	noCode.code = -1
	tests := []struct {
		name    string
		write   event
		outcome Outcome
		ready   string // what is known after
		took    bool
		hidden  bool
		became  bool
	}{
		{"applied", answered, Applied, "True", true, false, true},
		{"dry run", dry, DryRun, "Unknown/Deploying", false, false, false},
		{"409", update(409), Refused, "Unknown/Deploying", false, false, false},
		{"403", update(403), Refused, "Unknown/Deploying", false, false, false},
		{"404", update(404), Refused, "Unknown/Deploying", false, false, false},
		{"422", update(422), Refused, "Unknown/Deploying", false, false, false},
		{"429", update(429), Refused, "Unknown/Deploying", false, false, false},
		{"500", update(500), Failed, "Unknown/Deploying", false, true, false},
		{"504", update(504), Failed, "Unknown/Deploying", false, true, false},
		{"unanswered", unanswered, Unanswered, "Unknown/Deploying", false, true, false},
		{"an answer without code and body", noCode, Unanswered, "Unknown/Deploying", false, true, false},
		{"unchanged", same, Unchanged, "Unknown/Deploying", true, false, false},
	}
	for _, test := range tests {
		writes := one(t, read(t, join(before, test.write)), KindRevision, "r-00001").Writes
		w := writes[len(writes)-1]
		c, _ := w.After.Condition("Ready")
		if w.Outcome != test.outcome || c.Text() != test.ready || w.Took() != test.took || w.Hidden() != test.hidden || w.Became("Ready", "True") != test.became {
			t.Errorf("%s: outcome %d, Ready %s, took %v, hidden %v, became %v; changes %s",
				test.name, w.Outcome, c.Text(), w.Took(), w.Hidden(), w.Became("Ready", "True"), edits(w))
		}
	}
}

// TestUnchanged: a success that changed nothing shows in the version of the
// answer, or in that which the next accepted update quotes.
func TestUnchanged(t *testing.T) {
	quote := func(id string, at float64, sent string, code int) event {
		return event{id: id, at: at, verb: "update", res: "deployments", name: "r-00001-deployment", level: "Metadata", sent: sent, code: code}
	}
	tests := []struct {
		name   string
		writes []event
		want   string // of each write: = unchanged, + applied, x refused
	}{
		{"the same version", []event{rev("a", 1, "7", "Ready=True"), rev("b", 2, "7", "Ready=True")}, "+="},
		{"another version", []event{rev("a", 1, "7", "Ready=True"), rev("b", 2, "8", "Ready=True")}, "++"},
		{"the version of a read", []event{
			event{id: "g", at: 1, verb: "get", res: "revisions", name: "r-00001", uid: "u"}.both("7", object("revisions", "r-00001", "u", "")), rev("b", 2, "7", "Ready=True")}, "r="},
		{"quoted once more", []event{quote("a", 1, "5", 200), quote("b", 2, "5", 200), quote("c", 3, "6", 200)}, "=++"},
		{"quoted twice more", []event{quote("a", 1, "5", 200), quote("b", 2, "5", 200), quote("c", 3, "5", 200)}, "==+"},
		{"quoted again by one that was refused", []event{quote("a", 1, "5", 200), quote("b", 2, "5", 409)}, "+x"},
		{"nothing quoted", []event{quote("a", 1, "", 200), quote("b", 2, "", 200)}, "++"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.writes {
			records = append(records, e)
		}
		h := read(t, join(append(records, event{at: 9, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"})...))
		kind, name := KindRevision, "r-00001"
		if strings.HasPrefix(test.writes[0].res, "deployments") {
			kind, name = KindDeployment, "r-00001-deployment"
		}
		got := ""
		for _, w := range one(t, h, kind, name).Writes {
			if w.Verb != "create" {
				got += map[Outcome]string{Applied: "+", Unchanged: "=", Refused: "x", Read: "r"}[w.Outcome]
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestStates plays writes of a Deployment and looks at what is known after the
// last one.
func TestStates(t *testing.T) {
	const name = "r-00001-deployment"
	dep := func(version, metadata string, members ...string) string {
		return withVersion(object("deployments", name, "d", metadata, members...), version)
	}
	create := event{id: "0", at: 1, verb: "create", res: "deployments", name: name,
		resp: dep("1", initial3, `"spec":{"replicas":3}`, `"status":{}`)}
	status := func(ready int, conds string) string {
		return conditions(conds, fmt.Sprintf(`"readyReplicas":%d`, ready))
	}
	written := event{id: "1", at: 2, verb: "update", res: "deployments/status", name: name, resp: dep("2", initial3, `"spec":{"replicas":3}`, status(2, "Progressing=True Available=False"))}
	request := func(id, verb, sub, body string) event {
		res := "deployments"
		if sub != "" {
			res += "/" + sub
		}
		return event{id: id, at: 3, verb: verb, res: res, name: name, level: "Request", req: body}
	}
	tests := []struct {
		name  string
		write event
		want  string
		edits string
	}{
		{"the object in the answer is whole", event{id: "2", at: 3, verb: "update", res: "deployments/status", name: name, resp: dep("3", initial3, `"spec":{"replicas":3}`, status(3, "Available=True"))},
			"@initial-scale=3 Available=True spec.replicas=3 status.readyReplicas=3 whole",
			"conditions.Available False→True, conditions.Progressing True→∅, status.readyReplicas 2→3"},
		{"an update of status leaves spec and metadata", request("2", "update", "status", dep("2", initial5, `"spec":{"replicas":9}`, status(3, "Available=True"))),
			"@initial-scale=3 Available=True spec.replicas=3 status.readyReplicas=3",
			"conditions.Available False→True, status.readyReplicas 2→3"},
		{"an update of status drops what it does not repeat", request("2", "update", "status", dep("2", "", `"spec":{}`, conditions("Available=True"))),
			"@initial-scale=3 Available=True spec.replicas=3", "conditions.Available False→True"},
		{"an update of the rest leaves status", request("2", "update", "", dep("2", initial5, `"spec":{"replicas":4}`, status(9, "Available=True"))),
			"@initial-scale=5 Available=False Progressing=True spec.replicas=4 status.readyReplicas=2",
			"spec.replicas 3→4, metadata.annotations[autoscaling.knative.dev/initial-scale] 3→5"},
		{"a merge patch of status", request("2", "patch", "status", `{"status":{"readyReplicas":1,"conditions":[{"type":"Available","status":"True"}]}}`),
			"@initial-scale=3 Available=True Progressing=True spec.replicas=3 status.readyReplicas=1",
			"conditions.Available False→True, status.readyReplicas 2→1"},
		{"a merge patch of metadata", request("2", "patch", "", `{"metadata":{"annotations":{"serving.knative.dev/routes":"r"}}}`),
			"@initial-scale=3 @routes=r Available=False Progressing=True spec.replicas=3 status.readyReplicas=2",
			"metadata.annotations[serving.knative.dev/routes] ∅→r"},
		{"a JSON patch of spec.replicas", request("2", "patch", "", `[{"op":"replace","path":"/spec/replicas","value":7}]`),
			"@initial-scale=3 Available=False Progressing=True spec.replicas=7 status.readyReplicas=2", "spec.replicas 3→7"},
		{"the same at scale, since Knative 1.22", request("2", "patch", "scale", `[{"op":"add","path":"/spec/replicas","value":7}]`),
			"@initial-scale=3 Available=False Progressing=True spec.replicas=7 status.readyReplicas=2", "spec.replicas 3→7"},
		{"a JSON patch that removes", request("2", "patch", "", `[{"op":"remove","path":"/spec/replicas"},{"op":"remove","path":"/metadata/annotations/autoscaling.knative.dev~1initial-scale"}]`),
			"Available=False Progressing=True status.readyReplicas=2", "metadata.annotations[autoscaling.knative.dev/initial-scale] 3→∅"},
		{"null in a merge patch removes", request("2", "patch", "", `{"spec":{"replicas":null},"metadata":{"annotations":{"autoscaling.knative.dev/initial-scale":null}}}`),
			"Available=False Progressing=True status.readyReplicas=2", "metadata.annotations[autoscaling.knative.dev/initial-scale] 3→∅"},
		{"an annotation that is copied from another", request("2", "patch", "", `[{"op":"copy","from":"/metadata/annotations/x","path":"/metadata/annotations/autoscaling.knative.dev~1initial-scale"}]`),
			"Available=False Progressing=True spec.replicas=3 status.readyReplicas=2", ""},
		{"all annotations removed", request("2", "patch", "", `{"metadata":{"annotations":null}}`),
			"Available=False Progressing=True spec.replicas=3 status.readyReplicas=2", "metadata.annotations[autoscaling.knative.dev/initial-scale] 3→∅"},
		{"an update at scale", event{id: "2", at: 3, verb: "update", res: "deployments/scale", name: name,
			req: `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"x"},"spec":{"replicas":1}}`, resp: `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"x","resourceVersion":"9"},"spec":{"replicas":1}}`},
			"@initial-scale=3 Available=False Progressing=True spec.replicas=1 status.readyReplicas=2", "spec.replicas 3→1"},
		{"a JSON patch that only tests", request("2", "patch", "", `[{"op":"test","path":"/spec/replicas","value":3}]`),
			"@initial-scale=3 Available=False Progressing=True spec.replicas=3 status.readyReplicas=2", ""},
		{"a JSON patch of status names conditions by their place", request("2", "patch", "status", `[{"op":"replace","path":"/status/conditions/0/status","value":"True"}]`),
			"@initial-scale=3 spec.replicas=3", ""},
		{"status without a body is forgotten", event{id: "2", at: 3, verb: "update", res: "deployments/status", name: name, level: "Metadata"},
			"@initial-scale=3 spec.replicas=3", ""},
		{"spec without a body is forgotten", event{id: "2", at: 3, verb: "update", res: "deployments", name: name, level: "Metadata"},
			"@initial-scale=3 Available=False Progressing=True status.readyReplicas=2", ""},
		{"so it is if the API server cut the bodies", event{id: "2", at: 3, verb: "update", res: "deployments/status", name: name, truncated: true},
			"@initial-scale=3 spec.replicas=3", ""},
		{"a read shows the object", event{id: "2", at: 3, verb: "get", res: "deployments", name: name, resp: dep("9", "", `"spec":{"replicas":1}`, `"status":{}`)},
			"spec.replicas=1 whole",
			"conditions.Available False→∅, conditions.Progressing True→∅, spec.replicas 3→1, status.readyReplicas 2→∅, metadata.annotations[autoscaling.knative.dev/initial-scale] 3→∅"},
	}
	for _, test := range tests {
		h := read(t, join(event{at: 0.5, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"}, create, written, test.write))
		w := one(t, h, KindDeployment, name).Writes[2]
		if got := known(w.After); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
		if got := edits(w); got != test.edits {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.edits)
		}
		if sent := test.write.verb == "patch"; sent != (w.Grade == Inferred) {
			t.Errorf("%s: graded %s", test.name, w.Grade)
		}
	}
}

func TestFirstSight(t *testing.T) {
	tests := []struct {
		name  string
		write event
		want  string
	}{
		{"created without bodies", event{at: 1, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"}, ""},
		{"created with what was sent", event{at: 1, verb: "create", res: "revisions", name: "r-00001", level: "Request", req: object("revisions", "r-00001", "", initial3)}, "@initial-scale=3"},
		{"updated without bodies", event{at: 1, verb: "update", res: "revisions/status", name: "r-00001", level: "Metadata"}, "nothing"},
		{"a status that was sent", event{at: 1, verb: "update", res: "revisions/status", name: "r-00001", level: "Request", req: object("revisions", "r-00001", "u", initial3, conditions("Ready=True"))}, "Ready=True"},
		{"a patch that was sent", event{at: 1, verb: "patch", res: "revisions", name: "r-00001", level: "Request", req: `{"metadata":{"labels":{"a":"b"}}}`}, "label a=b"},
		{"refused", event{at: 1, verb: "create", res: "revisions", name: "r-00001", code: 403, req: object("revisions", "r-00001", "", initial3)}, "nothing"},
	}
	for _, test := range tests {
		if got := known(one(t, read(t, join(test.write)), KindRevision, "r-00001").Writes[0].After); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestBecame: where the state before is not known, lastTransitionTime tells
// whether a condition has just turned.
func TestBecame(t *testing.T) {
	since := func(s float64) string {
		return fmt.Sprintf(`"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":%q}]}`, sec(s).Format("2006-01-02T15:04:05Z"))
	}
	created := event{id: "0", at: 1, verb: "create", res: "revisions", name: "r-00001"}.both("1", object("revisions", "r-00001", "u", ""))
	hidden := event{id: "h", at: 2, verb: "update", res: "revisions/status", name: "r-00001", level: "Metadata"}
	tests := []struct {
		name   string
		before []event
		status string
		want   bool
	}{
		{"unknown before, a moment ago", nil, since(99), true},
		{"unknown before, long since", nil, since(60), false},
		{"unknown before, no time", nil, conditions("Ready=True"), true},
		{"absent before, whatever the time says", []event{created}, since(60), true},
		{"forgotten before, a moment ago", []event{created, hidden}, since(99), true},
		{"forgotten before, long since", []event{created, hidden}, since(60), false},
		{"it was Unknown before", []event{rev("1", 1, "1", "Ready=Unknown")}, since(60), true},
		{"it was True before, for another reason", []event{rev("1", 1, "1", "Ready=True/Some")}, since(99), false},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.before {
			records = append(records, e)
		}
		last := event{id: "z", at: 100, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("9", object("revisions", "r-00001", "u", "", test.status))
		writes := one(t, read(t, join(append(records, last)...)), KindRevision, "r-00001").Writes
		if w := writes[len(writes)-1]; w.Became("Ready", "True") != test.want {
			t.Errorf("%s: became %v (%s)", test.name, !test.want, edits(w))
		}
	}
}

// TestBroken: an accepted update that quotes a later version than the last that
// was seen follows a write that is not in the inputs.
func TestBroken(t *testing.T) {
	quoting := func(id string, at float64, sent, version string) event {
		e := rev(id, at, version, "Ready=Unknown")
		e.sent = sent
		return e
	}
	tests := []struct {
		name   string
		writes []event
		want   bool
	}{
		{"a chain", []event{quoting("a", 1, "1", "2"), quoting("b", 2, "2", "3")}, false},
		{"a gap", []event{quoting("a", 1, "1", "2"), quoting("b", 2, "4", "5")}, true},
		{"a gap that a write without a body may fill", []event{quoting("a", 1, "1", "2"), rev("m", 1.5, "", ""), quoting("b", 2, "4", "5")}, false},
		{"a patch quotes nothing", []event{quoting("a", 1, "1", "2"),
			event{id: "p", at: 1.5, verb: "patch", res: "revisions", name: "r-00001", uid: "u"}.both("8", object("revisions", "r-00001", "u", "")), quoting("b", 2, "8", "9")}, false},
		{"one that was refused", []event{quoting("a", 1, "1", "2"), {id: "x", at: 2, verb: "update", res: "revisions/status", name: "r-00001", uid: "u", sent: "9", code: 409}}, false},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.writes {
			records = append(records, e)
		}
		o := one(t, read(t, join(records...)), KindRevision, "r-00001")
		if got := o.Broken(sec(0), sec(10)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if o.Broken(sec(5), sec(10)) {
			t.Errorf("%s: at a time without any write", test.name)
		}
	}
}

// TestLost: a write that is missing was done between the last one that was seen
// and the one that quotes its version.
func TestLost(t *testing.T) {
	second := rev("b", 8, "9", "Ready=Unknown")
	second.sent = "7"
	o := one(t, read(t, join(rev("a", 2, "5", "Ready=Unknown"), second)), KindRevision, "r-00001")
	for from, want := range map[float64]bool{0: false, 3: true, 7.5: true, 9: false} {
		if got := o.Lost(sec(from), sec(from+1)); got != want {
			t.Errorf("from %v: %v", from, got)
		}
	}
}
