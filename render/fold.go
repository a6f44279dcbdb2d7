package render

import (
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// Row is a row of a Story as people see it: it may stand for several of the same
// content.
type Row struct {
	timeline.Entry
	Repeats int       // how many it stands for, 1 if only for itself
	Last    time.Time // when the last of them was
}

// foldKey is what rows that are folded into one have in common.
type foldKey struct {
	object  timeline.Ref
	kind    timeline.EntryKind
	summary string
	actor   string
}

// Rows chooses the rows to show. Repeated errors, Events and log lines become
// one row with a count; writes never do, for a condition that flaps has to be
// seen each time. Without all, rows that matter little are left out and
// counted.
func (s *Story) Rows(all bool) (rows []Row, hidden int) {
	seen := map[foldKey]int{}
	proof := evidence(s)
	for _, e := range s.Entries {
		if !all && !proof[e.Source] && minor(s, e) {
			hidden++
			continue
		}
		key := foldKey{e.Object, e.Kind, e.Summary, e.Actor.Component}
		if i, ok := seen[key]; ok && foldable(e) {
			rows[i].Repeats++
			rows[i].Last = e.Time
			continue
		}
		seen[key] = len(rows)
		rows = append(rows, Row{e, 1, e.Time})
	}
	return rows, hidden
}

// evidence returns the records that prove a finding that weighs something: of
// log lines no other rows tell.
func evidence(s *Story) map[timeline.Source]bool {
	proof := map[timeline.Source]bool{}
	for _, f := range s.Findings {
		if f.Severity == detectors.Info {
			continue
		}
		for _, e := range f.Evidence {
			if e.TraceID != "" && e.Role == "route-read" {
				proof[e.Source] = true
			}
		}
	}
	return proof
}

func foldable(e timeline.Entry) bool {
	switch e.Kind {
	case timeline.EntryError, timeline.EntryEvent, timeline.EntryLog:
		return true
	}
	return e.Outcome == timeline.Unchanged
}

// minor tells the rows that are counted only: what matters little, and what
// came before the Revision existed.
func minor(s *Story, e timeline.Entry) bool {
	if e.Kind == timeline.EntrySnapshot || e.Kind == timeline.EntryGap && e.Object.Kind != "" {
		return s.Object.Ref != e.Object
	}
	return before(s, e) || e.Minor() && (e.Object != s.Object.Ref || e.Kind != timeline.EntryWrite)
}

// before tells rows of the time when the Revision did not exist yet.
func before(s *Story, e timeline.Entry) bool {
	const lead = 2 * time.Second // the rollout that makes it
	if s.Revision == nil || e.Time.IsZero() {
		return false
	}
	born := s.Lives[0].Born
	return !born.IsZero() && e.Time.Before(born.Add(-lead))
}
