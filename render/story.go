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
	From, To time.Time       // the stretch of time that was asked for; zero times are open ends
}

// Holds reports whether a moment is of the stretch of time that was asked for.
func (s *Story) Holds(t time.Time) bool {
	return (s.From.IsZero() || !t.Before(s.From)) && (s.To.IsZero() || !t.After(s.To))
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
