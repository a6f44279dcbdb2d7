package latestreadystale

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// named are the stretches through which a Configuration named each of its Revisions,
// oldest first. A Configuration can have thousands, of which few were named while
// another one, that is newer, was Ready.
type named struct {
	spells []timeline.Named
	ended  []time.Time // the latest end of those up to each; open ends are far off
	lowest []int       // the lowest generation of those from each on
}

func newNamed(f *timeline.Family, spells []timeline.Named) *named {
	n := &named{spells, make([]time.Time, len(spells)), make([]int, len(spells))}
	var last time.Time
	for i, s := range n.spells {
		end := s.To
		if end.IsZero() {
			end = timeline.Never
		}
		if end.After(last) {
			last = end
		}
		n.ended[i] = last
	}
	lowest := math.MaxInt
	for i, s := range slices.Backward(n.spells) {
		if generation := f.Made(s.Name); generation > 0 {
			lowest = min(lowest, generation)
		}
		n.lowest[i] = lowest
	}
	return n
}

// beside returns all stretches that may overlap with those through which a Revision was
// Ready and that name one which is older, and some more.
func (n *named) beside(r *timeline.Revision, readies []timeline.Spell) []timeline.Named {
	if len(readies) == 0 {
		return nil
	}
	began := readies[0].From
	for _, ready := range readies {
		if ready.From.Before(began) {
			began = ready.From
		}
	}
	from := sort.Search(len(n.spells), func(i int) bool { return n.ended[i].After(began) })
	to := sort.Search(len(n.spells), func(i int) bool { return n.lowest[i] >= r.Made() })
	return n.spells[from:max(from, to)]
}
