package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func attempts(t testing.TB, lines ...string) []*Attempt {
	t.Helper()
	h := read(t, strings.Join(lines, "\n")+"\n")
	if len(h.Families) == 0 {
		return nil
	}
	return h.Families[0].Attempts
}

func lines(list ...zap) (text []string) {
	for _, z := range list {
		text = append(text, z.json())
	}
	return text
}

func TestAttempts(t *testing.T) {
	const refused = `failed to create image cache "r-00001-cache-user-container": images.caching.internal.knative.dev "r-00001-cache-user-container" already exists`
	old := func(level, msg, at string) string {
		return fmt.Sprintf(`{"level":%q,"ts":"2019-10-03T08:41:%s","logger":"controller.revision-controller","caller":"c.go:1","msg":%q,"knative.dev/controller":"revision-controller","knative.dev/traceid":"t","knative.dev/key":"shop/r-00001"}`, level, at, msg)
	}
	tests := []struct {
		name  string
		lines []string
		want  string // reconciler begin-end failed error
	}{
		{"begin is the end less the duration", lines(zap{at: 2, trace: "t", msg: "Reconciling PA: r-00001"}, zap{at: 3, trace: "t", msg: "Reconcile succeeded", took: "1.5s"}), "revision 1.5-3"},
		{"a duration in seconds", []string{strings.Replace(zap{at: 3, trace: "t", msg: "Reconcile succeeded"}.json(), "}", `,"duration":0.25}`, 1)}, "revision 2.75-3"},
		{"a line before that", lines(zap{at: 1, trace: "t", msg: "Created deployment"}, zap{at: 3, trace: "t", msg: "Reconcile succeeded", took: "1s"}), "revision 1-3"},
		{"the end was dropped by the logger", lines(zap{at: 1, trace: "t", msg: "Created deployment"}, zap{at: 2, trace: "t", msg: "Reconciling PA: r-00001"}), "revision 1-2?"},
		{"an error", lines(zap{at: 2.9, trace: "t", level: "ERROR", msg: "Returned an error", err: refused}, zap{at: 3, trace: "t", level: "ERROR", msg: "Reconcile error", err: refused, took: "1s"}), "revision 2-3 failed " + refused},
		{"one of the two lines", lines(zap{at: 2.9, trace: "t", level: "ERROR", msg: "Returned an error", err: refused}), "revision 2.9-2.9? failed " + refused},
		{"lines in another order", lines(zap{at: 3, trace: "t", level: "ERROR", msg: "Reconcile error", err: "late", took: "1s"}, zap{at: 2.9, trace: "t", level: "ERROR", msg: "Returned an error", err: "early"}), "revision 2-3 failed late"},
		{"a conflict since Knative 1.21, at debug level and without the error", lines(zap{at: 3, trace: "t", level: "DEBUG", msg: "Reconcile conflict", took: "1s"}), "revision 2-3 failed "},
		{"a warning is no failure", lines(zap{at: 2, trace: "t", level: "WARN", msg: "Failed to update resource status", err: "conflict"}, zap{at: 3, trace: "t", msg: "Reconcile succeeded", took: "1s"}), "revision 2-3"},
		{"the layout up to Knative 0.19", []string{old("info", "Reconcile succeeded. Time taken: 1.5s.", "07.000Z")}, "revision 5.5-7"},
		{"and an error in it", []string{old("error", refused, "06.000Z"), old("info", "Reconcile failed. Time taken: 2s.", "07.000Z")}, "revision 5-7 failed " + refused},
		{"a route", lines(zap{at: 3, trace: "t", reconciler: "route", key: "shop/r", msg: "Reconcile succeeded", took: "1s"}), "route 2-3"},
		{"the labeler works on Routes too", lines(zap{at: 3, trace: "t", reconciler: "labeler", key: "shop/r", msg: "Reconcile succeeded", took: "1s"}), "labeler 2-3"},
		{"two reconcilers with one key", lines(zap{at: 3, trace: "t", reconciler: "route", key: "shop/r", msg: "Reconcile succeeded", took: "1s"}, zap{at: 5, trace: "u", reconciler: "labeler", key: "shop/r", msg: "Reconcile succeeded", took: "1s"}), "route 2-3; labeler 4-5"},
		{"another program's", lines(zap{at: 3, trace: "t", reconciler: "kpa", key: "shop/r", msg: "Reconcile succeeded", took: "1s"}), ""},
		{"no trace ID", lines(zap{at: 3, msg: "Reconcile succeeded", took: "1s"}), ""},
	}
	for _, test := range tests {
		var got []string
		for _, a := range attempts(t, test.lines...) {
			base := start
			if a.Begin.Year() == 2019 {
				base = time.Date(2019, 10, 3, 8, 41, 0, 0, time.UTC)
			}
			s := fmt.Sprintf("%s %v-%v", a.Reconciler, a.Begin.Sub(base).Seconds(), a.Ended().Sub(base).Seconds())
			if a.End.IsZero() {
				s += "?"
			}
			if a.Failed {
				s += " failed " + a.Error
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, s, test.want)
		}
	}
}

