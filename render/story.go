package render

import (
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// Story is a timeline to be shown: of one object, in its family.
type Story struct {
	Kind     string // of the object it is about
	Revision *timeline.Revision
	Object   *timeline.Object
	Lives    []*timeline.Object // all objects of that name, oldest first
	Family   *timeline.Family
	Entries  []timeline.Entry
	Findings []*detectors.Finding // of the family
	Rulings  []detectors.Ruling   // of the family, those undecided
	Coverage *coverage.Coverage
	Skew     []coverage.Skew // of the audit logs, as the family's writes prove it
	Window                   // the stretch of time that was asked for
	Outside  int             // findings left out because they fall outside the window
}

// Holds reports whether a moment is of the stretch of time that was asked for.
func (s *Story) Holds(t time.Time) bool {
	return (s.From.IsZero() || !t.Before(s.From)) && (s.To.IsZero() || !t.After(s.To))
}

// unknown is something that the inputs cannot tell of a Story.
type unknown struct {
	lead, text string
	about      *detectors.Ruling // that is undecided, nil if it is no ruling
}

// doubts lists what is not told: what is outside the window, and what the inputs cannot
// tell.
func (s *Story) doubts(program string) []unknown {
	return append(s.narrowing(s.Outside), s.unknowns(program)...)
}

// unknowns lists what the inputs cannot tell: whose clock is right, what is undecided
// about the family, and what was lost, of which the program of a name tells more.
func (s *Story) unknowns(program string) (list []unknown) {
	for _, c := range s.Skew {
		list = append(list, unknown{lead: "clock", text: SkewText(c) + "; times are as they were logged"})
	}
	for i, v := range s.Rulings {
		list = append(list, unknown{"undecided", v.Detector + ", " + v.Object.String() + ": " + v.Reason, &s.Rulings[i]})
	}
	for _, text := range s.losses(program) {
		list = append(list, unknown{lead: "lost", text: text})
	}
	return list
}

// narrowing tells that inputs do not cover the window, and how many findings fall
// outside it.
func (w Window) narrowing(outside int) (list []unknown) {
	if w.Unseen() {
		list = append(list, unknown{lead: "not covered", text: notCovered})
	}
	if outside > 0 {
		list = append(list, unknown{lead: "outside", text: outsideText(outside) + ": not shown, though the harm may reach into that time"})
	}
	return list
}

// Doubts tells what the inputs cannot tell of a Story, in a line each.
func (s *Story) Doubts() (texts []string) {
	for _, d := range s.doubts("knforensics") {
		texts = append(texts, d.text)
	}
	return texts
}

// losses tells that records were lost: a search does not see how many.
func (s *Story) losses(program string) []string {
	for _, f := range s.Coverage.Files {
		if f.Rejected+f.Truncated > 0 {
			return []string{"records were rejected or truncated, '" + program + " coverage' says how many and where"}
		}
	}
	return nil
}

// FindingEntry returns the row that tells of a finding.
func FindingEntry(f *detectors.Finding) timeline.Entry {
	return timeline.Entry{Time: f.Time, Object: f.Object, Kind: timeline.EntryFinding, Summary: fmt.Sprintf("%s, %s", f.Detector, f.Severity), Grade: timeline.Inferred, Source: f.Moment().Source}
}

// Finding returns the finding that a row tells of, nil if it tells of none.
func (s *Story) Finding(e timeline.Entry) *detectors.Finding {
	if e.Kind != timeline.EntryFinding {
		return nil
	}
	for _, f := range s.Findings {
		if FindingEntry(f).Same(e) {
			return f
		}
	}
	return nil
}
