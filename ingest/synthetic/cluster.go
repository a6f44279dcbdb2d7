package synthetic

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"
)

// cluster is the state of everything, and what is going to happen to it.
type cluster struct {
	rng               *rand.Rand
	audit, controller output
	queue             happenings
	planned           int
	version           int64 // the newest resourceVersion
	users
}

// happening is something that is going to happen.
type happening struct {
	at    time.Time
	order int // in which it was planned
	do    func(t time.Time)
}

// happenings is a heap, the earliest first.
type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return cmp.Or(h[i].at.Compare(h[j].at), cmp.Compare(h[i].order, h[j].order)) < 0
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (c *cluster) at(t time.Time, do func(time.Time)) {
	c.planned++
	heap.Push(&c.queue, happening{t, c.planned, do})
}

func (c *cluster) step() {
	next := heap.Pop(&c.queue).(happening)
	next.do(next.at)
}

// plan begins with two rollouts of the Service of Revision; then they are of
// any.
func (c *cluster) plan(o Options) {
	services := make([]*service, cmp.Or(o.Services, Services))
	for i := range services {
		services[i] = c.newService(i)
	}
	between := cmp.Or(o.Between, 1400*time.Millisecond)
	start := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	first := services[min(18, len(services)-1)]
	c.at(start, func(t time.Time) { c.rollOut(first, t) })
	c.at(start.Add(4*time.Second), func(t time.Time) { c.rollOut(first, t) })
	var again, background func(time.Time)
	again = func(t time.Time) {
		c.rollOut(services[c.rng.IntN(len(services))], t)
		c.at(t.Add(c.about(between)), again)
	}
	background = func(t time.Time) {
		c.background(t)
		c.at(t.Add(c.about(6*time.Millisecond)), background)
	}
	c.at(start.Add(time.Second), again)
	c.at(start, background)
}

// about returns a time between two things that happen by chance, of that mean.
func (c *cluster) about(mean time.Duration) time.Duration {
	return time.Duration(c.rng.ExpFloat64() * float64(mean))
}

// between returns a time of so many milliseconds.
func (c *cluster) between(least, most int) time.Duration {
	return time.Duration(least)*time.Millisecond + time.Duration(c.rng.IntN((most-least)*1000))*time.Microsecond
}

func (c *cluster) uid() string {
	a, b := c.rng.Uint64(), c.rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, 0x8000|b>>48&0x3fff, b&0xffffffffffff)
}

// newVersion returns the next resourceVersion, which etcd counts for all
// objects together.
func (c *cluster) newVersion() int64 {
	c.version += int64(1 + c.rng.IntN(3))
	return c.version
}

func pick[T any](c *cluster, of ...T) T { return of[c.rng.IntN(len(of))] }
