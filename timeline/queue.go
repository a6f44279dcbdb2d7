package timeline

import (
	"maps"
	"slices"
	"sort"
	"time"
)

// workers are those of one reconciler in one process.
type workers struct{ pod, reconciler string }

// worked are the reconciles of workers, by begin.
type worked struct {
	attempts []*Attempt
	free     []time.Time // when the workers had ended all up to each
}

// reconciles returns the reconciles of all workers. Others returns those of
// the objects that were left out too; it is nil if none were.
func reconciles(known map[attemptKey]*Attempt, others func() []*Attempt) map[workers]*worked {
	attempts := slices.Collect(maps.Values(known))
	if others != nil {
		attempts = others()
	}
	slices.SortFunc(attempts, compareAttempts)
	byWorkers := map[workers]*worked{}
	for _, a := range attempts {
		key := workers{a.Pod, a.Reconciler}
		if byWorkers[key] == nil {
			byWorkers[key] = &worked{}
		}
		byWorkers[key].add(a)
	}
	return byWorkers
}

func (w *worked) add(a *Attempt) {
	free := a.Ended()
	if n := len(w.free); n > 0 && w.free[n-1].After(free) {
		free = w.free[n-1]
	}
	w.attempts, w.free = append(w.attempts, a), append(w.free, free)
}

// since returns the reconciles that began at t or later, and when the workers had ended
// those before, t at the earliest.
func (w *worked) since(t time.Time) (attempts []*Attempt, free time.Time) {
	if w == nil {
		return nil, t
	}
	n := sort.Search(len(w.attempts), func(i int) bool { return !w.attempts[i].Begin.Before(t) })
	if free = t; n > 0 && w.free[n-1].After(t) {
		free = w.free[n-1]
	}
	return w.attempts[n:], free
}

// sign notes that a process, told by its Pod, was there.
func (b *Builder) sign(pod string, at time.Time) {
	if at.After(b.alive[pod]) {
		b.alive[b.keep(pod)] = at
	}
}

// Alive reports whether a process gave a sign at t or later.
func (c *Cluster) Alive(pod string, t time.Time) bool { return !c.alive[pod].Before(t) }

// Passed reports whether an object that was put into the queue of a reconciler
// at one moment would have had its turn by another, as the log of the process
// tells at any level. The queue is first in, first out (k8s.io/client-go
// util/workqueue): its turn has passed if the workers had nothing to do for a
// while, or if others that had a turn since had one more, for which they queued
// up behind it.
func (c *Cluster) Passed(reconciler, pod string, from, to time.Time) bool {
	const (
		idle       = 5 * time.Second
		overtakers = 2
	)
	if last := c.alive[pod]; last.Before(to) {
		to = last
	}
	turns, overtaken := map[Ref]int{}, 0
	attempts, free := c.reconciles()[workers{pod, reconciler}].since(from)
	for _, a := range attempts {
		switch {
		case a.Begin.After(to):
			return to.Sub(free) >= idle
		case a.Begin.Sub(free) >= idle:
			return true
		}
		turns[a.Object]++
		if turns[a.Object] == 2 {
			overtaken++
		}
		if overtaken == overtakers {
			return true
		}
		if a.Ended().After(free) {
			free = a.Ended()
		}
	}
	return to.Sub(free) >= idle
}