func TestAttemptLines(t *testing.T) {
	a := attempts(t, lines(
		zap{at: 1.2, trace: "t", msg: "Reconciling PA: r-00001"},
		zap{at: 1.1, trace: "t", msg: `Created image cache "x"`},
		zap{at: 1.3, trace: "t", level: "DEBUG", msg: "Updating status with:   v1.RevisionStatus{ … }"},
		zap{at: 1.4, trace: "t", level: "ERROR", msg: "Returned an error", err: strings.Repeat("x", 1000)},
	)...)[0]
	if len(a.Lines) != 3 || a.Lines[0].Message != `Created image cache "x"` {
		t.Errorf("lines %+v: dumps are left out, the rest is in order", a.Lines)
	}
	if l := a.Line("Reconciling PA:"); l == nil || !l.Time.Equal(sec(1.2)) || a.Line("Nothing of that kind") != nil {
		t.Errorf("line %+v", l)
	}
	if l := a.ErrorLine(); l == nil || len(l.Error) > 400 || len(a.Error) != 1000 {
		t.Errorf("the line keeps the start of an error, the reconcile all of it: %d", len(a.Error))
	}
}

// TestJoin gives each reconcile the requests that were under way while it ran.
func TestJoin(t *testing.T) {
	req := func(id string, received, at float64, res, pod string) event {
		name := "r-00001"
		if res == "deployments" {
			name += "-deployment"
		}
		return event{id: id, received: received, at: at, verb: "update", res: res, name: name, level: "Metadata", pod: pod}
	}
	end := func(trace string, at float64, took, pod string) zap {
		return zap{at: at, trace: trace, msg: "Reconcile succeeded", took: took, pod: pod}
	}
	tests := []struct {
		name     string
		requests []event
		lines    []zap
		want     string
	}{
		{"inside", []event{req("a", 1.5, 1.6, "revisions/status", "p")}, []zap{end("t", 2, "1s", "p")}, "t: a"},
		{"several", []event{req("a", 1.2, 1.3, "deployments", "p"), req("b", 1.5, 1.6, "revisions/status", "p")}, []zap{end("t", 2, "1s", "p")}, "t: a b"},
		{"under way at the end", []event{req("a", 1.5, 2.5, "revisions/status", "p")}, []zap{end("t", 2, "1s", "p")}, "t: "},
		{"the clocks of two programs", []event{req("a", 1.5, 2.0015, "revisions/status", "p")}, []zap{end("t", 2, "1s", "p")}, "t: a"},
		{"at the border of two: the one that covers it", []event{req("a", 2.0005, 2.0015, "revisions/status", "p")}, []zap{end("t", 2, "1s", "p"), end("u", 3, "1s", "p")}, "t: ; u: a"},
		{"another process", []event{req("a", 1.5, 1.6, "revisions/status", "q")}, []zap{end("t", 2, "1s", "p")}, "t: "},
		{"a process that is not told", []event{req("a", 1.5, 1.6, "revisions/status", "")}, []zap{end("t", 2, "1s", "p")}, "t: a"},
		{"not of the revision reconciler", []event{req("a", 1.5, 1.6, "revisions", "p")}, []zap{end("t", 2, "1s", "p")}, "t: "},
	}
	for _, test := range tests {
		var text []string
		for _, e := range test.requests {
			text = append(text, e.json())
		}
		text = append(text, event{id: "0", at: 0.1, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"}.json())
		h := read(t, strings.Join(text, "\n")+"\n", strings.Join(lines(test.lines...), "\n")+"\n")
		var got []string
		for _, a := range revision(t, h, "r-00001").Attempts {
			got = append(got, a.TraceID+": "+ids(a.Writes))
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}

func TestEnqueued(t *testing.T) {
	h := read(t, strings.Join(lines(
		zap{at: 2, reconciler: "route", msg: "Adding to the slow queue shop/r (depth(total/slow): 9/9)"},
		zap{at: 1, reconciler: "route", msg: "Adding to queue shop/r (depth: 3)"},
		zap{at: 3, reconciler: "labeler", msg: "Adding to queue shop/r (depth: 1)"},
		zap{at: 3, reconciler: "revision", msg: "Adding to queue shop/r-00001 (depth: 1)"},
		zap{at: 4, reconciler: "route", msg: "Processing from queue shop/r (depth: 0)"},
		zap{at: 5, trace: "t", reconciler: "route", key: "shop/r", msg: "Reconcile succeeded", took: "1s"},
	), "\n")+"\n")
	var got []string
	for _, e := range h.Families[0].Enqueued {
		got = append(got, fmt.Sprintf("%s %v", e.Reconciler, e.Time.Sub(start).Seconds()))
	}
	if s := strings.Join(got, ", "); s != "route 1, route 2, labeler 3" {
		t.Errorf("enqueued %s", s)
	}
}

// TestPassed: whether an object that was put into a queue at second 0 would have
// had its turn.
func TestPassed(t *testing.T) {
	turn := func(key string, at float64, took string) zap {
		return zap{at: at, trace: fmt.Sprintf("t%v%s", at, key), reconciler: "route", key: "shop/" + key, pod: "p", msg: "Reconcile succeeded", took: took}
	}
	busy := func(n int) (list []zap) {
		for i := range n {
			list = append(list, turn(fmt.Sprintf("r%d", i), float64(i)+1, "1s"))
		}
		return list
	}
	tests := []struct {
		name  string
		lines []zap
		to    float64
		want  bool
	}{
		{"busy all the time, each once", busy(30), 30, false},
		{"a pause", append(busy(30), turn("x", 40, "1s")), 40, true},
		{"a short pause", append(busy(30), turn("x", 33, "1s")), 33, false},
		{"one long reconcile", append(busy(2), turn("x", 32, "30s")), 32, false},
		{"one other came a second time", append(busy(10), turn("r3", 11, "1s")), 11, false},
		{"two others did", append(busy(10), turn("r3", 11, "1s"), turn("r4", 12, "1s")), 12, true},
		{"but not by then", append(busy(10), turn("r3", 11, "1s"), turn("r4", 12, "1s")), 10.5, false},
		{"silence after the end of the log proves nothing", busy(10), 60, false},
		{"silence while the process goes on", append(busy(10), zap{at: 60, pod: "p", reconciler: "kpa", msg: "something else"}), 60, true},
		{"nothing at all", nil, 60, false},
	}
	for _, test := range tests {
		all := append([]zap{{at: -1, trace: "first", reconciler: "route", key: "shop/r", pod: "other", msg: "Reconcile succeeded", took: "1s"}}, test.lines...)
		c := read(t, strings.Join(lines(all...), "\n")+"\n").Clusters[0]
		if got := c.Passed("route", "p", sec(0), sec(test.to)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestAlive(t *testing.T) {
	h := read(t, zap{at: 5, pod: "p", msg: "anything"}.json()+"\n", join(event{at: 7, verb: "update", res: "leases", name: "x", pod: "q"}))
	for _, test := range []struct {
		pod  string
		at   float64
		want bool
	}{{"p", 4, true}, {"p", 5, true}, {"p", 6, false}, {"q", 7, true}, {"none", 1, false}} {
		if got := h.Clusters[0].Alive(test.pod, sec(test.at)); got != test.want {
			t.Errorf("%s at %v: %v", test.pod, test.at, got)
		}
	}
}
