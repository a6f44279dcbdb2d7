package coverage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// busy adds an event every so often.
func busy(u *Usage, from, to, every time.Duration) { busyIn("audit.log", u, from, to, every) }

func busyIn(file string, u *Usage, from, to, every time.Duration) {
	for at := from; at < to; at += every {
		u.Add(&Sight{File: file, ResourceKey: ResourceKey{Resource: "leases"}, Level: "Metadata", Stage: "ResponseComplete", At: start.Add(at)}, 1)
	}
}

func TestGaps(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name string
		add  func(u *Usage)
		want string
	}{
		{"nothing", func(*Usage) {}, ""},
		{"no silence", func(u *Usage) { busy(u, 0, 300*s, 2*s) }, ""},
		{"a minute in the middle", func(u *Usage) { busy(u, 0, 120*s, 2*s); busy(u, 180*s, 300*s, 2*s) }, "120-180"},
		{"two", func(u *Usage) { busy(u, 0, 120*s, 2*s); busy(u, 180*s, 300*s, 2*s); busy(u, 3600*s, 3700*s, 2*s) }, "120-180 300-3600"},
		{"too short to tell", func(u *Usage) { busy(u, 0, 120*s, 2*s); busy(u, 140*s, 300*s, 2*s) }, ""},
		{"as short as can be told", func(u *Usage) { busy(u, 0, 120*s, 2*s); busy(u, 150*s, 300*s, 2*s) }, "120-150"},
		{"a log that is sparse anyway", func(u *Usage) { busy(u, 0, 3600*s, 40*s) }, ""},
		{"sparse but for a while", func(u *Usage) { busy(u, 0, 60*s, 2*s); busy(u, 60*s, 3600*s, 45*s) }, ""},
		{"too little to tell", func(u *Usage) { busy(u, 0, 30*s, 2*s); busy(u, 100*s, 110*s, 2*s) }, ""},
		{"in any order", func(u *Usage) { busy(u, 180*s, 300*s, 2*s); busy(u, 0, 120*s, 2*s) }, "120-180"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := NewUsage()
			tt.add(u)
			var c Coverage
			c.Finish(u)
			var got []string
			for _, g := range c.Gaps {
				got = append(got, fmt.Sprintf("%d-%d", int(g.From.Sub(start)/s), int(g.To.Sub(start)/s)))
				if g.Reason == "" {
					t.Error("a gap without a reason")
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("gaps %v, want %s", got, tt.want)
			}
		})
	}
}

// TestGapsOfOneLog holds that a hole in one log is seen while another goes on,
// and that what was rotated is one log.
func TestGapsOfOneLog(t *testing.T) {
	const s = time.Second
	u := NewUsage()
	busyIn("a/audit.log", u, 0, 300*s, 2*s)
	busyIn("b/audit.log.1.gz", u, 0, 120*s, 2*s)
	busyIn("b/audit.log", u, 180*s, 300*s, 2*s)
	busyIn("c/audit-2026-03-02T09-01-00.000.log", u, 0, 120*s, 2*s)
	busyIn("c/audit.log", u, 120*s, 300*s, 2*s)
	busyIn("d/audit.log-20260302", u, 0, 150*s, 2*s)
	busyIn("d/audit.log-2026030209.zst", u, 150*s, 300*s, 2*s)
	var c Coverage
	c.Finish(u)
	if len(c.Gaps) != 1 || c.Gaps[0].File != "b/audit.log" || !c.Gaps[0].From.Equal(start.Add(120*s)) || !c.Gaps[0].To.Equal(start.Add(180*s)) {
		t.Errorf("gaps %+v", c.Gaps)
	}
}

