package render

import (
	"fmt"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// Detection is what detectors said of some inputs, to be shown.
type Detection struct {
	Clock     Clock
	Version   string                // of this program
	Inputs    []string              // as they were given
	Asked     []*detectors.Detector // and rules
	FailOn    detectors.Severity    // from which on a finding is a failure; "none" if none is
	Coverage  *coverage.Coverage
	Result    *detectors.Result
	Outside   int  // findings left out because they fall outside the time that was asked for
	Uncovered bool // the inputs tell nothing of that time
}

// doubt is something that the inputs cannot tell.
type doubt struct {
	detector string // empty if it concerns all
	text     string
}

// doubts lists what the inputs cannot tell: what stayed undecided, which detectors
// are blind, and what was lost or left out.
func (d *Detection) doubts() (list []doubt) {
	if d.Uncovered {
		list = append(list, doubt{"", notCovered})
	}
	for _, v := range d.Result.Rulings {
		if v.Verdict == detectors.Inconclusive {
			list = append(list, doubt{v.Detector, objectText(v.Cluster, v.Object) + ": " + v.Reason})
		}
	}
	for _, b := range d.Result.Blind {
		list = append(list, doubt{b.Detector, "needs " + b.Needs + "; " + b.Reason})
	}
	for _, text := range losses(d.Clock, d.Coverage) {
		list = append(list, doubt{"", text})
	}
	if d.Outside > 0 {
		list = append(list, doubt{"", count(int64(d.Outside), "finding that falls", "findings that fall") + " outside --from and --to: not shown"})
	}
	return list
}

const notCovered = "the inputs tell nothing of the time from --from to --to"

// doubtTexts tells doubts in a line each, those of one text together.
func doubtTexts(list []doubt) (texts []string) {
	names := map[string][]string{}
	for _, d := range list {
		if names[d.text] == nil {
			texts = append(texts, d.text)
		}
		names[d.text] = append(names[d.text], d.detector)
	}
	for i, text := range texts {
		if by := strings.Join(names[text], ", "); by != "" {
			texts[i] = by + ": " + text
		}
	}
	return texts
}

// losses tells what of the inputs could not be read, or is missing.
func losses(clock Clock, c *coverage.Coverage) (list []string) {
	if c.Records() == 0 {
		list = append(list, "no input gave a single record")
	}
	for _, f := range c.Files {
		if f.Rejected+f.Truncated > 0 {
			list = append(list, fmt.Sprintf("%s: %d rejected, %d truncated", f.Path, f.Rejected, f.Truncated))
		}
	}
	for _, g := range c.Gaps {
		list = append(list, fmt.Sprintf("gap from %s to %s: %s", clock.Stamp(g.From), clock.Stamp(g.To), g.Text()))
	}
	return list
}

// Nothing says how far it goes that there is no finding.
func (d *Detection) Nothing() string {
	if d.Uncovered {
		return "no finding: " + notCovered
	}
	return "no finding" + nothingText(d.Coverage, d.Result)
}

// of returns the doubts about what a detector says.
func of(detector string, list []doubt) (texts []string) {
	for _, d := range list {
		if d.detector == detector {
			texts = append(texts, d.text)
		}
	}
	return texts
}

// failures are the findings of a detector that make a run fail, and the others.
func (d *Detection) failures(detector string) (failures, others []*detectors.Finding) {
	for _, f := range d.Result.Findings {
		switch {
		case f.Detector != detector:
		case f.Severity.AtLeast(d.FailOn):
			failures = append(failures, f)
		default:
			others = append(others, f)
		}
	}
	return failures, others
}

// openText tells what is not known about a finding, empty if that is nothing.
func openText(f *detectors.Finding) string {
	var parts []string
	if f.Open != "" {
		parts = append(parts, "Not known: "+f.Open)
	}
	for _, h := range f.Hypotheses {
		parts = append(parts, "May be "+h.Cause+"; settled by "+h.SettledBy)
	}
	return strings.Join(parts, "\n")
}
