package timeline

import (
	"slices"
	"time"
)

// collection is how long the garbage collector may take to get to what an owner has
// left.
const collection = 30 * time.Second

// collector is the garbage collector, as its service account calls it.
const collector = "generic-garbage-collector"

// own ties objects to their owners, notes when they were asked to go, and infers
// which are likely to have gone with their owner: what Kubernetes' garbage collector
// deletes need not be in a log. It does not take what the owner was told to leave
// behind (propagationPolicy Orphan), which a log need not show either.
func own(objects []*Object) {
	byUID := map[string]*Object{}
	for _, o := range objects {
		if o.UID != "" {
			byUID[o.UID] = o
		}
		o.deleting = o.asked()
	}
	for _, o := range objects {
		if o.Owner != nil && o.Owner.UID != "" {
			o.owner = byUID[o.Owner.UID]
		}
	}
	for _, o := range objects {
		gone := o.ownersEnd()
		o.collected = o.Gone.IsZero() && gone != nil && !o.outlived(gone.Gone)
	}
}

// asked returns when an object was asked to go, zero if it was not: one with
// finalizers lives on until they are removed.
func (o *Object) asked() time.Time {
	for _, w := range o.Writes {
		if w.After != nil && w.Took() && !w.After.Deleting.IsZero() {
			return w.Time
		}
	}
	for _, s := range o.Sightings {
		if !s.State.Deleting.IsZero() {
			return s.State.Deleting
		}
	}
	return time.Time{}
}

// ownersEnd returns the nearest of the owners above that is gone, nil if none is.
func (o *Object) ownersEnd() *Object {
	for owner, depth := o.owner, 0; owner != nil && depth < 8; owner, depth = owner.owner, depth+1 {
		if !owner.Gone.IsZero() {
			return owner
		}
	}
	return nil
}

// outlived reports whether anything shows an object well after its owner was gone,
// or that the garbage collector let go of it.
func (o *Object) outlived(gone time.Time) bool {
	if slices.ContainsFunc(o.Sightings, func(s Sighting) bool { return s.State.newest().After(gone) }) {
		return true
	}
	return slices.ContainsFunc(o.Writes, func(w *Write) bool {
		return w.Took() && !w.Time.Before(gone) && w.Verb != "delete" && (w.Actor.Component == collector || w.Time.Sub(gone) > collection)
	})
}

// collectedEntry is the row of an object that is likely to have gone with its owner.
func collectedEntry(o *Object) Entry {
	owner := o.ownersEnd()
	e := Entry{Time: owner.Gone, Object: o.Ref, UID: o.UID, Kind: EntryWrite, Verb: "delete", Actor: Actor{Component: collector}, Grade: Assumed,
		Summary: "its owner " + owner.Kind + " " + owner.Name + " was deleted: garbage collection takes it too, unless it was to be left behind; no record shows it"}
	if owner.GoneBy != nil {
		e.Source = owner.GoneBy.Source
	}
	return e
}
