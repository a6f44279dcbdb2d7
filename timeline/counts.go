package timeline

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// replicaIndex holds what is asked of a Revision at many moments.
type replicaIndex struct {
	moments     []time.Time // when the number of ready replicas may have changed, sorted
	pods, sets  []count     // what the Pods and the ReplicaSets say, sorted
	deployments succession
	autoscalers succession
	statuses    []*Write    // of Pods and of what counts them, that tell a version, by when they were done
	versions    []*Write    // the same by version
	stored      []time.Time // when the last of versions up to each was done
	hidden      hidden      // statuses of them that the inputs do not show
	annotated   []*State    // those that tell something of the scale first, best first, whatever the moment
	readied     []*Write    // those of the status with which the Revision turned Ready=True, in order
	earliest    []time.Time // when the first of those up to each was done
	unheard     bool        // a status was written that had never heard of the autoscaler
}

func (r *Revision) index() *replicaIndex {
	r.indexing.Do(func() { r.indexed = newReplicaIndex(r) })
	return r.indexed
}

func newReplicaIndex(r *Revision) *replicaIndex {
	x := &replicaIndex{pods: countAll(r.Pods, (*Object).saysReady), sets: countAll(r.ReplicaSets, (*Object).saysReplicas),
		deployments: newSuccession(r.Deployments), autoscalers: newSuccession(r.PodAutoscalers), annotated: r.firstAnnotated()}
	counting := slices.Concat(r.Pods, r.ReplicaSets, r.Deployments, r.PodAutoscalers)
	for _, o := range append(counting, r.Object) {
		for _, w := range o.Writes {
			if w.Outcome == Applied {
				x.moments = append(x.moments, w.Time)
			}
		}
	}
	slices.SortFunc(x.moments, time.Time.Compare)
	x.moments = slices.Compact(x.moments)
	x.order(counting)
	x.hidden = newHidden(r.Pods, counting)
	x.read(r.Writes)
	return x
}

// order puts the statuses of objects in their orders.
func (x *replicaIndex) order(objects []*Object) {
	for _, o := range objects {
		for _, w := range o.index().statuses {
			if w.Versioned() {
				x.statuses = append(x.statuses, w)
			}
		}
	}
	slices.SortFunc(x.statuses, func(a, b *Write) int { return a.Time.Compare(b.Time) })
	x.versions = slices.Clone(x.statuses)
	slices.SortFunc(x.versions, func(a, b *Write) int { return compareVersions(a.version(), b.version()) })
	var last time.Time
	for _, w := range x.versions {
		if w.Time.After(last) {
			last = w.Time
		}
		x.stored = append(x.stored, last)
	}
}

// storedBefore returns when the last status up to a moment was written of those that were
// stored before a write, and were done after that came in.
func (x *replicaIndex) storedBefore(w *Write, end time.Time) (last time.Time) {
	n := sort.Search(len(x.statuses), func(i int) bool { return x.statuses[i].Time.After(end) })
	for _, s := range slices.Backward(x.statuses[:n]) {
		if !s.Time.After(w.Began()) {
			break
		}
		if compareVersions(s.version(), w.version()) < 0 {
			return s.Time
		}
	}
	return last
}

// read takes from the writes of the Revision what its status says.
func (x *replicaIndex) read(writes []*Write) {
	for _, w := range writes {
		if w.Subresource != "status" {
			continue
		}
		if w.Became("Ready", "True") {
			at := w.Time
			if n := len(x.earliest); n > 0 && x.earliest[n-1].Before(at) {
				at = x.earliest[n-1]
			}
			x.readied, x.earliest = append(x.readied, w), append(x.earliest, at)
		}
		if w.BodySeen && len(w.After.Conditions) > 0 {
			_, heard := w.After.Condition("Active")
			x.unheard = x.unheard || !heard
		}
	}
}

// firstAnnotated returns the states of the Revision and its PodAutoscalers that are the
// first to tell something by an annotation, the last of the Revision before the others.
func (r *Revision) firstAnnotated() (list []*State) {
	told := map[string]bool{}
	var before Pairs
	add := func(s *State) {
		if s == nil || s.Annotations.same(before) {
			return
		}
		before = s.Annotations
		news := false
		for key, value := range s.Annotations.All() {
			if !told[key] && tellsScale(key, value) {
				told[key], news = true, true
			}
		}
		if news {
			list = append(list, s)
		}
	}
	add(r.Last())
	for _, w := range r.Writes {
		add(w.After)
	}
	for _, pa := range r.PodAutoscalers {
		add(pa.Last())
	}
	return list
}

// tellsScale reports whether an annotation is one that is asked for, and has a value.
func tellsScale(key, value string) (tells bool) {
	switch {
	case slices.Contains(initialScaleKeys, key), slices.Contains(minScaleKeys, key):
		_, tells = scaleOf(value)
	case key == deadlineKey:
		_, tells = deadlineOf(value)
	case key == classKey:
		tells = value != ""
	}
	return tells
}

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

// succession is what is known of objects of one name, one after the other.
type succession struct {
	objects []*Object
	seen    latest      // places of those of which something is known, by since when
	gone    []time.Time // when the last of those up to each went, far off if one did not
}

func newSuccession(objects []*Object) succession {
	s := succession{objects: objects}
	var last time.Time
	for i, o := range objects {
		if len(o.Writes) > 0 {
			s.seen.add(o.index().first, i)
		}
		switch {
		case o.Gone.IsZero():
			last = never
		case o.Gone.After(last):
			last = o.Gone
		}
		s.gone = append(s.gone, last)
	}
	s.seen.sort()
	return s
}

// never is later than any time that a record tells.
var never = time.Unix(1<<40, 0)

// at returns the last of the objects that existed at t, nil if none did.
func (s *succession) at(t time.Time) *Object {
	for i := s.seen.upTo(t); i >= 0 && s.gone[i].After(t); i-- {
		if s.objects[i].Exists(t) {
			return s.objects[i]
		}
	}
	return nil
}

// hidden tells of which objects the status was written last in a way that does not show
// what was written.
type hidden struct {
	pods    []count   // Pods that exist
	all     []count   // Pods and what counts them
	crossed []*Object // those of which steps do not tell
}

func newHidden(pods, all []*Object) (h hidden) {
	hides := func(o *Object) bool { return o.HiddenStatus() != nil }
	var plain []*Object
	for _, o := range all {
		switch {
		case !hides(o):
		case o.index().crossed:
			h.crossed = append(h.crossed, o)
		default:
			plain = append(plain, o)
		}
	}
	if len(plain)+len(h.crossed) == 0 {
		return h
	}
	h.all = countAll(plain, (*Object).hiddenAt)
	h.pods = countAll(slices.DeleteFunc(slices.Clone(pods), func(o *Object) bool { return !hides(o) }), func(o *Object, t time.Time) (s says) {
		if o.Exists(t) && o.blindSince(time.Time{}, t) {
			s.status = o.Writes[0] // whichever
		}
		return s
	})
	return h
}

// hiddenAt tells the last write of a status that came in up to t, if it is Hidden.
func (o *Object) hiddenAt(t time.Time) (s says) {
	if i := o.index().touching.upTo(t); i >= 0 && o.Writes[i].Hidden() {
		s.status = o.Writes[i]
	}
	return s
}

// since reports whether, of objects whose statuses were written between two moments, the
// last write of one is Hidden.
func (h *hidden) since(from, to time.Time) bool {
	if newest := countAt(h.all, to).newest; newest != nil && newest.Time.After(from) {
		return true
	}
	return slices.ContainsFunc(h.crossed, func(o *Object) bool { return o.blindSince(from, to) })
}
