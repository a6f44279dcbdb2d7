package registry

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

func TestAllIsInOrder(t *testing.T) {
	if err := Check(All); err != nil {
		t.Error(err)
	}
	names := Names()
	if len(names) != len(All) || !slices.IsSorted(names) {
		t.Errorf("names are %q", names)
	}
	for _, name := range names {
		if d := Find(name); d == nil || d.Name != name {
			t.Errorf("Find(%q) gives %v", name, d)
		}
	}
	if d := Find("no-such-detector"); d != nil {
		t.Errorf("found %s", d.Name)
	}
}

func TestCheck(t *testing.T) {
	with := func(change func(*detectors.Detector)) *detectors.Detector {
		d := &detectors.Detector{Name: "some-thing", Doc: func() string { return "A title\n\ntext" }, Facts: []string{"a"},
			Blind: func(*coverage.Coverage) []detectors.Blindness { return nil }, Run: func(*detectors.Pass) {}}
		if change != nil {
			change(d)
		}
		return d
	}
	good := with(nil)
	after := with(func(d *detectors.Detector) { d.Name, d.Requires = "other", []string{"some-thing"} })
	tests := []struct {
		name string
		list []*detectors.Detector
		want string // part of the error, "" for none
	}{
		{"good", []*detectors.Detector{good, after}, ""},
		{"no name", []*detectors.Detector{with(func(d *detectors.Detector) { d.Name = "" })}, "a name is"},
		{"upper case", []*detectors.Detector{with(func(d *detectors.Detector) { d.Name = "Some-thing" })}, "a name is"},
		{"underscore", []*detectors.Detector{with(func(d *detectors.Detector) { d.Name = "some_thing" })}, "a name is"},
		{"hyphen at the end", []*detectors.Detector{with(func(d *detectors.Detector) { d.Name = "some-" })}, "a name is"},
		{"twice", []*detectors.Detector{good, good}, "listed twice"},
		{"no manual", []*detectors.Detector{with(func(d *detectors.Detector) { d.Doc = func() string { return "" } })}, "a title"},
		{"full stop", []*detectors.Detector{with(func(d *detectors.Detector) { d.Doc = func() string { return "A title.\n\ntext" } })}, "a title"},
		{"no facts", []*detectors.Detector{with(func(d *detectors.Detector) { d.Facts = nil })}, "incomplete"},
		{"no run", []*detectors.Detector{with(func(d *detectors.Detector) { d.Run = nil })}, "incomplete"},
		{"no blind", []*detectors.Detector{with(func(d *detectors.Detector) { d.Blind = nil })}, "incomplete"},
		{"required one is missing", []*detectors.Detector{after}, "requires some-thing"},
		{"required one comes later", []*detectors.Detector{after, good}, "requires some-thing"},
	}
	for _, test := range tests {
		err := Check(test.list)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want one with %q", test.name, err, test.want)
		}
	}
}

// TestManuals asks each manual for the parts that docs and users rely on, in
// their order.
func TestManuals(t *testing.T) {
	parts := []string{"What it needs", "What it does not report", "What it cannot see", "How sure it is", "What to do", "Which releases"}
	for _, d := range All {
		if strings.HasPrefix(d.Doc(), "Package ") || strings.HasPrefix(d.Title(), "#") {
			t.Errorf("%s: the manual starts with %q", d.Name, d.Title())
		}
		if strings.Contains(d.Doc(), "\t") || !regexp.MustCompile(`\n    (kubectl|kn|knforensics) `).MatchString(d.Doc()) {
			t.Errorf("%s: the manual names no command to go on with", d.Name)
		}
		if !regexp.MustCompile(`#\d+`).MatchString(d.Doc()) && d.Name != "status-write-clobber" { // of which there is no report
			t.Errorf("%s: the manual names no issue", d.Name)
		}
		rest := d.Doc()
		for _, part := range parts {
			_, after, ok := strings.Cut(rest, "\n# "+part+"\n")
			if !ok {
				t.Errorf("%s: the manual has no part %q after the one before", d.Name, part)
				continue
			}
			if text, _, _ := strings.Cut(after, "\n# "); len(strings.TrimSpace(text)) < 20 {
				t.Errorf("%s: part %q says nothing", d.Name, part)
			}
			rest = after
		}
	}
}

// latched reads the sample in which three detectors find something and refer to
// each other.
func latched(t *testing.T) ([]*timeline.Family, *coverage.Coverage) {
	t.Helper()
	inputs, err := source.Find([]string{"../../samples/latched/audit.log.zst", "../../samples/latched/controller.log.zst"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := timeline.NewBuilder()
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{Jobs: 2}, func(batch *table.Batch) error {
		b.Add(batch)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Build().Families, c
}

func TestRunOnlyWhatWasAskedFor(t *testing.T) {
	const skip, below, latch, route, wedge = "skipped-reconcile-pa", "below-initial-scale-ready", "latest-ready-latch", "route-read-before-track", "image-cache-wedge"
	tests := []struct {
		names []string
		want  []string // "DETECTOR <- DETECTORS THAT CAUSED IT" of the findings, by time
	}{
		{nil, []string{wedge + " <- " + skip, skip + " <- ", below + " <- " + skip, latch + " <- " + below}},
		{[]string{skip, below, latch, route}, []string{skip + " <- ", below + " <- " + skip, latch + " <- " + below}},
		{[]string{latch}, []string{latch + " <- "}},
		{[]string{latch, skip}, []string{skip + " <- ", latch + " <- "}},
		{[]string{below, latch}, []string{below + " <- ", latch + " <- " + below}},
		{[]string{route}, nil},
	}
	for _, test := range tests {
		families, c := latched(t)
		result := Run(test.names, families, c)
		var got []string
		for _, f := range result.Findings {
			var causes []string
			for _, cause := range f.CausedBy {
				causes = append(causes, cause.Detector)
			}
			got = append(got, f.Detector+" <- "+strings.Join(causes, " "))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: findings %q, want %q", test.names, got, test.want)
		}
		for _, v := range result.Rulings {
			if len(test.names) > 0 && !slices.Contains(test.names, v.Detector) {
				t.Errorf("%q: a verdict of %s about %s", test.names, v.Detector, v.Object)
			}
		}
	}
}

// TestRunIsBlind asks all detectors about nothing at all: none may call that
// clean.
func TestRunIsBlind(t *testing.T) {
	result := Run(nil, nil, &coverage.Coverage{})
	for _, d := range All {
		if !slices.ContainsFunc(result.Blind, func(b detectors.Blindness) bool {
			return b.Detector == d.Name && b.Total && b.Needs != "" && b.Reason != ""
		}) {
			t.Errorf("%s: not blind without any input: %+v", d.Name, result.Blind)
		}
	}
	if !result.Inconclusive() {
		t.Error("no input at all is not inconclusive")
	}
}
