package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// Inconclusive is the kind of the rows that tell what the inputs cannot tell.
const Inconclusive = timeline.EntryKind(detectors.Inconclusive)

// inconclusive makes such rows, which have no time.
func inconclusive(doubts []unknown) (list []timeline.Entry) {
	for _, d := range doubts {
		e := timeline.Entry{Kind: Inconclusive, Summary: d.text}
		if v := d.about; v != nil {
			e.Object, e.UID, e.Summary = v.Object, v.UID, v.Detector+": "+v.Reason
		}
		list = append(list, e)
	}
	return list
}

// Exported returns the rows that other tools are given: all but those of findings, of
// which they are told more, and at the end of the inputs what those cannot tell.
func (s *Story) Exported() (list []timeline.Entry) {
	for _, e := range s.Entries {
		if e.Kind != timeline.EntryFinding {
			list = append(list, e)
		}
	}
	for _, e := range inconclusive(s.unknowns("knforensics")) {
		e.Time = s.end()
		list = append(list, e)
	}
	return list
}

// At returns when a finding is shown: at its time, and if that is unknown at the end of
// what the inputs tell, when it is so. It is the zero time if they tell no times.
func (s *Story) At(f *detectors.Finding) time.Time {
	if f.Time.IsZero() {
		return s.end()
	}
	return f.Time
}

// end returns the end of what the inputs tell, or of the window if that is before.
func (s *Story) end() time.Time {
	end := s.Family.End()
	if !s.To.IsZero() && s.To.Before(end) {
		return s.To
	}
	return end
}

// NoTime is what is said of the time of a finding that is unknown.
const NoTime = "not told: it is so at the end of what the inputs tell"

// EvidenceTexts tells of each record that proves a finding its role, place and ID.
func EvidenceTexts(f *detectors.Finding) (texts []string) {
	for _, e := range f.Evidence {
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%s %s:%d %s", e.Role, e.File, e.Line, e.ID())))
	}
	return texts
}

// Timed reports whether a moment can be told in Nanos: it is known, and of the years from
// 1970 to 2261.
func Timed(t time.Time) bool { return t.Unix() > 0 && t.Year() < 2262 }

// Nanos returns a moment that is timed in nanoseconds since 1970, 0 for all others.
func Nanos(t time.Time) uint64 {
	if !Timed(t) {
		return 0
	}
	return uint64(t.UnixNano()) //nolint:gosec // not before 1970
}

// Left is how much of stories a format has no place for, and why.
type Left struct {
	Rows, Findings int
	Why            string
}

// Untimed is why rows and findings are left out by formats in which all has a time.
const Untimed = "nothing tells the time"

// String says it in one line, "" if nothing is left out.
func (l Left) String() string {
	var parts []string
	if l.Findings > 0 {
		parts = append(parts, count(int64(l.Findings), "finding", "findings"))
	}
	if l.Rows > 0 {
		parts = append(parts, count(int64(l.Rows), "row", "rows"))
	}
	verb := " are"
	switch l.Findings + l.Rows {
	case 0:
		return ""
	case 1:
		verb = " is"
	}
	return strings.Join(parts, " and ") + verb + " left out: " + l.Why
}
