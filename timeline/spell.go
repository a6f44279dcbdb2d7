package timeline

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// View is a state of an object that the inputs show, nil where a write changed
// it and its content is not in the inputs.
type View struct {
	State  *State
	Time   time.Time // of the write; zero if a snapshot shows it
	Write  *Write    // nil if a snapshot shows it
	Source Source
}

// Views returns the states of an object in order: after each write to its
// status or of all of it, and as snapshots show it that are newer. A snapshot
// without any time, such as a table, counts only if nothing else shows the object,
// and no other table shows it differently.
func (o *Object) Views() []View {
	o.answers.viewing.Do(func() { o.answers.viewed = o.views() })
	return o.answers.viewed
}

func (o *Object) views() (list []View) {
	for _, w := range o.Writes {
		switch {
		case w.Subresource == "status" && w.Hidden():
			list = append(list, View{Time: w.Time, Write: w, Source: w.Source})
		case (w.Took() || w.Outcome == Read) && w.BodySeen && w.After != nil:
			list = append(list, View{State: w.After, Time: w.Time, Write: w, Source: w.Source})
		}
	}
	newest := o.newestVersion()
	timed := len(list) > 0 || slices.ContainsFunc(o.Sightings, func(s Sighting) bool { return !s.State.newest().IsZero() })
	agreed := sync.OnceValue(o.agreed)
	for _, s := range o.Sightings {
		vague := s.State.newest().IsZero() && (timed || !agreed())
		if !vague && (newest == "" || compareVersions(s.State.ResourceVersion, newest) > 0) {
			list = append(list, View{State: s.State, Source: s.Source})
		}
	}
	return list
}

// agreed reports whether the snapshots of an object say the same of its conditions
// and fields. Of those without any time, it is not known which is newer.
func (o *Object) agreed() bool {
	return !slices.ContainsFunc(o.Sightings, func(s Sighting) bool { return len(changes(o.Sightings[0].State, s.State)) > 0 })
}

