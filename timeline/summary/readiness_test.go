package summary

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const snapshot = `{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":"cart","namespace":"shop","uid":"s","creationTimestamp":"2026-03-02T09:00:01Z"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}` + "\n"

func TestReadiness(t *testing.T) {
	begin := event{verb: "get", res: "routes", name: "other"}
	hidden := write(5, "")
	failed := write(5, "")
	failed.code = 500
	read := event{at: 4, verb: "get", res: "services", name: "cart", uid: "s", ready: "True"}
	reread := event{at: 4, verb: "get", res: "services", name: "cart", uid: "s", ready: "Unknown", version: "7"}
	patch := event{at: 4, verb: "patch", res: "services", name: "cart", uid: "s", ready: "True"}
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{"ready", []string{lines(made(1), write(2, "Unknown"), write(3.5, "True"))}, "ready 2.5s"},
		{"the first counts", []string{lines(made(1), write(3, "True"), write(4, "False/RevisionFailed"), write(9, "True"))}, "ready 2s"},
		{"in any order", []string{lines(write(4, "True"), write(3, "True"), made(1))}, "ready 2s"},
		{"never", []string{lines(made(1), write(2, "Unknown/RevisionMissing"), begin)}, "notReady RevisionMissing"},
		{"never, without a reason", []string{lines(made(1), write(2, "Unknown"))}, "notReady Ready Unknown"},
		{"no status, where others have one", []string{lines(made(1), event{at: 2, verb: "update", res: "services/status", name: "other", uid: "o", ready: "True"})}, "notReady no status written"},
		{"no status, where nobody has one", []string{lines(made(1))}, "undecided the audit log holds no write of the status of such an object"},
		{"a status without a body", []string{lines(made(1), write(2, "Unknown"), hidden, write(8, "True"))}, "undecided the audit log does not hold what was written to its status"},
		{"a status without a body, later", []string{lines(made(1), write(3, "True"), hidden)}, "ready 2s"},
		{"a status that failed", []string{lines(made(1), write(2, "Unknown"), failed, write(8, "True"))}, "ready 7s"},
		{"a status that failed at the end", []string{lines(made(1), write(2, "Unknown"), failed)}, "undecided the audit log does not hold what was written to its status"},
		{"made before", []string{lines(begin, write(3, "True"))}, "undecided its creation is not in the inputs"},
		{"made before, as a snapshot tells", []string{lines(event{at: 2, verb: "get", res: "routes", name: "other"}, write(3, "True")), snapshot}, "undecided it was made before the audit log begins"},
		{"made when only a snapshot tells", []string{lines(begin, write(3, "True")), snapshot}, "ready 2s"},
		{"a snapshot alone", []string{snapshot}, "undecided only a snapshot tells of it, which has no time"},
		{"a snapshot that contradicts", []string{lines(made(1), write(2, "Unknown")), snapshot}, "undecided it was Ready, and the write that first made it so is not in the inputs"},
		{"Ready before, as a read shows", []string{lines(made(1), write(2, "Unknown"), read, write(8, "True"))}, "undecided it was Ready, and the write that first made it so is not in the inputs"},
		{"Ready, as a read shows", []string{lines(made(1), write(2, "Unknown"), read)}, "undecided it was Ready, and the write that first made it so is not in the inputs"},
		{"Ready, as a write of something else shows", []string{lines(made(1), write(2, "Unknown"), patch)}, "undecided it was Ready, and the write that first made it so is not in the inputs"},
		{"Ready since earlier", []string{lines(made(1), write(9, "True").changed(6))}, "undecided it was Ready, and the write that first made it so is not in the inputs"},
		{"Ready since just before", []string{lines(made(1), write(9, "True").changed(8))}, "ready 8s"},
		{"Ready since earlier, over what was not", []string{lines(made(1), write(2, "Unknown").versioned("", "5"), write(9, "True").versioned("5", "6").changed(6))}, "ready 8s"},
		{"a version that nothing made", []string{lines(made(1), write(2, "Unknown").versioned("", "5"), reread, write(8, "True").versioned("7", "8"))}, "undecided a write of it is missing in the audit log"},
		{"clocks that differ", []string{lines(made(4), write(3, "True"))}, "undecided it was Ready before it was made, as clocks that differ tell"},
		{"a dry run", []string{lines(event{at: 1, verb: "create", res: "services", name: "cart", dryRun: true})}, ""},
		{"refused", []string{lines(event{at: 1, verb: "create", res: "services", name: "cart", code: 403})}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sum(t, always, NewRequests("", always), tt.files...)
			var got []string
			for _, r := range s.Services {
				if r.Object.Name != "cart" {
					continue
				}
				text := string(r.State)
				switch r.State {
				case Ready:
					text += " " + r.Took.String()
				case NotReady:
					text += " " + r.why()
				case Undecided:
					text += " " + r.Reason
				}
				got = append(got, text)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestMissingWrite holds that an object of which a write is missing is open.
func TestMissingWrite(t *testing.T) {
	s := sum(t, always, NewRequests("", always), lines(made(1), write(2, "Unknown").versioned("", "5"), write(8, "True").versioned("7", "8")))
	if r := s.Services[0]; r.State != Undecided || r.Reason != "a write of it is missing in the audit log" {
		t.Errorf("%+v", r)
	}
}

// TestReadyElsewhere holds that a Revision is not said to be never Ready, nor
// Ready late, if a Configuration or an Event tells that it was.
func TestReadyElsewhere(t *testing.T) {
	revision := func(at float64, verb, res, ready string) event {
		return event{at: at, verb: verb, res: res, name: "cart-00001", uid: "r", ready: ready}
	}
	begin := lines(revision(1, "create", "revisions", "-"), revision(2, "update", "revisions/status", "Unknown/Deploying"))
	named := strings.Replace(lines(event{at: 4, verb: "update", res: "configurations/status", name: "cart", uid: "c", ready: "True"}),
		`"status":{`, `"status":{"latestReadyRevisionName":"cart-00001",`, 1)
	ready := lines(revision(9, "update", "revisions/status", "True"))
	soon := lines(revision(3.9, "update", "revisions/status", "True"))
	happened := func(kind, name, uid, reason, message string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"shop","uid":"e"},"involvedObject":{"apiVersion":"serving.knative.dev/v1","kind":%q,"namespace":"shop","name":%q,"uid":%q},"reason":%q,"message":%q,"type":"Normal","count":1,"firstTimestamp":"2026-03-02T09:00:04Z","lastTimestamp":"2026-03-02T09:00:04Z"}`+"\n",
			kind, name, uid, reason, message)
	}
	moved := happened("Configuration", "cart", "c", "LatestReadyUpdate", `LatestReadyRevisionName updated to "cart-00001"`)
	snapshot := `{"apiVersion":"serving.knative.dev/v1","kind":"Configuration","metadata":{"name":"cart","namespace":"shop","uid":"c"},"status":{"latestReadyRevisionName":"cart-00001"}}` + "\n"
	for _, tt := range []struct {
		name  string
		files []string
		want  State
	}{
		{"nothing tells", []string{begin}, NotReady},
		{"named", []string{begin + named}, Undecided},
		{"named before", []string{begin + named + ready}, Undecided},
		{"named at once", []string{begin + soon + named}, Ready},
		{"another is named", []string{begin + strings.Replace(named, "cart-00001", "cart-00002", 1)}, NotReady},
		{"named in a snapshot", []string{begin, snapshot}, Undecided},
		{"named in a snapshot, after", []string{begin + ready, snapshot}, Ready},
		{"moved to", []string{begin, moved}, Undecided},
		{"moved to before", []string{begin + ready, moved}, Undecided},
		{"announced", []string{begin, happened("Revision", "cart-00001", "r", "RevisionReady", "Revision becomes ready upon all resources being ready")}, Undecided},
		{"announced of one before", []string{begin, happened("Revision", "cart-00001", "q", "RevisionReady", "Revision becomes ready upon all resources being ready")}, NotReady},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sum(t, always, NewRequests("", always), tt.files...)
			i := slices.IndexFunc(s.Kinds, func(k Kind) bool { return k.Kind == "Revision" })
			k := s.Kinds[i]
			if got := map[State]int{Ready: k.Ready, NotReady: k.Never, Undecided: k.Undecided}; k.Made != 1 || got[tt.want] != 1 {
				t.Errorf("%+v, want one %s; undecided: %+v", k, tt.want, s.Undecided)
			}
		})
	}
}

// TestSteps holds that a Service names what became Ready on the way, of each
// kind the first, and nothing that was so before or later.
func TestSteps(t *testing.T) {
	of := func(at float64, resource, name, ready string) event {
		return event{at: at, verb: "update", res: resource + "/status", name: name, uid: name, ready: ready}
	}
	s := sum(t, always, NewRequests("", always), lines(made(1), of(0.5, "ingresses", "cart", "True"),
		of(4, "routes", "cart", "True"), of(2, "revisions", "cart-00001", "Unknown"), of(2.5, "revisions", "cart-00002", "True"), of(3, "revisions", "cart-00001", "True"),
		write(5, "True"), of(6, "configurations", "cart", "True")))
	var got []string
	for _, step := range s.Services[0].Steps {
		got = append(got, fmt.Sprint(step.Object.Name, " ", step.Took))
	}
	if strings.Join(got, ", ") != "cart-00002 1.5s, cart 3s" {
		t.Error(got)
	}
}

// TestRoots holds that a Configuration and a Route without a Service count, and
// those with one do not.
func TestRoots(t *testing.T) {
	plain := func(resource string) string {
		made := event{at: 1, verb: "create", res: resource, name: "own", uid: resource, ready: "-"}
		text := lines(made, event{at: 3, verb: "update", res: resource + "/status", name: "own", uid: resource, ready: "True"})
		return strings.ReplaceAll(text, `"labels":{"serving.knative.dev/service":"cart"}`, `"labels":{}`)
	}
	below := event{at: 2, verb: "create", res: "configurations", name: "cart", uid: "c", ready: "-"}
	s := sum(t, always, NewRequests("", always), lines(made(1), write(2, "True"), below), plain("configurations")+plain("routes"))
	var got []string
	for _, r := range s.Services {
		got = append(got, fmt.Sprint(r.Object.Ref, " ", r.Took))
	}
	if strings.Join(got, ", ") != "Service shop/cart 1s, Configuration shop/own 2s, Route shop/own 2s" {
		t.Error(got)
	}
}

// TestKinds holds the counts, and that a stretch of time selects what was made
// in it.
func TestKinds(t *testing.T) {
	service := func(name string, made, ready float64, state string) string {
		return lines(event{at: made, verb: "create", res: "services", name: name, uid: name, ready: "-"},
			event{at: ready, verb: "update", res: "services/status", name: name, uid: name, ready: state})
	}
	files := []string{service("a", 1, 2, "True") + service("b", 2, 5, "True") + service("c", 3, 4, "False/RevisionMissing") + service("d", 20, 21, "True")}
	s := sum(t, always, NewRequests("", always), files...)
	if k := s.Kinds[0]; k.Made != 4 || k.Ready != 3 || k.Never != 1 || k.Took.P50.Seconds() != 1 || k.Took.Max.Seconds() != 3 || k.Why[0] != (Reason{"RevisionMissing", 1}) {
		t.Errorf("%+v", k)
	}
	if s.Slowest[0].Object.Name != "b" || s.NotReady[0].Object.Name != "c" {
		t.Errorf("slowest %s, not ready %s", s.Slowest[0].Object.Ref, s.NotReady[0].Object.Ref)
	}
	s = sum(t, func(at time.Time) bool { return at.After(sec(10)) }, NewRequests("", nil), files...)
	if k := s.Kinds[0]; k.Made != 1 || s.Total.Writes.Requests != 2 {
		t.Errorf("%+v, %+v", k, s.Total)
	}
}
