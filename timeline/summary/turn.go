package summary

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// late is how long after the moment that lastTransitionTime tells, to the second
// and by the clock of the sender, a write counts as the one that made the change.
const late = 2 * time.Second

// turn returns the write of its status that turned an object Ready first. It is
// nil if no write in the inputs did, or if the object was Ready before; was tells
// whether it is known to have been Ready at all.
func turn(o *timeline.Object) (by *timeline.Write, was bool) {
	first := slices.IndexFunc(o.Writes, func(w *timeline.Write) bool { return w.After.Is("Ready", "True") })
	if first < 0 {
		return nil, slices.ContainsFunc(o.Sightings, isReady)
	}
	if w := o.Writes[first]; turned(w) {
		return w, true
	}
	return nil, true
}

func isReady(s timeline.Sighting) bool { return s.State.Is("Ready", "True") }

// turned reports whether a write that is the first to show Ready=True made it so. It
// did if it wrote over the version before, which was not; else lastTransitionTime
// tells.
func turned(w *timeline.Write) bool {
	if !isStatus(w) || w.Outcome != timeline.Applied || !w.BodySeen {
		return false
	}
	if w.Before != nil && w.Before.ResourceVersion != "" && w.Before.ResourceVersion == w.SentVersion {
		return true
	}
	c, _ := w.After.Condition("Ready")
	return c.Since.IsZero() || w.Time.Sub(c.Since) <= late
}
