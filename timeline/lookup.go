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

// Lives returns all Revisions of a name, oldest first.
func (f *Family) Lives(name string) []*Revision {
	f.naming.Do(func() {
		f.named = map[string][]*Revision{}
		for _, r := range f.Revisions {
			f.named[r.Name] = append(f.named[r.Name], r)
		}
	})
	return f.named[name]
}

// NamedReady returns the writes whose body shows a Configuration with a Revision of a
// name as the latest ready one, by time.
func (f *Family) NamedReady(name string) []*Write {
	f.readying.Do(func() {
		f.readied = map[string][]*Write{}
		for _, c := range f.Configurations {
			for _, w := range c.Writes {
				if latest := w.After.Field("status.latestReadyRevisionName"); w.BodySeen && latest != "" {
					f.readied[latest] = append(f.readied[latest], w)
				}
			}
		}
		for _, writes := range f.readied {
			slices.SortStableFunc(writes, func(a, b *Write) int { return a.Time.Compare(b.Time) })
		}
	})
	return f.readied[name]
}

// NotesOf returns the Events of a reason and a message, by time.
func (f *Family) NotesOf(reason, message string) []*Note {
	f.noting.Do(func() {
		f.noted = map[[2]string][]*Note{}
		for _, n := range f.Notes {
			key := [2]string{n.Reason, n.Message}
			f.noted[key] = append(f.noted[key], n)
		}
	})
	return f.noted[[2]string{reason, message}]
}

// NotesAbout returns the Events about an object, by time.
func (f *Family) NotesAbout(ref Ref) []*Note {
	f.telling.Do(func() {
		f.told = map[Ref][]*Note{}
		for _, n := range f.Notes {
			f.told[n.Object] = append(f.told[n.Object], n)
		}
	})
	return f.told[ref]
}

// AttemptsAt returns the reconciles of an object by a reconciler, by all if none is named,
// by begin.
func (f *Family) AttemptsAt(reconciler string, ref Ref) []*Attempt {
	f.trying.Do(func() {
		f.tried = map[reconciled][]*Attempt{}
		for _, a := range f.Attempts {
			for _, key := range []reconciled{{a.Reconciler, a.Object}, {"", a.Object}} {
				f.tried[key] = append(f.tried[key], a)
			}
		}
	})
	return f.tried[reconciled{reconciler, ref}]
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
