package detectortest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

var detector = &detectors.Detector{Name: "d", Facts: []string{"n", "why"}}

func finding() *detectors.Finding {
	return &detectors.Finding{Detector: "d", Object: timeline.Ref{Kind: "Revision", Namespace: "shop", Name: "x"},
		Severity: detectors.High, Confidence: detectors.Strong, Summary: "one line", Decisive: []string{"id"},
		Facts:    []detectors.Fact{{Name: "n", Value: 1}, {Name: "why"}},
		Evidence: []detectors.Evidence{{Role: "ready-write", Source: timeline.Source{File: "a.log", Line: 1}}}}
}

func TestDefects(t *testing.T) {
	if list := defects(detector, finding()); len(list) > 0 {
		t.Errorf("a good finding: %q", list)
	}
	tests := map[string]func(*detectors.Finding){
		"declared are":        func(f *detectors.Finding) { f.Facts = f.Facts[:1] },
		"declared":            func(f *detectors.Finding) { slices.Reverse(f.Facts) },
		"unknown is nil":      func(f *detectors.Finding) { f.Facts[1].Value = "" },
		"the zero time":       func(f *detectors.Finding) { f.Facts[1].Value = time.Time{} },
		"is a int64":          func(f *detectors.Finding) { f.Facts[0].Value = int64(1) },
		"not one line":        func(f *detectors.Finding) { f.Summary = "" },
		"the summary":         func(f *detectors.Finding) { f.Summary = "one\ntwo" },
		"unknown severity":    func(f *detectors.Finding) { f.Severity = "" },
		"unknown confidence":  func(f *detectors.Finding) { f.Confidence = "sure" },
		"decisive":            func(f *detectors.Finding) { f.Decisive = nil },
		"none may be empty":   func(f *detectors.Finding) { f.Decisive = []string{""} },
		"no evidence":         func(f *detectors.Finding) { f.Evidence = nil },
		"without role":        func(f *detectors.Finding) { f.Evidence[0].Role = "" },
		"file":                func(f *detectors.Finding) { f.Evidence[0].File = "" },
		"evidence without":    func(f *detectors.Finding) { f.Evidence[0].Line = 0 },
		"it has no time":      func(f *detectors.Finding) { f.Evidence[0].Time = time.Unix(1, 0) },
		"Revision shop/x: un": func(f *detectors.Finding) { f.Severity = "bad" },
	}
	for want, spoil := range tests {
		f := finding()
		spoil(f)
		if list := defects(detector, f); !strings.Contains(strings.Join(list, "\n"), want) {
			t.Errorf("got %q, want %q", list, want)
		}
	}
}

func TestLines(t *testing.T) {
	f := finding()
	f.Facts[1].Value = "two words"
	f.CausedBy = []*detectors.Finding{{Detector: "other"}}
	result := &detectors.Result{
		Findings: []*detectors.Finding{f, {Detector: "other"}},
		Rulings: []detectors.Ruling{
			{Detector: "d", Object: timeline.Ref{Kind: "Route", Namespace: "shop", Name: "y"}, Verdict: detectors.Held},
			{Detector: "d", Object: f.Object, Verdict: detectors.Captured},
			{Detector: "other", Object: f.Object, Verdict: detectors.Inconclusive}},
		Blind: []detectors.Blindness{{Detector: "d"}, {Detector: "d"}, {Detector: "other"}},
	}
	want := []string{"blind", `captured Revision shop/x severity=high confidence=strong n=1 why="two words" causedBy=other`, "held Route shop/y"}
	if got := lines(detector, result, false); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want = slices.Insert(want, 2, "evidence Revision shop/x ready-write")
	if got := lines(detector, result, true); !slices.Equal(got, want) {
		t.Errorf("with evidence: %q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	for want, value := range map[string]any{
		"null": nil, "7": 7, "0.5": 0.5, "true": true, "word": "word", `"a b"`: "a b", `""`: "",
		"2026-03-02T09:00:00.500000Z": time.Date(2026, 3, 2, 10, 0, 0, 5e8, time.FixedZone("CET", 3600)),
	} {
		if got := text(value); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
}

func TestDifference(t *testing.T) {
	tests := []struct {
		want, got []string
		diff      string
	}{
		{nil, nil, ""},
		{[]string{"a", "b"}, []string{"a", "b"}, ""},
		{[]string{"a"}, nil, "missing: a"},
		{nil, []string{"held x"}, "extra:   held x"},
		{[]string{"a", "c"}, []string{"b", "c", "c"}, "missing: a|extra:   b|extra:   c"},
	}
	for _, test := range tests {
		if got := strings.Join(difference(test.want, test.got), "|"); got != test.diff {
			t.Errorf("%q against %q: %q, want %q", test.got, test.want, got, test.diff)
		}
	}
}
