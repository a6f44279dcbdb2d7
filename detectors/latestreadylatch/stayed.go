package latestreadylatch

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// naming is which Revisions a Configuration named as the latest ready one, as the bodies of
// its writes tell.
type naming struct {
	configuration *timeline.Object
	last          time.Time         // when the last write was done
	doubted       time.Time         // when the last was done that does not show what the status says, or of before which one is missing
	writes        []*timeline.Write // that name one
	done          []time.Time       // when the last of those up to each was done
	// oldest are when the oldest Revision was made of those that each and the later ones
	// name, of Revisions that are older than what the inputs do not show, and of others.
	oldest map[bool][]time.Time
}

func newNaming(f *timeline.Family, c *timeline.Object) *naming {
	n := &naming{configuration: c, oldest: map[bool][]time.Time{}}
	for _, w := range c.Writes {
		if w.Time.After(n.last) {
			n.last = w.Time
		}
		if w.Time.After(n.doubted) && (w.Subresource == "status" && w.Hidden() || c.Broken(w.Time, w.Time)) {
			n.doubted = w.Time
		}
		if w.BodySeen && w.After.Field(latestReady) != "" {
			n.writes, n.done = append(n.writes, w), append(n.done, latest(n.done, w.Time))
		}
	}
	for _, covered := range []bool{true, false} {
		oldest, before := make([]time.Time, len(n.writes)), timeline.Never
		for i, w := range slices.Backward(n.writes) {
			if made := madeAt(f, w, covered); made.Before(before) {
				before = made
			}
			oldest[i] = before
		}
		n.oldest[covered] = oldest
	}
	return n
}

// madeAt returns when the Revision was made that a write names. One that the inputs do not
// show is older than all whose whole life they show, and no older than others.
func madeAt(f *timeline.Family, w *timeline.Write, covered bool) (made time.Time) {
	if r := f.Find(w.After.Field(latestReady), w.Time); r != nil {
		return r.Born
	}
	if !covered {
		made = timeline.Never
	}
	return made
}

// stayedWith returns the older Revision that the Configuration's status named
// after a newer one had been made, "" if there is none; hidden tells that the
// status was written, or may have been, in a way that does not show what to.
func (n *naming) stayedWith(f *timeline.Family, r *timeline.Revision) (stayed string, hidden bool) {
	hidden = !n.doubted.Before(r.Born)
	oldest := n.oldest[r.Covered()]
	i := sort.Search(len(oldest), func(i int) bool { return !oldest[i].Before(r.Born) }) - 1
	for ; i >= 0 && !n.done[i].Before(r.Born); i-- {
		if w := n.writes[i]; !w.Time.Before(r.Born) && madeAt(f, w, r.Covered()).Before(r.Born) {
			return w.After.Field(latestReady), hidden
		}
	}
	return "", hidden
}

// notLatched rules on a newer Revision while the Configurations stayed with the
// ready one.
func notLatched(p *detectors.Pass, all []*naming, r *timeline.Revision) {
	if r.Born.IsZero() || detectors.NamedReady(r) {
		return
	}
	for _, n := range all {
		stayed, hidden := n.stayedWith(p.Family, r)
		switch {
		case stayed == "" && hidden && (p.Family.Revisions[0] != r || n.configuration.BornBy == nil):
			p.Rule(r.Object, detectors.Inconclusive, "the status of the Configuration was written, but what it says is not in the inputs")
		case stayed == "":
		case tooSoon(p.Family, n, r):
			p.Rule(r.Object, detectors.Inconclusive, fmt.Sprintf("the Configuration was seen with %s, but the inputs do not show what it did once Ready=True was written, or could be", stayed))
		case hidden:
			p.Rule(r.Object, detectors.Inconclusive, fmt.Sprintf("the Configuration was seen with %s, but not all writes of its status are in the inputs", stayed))
		default:
			p.Rule(r.Object, detectors.Held, fmt.Sprintf("the Configuration stayed with %s", stayed))
		}
	}
}

// tooSoon reports whether a Revision turned Ready without having reached its
// target, as far as is known, or could have a moment later, and the inputs do not show
// what the Configuration made of that.
func tooSoon(f *timeline.Family, n *naming, r *timeline.Revision) bool {
	if t, _, _, ok := detectors.PartlyReady(r); ok && f.Cluster.To.Sub(t) < detectors.Reaction && r.Gone.IsZero() && len(r.ReadyWrites()) == 0 {
		return true
	}
	turns := detectors.TurnsOf(r)
	for _, w := range r.ReadyWrites() {
		if turns.Enough(w) {
			return false // once reached, the initial scale no longer counts
		}
		if !n.last.After(w.Time) || f.Cluster.To.Sub(w.Time) < detectors.Reaction {
			return true
		}
	}
	return false
}
