package timeline

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// count is what some objects say together from a moment on.
type count struct {
	from   time.Time
	ready  int
	known  bool
	newest *Write // the newest status that counts, nil if there is none
}

// says is what one object says of itself.
type says struct {
	status *Write // nil if nothing, or it is gone
	ready  int
}

// countAll works out what objects say together at each moment at which that changes.
func countAll(objects []*Object, ask func(*Object, time.Time) says) (steps []count) {
	type change struct {
		at     time.Time
		object int
	}
	var all []change
	for i, o := range objects {
		for _, w := range o.Writes {
			all = append(all, change{w.Time, i}, change{w.Began(), i})
		}
		if !o.Gone.IsZero() {
			all = append(all, change{o.Gone, i})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return a.at.Compare(b.at) })
	said, newest := make([]says, len(objects)), newLatestOf(len(objects))
	known, ready := 0, 0
	for i, c := range all {
		old, now := said[c.object], ask(objects[c.object], c.at)
		said[c.object] = now
		known += bit(now.status != nil) - bit(old.status != nil)
		ready += now.ready - old.ready
		if now.status != old.status {
			newest.set(c.object, now.status)
		}
		if i+1 < len(all) && all[i+1].at.Equal(c.at) {
			continue
		}
		step := count{from: c.at, ready: ready, known: known > 0}
		if n := newest.first(); n >= 0 {
			step.newest = said[n].status
		}
		steps = append(steps, step)
	}
	return steps
}

// countAt returns what holds at t of steps, nothing if that is before the first.
func countAt(steps []count, t time.Time) (c count) {
	if i := sort.Search(len(steps), func(i int) bool { return steps[i].from.After(t) }); i > 0 {
		c = steps[i-1]
	}
	return c
}

func bit(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// latestOf tells which of some objects has the status that was written last, the first of
// several.
type latestOf struct {
	now   []*Write // of each, nil if it has none
	queue []placed // in order, the latest last; some are no longer so
}

type placed struct {
	*Write
	object int
}

func newLatestOf(n int) *latestOf { return &latestOf{now: make([]*Write, n)} }

func (l *latestOf) set(object int, status *Write) {
	if l.now[object] = status; status == nil {
		return
	}
	i, _ := slices.BinarySearchFunc(l.queue, placed{status, object}, func(a, b placed) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(b.object, a.object))
	})
	l.queue = slices.Insert(l.queue, i, placed{status, object})
}

// first returns the object, -1 if none has a status.
func (l *latestOf) first() int {
	for n := len(l.queue); n > 0; n-- {
		if last := l.queue[n-1]; l.now[last.object] == last.Write {
			l.queue = l.queue[:n]
			return last.object
		}
	}
	l.queue = l.queue[:0]
	return -1
}

// saysReady tells whether a Pod counts as ready as the autoscaler counts: Ready,
// Running and not about to be deleted (knative/serving pkg/resources/pods.go).
func (o *Object) saysReady(t time.Time) (s says) {
	if !o.Exists(t) {
		return s
	}
	w := o.statusAt(t)
	if w == nil {
		return s
	}
	phase := w.After.Field("status.phase")
	deleting := !w.After.Deleting.IsZero()
	if state := o.At(t); state != nil {
		deleting = deleting || !state.Deleting.IsZero()
	}
	return says{w, bit(w.After.Is("Ready", "True") && (phase == "Running" || phase == "") && !deleting)}
}

// saysReplicas tells how many replicas are ready, as the status of a ReplicaSet or a
// Deployment has it. None is not written down.
func (o *Object) saysReplicas(t time.Time) says { return o.saysNumber(t, "status.readyReplicas", true) }

// saysNumber reads a number of a status. Where it is left out, that stands for 0 if zero
// says so and the whole status was seen.
func (o *Object) saysNumber(t time.Time, path string, zero bool) (s says) {
	w := o.statusAt(t)
	if w == nil || !o.Exists(t) {
		return s
	}
	n, has := w.After.Int(path)
	if !has && !(zero && w.After.Whole) {
		return s
	}
	return says{w, n}
}
