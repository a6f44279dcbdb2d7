package timeline

import (
	"slices"
	"time"
)

// collection is how long the garbage collector may take to get to what an owner has
// left.
const collection = 30 * time.Second

// collect infers which objects went with their owner: what Kubernetes' garbage
// collector deletes need not be in a log, and no record has to say so. An object
// that was seen alive after its owner was gone, by more than the collector takes to
// get to it, was left behind.
func collect(objects []*Object) {
	byUID := map[string]*Object{}
	for _, o := range objects {
		if o.UID != "" {
			byUID[o.UID] = o
		}
	}
	for range 8 { // the owners of owners, from the Service down to a Pod
		changed := false
		for _, o := range objects {
			if o.Owner == nil || !o.Gone.IsZero() {
				continue
			}
			if owner := byUID[o.Owner.UID]; owner != nil && !owner.Gone.IsZero() && !o.outlived(owner) {
				o.Gone, o.collectedWith, changed = owner.Gone, owner, true
			}
		}
		if !changed {
			return
		}
	}
}

// outlived reports whether a write shows an object, and that it was not being
// deleted, well after its owner was gone.
func (o *Object) outlived(owner *Object) bool {
	if slices.ContainsFunc(o.Sightings, func(s Sighting) bool { return s.State.Deleting.IsZero() && s.State.newest().After(owner.Gone) }) {
		return true
	}
	return slices.ContainsFunc(o.Writes, func(w *Write) bool {
		return w.Took() && w.Time.Sub(owner.Gone) > collection && w.After != nil && w.After.Deleting.IsZero()
	})
}

// collectedEntry is the row of an object that went with its owner.
func collectedEntry(o *Object) Entry {
	owner := o.collectedWith
	e := Entry{Time: o.Gone, Object: o.Ref, UID: o.UID, Kind: EntryWrite, Verb: "delete", Actor: Actor{Component: "generic-garbage-collector"}, Grade: Inferred,
		Summary: "deleted with its owner " + owner.Kind + " " + owner.Name + ", as garbage collection does; no record shows it"}
	for owner.GoneBy == nil && owner.collectedWith != nil {
		owner = owner.collectedWith
	}
	if owner.GoneBy != nil {
		e.Source = owner.GoneBy.Source
	}
	return e
}
