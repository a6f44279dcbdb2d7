package report

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// mostCharted is of how many Revisions traffic and replicas are drawn, and
// mostMoments at how many moments.
const (
	mostCharted = 6
	mostMoments = 20000
)

// capacity is what a Revision had to serve and what with.
type capacity struct {
	Revision string `json:"revision"`
	Steps    []step `json:"steps"`
}

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
	chosen := charted(f)
	wants := wantsOf(f)
	for _, r := range f.Revisions {
		if !chosen[r] {
			continue
		}
		if steps := stepsOf(f.Family, r, wants[r.Object], a, from, to); len(steps) > 0 {
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

// want is the target of a Revision from a moment on.
type want struct {
	from time.Time
	n    *int
}

// wantsOf returns the targets of Revisions, as the rows about them and what exists for
// them tell.
func wantsOf(f *Family) map[*timeline.Object][]want {
	of := map[string]*timeline.Object{}
	for _, r := range f.Revisions {
		for _, objects := range [][]*timeline.Object{{r.Object}, r.PodAutoscalers, r.Deployments, r.ReplicaSets, r.Pods} {
			for _, o := range objects {
				of[identity(o.Ref, o.UID)] = r.Object
			}
		}
	}
	wants := map[*timeline.Object][]want{}
	for _, e := range f.Entries {
		if r := of[identity(e.Object, e.UID)]; r != nil && e.Verb != "" {
			wants[r] = append(wants[r], want{e.Time, e.Want})
		}
	}
	for _, list := range wants {
		slices.SortStableFunc(list, func(a, b want) int { return a.from.Compare(b.from) })
	}
	return wants
}

// stepsOf returns the steps of a Revision at each moment at which one of its numbers
// may have changed.
func stepsOf(f *timeline.Family, r *timeline.Revision, wants []want, a axis, from, to time.Time) (steps []step) {
	var last step
	var wanted *int
	for _, t := range moments(f, r, from, to) {
		for len(wants) > 0 && !wants[0].from.After(t) {
			wanted, wants = wants[0].n, wants[1:]
		}
		s := step{Time: a.at(t)}
		if r.Exists(t) {
			s.Want = wanted
			s.fill(f, r, t)
		}
		if len(steps) > 0 && same(s, last) || len(steps) == 0 && s.empty() {
			continue
		}
		steps, last = append(steps, s), s
	}
	return steps
}

func (s *step) fill(f *timeline.Family, r *timeline.Revision, t time.Time) {
	if n, ok := r.Ready(t); ok {
		s.Ready = &n.Count
	}
	if n, ok := f.Share(r.Name, t); ok {
		s.Share = &n
	}
}

func (s step) empty() bool { return s.Ready == nil && s.Want == nil && s.Share == nil }

func same(a, b step) bool {
	equal := func(x, y *int) bool { return x == y || x != nil && y != nil && *x == *y }
	return equal(a.Ready, b.Ready) && equal(a.Want, b.Want) && equal(a.Share, b.Share)
}

// moments returns when traffic, target or ready replicas of a Revision may have
// changed, in order.
func moments(f *timeline.Family, r *timeline.Revision, from, to time.Time) []time.Time {
	list := r.ReadyMoments(from, to)
	for _, objects := range [][]*timeline.Object{f.Ingresses, f.Routes, r.PodAutoscalers, {r.Object}} {
		for _, o := range objects {
			for _, w := range o.Writes {
				if w.Took() && !w.Time.Before(from) && !w.Time.After(to) {
					list = append(list, w.Time)
				}
			}
			if left := o.Left(); !left.IsZero() && !left.Before(from) && !left.After(to) {
				list = append(list, left)
			}
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	list = slices.CompactFunc(list, time.Time.Equal)
	return list[:min(len(list), mostMoments)]
}
