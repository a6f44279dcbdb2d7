package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// Detection is what detectors said of some inputs, to be shown.
type Detection struct {
	Clock    Clock
	Version  string                // of this program
	Inputs   []string              // as they were given
	Asked    []*detectors.Detector // and rules
	FailOn   detectors.Severity    // from which on a finding is a failure; "none" if none is
	Coverage *coverage.Coverage
	Result   *detectors.Result
	Window   Window
	Outside  int // findings left out because they fall outside the window
}

// Window is the stretch of time that was asked for.
type Window struct {
	From, To time.Time // zero where it is open
	Covered  bool      // the inputs tell of some of it
}

// asked reports whether less than all was asked for.
func (w Window) asked() bool { return !w.From.IsZero() || !w.To.IsZero() }

// Unseen reports whether the inputs tell nothing of what was asked for.
func (w Window) Unseen() bool { return w.asked() && !w.Covered }

// doubt is something that the inputs cannot tell.
type doubt struct {
	detector string            // empty if it concerns all
	about    *detectors.Ruling // that is undecided, nil if it is no ruling
	text     string
}

// doubts lists what the inputs cannot tell: what stayed undecided, which detectors
// are blind, and what was lost or left out.
func (d *Detection) doubts() (list []doubt) {
	if d.Window.Unseen() {
		list = append(list, doubt{text: notCovered})
	}
	for i, v := range d.Result.Rulings {
		if v.Verdict == detectors.Inconclusive {
			list = append(list, doubt{v.Detector, &d.Result.Rulings[i], objectText(v.Cluster, v.Object) + ": " + v.Reason})
		}
	}
	for _, b := range d.Result.Blind {
		list = append(list, doubt{detector: b.Detector, text: "needs " + lackText(b)})
	}
	for _, text := range append(Losses(d.Clock, d.Coverage), unread(d.Coverage)...) {
		list = append(list, doubt{text: text})
	}
	if d.Outside > 0 {
		list = append(list, doubt{text: outsideText(d.Outside) + ": not shown"})
	}
	return list
}

const notCovered = "the inputs tell nothing of the time from --from to --to"

// outsideText counts the findings that are left out.
func outsideText(n int) string {
	return count(int64(n), "finding that falls", "findings that fall") + " outside --from and --to"
}

// Doubts tells what the inputs cannot tell, in a line each.
func (d *Detection) Doubts() []string { return doubtTexts(d.doubts()) }

// doubtTexts tells doubts in a line each, those of one text together.
func doubtTexts(list []doubt) (texts []string) {
	order, names := gathered(list)
	for _, text := range order {
		if by := strings.Join(names[text], ", "); by != "" {
			text = by + ": " + text
		}
		texts = append(texts, text)
	}
	return texts
}

// gathered returns the texts of doubts, each once, and the detectors that each is of.
func gathered(list []doubt) (texts []string, names map[string][]string) {
	names = map[string][]string{}
	for _, d := range list {
		if names[d.text] == nil {
			texts = append(texts, d.text)
		}
		names[d.text] = append(names[d.text], d.detector)
	}
	return texts, names
}

// BlindTexts tells which detectors are blind, and why, in a line for each lack.
func BlindTexts(list []detectors.Blindness) (texts []string) {
	var doubts []doubt
	for _, b := range list {
		doubts = append(doubts, doubt{detector: b.Detector, text: lackText(b)})
	}
	order, names := gathered(doubts)
	for _, lack := range order {
		verb := " needs "
		if len(names[lack]) > 1 {
			verb = " need "
		}
		texts = append(texts, strings.Join(names[lack], ", ")+verb+lack)
	}
	return texts
}

func lackText(b detectors.Blindness) string { return b.Needs + "; " + b.Reason }

// Losses tells what of the inputs was lost, or is missing.
func Losses(clock Clock, c *coverage.Coverage) (list []string) {
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

// unread tells which files gave nothing, if any: a log that cannot be read, or a README
// beside the logs, which one is not known.
func unread(c *coverage.Coverage) []string {
	names := unreadNames(c)
	if names == "" {
		return nil
	}
	return []string{"not read: " + names + " ('knforensics coverage' says why)"}
}

// unreadNames names the files that gave nothing, the first few if there are many.
func unreadNames(c *coverage.Coverage) string {
	const most = 4
	var names []string
	for _, f := range c.Files {
		if f.Records == 0 && (f.Format != coverage.Archive || f.Skipped != "") {
			names = append(names, f.Path)
		}
	}
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(names, ", ")
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

// OpenText tells what is not known about a finding, empty if that is nothing.
func OpenText(f *detectors.Finding) string {
	var parts []string
	if f.Open != "" {
		parts = append(parts, "Not known: "+f.Open)
	}
	for _, h := range f.Hypotheses {
		parts = append(parts, "May be "+h.Cause+"; settled by "+h.SettledBy)
	}
	return strings.Join(parts, "\n")
}
