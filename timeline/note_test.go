package timeline

import (
	"fmt"
	"strings"
	"testing"
)

const latestReadyText = `LatestReadyRevisionName updated to \"r-00001\"`

// kubeEvent writes a Kubernetes Event about Configuration r.
func kubeEvent(reason, message, last string, count int) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"r.1","namespace":"shop","uid":"e1"},"involvedObject":{"kind":"Configuration","namespace":"shop","name":"r","uid":"c"},`+
		`"type":"Normal","reason":%q,"message":"%s","source":{"component":"configuration-controller"},"firstTimestamp":"2026-03-02T09:00:01Z","lastTimestamp":%q,"count":%d}`, reason, message, last, count)
}

func auditedEvent(id string, at float64, verb, body string) event {
	e := event{id: id, at: at, verb: verb, res: "events", name: "r.1", resp: body}
	if verb == "create" {
		e.req = body
	}
	return e
}

func loggedEvent(at float64, reason, message string) string {
	return zap{at: at, msg: `Event(v1.ObjectReference{Kind:"Configuration", Namespace:"shop", Name:"r", UID:"c", APIVersion:"serving.knative.dev/v1", ResourceVersion:"7", FieldPath:""}): type: 'Normal' reason: '` + reason + `' ` + strings.ReplaceAll(message, `\"`, `"`)}.json() + "\n"
}

func TestNotes(t *testing.T) {
	update := kubeEvent("LatestReadyUpdate", latestReadyText, "2026-03-02T09:00:01Z", 1)
	audited := join(auditedEvent("a", 1.25, "create", update))
	logged := loggedEvent(1.2, "LatestReadyUpdate", latestReadyText)
	snapshot := update + "\n"
	tests := []struct {
		name  string
		files []string
		want  string // time reason count, by what way
	}{
		{"audit log", []string{audited}, "1.25 LatestReadyUpdate 1 audit"},
		{"log", []string{logged}, "1.2 LatestReadyUpdate 1 log"},
		{"snapshot", []string{snapshot}, "1 LatestReadyUpdate 1 snapshot"},
		{"all three are one", []string{snapshot, logged, audited}, "1.25 LatestReadyUpdate 1 audit"},
		{"log and snapshot", []string{snapshot, logged}, "1.2 LatestReadyUpdate 1 log"},
		{"another one is another", []string{audited, loggedEvent(1.3, "ConfigurationReady", "Configuration becomes ready")}, "1.25 LatestReadyUpdate 1 audit, 1.3 ConfigurationReady 1 log"},
		{"repeated: each time it was recorded", []string{join(auditedEvent("a", 1.25, "create", update), auditedEvent("b", 5, "patch", kubeEvent("LatestReadyUpdate", latestReadyText, "2026-03-02T09:00:05Z", 2)))},
			"1.25 LatestReadyUpdate 1 audit, 5 LatestReadyUpdate 2 audit"},
		{"a request without an answer still tells", []string{join(func() event {
			e := auditedEvent("a", 1.25, "create", update)
			e.resp, e.level = "", "Request"
			return e
		}())}, "1.25 LatestReadyUpdate 1 audit"},
		{"no reason is no Event", []string{kubeEvent("", "x", "2026-03-02T09:00:01Z", 1) + "\n"}, ""},
	}
	for _, test := range tests {
		h := read(t, append([]string{join(event{id: "0", at: 0.5, verb: "create", res: "configurations", name: "r", level: "Metadata"})}, test.files...)...)
		var got []string
		for _, n := range h.Families[0].Notes {
			got = append(got, fmt.Sprintf("%v %s %d %s", n.Time.Sub(start).Seconds(), n.Reason, n.Count, map[Origin]string{FromAudit: "audit", FromLog: "log", FromSnapshot: "snapshot"}[n.Origin]))
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s: %s, want %s", test.name, s, test.want)
		}
	}
}

// TestOnlyEventsTellOfIt: an object that nothing but an Event or a log line names
// has its family.
func TestOnlyEventsTellOfIt(t *testing.T) {
	h := read(t, loggedEvent(1, "Created", `Created Revision \"r-00001\"`), zap{at: 2, trace: "t", msg: "Reconcile succeeded", took: "1s"}.json()+"\n")
	if got := families(h); got != "r: Configuration r, Revision r-00001" {
		t.Errorf("families %s", got)
	}
	f := h.Families[0]
	if f.Configurations[0].UID != "c" || len(f.Notes) != 1 || len(f.Revisions[0].Attempts) != 1 {
		t.Errorf("uid %q, %d Events, %d reconciles", f.Configurations[0].UID, len(f.Notes), len(f.Revisions[0].Attempts))
	}
	if r := f.Revisions[0]; r.Exists(sec(9)) || r.Last() != nil {
		t.Error("a Revision of which no record shows anything has a state")
	}
}
