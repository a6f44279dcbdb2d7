package timeline

import (
	"cmp"
	"slices"
	"time"
)

// lives sorts the requests and sightings to objects. An object is its uid;
// where a record has none, it belongs to whoever bore the name at the time.
func (b *Builder) lives(revisions revisionNames) []*Object {
	for id := range b.listed {
		if r := b.staged[id]; r != nil {
			r.listed = true
		}
	}
	requests := slices.DeleteFunc(b.requests, func(r *request) bool { return r.listed })
	requests = b.withoutStrangers(requests, revisions)
	slices.SortFunc(requests, func(x, y *request) int {
		if c := byTime(x.Write, y.Write); c != 0 {
			return c
		}
		return cmp.Compare(x.order, y.order)
	})
	s := newSorter(requests, revisions)
	for i, r := range requests {
		if r.Name == "" {
			if r.Verb == "deletecollection" {
				s.collective(r)
			}
			continue
		}
		o := s.lifeFor(i, r)
		b.doubt(s.names[r.Ref], o, r)
		r.Object = o
		o.Writes = append(o.Writes, r.Write)
		o.birthAndDeath(r.Write)
	}
	for _, seen := range b.seen {
		o := s.lifeOf(seen.Ref, seen.uid, seen.state.Created)
		o.Sightings = append(o.Sightings, Sighting{seen.state, seen.source})
		if o.Born.IsZero() {
			o.Born = seen.state.Created
		}
	}
	var all []*Object
	for _, list := range s.names {
		all = append(all, list...)
	}
	for _, o := range all {
		o.sortSightings()
		o.replay()
		o.identify()
	}
	slices.SortFunc(all, compareObjects) // two objects may tell one uid
	return all
}

// sorter gives requests, in their order, to lives.
type sorter struct {
	names     map[Ref][]*Object // the lives of each name, oldest first
	byUID     map[uidOf]*Object // those of names with several
	revisions revisionNames
	last      map[uidOf]int // the last request that tells a uid
	latest    map[Ref]int   // the last request of a name that tells a uid
}

type uidOf struct {
	Ref
	uid string
}

// newSorter returns a sorter of requests. It knows where a uid is told only of names
// of which a create was refused.
func newSorter(requests []*request, revisions revisionNames) *sorter {
	s := &sorter{names: map[Ref][]*Object{}, byUID: map[uidOf]*Object{}, revisions: revisions, last: map[uidOf]int{}, latest: map[Ref]int{}}
	refused := map[Ref]bool{}
	for _, r := range requests {
		if r.vain() && r.Verb == "create" {
			refused[r.Ref] = true
		}
	}
	if len(refused) == 0 {
		return s
	}
	for i, r := range requests {
		if r.uid != "" && refused[r.Ref] {
			s.last[uidOf{r.Ref, r.uid}], s.latest[r.Ref] = i, i
		}
	}
	return s
}

// collective gives the deletion of a collection that the log does not list to
// every object that may have been in it: those of its kind and namespace that
// were there.
func (s *sorter) collective(r *request) {
	for ref, lives := range s.names {
		if ref.Kind != r.Kind || r.Namespace != "" && ref.Namespace != r.Namespace {
			continue
		}
		if o := lives[len(lives)-1]; o.Gone.IsZero() {
			w := *r.Write
			w.Object, w.Collective = o, true
			o.Writes = append(o.Writes, &w)
		}
	}
}

// lifeFor finds or starts the life that a request belongs to. A create that
// was answered with success starts a new one if the name had a life before, and
// so does one that was refused if that life was over.
func (s *sorter) lifeFor(i int, r *request) *Object {
	if list := s.names[r.Ref]; r.uid == "" && len(list) > 0 && r.Verb == "create" && r.Subresource == "" {
		last := list[len(list)-1]
		if r.Outcome == Applied && (last.BornBy != nil || !last.Gone.IsZero()) || r.vain() && s.over(last, i, r) {
			return s.newLife(r.Ref, "", r.Time)
		}
	}
	return s.lifeOf(r.Ref, r.uid, r.Time)
}

