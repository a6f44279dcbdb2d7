package timeline

import (
	"slices"
	"sort"
	"time"
)

// stored are the statuses of several objects, of which versions tell in which order they
// were stored.
type stored struct {
	byTime    []*Write
	byVersion []*Write
	last      []time.Time // when the last of byVersion up to each was done
}

func newStored(objects []*Object) *stored {
	s := &stored{}
	for _, o := range objects {
		for _, w := range o.index().statuses {
			if w.Versioned() {
				s.byTime = append(s.byTime, w)
			}
		}
	}
	slices.SortFunc(s.byTime, func(a, b *Write) int { return a.Time.Compare(b.Time) })
	s.byVersion = slices.Clone(s.byTime)
	slices.SortFunc(s.byVersion, func(a, b *Write) int { return compareVersions(a.version(), b.version()) })
	var last time.Time
	for _, w := range s.byVersion {
		if w.Time.After(last) {
			last = w.Time
		}
		s.last = append(s.last, last)
	}
	return s
}

// before returns when the last of the statuses was done up to a moment that were stored
// before a write; zero if that is not after the write came in.
func (s *stored) before(w *Write, end time.Time) (last time.Time) {
	n := sort.Search(len(s.byVersion), func(i int) bool { return compareVersions(s.byVersion[i].version(), w.version()) >= 0 })
	if n == 0 {
		return last
	}
	if last = s.last[n-1]; last.After(end) { // the clocks are that far apart
		last = s.upTo(w, end)
	}
	if !last.After(w.Began()) {
		return time.Time{}
	}
	return last
}

func (s *stored) upTo(w *Write, end time.Time) (last time.Time) {
	n := sort.Search(len(s.byTime), func(i int) bool { return s.byTime[i].Time.After(end) })
	for _, other := range slices.Backward(s.byTime[:n]) {
		if !other.Time.After(w.Began()) {
			break
		}
		if compareVersions(other.version(), w.version()) < 0 {
			return other.Time
		}
	}
	return last
}
