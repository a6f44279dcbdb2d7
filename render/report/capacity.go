package report

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// mostCharted is of how many Revisions traffic and replicas are drawn, and mostSteps
// in how many steps of each.
const (
	mostCharted = 6
	mostSteps   = 50_000
)

// capacity is what a Revision had to serve and what with.
type capacity struct {
	Revision string `json:"revision"`
	Steps    []step `json:"steps"`
}

// cut reports whether there was no room for all steps.
func (c capacity) cut() bool { return len(c.Steps) > mostSteps }

// step is what holds from a moment on; what is nil is not known.
type step struct {
	Time  int64 `json:"t"`
	Ready *int  `json:"ready"`
	Want  *int  `json:"want"`
	Share *int  `json:"share"` // percent of the traffic
}

// capacities returns those of the Revisions that were found wanting, then of the
// newest, in the order in which they were made.
func capacities(f *Family, a axis, from, to time.Time) []capacity {
	list := []capacity{}
	if from.IsZero() {
		return list // nothing tells a time
	}
	chosen := charted(f)
	for _, r := range f.Revisions {
		if !chosen[r] {
			continue
		}
		if steps := stepsOf(r, a, from, to, mostSteps); len(steps) > 0 {
			list = append(list, capacity{render.Safe(r.Name), steps})
		}
	}
	return list
}

func charted(f *Family) map[*timeline.Revision]bool {
	chosen, wanting := map[*timeline.Revision]bool{}, map[string]bool{}
	for _, x := range f.Findings {
		wanting[identity(x.Object, x.UID)] = true
	}
	found := func(r *timeline.Revision) bool { return wanting[identity(r.Ref, r.UID)] }
	for _, pick := range []func(*timeline.Revision) bool{found, func(*timeline.Revision) bool { return true }} {
		for _, r := range slices.Backward(f.Revisions) {
			if len(chosen) < mostCharted && pick(r) {
				chosen[r] = true
			}
		}
	}
	return chosen
}

// stepsOf lays the courses of the three numbers of a Revision beside each other. What
// there is no room for is not known.
func stepsOf(r *timeline.Revision, a axis, from, to time.Time, most int) (steps []step) {
	type turn struct {
		timeline.Level
		number int
	}
	var turns []turn
	for number, levels := range [][]timeline.Level{r.ReadyLevels(from, to), r.WantLevels(from, to), r.ShareLevels(from, to)} {
		for _, l := range levels {
			turns = append(turns, turn{l, number})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return a.Time.Compare(b.Time) })
	var numbers [3]*int
	for i, t := range turns {
		if numbers[t.number] = nil; t.Known {
			numbers[t.number] = &t.Value
		}
		if i+1 < len(turns) && turns[i+1].Time.Equal(t.Time) {
			continue
		}
		if len(steps) == most {
			return append(steps, step{Time: a.at(t.Time)})
		}
		steps = append(steps, step{a.at(t.Time), numbers[0], numbers[1], numbers[2]})
	}
	return steps
}
