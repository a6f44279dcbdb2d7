package summary

import (
	"fmt"
	"slices"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// late is how long after the moment that lastTransitionTime tells, to the second
// and by the clock of the sender, a write counts as the one that made the change.
const late = 2 * time.Second

const latestReady = "status.latestReadyRevisionName"

// turn returns the write of its status that turned an object Ready first. It is
// nil if no write in the inputs did, or if the object was Ready before; was tells
// whether it is known to have been Ready at all.
func (j *judge) turn(f *timeline.Family, o *timeline.Object) (by *timeline.Write, was bool) {
	t, known := j.turns[o]
	if !known {
		t.by, t.was = j.firstTurn(f, o)
		j.turns[o] = t
	}
	return t.by, t.was
}

// turn is what turned an object Ready.
type turn struct {
	by  *timeline.Write
	was bool
}

func (j *judge) firstTurn(f *timeline.Family, o *timeline.Object) (by *timeline.Write, was bool) {
	first := slices.IndexFunc(o.Writes, func(w *timeline.Write) bool { return w.After.Is("Ready", "True") })
	named, told := j.named[o]
	if first < 0 {
		return nil, told || slices.ContainsFunc(o.Sightings, isReady) || announced(f, o)
	}
	if w := o.Writes[first]; turned(w) && (!told || named.After(w.Time.Add(-late))) {
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

// announced reports whether an Event tells that an object became Ready: Knative
// records one in the reconcile that finds it so (knative/serving
// pkg/reconciler/revision/revision.go and pkg/reconciler/configuration/configuration.go).
func announced(f *timeline.Family, o *timeline.Object) bool {
	return slices.ContainsFunc(f.NotesAbout(o.Ref), func(n *timeline.Note) bool {
		return n.UID == o.UID && (n.Reason == "RevisionReady" || n.Reason == "ConfigurationReady")
	})
}

// nameReady notes when a Configuration of a family moved to each Revision as its
// latest ready one, which was Ready by then. A snapshot tells it as of the end.
func (j *judge) nameReady(f *timeline.Family) {
	note := func(name string, at time.Time) {
		r := f.Find(name, at)
		if r == nil {
			return
		}
		if old, ok := j.named[r.Object]; !ok || at.Before(old) {
			j.named[r.Object] = at
		}
	}
	for _, c := range f.Configurations {
		for _, w := range c.Writes {
			if moved := w.Moved(latestReady); moved != nil && moved.To != nil {
				note(*moved.To, w.Time)
			}
		}
		for _, s := range c.Sightings {
			note(s.State.Field(latestReady), f.End())
		}
	}
	for _, n := range f.Notes {
		var name string
		if n.Reason != "LatestReadyUpdate" {
			continue
		}
		if _, err := fmt.Sscanf(n.Message, "LatestReadyRevisionName updated to %q", &name); err == nil {
			note(name, n.Time)
		}
	}
}
