package render

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// readWell is what an input gave of which nothing was lost.
func readWell() *coverage.Coverage {
	return &coverage.Coverage{Files: []coverage.File{{Path: "audit.log", Format: coverage.Audit, Records: 1}}}
}

func TestNothingFoundIsSaidOfWhatWasCovered(t *testing.T) {
	ref := timeline.Ref{Kind: "Revision", Namespace: "shop", Name: "cart-00002"}
	held := detectors.Ruling{Detector: "d", Object: ref, Verdict: detectors.Held}
	open := detectors.Ruling{Detector: "d", Object: ref, Verdict: detectors.Inconclusive, Reason: "no bodies"}
	result := &detectors.Result{Rulings: []detectors.Ruling{held}}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	lost, beside, gap := readWell(), readWell(), readWell()
	lost.Files = append(lost.Files, coverage.File{Path: "cut.log", Records: 3, Rejected: 1})
	beside.Files = append(beside.Files, coverage.File{Path: "audit-2.log.gz", Skipped: "binary data of no known format"})
	gap.Gaps = []coverage.Gap{{From: at, To: at.Add(time.Second), Reason: "silent"}}
	for want, d := range map[string]Detection{
		"no finding, and nothing undecided\n":                                        {Coverage: readWell(), Result: result},
		"no finding where it could be seen\n":                                        {Coverage: readWell(), Result: &detectors.Result{Rulings: []detectors.Ruling{held, open}}},
		"no finding where it could be seen\n\n":                                      {Coverage: lost, Result: result},
		"silent\n\nno finding where it could be seen\n":                              {Coverage: gap, Result: result},
		"no finding, and nothing undecided in what was read\n":                       {Coverage: beside, Result: result},
		"no finding: nothing in the inputs had the chance of one\n":                  {Coverage: readWell(), Result: &detectors.Result{}},
		"undecided: Revision shop/cart-00002, d: no bodies\n":                        {Coverage: readWell(), Result: &detectors.Result{Rulings: []detectors.Ruling{open}}},
		"blind: d needs x; y\n":                                                      {Coverage: readWell(), Result: &detectors.Result{Blind: []detectors.Blindness{{Detector: "d", Needs: "x", Reason: "y"}}}},
		"not covered: the inputs tell nothing of the time from --from to --to\n":     {Coverage: readWell(), Result: result, Window: Window{From: at}},
		"no finding in what the inputs cover of that time\n":                         {Coverage: readWell(), Result: result, Window: Window{From: at, Covered: true}},
		"not shown: 2 findings that fall outside --from and --to, though the harm":   {Coverage: readWell(), Result: result, Window: Window{From: at, Covered: true}, Outside: 2},
		"held: 1 time a failure had its chance and did not happen, in all of the in": {Coverage: readWell(), Result: result, Window: Window{To: at, Covered: true}},
	} {
		if got := page(0, true, func(p *Page) { p.Findings(&d, false) }); !strings.Contains(stripSGR(got), want) {
			t.Errorf("want %q in:\n%s", want, got)
		} else if clear := strings.Contains(got, "\x1b[32mno finding"); clear != strings.HasPrefix(want, "no finding, and nothing undecided\n") {
			t.Errorf("green, or not:\n%s", got)
		}
	}
}

// TestEachFormatTellsTheDoubts holds that no format of findings, nor that of the summary,
// keeps to itself what was not covered, left out, not read, lost, undecided or unseen.
func TestEachFormatTellsTheDoubts(t *testing.T) {
	d := detection()
	d.Result = &detectors.Result{Rulings: []detectors.Ruling{{Detector: "e", Object: timeline.Ref{Kind: "Revision", Name: "r"}, Verdict: detectors.Inconclusive, Reason: "no bodies"}},
		Blind: []detectors.Blindness{{Detector: "e", Needs: "eyes", Reason: "none"}}}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	d.Coverage = readWell()
	d.Coverage.Files = append(d.Coverage.Files, coverage.File{Path: "cut.log", Records: 3, Rejected: 7}, coverage.File{Path: "garbage.gz", Skipped: "damaged"})
	d.Coverage.Gaps = []coverage.Gap{{From: at, To: at.Add(time.Second), Reason: "silent"}}
	told := []string{notCovered, "no bodies", "eyes", "cut.log: 7 rejected", "garbage.gz", "silent", "1 finding that falls outside"}
	inJSON := []string{`"covered":false`, `"outside":1`, "no bodies", "eyes", `"rejected":7`, "garbage.gz", "silent"}
	s := Summary{Coverage: d.Coverage, Result: d.Result, Window: d.Window, Outside: d.Outside}
	for name, form := range map[string]struct {
		write func(io.Writer) error
		wants []string
	}{
		"text": {func(w io.Writer) error {
			_, err := io.WriteString(w, page(300, false, func(p *Page) { p.Findings(d, false) }))
			return err
		}, []string{notCovered, "no bodies", "eyes", "7 rejected", "garbage.gz", "silent", "1 finding that falls outside"}},
		"json":     {func(w io.Writer) error { return json.NewEncoder(w).Encode(d.JSON()) }, inJSON},
		"jsonl":    {d.JSONLines, inJSON},
		"csv":      {d.CSV, told},
		"markdown": {d.Markdown, told},
		"sarif":    {d.SARIF, told},
		"junit":    {d.JUnit, told},
		"github":   {d.GitHub, told},
		"explore":  {func(w io.Writer) error { _, err := fmt.Fprintln(w, d.Doubts()); return err }, told},
		"summary":  {func(w io.Writer) error { _, err := fmt.Fprintln(w, s.detection(Clock{}).Doubts()); return err }, told},
	} {
		text := strings.NewReplacer("`", "").Replace(written(t, form.write))
		for _, want := range form.wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
	}
}

