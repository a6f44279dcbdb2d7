package timeline

import (
	"fmt"
	"strings"
	"testing"
)

// rows writes entries as "time kind object: summary ready/want".
func rows(entries []Entry) string {
	var all []string
	for _, e := range entries {
		at := "-"
		if !e.Time.IsZero() {
			at = fmt.Sprint(e.Time.Sub(start).Seconds())
		}
		s := fmt.Sprintf("%s %s %s: %s", at, e.Kind, e.Object.Kind, e.Summary)
		if e.Ready != nil || e.Want != nil {
			number := func(n *int) string {
				if n == nil {
					return "?"
				}
				return fmt.Sprint(*n)
			}
			s += " " + number(e.Ready) + "/" + number(e.Want)
		}
		if e.Echo {
			s += " (echo)"
		}
		all = append(all, s)
	}
	return strings.Join(all, "\n")
}

func TestEntryKinds(t *testing.T) {
	f := newFamily("initial-scale=3")
	f.add(event{at: 2, verb: "create", res: "images", name: "r-00001-cache-user-container", code: 403, reason: "Forbidden", message: "exceeded quota", req: object("images", "r-00001-cache-user-container", "", "")})
	f.deployment(3, 1)
	f.status(3.5, "deployments", "r-00001-deployment", conditions("Progressing=True", `"readyReplicas":1`))
	f.add(event{at: 4, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", scale("initial-scale=3"), conditions("Ready=True"))))
	f.add(event{at: 4.5, verb: "update", res: "revisions/status", name: "r-00001", uid: "u", level: "Metadata"})
	f.add(event{at: 5, verb: "update", res: "configurations/status", name: "r", uid: "c"}.both("", object("configurations", "r", "c", "", `"status":{"latestReadyRevisionName":"r-00001"}`)))
	f.add(event{at: 6, verb: "create", res: "ingresses", name: "r"}.both("", object("ingresses", "r", "i", labels("route=r"), `"spec":{"rules":[`+rule("r.shop", "r-00001=100")+`]}`)))
	f.add(event{at: 7, verb: "update", res: "routes/status", name: "r", uid: "t"}.both("", object("routes", "r", "t", "", `"status":{"traffic":[{"revisionName":"r-00001","percent":100}]}`)))
	f.add(event{at: 8, verb: "patch", res: "revisions", name: "r-00001", uid: "u", user: "ops-admin", agent: "kubectl/v1"}.both("", object("revisions", "r-00001", "u", `"annotations":{"autoscaling.knative.dev/initial-scale":"3","serving.knative.dev/routes":"r"}`, conditions("Ready=True"))))
	f.add(event{at: 8.5, verb: "update", res: "revisions", name: "r-00001", uid: "u", dryRun: true})
	f.add(event{at: 9, verb: "get", res: "configurations", name: "r", uid: "c"}.both("", object("configurations", "r", "c", "", `"status":{"latestReadyRevisionName":"r-00001"}`)))
	f.add(event{at: 10, verb: "delete", res: "revisions", name: "r-00001", uid: "u", level: "Metadata"})
	log := strings.Join(lines(
		zap{at: 1.99, trace: "t", msg: "Reconciling PA: r-00001"},
		zap{at: 1.992, trace: "t", level: "DEBUG", msg: "nothing of a step"},
		zap{at: 2.01, trace: "t", level: "ERROR", msg: "Returned an error", err: "failed to create image cache"},
		zap{at: 2.02, trace: "t", level: "ERROR", msg: "Reconcile error", err: "failed to create image cache", took: "50ms"}), "\n") + "\n"
	snapshot := seen("routes", "r", "t", "", conditions("Ready=True", `"traffic":[{"revisionName":"r-00001","percent":100}]`))
	r := f.read(t, log, loggedEvent(5.5, "LatestReadyUpdate", latestReadyText), snapshot)
	want := strings.TrimSpace(`
1.5 write Revision: created ?/3
1.99 log Revision: Reconciling PA: r-00001
2 error Image: create answered 403 Forbidden: exceeded quota ?/3
2.01 error Revision: Returned an error: failed to create image cache (echo)
3 scale Deployment: readyReplicas → 1 1/3
3.5 condition Deployment: Progressing → True 1/3
4 condition Revision: Ready → True 1/3
4.5 write Revision: update status: what it changed is not in the log 1/3
5 write Configuration: latestReady → r-00001 1/3
5.5 event Configuration: LatestReadyUpdate: LatestReadyRevisionName updated to "r-00001"
6 traffic Ingress: created, traffic 100 % to r-00001 1/3
7 traffic Route: traffic 100 % to r-00001 1/3
8 condition Revision: Ready → True 1/3
8.5 write Revision: update as a dry run 1/3
10 write Revision: deleted 1/3
- snapshot Route: in a snapshot: Ready True, 100 % to r-00001`)
	if got := rows(logged(r.Family.Entries(nil))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestEntryReplicas: beside each row stand the replicas of the Revision it is
// about: its own, else the one that it names anew, else the one asked for.
func TestEntryReplicas(t *testing.T) {
	f := newFamily("initial-scale=3").deployment(2, 1)
	f.add(event{at: 1.6, verb: "create", res: "revisions", name: "r-00002"}.both("", object("revisions", "r-00002", "u2", scale("initial-scale=5"))))
	f.add(event{at: 3, verb: "update", res: "configurations/status", name: "r", uid: "c"}.both("", object("configurations", "r", "c", "", `"status":{"latestReadyRevisionName":"r-00002"}`)))
	f.add(event{at: 4, verb: "update", res: "configurations/status", name: "r", uid: "c"}.both("", object("configurations", "r", "c", "", conditions("Ready=True", `"latestReadyRevisionName":"r-00002"`))))
	r := f.read(t)
	for about, want := range map[*Revision]string{nil: "?/5 -", r: "?/5 1/3"} {
		var got []string
		for _, e := range logged(r.Family.Entries(about)) {
			if e.Object.Kind != KindConfiguration {
				continue
			}
			s := "-"
			if e.Want != nil {
				s = fmt.Sprintf("?/%d", *e.Want)
				if e.Ready != nil {
					s = fmt.Sprintf("%d/%d", *e.Ready, *e.Want)
				}
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("about %v: %s, want %s", about != nil, s, want)
		}
	}
}

// TestAssumedTargetIsNotShown: a number that nobody wrote is no number.
func TestAssumedTargetIsNotShown(t *testing.T) {
	for _, e := range logged(newFamily("").read(t).Family.Entries(nil)) {
		if e.Want != nil {
			t.Errorf("want %d", *e.Want)
		}
	}
}

// TestEntryOfJoined: that an object is of a family may be known by its name only.
func TestEntryOfJoined(t *testing.T) {
	bare := func(res, name string) event {
		return event{at: 2, verb: "patch", res: res, name: name, level: "Metadata"}
	}
	r := newFamily("").add(bare("podautoscalers", "r-00001")).add(bare("configurations", "r")).deployment(3, 1).read(t)
	want := map[string]Grade{KindRevision: Inferred, KindPodAutoscaler: Inferred, KindConfiguration: Observed, KindDeployment: Observed}
	for _, e := range logged(r.Family.Entries(nil)) {
		if e.Grade != want[e.Object.Kind] {
			t.Errorf("%s: %s", e.Object, e.Grade)
		}
	}
}
