package timeline

import (
	"maps"
	"slices"
	"time"
)

// workers are those of one reconciler in one process.
type workers struct{ pod, reconciler string }

// reconciles returns the reconciles of all workers, by begin. Others returns those of
// the objects that were left out too; it is nil if none were.
func reconciles(known map[attemptKey]*Attempt, others func() []*Attempt) map[workers][]*Attempt {
	attempts := slices.Collect(maps.Values(known))
	if others != nil {
		attempts = others()
	}
	byWorkers := map[workers][]*Attempt{}
	for _, a := range attempts {
		key := workers{a.Pod, a.Reconciler}
		byWorkers[key] = append(byWorkers[key], a)
	}
	for _, list := range byWorkers {
		slices.SortFunc(list, compareAttempts)
	}
	return byWorkers
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
	turns, overtaken, free := map[Ref]int{}, 0, from
	for _, a := range c.reconciles()[workers{pod, reconciler}] {
		switch {
		case a.Begin.After(to):
			return to.Sub(free) >= idle
		case a.Begin.Sub(free) >= idle:
			return true
		case !a.Begin.Before(from):
			turns[a.Object]++
			if turns[a.Object] == 2 {
				overtaken++
			}
			if overtaken == overtakers {
				return true
			}
		}
		if a.Ended().After(free) {
			free = a.Ended()
		}
	}
	return to.Sub(free) >= idle
}