// TestFailedCasesTellWhatIsOpen holds that a failure hides no doubt about its detector.
func TestFailedCasesTellWhatIsOpen(t *testing.T) {
	d := detection()
	ref := timeline.Ref{Kind: "Revision", Name: "other"}
	d.Result.Rulings = []detectors.Ruling{{Detector: "d", Object: ref, Verdict: detectors.Inconclusive, Reason: "no bodies"}}
	d.Result.Blind = []detectors.Blindness{{Detector: "d", Needs: "eyes", Reason: "none"}}
	text := written(t, d.JUnit)
	_, output, _ := strings.Cut(text, "<system-out>")
	output, _, _ = strings.Cut(output, "</system-out>")
	for _, want := range []string{"not known: Revision other: no bodies\n", "not known: needs eyes; none\n"} {
		if !strings.Contains(output, want) {
			t.Errorf("no %q in the output of the case: %s", want, text)
		}
	}
}

// TestDoubtsAreAmongTheAnnotationsShown holds that many findings of no weight do not push
// what the logs cannot tell out of what GitHub shows, and that all that is hidden counts.
func TestDoubtsAreAmongTheAnnotationsShown(t *testing.T) {
	d := detection()
	low := *d.Result.Findings[0]
	low.Severity = detectors.Low
	d.Result.Findings = slices.Repeat([]*detectors.Finding{&low}, mostAnnotations)
	lines := strings.Split(strings.TrimSuffix(written(t, d.GitHub), "\n"), "\n")
	if !strings.HasPrefix(lines[0], "::notice title=not all are shown::2 more are in the log") || !strings.HasPrefix(lines[1], "::notice title=what the logs cannot tell") {
		t.Errorf("%.80s\n%.80s", lines[0], lines[1])
	}
	if got := len(lines) - mostAnnotations; got != 2 {
		t.Errorf("%d are not shown", got)
	}
}

func TestBlindTexts(t *testing.T) {
	got := BlindTexts([]detectors.Blindness{{Detector: "a", Needs: "x", Reason: "y"}, {Detector: "b", Needs: "z", Reason: "y"}, {Detector: "c", Needs: "x", Reason: "y"}})
	if want := []string{"a, c need x; y", "b needs z; y"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTally(t *testing.T) {
	if got := differing().tally(); got != "1 passed, 1 failed, 1 undecided" {
		t.Error(got)
	}
	if text, _ := json.Marshal(differing().JSON()); strings.Count(string(text), `"passed":true`) != 1 {
		t.Errorf("%s", text)
	}
}

// TestExportedKeepToTheWindow holds that what has no time of its own is told at the end of
// the time that was asked for, or of the inputs if they end before.
func TestExportedKeepToTheWindow(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct{ end, to, want time.Time }{{at, time.Time{}, at}, {at, at.Add(-time.Second), at.Add(-time.Second)}, {at, at.Add(time.Second), at}} {
		s := &Story{Family: &timeline.Family{Cluster: &timeline.Cluster{To: test.end}}, Coverage: &coverage.Coverage{}, Window: Window{To: test.to, Covered: true}, Outside: 1,
			Rulings: []detectors.Ruling{{Detector: "d", Reason: "no bodies"}}}
		rows := s.Exported()
		if len(rows) != 1 || rows[0].Kind != Inconclusive || !rows[0].Time.Equal(test.want) || !s.At(&detectors.Finding{}).Equal(test.want) {
			t.Errorf("to %s: %v", test.to, rows)
		}
	}
}
