package latestreadystale

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// TestBeside holds that no stretch is passed over that overlaps with one through which
// a newer Revision was Ready, in whatever order they are and whatever is not known.
func TestBeside(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	moment := func() time.Time {
		if n := random.IntN(12); n > 0 {
			return time.Unix(int64(n), 0)
		}
		return time.Time{}
	}
	revision := func(f *timeline.Family) *timeline.Revision {
		names := []string{"cart-00001", "cart-00002", "cart-00003", "cart-00004", "cart-00005", "other-00003", "cart-blue"}
		return &timeline.Revision{Object: &timeline.Object{Ref: timeline.Ref{Kind: timeline.KindRevision, Name: names[random.IntN(len(names))]}}, Family: f}
	}
	passed, kept := 0, 0
	for range 5000 {
		f := &timeline.Family{}
		var spells []timeline.Named
		for i := range random.IntN(8) {
			s := timeline.Spell{From: moment(), To: moment(), First: timeline.View{Time: time.Unix(int64(i), 0)}}
			spells = append(spells, timeline.Named{Spell: s, Name: revision(f).Name})
		}
		r, ready := revision(f), []timeline.Spell{{From: moment(), To: moment()}, {From: moment(), To: moment()}}
		beside := newNamed(f, spells).beside(r, ready)
		for _, s := range spells {
			overlaps := slices.ContainsFunc(ready, func(ready timeline.Spell) bool { _, ok := s.Overlap(ready); return ok })
			found := slices.ContainsFunc(beside, func(b timeline.Named) bool { return b == s })
			switch {
			case overlaps && isNewer(r, s.Name) && !found:
				t.Fatalf("%+v is passed over beside %s, Ready %+v", s, r.Name, ready)
			case found:
				kept++
			default:
				passed++
			}
		}
	}
	if passed < kept {
		t.Errorf("%d are looked at, %d are not", kept, passed)
	}
}
