package timeline

import (
	"slices"
	"sort"
	"sync"
	"time"
)

// Find returns the Revision of a name that lived at t, the last of that name
// if t is zero, nil if there is none.
func (f *Family) Find(name string, t time.Time) *Revision {
	lives := f.Lives(name)
	n := len(lives)
	if n == 0 {
		return nil
	}
	if !t.IsZero() {
		n = sort.Search(n, func(i int) bool { return lives[i].Born.After(t) })
	}
	return lives[max(n-1, 0)]
}

// listed has what there is of each key, worked out when it is first asked.
type listed[K comparable, V any] struct {
	once sync.Once
	of   map[K][]V
}

// at returns what there is of a key. All hands over everything once, each with its key.
func (l *listed[K, V]) at(key K, all func(add func(K, V))) []V {
	l.once.Do(func() {
		l.of = map[K][]V{}
		all(func(key K, v V) { l.of[key] = append(l.of[key], v) })
	})
	return l.of[key]
}

// Lives returns all Revisions of a name, oldest first.
func (f *Family) Lives(name string) []*Revision {
	return f.named.at(name, func(add func(string, *Revision)) {
		for _, r := range f.Revisions {
			add(r.Name, r)
		}
	})
}

// NamedReady returns the writes whose body shows a Configuration with a Revision of a
// name as the latest ready one, by time.
func (f *Family) NamedReady(name string) []*Write {
	return f.readied.at(name, func(add func(string, *Write)) {
		var writes []*Write
		for _, c := range f.Configurations {
			writes = append(writes, c.Writes...)
		}
		slices.SortStableFunc(writes, func(a, b *Write) int { return a.Time.Compare(b.Time) })
		for _, w := range writes {
			if latest := w.After.Field("status.latestReadyRevisionName"); w.BodySeen && latest != "" {
				add(latest, w)
			}
		}
	})
}

// ShownReady reports whether a snapshot shows a Configuration with a Revision of a name as
// the latest ready one.
func (f *Family) ShownReady(name string) bool {
	return len(f.shownReady.at(name, func(add func(string, Sighting)) {
		for _, c := range f.Configurations {
			for _, s := range c.Sightings {
				add(s.State.Field("status.latestReadyRevisionName"), s)
			}
		}
	})) > 0
}

// NotesOf returns the Events of a reason and a message, by time.
func (f *Family) NotesOf(reason, message string) []*Note {
	return f.noted.at([2]string{reason, message}, func(add func([2]string, *Note)) {
		for _, n := range f.Notes {
			add([2]string{n.Reason, n.Message}, n)
		}
	})
}

// NotesAbout returns the Events about an object, by time.
func (f *Family) NotesAbout(ref Ref) []*Note {
	return f.told.at(ref, func(add func(Ref, *Note)) {
		for _, n := range f.Notes {
			add(n.Object, n)
		}
	})
}

// AttemptsAt returns the reconciles of an object by a reconciler, by all if none is named,
// by begin.
func (f *Family) AttemptsAt(reconciler string, ref Ref) []*Attempt {
	return f.tried.at(reconciled{reconciler, ref}, func(add func(reconciled, *Attempt)) {
		for _, a := range f.Attempts {
			add(reconciled{a.Reconciler, a.Object}, a)
			add(reconciled{"", a.Object}, a)
		}
	})
}

// reconciled is what a reconciler works on.
type reconciled struct {
	reconciler string
	object     Ref
}

// Forget drops what was worked out of the family to answer questions. Those that are
// asked again are worked out anew.
func (f *Family) Forget() {
	for _, o := range f.objects {
		o.answers = answers{}
	}
	for _, r := range f.Revisions {
		r.indexing, r.indexed = sync.Once{}, nil
	}
	f.sharing, f.shared = sync.Once{}, [2]*shares{}
}
