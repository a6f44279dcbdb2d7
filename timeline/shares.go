package timeline

import (
	"slices"
	"sort"
	"time"
)

// shares are the percentages of traffic that objects of one kind give Revisions through
// time. Where there are several objects, the largest counts.
type shares struct {
	known  []Level            // from when on how many of the objects tell
	levels map[string][]Level // of each Revision, by name; none before the first
}

// routing returns the shares as the Ingresses tell them, and the Routes.
func (f *Family) routing() (ingresses, routes *shares) {
	f.sharing.Do(func() { f.shared = [2]*shares{f.sharesThrough(f.Ingresses), f.sharesThrough(f.Routes)} })
	return f.shared[0], f.shared[1]
}

func (f *Family) sharesThrough(objects []*Object) *shares {
	type change struct {
		at     time.Time // zero if only snapshots show the object
		object int
		state  *State
	}
	var all []change
	for i, o := range objects {
		if len(o.Writes) == 0 {
			all = append(all, change{object: i, state: o.Last()})
			continue
		}
		ended := &o.index().ended
		for n, at := range ended.at {
			all = append(all, change{at, i, o.Writes[ended.last[n]].After})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return a.at.Compare(b.at) })
	s := &shares{levels: map[string][]Level{}}
	now, tells := make([]map[string]int, len(objects)), make([]bool, len(objects))
	given, telling := map[string]tally{}, 0
	for _, c := range all {
		before, after := now[c.object], f.SharesOf(objects[c.object], c.state)
		told := tellsShares(objects[c.object], c.state, after)
		telling += bit(told) - bit(tells[c.object])
		now[c.object], tells[c.object] = after, told
		s.known = step(s.known, Level{c.at, telling, true})
		for name, share := range before {
			if given[name].remove(share); after[name] == 0 {
				s.levels[name] = step(s.levels[name], Level{c.at, given[name].most(), true})
			}
		}
		for name, share := range after {
			if given[name] == nil {
				given[name] = tally{}
			}
			given[name].add(share)
			s.levels[name] = step(s.levels[name], Level{c.at, given[name].most(), true})
		}
	}
	return s
}

// tellsShares reports whether a state tells how traffic goes: it gives shares, or is that
// of a Route of which all is known, and which gives none.
func tellsShares(o *Object, s *State, shares map[string]int) bool {
	return len(shares) > 0 || o.Kind == KindRoute && s != nil && s.Whole
}

// step adds a level to others, which are of earlier moments or of the same: then it takes
// the place of the last.
func step(list []Level, l Level) []Level {
	if n := len(list); n > 0 && list[n-1].Time.Equal(l.Time) {
		list = list[:n-1]
	}
	if n := len(list); n > 0 && list[n-1].Value == l.Value {
		return list
	}
	return append(list, l)
}

// tally counts how often each percentage is given.
type tally map[int]int

func (t tally) add(share int) { t[share]++ }

func (t tally) remove(share int) {
	if t[share]--; t[share] == 0 {
		delete(t, share)
	}
}

func (t tally) most() (most int) {
	for share := range t {
		most = max(most, share)
	}
	return most
}

// levelAt returns the number at t, 0 before the first.
func levelAt(list []Level, t time.Time) int {
	i := sort.Search(len(list), func(i int) bool { return list[i].Time.After(t) })
	if i == 0 {
		return 0
	}
	return list[i-1].Value
}

// Share returns the percentage of traffic that Shares gives a Revision.
func (f *Family) Share(revision string, t time.Time) (percent int, known bool) {
	ingresses, routes := f.routing()
	for _, s := range []*shares{ingresses, routes} {
		if levelAt(s.known, t) > 0 {
			return levelAt(s.levels[revision], t), true
		}
	}
	return 0, false
}

// shareMoments returns when the percentage of traffic of a Revision may have changed in a
// stretch of time, in order, its ends included.
func (f *Family) shareMoments(revision string, from, to time.Time) []time.Time {
	list := []time.Time{from}
	ingresses, routes := f.routing()
	for _, levels := range [][]Level{ingresses.known, routes.known, ingresses.levels[revision], routes.levels[revision]} {
		first := sort.Search(len(levels), func(i int) bool { return levels[i].Time.After(from) })
		for _, l := range levels[first:] {
			if !l.Time.Before(to) {
				break
			}
			list = append(list, l.Time)
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return slices.Compact(append(list, to))
}

// LastShare returns the percentage of traffic of a Revision at the end of the inputs, as
// the last of the Ingresses tells that tells any, else the last of the Routes.
func (f *Family) LastShare(revision string) (percent int, known bool) {
	f.ending.Do(func() {
		for _, o := range f.Ingresses {
			if given := f.SharesOf(o, o.Last()); len(given) > 0 {
				f.ended = given
			}
		}
		if f.ended != nil {
			return
		}
		for _, o := range f.Routes {
			if given := f.SharesOf(o, o.Last()); tellsShares(o, o.Last(), given) {
				f.ended = given
			}
		}
	})
	return f.ended[revision], f.ended != nil
}
