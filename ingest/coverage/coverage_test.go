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
func busy(u *Usage, from, to, every time.Duration) {
	for at := from; at < to; at += every {
		u.Add(Sight{ResourceKey: ResourceKey{Resource: "leases"}, Level: "Metadata", Stage: "ResponseComplete", At: start.Add(at)}, 1)
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

func TestUsage(t *testing.T) {
	a, b := NewUsage(), NewUsage()
	pods, status := ResourceKey{"", "pods", ""}, ResourceKey{"serving.knative.dev", "revisions", "status"}
	a.Add(Sight{pods, "Metadata", "ResponseComplete", start, false}, 1)
	a.Add(Sight{pods, "Metadata", "RequestReceived", start, false}, 1)
	a.Add(Sight{ResourceKey{}, "Metadata", "ResponseComplete", start, false}, 1)
	b.Add(Sight{pods, "Request", "ResponseComplete", start, false}, 1)
	b.Add(Sight{status, "Request", "ResponseComplete", start, true}, 1)
	b.Add(Sight{status, "Metadata", "ResponseComplete", start, false}, 1)
	b.Add(Sight{status, "Metadata", "ResponseComplete", start, false}, -1)
	b.Add(Sight{ResourceKey{Resource: "gone"}, "Metadata", "ResponseComplete", start, false}, 1)
	b.Add(Sight{ResourceKey{Resource: "gone"}, "Metadata", "ResponseComplete", start, false}, -1)
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
