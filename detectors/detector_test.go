package detectors

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

func at(seconds int) time.Time {
	return time.Date(2026, 3, 2, 9, 0, seconds, 0, time.UTC)
}

func object(name, uid string) *timeline.Object {
	return &timeline.Object{Ref: timeline.Ref{Kind: "Revision", Namespace: "shop", Name: name}, UID: uid}
}

func proof(seconds int, auditID string) Evidence {
	return Evidence{Role: "ready-write", Time: at(seconds), Source: timeline.Source{File: "a.log", Line: 1, AuditID: auditID}}
}

// verdicts writes the rulings of a result as "DETECTOR NAME/UID VERDICT".
func verdicts(r *Result) (list []string) {
	for _, v := range r.Rulings {
		list = append(list, v.Detector+" "+v.Object.Name+"/"+v.UID+" "+string(v.Verdict))
	}
	return list
}

func ask(runs ...func(*Pass)) *Result {
	var list []*Detector
	for i, run := range runs {
		list = append(list, &Detector{Name: string(rune('a' + i)), Run: run})
	}
	r := Run(list, &timeline.Family{Cluster: &timeline.Cluster{}}, &coverage.Coverage{})
	r.Sort()
	return r
}

func TestVerdicts(t *testing.T) {
	first, second, other := object("x", "1"), object("x", "2"), object("y", "3")
	tests := []struct {
		name string
		run  func(*Pass)
		want []string
	}{
		{"none", func(*Pass) {}, nil},
		{"held", func(p *Pass) { p.Rule(first, Held, "") }, []string{"a x/1 held"}},
		{"inconclusive wins over held", func(p *Pass) { p.Rule(first, Held, ""); p.Rule(first, Inconclusive, "why") }, []string{"a x/1 inconclusive"}},
		{"in any order", func(p *Pass) { p.Rule(first, Inconclusive, "why"); p.Rule(first, Held, "") }, []string{"a x/1 inconclusive"}},
		{"captured wins over both", func(p *Pass) {
			p.Rule(first, Inconclusive, "why")
			p.Capture(first, proof(1, "i"))
			p.Rule(first, Held, "")
		}, []string{"a x/1 captured"}},
		{"two lives of one name", func(p *Pass) { p.Rule(first, Held, ""); p.Capture(second, proof(1, "i")) }, []string{"a x/1 held", "a x/2 captured"}},
		{"another object", func(p *Pass) { p.Capture(second, proof(1, "i")); p.Rule(other, Inconclusive, "") }, []string{"a x/2 captured", "a y/3 inconclusive"}},
	}
	for _, test := range tests {
		if got := verdicts(ask(test.run)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestHeldAcrossGap: what was not seen was not held.
func TestHeldAcrossGap(t *testing.T) {
	o := object("x", "1")
	o.Born = at(10)
	gone := object("x", "2")
	gone.Born, gone.Gone = at(10), at(20)
	rule := func(o *timeline.Object) func(*Pass) { return func(p *Pass) { p.Rule(o, Held, "fine") } }
	hold := func(from, to time.Time) func(*Pass) { return func(p *Pass) { p.Hold(o, from, to, "fine") } }
	tests := []struct {
		name     string
		from, to int // of the gap
		run      func(*Pass)
		want     Verdict
	}{
		{"in its life", 30, 40, rule(o), Inconclusive},
		{"before its birth", 1, 9, rule(o), Held},
		{"over its birth", 1, 15, rule(o), Inconclusive},
		{"after its end", 30, 40, rule(gone), Held},
		{"before its end", 15, 40, rule(gone), Inconclusive},
		{"after what was judged", 30, 40, hold(time.Time{}, at(25)), Held},
		{"before what was judged", 30, 40, hold(at(45), at(50)), Held},
		{"within", 30, 40, hold(at(35), at(36)), Inconclusive},
	}
	for _, test := range tests {
		c := &coverage.Coverage{Gaps: []coverage.Gap{{From: at(test.from), To: at(test.to)}}}
		r := Run([]*Detector{{Name: "a", Run: test.run}}, &timeline.Family{Cluster: &timeline.Cluster{To: at(59)}}, c)
		if got := r.Rulings[0]; got.Verdict != test.want || (test.want == Inconclusive) != strings.Contains(got.Reason, "the audit log has a gap from 2026-03-02T09:00:") {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	c := &coverage.Coverage{Gaps: []coverage.Gap{{From: at(30), To: at(40)}}}
	r := Run([]*Detector{{Name: "a", Run: func(p *Pass) { p.Capture(o, proof(1, "i")) }}}, &timeline.Family{Cluster: &timeline.Cluster{To: at(59)}}, c)
	if r.Rulings[0].Verdict != Captured {
		t.Errorf("captured is %+v", r.Rulings[0])
	}
}

func TestFoundTellsLivesApart(t *testing.T) {
	first, second := object("x", "1"), object("x", "2")
	r := ask(func(p *Pass) { p.Capture(first, proof(1, "i")).Summary = "early" }, func(p *Pass) {
		if p.Found("a", second) != nil || p.Found("b", first) != nil {
			t.Error("found what is not there")
		}
		f := p.Capture(first, proof(2, "j"))
		f.CausedBy = append(f.CausedBy, p.Found("a", first))
	})
	if len(r.Findings) != 2 || r.Findings[1].CausedBy[0] == nil || r.Findings[1].CausedBy[0].Summary != "early" {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestEvidenceIsSortedOnceEach(t *testing.T) {
	r := ask(func(p *Pass) { p.Capture(object("x", "1"), proof(3, "c"), proof(1, "a"), proof(3, "c"), proof(2, "b")) })
	var ids []string
	for _, e := range r.Findings[0].Evidence {
		ids = append(ids, e.ID())
	}
	if got := strings.Join(ids, ""); got != "abc" {
		t.Errorf("evidence %q, want abc", got)
	}
}

func TestFindingsAreSorted(t *testing.T) {
	r := ask(func(p *Pass) {
		p.Capture(object("none", "1"), proof(1, "i"))
		p.Capture(object("late", "2"), proof(1, "i")).Time = at(9)
		p.Capture(object("z", "3"), proof(1, "i")).Time = at(5)
		p.Capture(object("y", "4"), proof(1, "i")).Time = at(5)
	})
	var names []string
	for _, f := range r.Findings {
		names = append(names, f.Object.Name)
	}
	if got := strings.Join(names, " "); got != "y z late none" {
		t.Errorf("order %q: by time, those without last", got)
	}
}

func TestFingerprint(t *testing.T) {
	base := func() *Finding {
		return &Finding{Detector: "a", Object: timeline.Ref{Kind: "Revision", Namespace: "shop", Name: "x"}, UID: "1", Decisive: []string{"i", "j"},
			Evidence: []Evidence{proof(1, "i")}, Summary: "text", Severity: High}
	}
	want := base().Fingerprint()
	if len(want) != 32 {
		t.Errorf("%q is not 32 digits", want)
	}
	same := map[string]func(*Finding){
		"files and lines": func(f *Finding) { f.Evidence[0].File, f.Evidence[0].Line = "b.log", 7 },
		"words":           func(f *Finding) { f.Summary, f.Severity, f.Confidence = "other", Low, Suspect },
		"order of the IDs": func(f *Finding) {
			f.Decisive = []string{"j", "i"}
		},
	}
	for name, change := range same {
		f := base()
		if change(f); f.Fingerprint() != want {
			t.Errorf("%s change the fingerprint", name)
		}
	}
	other := map[string]func(*Finding){
		"detector": func(f *Finding) { f.Detector = "b" },
		"name":     func(f *Finding) { f.Object.Name = "y" },
		"uid":      func(f *Finding) { f.UID = "2" },
		"IDs":      func(f *Finding) { f.Decisive = []string{"i"} },
	}
	for name, change := range other {
		f := base()
		if change(f); f.Fingerprint() == want {
			t.Errorf("another %s gives the same fingerprint", name)
		}
	}
}

func TestNeedBodies(t *testing.T) {
	resource := func(levels map[string]int64) *coverage.Coverage {
		return &coverage.Coverage{Resources: []coverage.Resource{{
			ResourceKey: coverage.ResourceKey{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"}, Records: 3, Levels: levels}}}
	}
	tests := []struct {
		name  string
		c     *coverage.Coverage
		blind bool
		total bool
	}{
		{"nothing", &coverage.Coverage{}, true, true},
		{"without bodies", resource(map[string]int64{"Metadata": 3}), true, false},
		{"some with a body", resource(map[string]int64{"Metadata": 2, "Request": 1}), false, false},
		{"all with bodies", resource(map[string]int64{"RequestResponse": 3}), false, false},
	}
	for _, test := range tests {
		got := NeedBodies(test.c, "serving.knative.dev", "revisions", "status")
		if (len(got) > 0) != test.blind || test.blind && (got[0].Total != test.total || got[0].Needs == "" || got[0].Reason == "") {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func TestManual(t *testing.T) {
	text := Manual("// Package x asks something.\n//\n// # A title\n//\n// Some text.\n//\n// # What to do\n//\n// More.\npackage x\n")()
	if text != "A title\n\nSome text.\n\n# What to do\n\nMore.\n" {
		t.Errorf("manual %q", text)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic without a manual")
		}
	}()
	Manual("package x\n")()
}

func TestSeverityAtLeast(t *testing.T) {
	for i, s := range Severities {
		for j, other := range Severities {
			if s.AtLeast(other) != (i <= j) {
				t.Errorf("%s at least %s: %v", s, other, s.AtLeast(other))
			}
		}
	}
}