// vain reports whether a request was answered with an error.
func (w *Write) vain() bool { return w.Outcome == Refused || w.Outcome == Failed }

// over reports whether the life of a name had ended when a create of that name
// was refused, so that the create was for the next. It was not if the answer is
// that the object exists. It was if the deletion was seen, or if another Revision
// had been made since to which the object would have belonged, or if nothing
// tells of the object any more.
func (s *sorter) over(last *Object, i int, r *request) bool {
	if !last.Gone.IsZero() && !r.Began().Before(last.Gone) {
		return true
	}
	if s.orphaned(last) {
		return true
	}
	return r.Reason != "AlreadyExists" && last.UID != "" && s.last[uidOf{r.Ref, last.UID}] < i && s.namesake(last, i)
}

// orphaned reports whether another Revision of the same name was made since a
// child of a Revision was first seen.
func (s *sorter) orphaned(child *Object) bool {
	lives := s.names[Ref{KindRevision, child.Namespace, s.revisions.of(child.Ref)}]
	return len(lives) > 1 && child.firstSeen().Before(lives[len(lives)-1].firstSeen())
}

// namesake reports whether a later request tells another uid of a name.
func (s *sorter) namesake(o *Object, i int) bool {
	return s.latest[o.Ref] > i && s.last[uidOf{o.Ref, o.UID}] != s.latest[o.Ref]
}

// lifeOf finds or starts the life that a uid tells, at a moment at which it was
// seen.
func (s *sorter) lifeOf(ref Ref, uid string, at time.Time) *Object {
	list := s.names[ref]
	if len(list) == 0 {
		return s.newLife(ref, uid, at)
	}
	last := list[len(list)-1]
	if uid == "" || last.UID == uid {
		return last
	}
	if o := s.byUID[uidOf{ref, uid}]; o != nil {
		return o
	}
	if last.UID == "" && last.Gone.IsZero() && !s.orphaned(last) {
		last.UID = uid
		s.note(last)
		return last
	}
	return s.newLife(ref, uid, at)
}

// note has a life found by its uid, once there are several of its name.
func (s *sorter) note(o *Object) {
	if o.UID != "" && len(s.names[o.Ref]) > 1 {
		s.byUID[uidOf{o.Ref, o.UID}] = o
	}
}

// newLife starts a life. It proves that the one before is over.
func (s *sorter) newLife(ref Ref, uid string, at time.Time) *Object {
	o := &Object{Ref: ref, UID: uid}
	list := s.names[ref]
	if len(list) > 0 {
		if last := list[len(list)-1]; last.Gone.IsZero() && !at.Before(last.firstSeen()) {
			last.Gone = at
		}
	}
	s.names[ref] = append(list, o)
	if len(list) == 1 {
		s.note(list[0])
	}
	s.note(o)
	return o
}

// birthAndDeath notes creation and deletion. Server-side apply creates by
// patch with code 201 (kubernetes/kubernetes#115627). A delete that is
// answered with the object only starts the deletion if finalizers are left.
func (o *Object) birthAndDeath(w *Write) {
	if !w.Took() || w.Subresource != "" {
		return
	}
	switch {
	case w.Code == 201 && (w.Verb == "create" || w.Verb == "patch" || w.Verb == "apply"):
		o.Born, o.BornBy = w.Time, w
	case w.Verb == "delete" && (w.got == nil || w.got.Deleting.IsZero()):
		if o.Gone.IsZero() || o.GoneBy != nil || w.Time.Before(o.Gone) { // else the next of its name was there by then
			o.Gone = w.Time
		}
		o.GoneBy = w
	}
}

// identify takes owner and time of birth from the states seen.
func (o *Object) identify() {
	take := func(s *State) {
		if s == nil {
			return
		}
		if o.Born.IsZero() {
			o.Born = s.Created
		}
		for i := range s.Owners {
			if s.Owners[i].Controller || len(s.Owners) == 1 {
				o.Owner = &s.Owners[i]
			}
		}
	}
	for _, w := range o.Writes {
		take(w.After)
	}
	for _, s := range o.Sightings {
		take(s.State)
	}
}
