package detectors

import (
	"cmp"
	"slices"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// FromView makes evidence of a state that the inputs show. What a snapshot shows
// has no time.
func FromView(role string, v timeline.View) Evidence {
	return Evidence{Role: role, Time: v.Time, Source: v.Source}
}

// Support grades a statement about how long objects were in a state: strong if
// requests show it, probable if it rests on a snapshot that tells since when, and
// suspect if nothing does.
func Support(spells ...timeline.Spell) Confidence {
	switch {
	case slices.ContainsFunc(spells, func(s timeline.Spell) bool { return s.From.IsZero() }):
		return Suspect
	case slices.ContainsFunc(spells, func(s timeline.Spell) bool { return !s.Timed() }):
		return Probable
	}
	return Strong
}

// Seconds returns a length of time in seconds, to the millisecond: more digits
// would be noise.
func Seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

// Lasted returns the length of a spell in seconds, nil if its begin is unknown.
func Lasted(s timeline.Spell) any { return Known(!s.From.IsZero(), Seconds(s.Length())) }

// Decisive returns the IDs of evidence, for a fingerprint. A row of a table has
// none: what it is evidence of stands for it.
func Decisive(evidence ...Evidence) (ids []string) {
	for _, e := range evidence {
		ids = append(ids, cmp.Or(e.ID(), e.Role))
	}
	return ids
}

// NeedStates tells what the inputs lack where a detector has to see the states of
// objects: as NeedBodies, but that a snapshot does where no audit event is about
// them. It does not stand for bodies that an audit log lacks: it shows the end only.
func NeedStates(c *coverage.Coverage, group, resource, subresource string) []Blindness {
	blind := NeedBodies(c, group, resource, subresource)
	shown := c.Records(coverage.Snapshot, coverage.SnapshotTable) > 0
	for i := range blind {
		switch {
		case !shown:
			blind[i].Needs += ", or a snapshot"
		case blind[i].Total:
			return nil
		}
	}
	return blind
}