// sortSightings puts what snapshots show of an object in order: by
// resourceVersion, and before them those without one, by the newest time in them.
func (o *Object) sortSightings() {
	slices.SortFunc(o.Sightings, func(a, b Sighting) int {
		if has := decimal(a.State.ResourceVersion); has != decimal(b.State.ResourceVersion) {
			if has {
				return 1
			}
			return -1
		}
		return cmp.Or(compareVersions(a.State.ResourceVersion, b.State.ResourceVersion), a.State.newest().Compare(b.State.newest()),
			cmp.Compare(a.Source.EventID, b.Source.EventID), cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
	})
}

// newest returns the latest time that an object tells itself: it was seen no
// earlier.
func (s *State) newest() time.Time {
	last := s.Created
	for _, c := range s.Conditions {
		if c.Since.After(last) {
			last = c.Since
		}
	}
	return last
}

// shownIn returns, by file, the latest time that any object of the family tells in a
// snapshot: the snapshot is no older.
func (f *Family) shownIn() map[string]time.Time {
	f.showing.Do(func() {
		f.shown = map[string]time.Time{}
		for _, o := range f.objects {
			for _, s := range o.Sightings {
				if t := s.State.newest(); t.After(f.shown[s.Source.File]) {
					f.shown[s.Source.File] = t
				}
			}
		}
	})
	return f.shown
}

// End returns up to when the inputs tell of objects of the family at most: the last
// audit event of the cluster, or a snapshot that is newer.
func (f *Family) End() time.Time {
	end := f.Cluster.To
	for _, t := range f.shownIn() {
		if t.After(end) {
			end = t
		}
	}
	return end
}

// Spell is a stretch of time through which an object was in some state, as far
// as the inputs show.
type Spell struct {
	// First and Last are the first and the last view that show it.
	First, Last View
	// From is when it began: the time of First if another state is known from
	// before, else as the state itself tells. It is zero if unknown.
	From time.Time
	// To is when it ended: with a view that shows another state, or may, or with
	// the object; else up to when the inputs tell of the object. Of what a write
	// shows, that is the end of the audit events; of what a snapshot shows, the time
	// of that, of which it is known that it is no older.
	To    time.Time
	Ended bool
	// Unsure tells that it ended with a write whose content is not in the inputs.
	Unsure bool
}

// Length returns how long the spell lasted, to its end or that of the data; 0
// if its begin is unknown.
func (s Spell) Length() time.Duration {
	if s.From.IsZero() || s.To.Before(s.From) {
		return 0
	}
	return s.To.Sub(s.From)
}

// Timed reports whether requests show the spell, not snapshots alone.
func (s Spell) Timed() bool { return s.First.Write != nil }

// Overlap returns the stretch that two spells have in common; ok is false if
// there is none, as far as is known. Where a begin is unknown, the stretch has none.
func (s Spell) Overlap(other Spell) (both Spell, ok bool) {
	both = s
	if other.From.IsZero() || !s.From.IsZero() && other.From.After(s.From) {
		both.From, both.First = other.From, other.First
	}
	if !other.To.IsZero() && (s.To.IsZero() || other.To.Before(s.To)) {
		both.To, both.Ended, both.Unsure = other.To, other.Ended, other.Unsure
	}
	began := s.From // the later begin that is known
	if other.From.After(began) {
		began = other.From
	}
	lasts := both.To.IsZero() || began.Before(both.To)
	return both, lasts && !(both.From.IsZero() && both.Ended)
}

// Test decides whether a state is the one that is asked for. known is false where
// the state does not tell; since is when it came to be as it is, as far as it tells.
type Test func(*State) (is, known bool, since time.Time)

// ConditionIs returns a Test: whether a state has a condition for which is holds.
func ConditionIs(typ string, is func(Condition) bool) Test {
	return func(s *State) (bool, bool, time.Time) {
		c, ok := s.Condition(typ)
		return ok && is(c), ok || s.Whole, c.Since
	}
}

// StatusIs returns a Test: whether a condition has a status.
func StatusIs(typ, status string) Test {
	return ConditionIs(typ, func(c Condition) bool { return c.Status == status })
}

// StatusIsNot returns a Test: whether a condition is known to have another status.
func StatusIsNot(typ, status string) Test {
	return ConditionIs(typ, func(c Condition) bool { return c.Status != status })
}

// Longest returns the longest of some spells, or of what is made of them, the first
// of several; nil if there is none.
func Longest[S interface{ Length() time.Duration }](spells []S) (longest *S) {
	for i := range spells {
		if longest == nil || spells[i].Length() > (*longest).Length() {
			longest = &spells[i]
		}
	}
	return longest
}

// ReadyWith names the Revision with which a Configuration is Ready, for SpellsBy.
func ReadyWith(s *State) (revision string, known bool, since time.Time) {
	ready, ok := s.Condition("Ready")
	if ok && ready.Status == "True" {
		revision = s.Field("status.latestReadyRevisionName")
	}
	return revision, ok || s.Whole, ready.Since
}

// Spells returns the stretches through which an object of the family was in a state,
// oldest first.
func (f *Family) Spells(o *Object, in Test) (list []Spell) {
	for _, s := range f.SpellsBy(o, func(s *State) (string, bool, time.Time) {
		is, known, since := in(s)
		if !is {
			return "", known, since
		}
		return "in", known, since
	}) {
		list = append(list, s.Spell)
	}
	return list
}

// Named is a Spell of a state that has a name.
type Named struct {
	Spell
	Name string
}

// SpellsBy returns the stretches through which an object of the family was in each of
// several states, oldest first. of names the state, "" if it is none of them; known and
// since are as in a Test. An object that is being deleted, or whose owner is, is in
// none.
func (f *Family) SpellsBy(o *Object, of func(*State) (name string, known bool, since time.Time)) (list []Named) {
	open, until := "", time.Time{}
	before := o.BornBy != nil // whether what was before the next view is known
	for _, v := range o.Views() {
		name, known, since := "", true, time.Time{}
		if v.State != nil {
			if name, known, since = of(v.State); !known {
				continue
			}
		}
		if name != open && open != "" {
			last := &list[len(list)-1]
			last.To, last.Ended, last.Unsure = began(v, since, v.State != nil), true, v.State == nil
		}
		switch {
		case name != "" && name != open:
			list = append(list, Named{Spell{First: v, Last: v, From: began(v, since, before)}, name})
		case name != "":
			list[len(list)-1].Last = v
		}
		if t := f.seenUntil(v); name != open || t.After(until) {
			until = t
		}
		open, before = name, v.State != nil
	}
	if open != "" {
		list[len(list)-1].To = until
	}
	return upTo(o.Left(), list)
}

// upTo cuts spells off where an object began to go, if it did.
func upTo(left time.Time, list []Named) []Named {
	if left.IsZero() {
		return list
	}
	list = slices.DeleteFunc(list, func(s Named) bool { return !s.First.Time.IsZero() && !s.First.Time.Before(left) })
	for i := range list {
		if s := &list[i]; s.To.IsZero() || left.Before(s.To) {
			s.To, s.Ended, s.Unsure = left, true, false
		}
	}
	return list
}

// seenUntil returns up to when the state of a view is known to hold, if nothing
// follows it.
func (f *Family) seenUntil(v View) time.Time {
	if v.Write == nil {
		return f.shownIn()[v.Source.File]
	}
	return f.Cluster.To
}

// Left returns when an object began to go: when it was deleted, or asked to be, or
// its owner was; zero if it was not.
func (o *Object) Left() (first time.Time) {
	for depth := 0; o != nil && depth < 8; o, depth = o.owner, depth+1 {
		for _, t := range []time.Time{o.Gone, o.deleting} {
			if !t.IsZero() && (first.IsZero() || t.Before(first)) {
				first = t
			}
		}
	}
	return first
}

// began returns when a view began to hold: with its write, but earlier if the
// view before is unknown and the state tells so.
func began(v View, since time.Time, known bool) time.Time {
	if v.Time.IsZero() || !known && !since.IsZero() && since.Before(v.Time) {
		return since
	}
	return v.Time
}