func TestMissingRotatedFiles(t *testing.T) {
	at := func(minute int) time.Time { return start.Add(time.Duration(minute) * time.Minute) }
	file := func(path string, from, to int) File {
		return File{Path: path, Format: Audit, From: at(from), To: at(to)}
	}
	c := Coverage{Files: []File{file("x/audit.log", 50, 60), file("x/audit.log.1", 40, 50), file("x/audit.log.4.gz", 10, 20), file("x/audit.log.5", 0, 10),
		file("y/audit.log.2", 0, 10), file("y/audit.log.3", 10, 20), file("n/audit-10.0.0.5", 0, 1), file("n/audit-10.0.0.1", 2, 3), {Path: "z/other.log.1", Format: Klog, From: at(0), To: at(1)}, file("z/other.log.9", 2, 3)}}
	c.Finish(NewUsage())
	if len(c.Gaps) != 1 || c.Gaps[0].File != "x/audit.log" || !c.Gaps[0].From.Equal(at(20)) || !c.Gaps[0].To.Equal(at(40)) ||
		c.Gaps[0].Reason != "rotated files are missing: 2 between x/audit.log.4.gz and x/audit.log.1" {
		t.Errorf("gaps %+v", c.Gaps)
	}
}

func TestUsage(t *testing.T) {
	a, b := NewUsage(), NewUsage()
	pods, status := ResourceKey{"", "pods", ""}, ResourceKey{"serving.knative.dev", "revisions", "status"}
	a.Add(&Sight{File: "a", ResourceKey: pods, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, 1)
	a.Add(&Sight{File: "a", ResourceKey: pods, Level: "Metadata", Stage: "RequestReceived", At: start, Truncated: false}, 1)
	a.Add(&Sight{File: "a", ResourceKey: ResourceKey{}, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, 1)
	b.Add(&Sight{File: "b", ResourceKey: pods, Level: "Request", Stage: "ResponseComplete", At: start, Truncated: false}, 1)
	b.Add(&Sight{File: "b", ResourceKey: status, Level: "Request", Stage: "ResponseComplete", At: start, Truncated: true}, 1)
	b.Add(&Sight{File: "b", ResourceKey: status, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, 1)
	b.Add(&Sight{File: "b", ResourceKey: status, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, -1)
	b.Add(&Sight{File: "b", ResourceKey: ResourceKey{Resource: "gone"}, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, 1)
	b.Add(&Sight{File: "b", ResourceKey: ResourceKey{Resource: "gone"}, Level: "Metadata", Stage: "ResponseComplete", At: start, Truncated: false}, -1)
	all := NewUsage()
	all.Merge(a)
	all.Merge(b)
	var c Coverage
	c.Finish(all)
	var got []string
	for _, r := range c.Resources {
		got = append(got, fmt.Sprintf("%s/%s/%s %d-%d %v %v", r.Group, r.Resource, r.Subresource, r.Records, r.Truncated, r.Levels, r.Stages))
	}
	want := []string{
		"/pods/ 3-0 map[Metadata:2 Request:1] map[RequestReceived:1 ResponseComplete:2]",
		"serving.knative.dev/revisions/status 1-1 map[Request:1] map[ResponseComplete:1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if r := c.Resource("", "pods", ""); r == nil || r.Records != 3 {
		t.Errorf("pods: %+v", r)
	}
	if r := c.Resource("", "gone", ""); r != nil {
		t.Errorf("gone: %+v", r)
	}
}

func TestSpan(t *testing.T) {
	var c Coverage
	var f, g File
	c.Span(&f, time.Time{}, time.Time{})
	if !c.From.IsZero() || !f.To.IsZero() {
		t.Errorf("made up: %v %v", c.From, f.To)
	}
	c.Span(&f, start.Add(time.Second), start.Add(2*time.Second))
	c.Span(&g, start, start.Add(time.Second))
	c.Span(&f, start.Add(time.Minute), start.Add(time.Hour))
	if !f.From.Equal(start.Add(time.Second)) || !f.To.Equal(start.Add(time.Hour)) || !c.From.Equal(start) || !c.To.Equal(start.Add(time.Hour)) || !g.To.Equal(start.Add(time.Second)) {
		t.Errorf("%v to %v, the file %v to %v", c.From, c.To, f.From, f.To)
	}
}

func TestRecords(t *testing.T) {
	c := Coverage{Files: []File{{Format: Audit, Records: 3}, {Format: Klog, Records: 5}, {Format: Audit, Records: 7}}}
	if all, audit, none := c.Records(), c.Records(Audit, Snapshot), c.Records(Events); all != 15 || audit != 10 || none != 0 {
		t.Errorf("%d, %d, %d", all, audit, none)
	}
}
