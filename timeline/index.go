package timeline

import (
	"slices"
	"sort"
	"time"
)

// index answers questions about one moment of an object's life without going
// through all of its writes. It is made when first asked, after which Writes
// must not change.
type index struct {
	first    time.Time // when the first request was done
	ended    latest    // writes with a known state after them, by when they were done
	counting latest    // writes that tell the status, by when they came in
	touching latest    // writes that change the status, or may have, by when they came in
	done     []time.Time
	statuses []*Write // all that write the status, by when they were done
	broken   []span   // to the accepted updates that quote a version which was not seen, from the writes before
	// initialized is the first write that says ScaleTargetInitialized=True,
	// and initializedBy when the first of all that say so came in.
	initialized   *Write
	initializedBy time.Time
}

type span struct{ from, to time.Time }

// latest finds the write that is last in the order of the object among those up
// to a moment.
type latest struct {
	at   []time.Time // sorted
	last []int       // place of the last write among those up to at
}

func (l *latest) sort() {
	if slices.IsSortedFunc(l.at, time.Time.Compare) {
		return // as the places are
	}
	order := make([]int, len(l.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return l.at[a].Compare(l.at[b]) })
	at, last := make([]time.Time, len(order)), make([]int, len(order))
	for i, from := range order {
		at[i], last[i] = l.at[from], l.last[from]
		if i > 0 {
			last[i] = max(last[i], last[i-1])
		}
	}
	l.at, l.last = at, last
}

func newLatest(most int) latest { return latest{make([]time.Time, 0, most), make([]int, 0, most)} }

func (l *latest) add(at time.Time, place int) {
	l.at = append(l.at, at)
	l.last = append(l.last, place)
}

// upTo returns the place of the last write up to t, -1 if there is none.
func (l *latest) upTo(t time.Time) int {
	n := sort.Search(len(l.at), func(i int) bool { return l.at[i].After(t) })
	if n == 0 {
		return -1
	}
	return l.last[n-1]
}

func (o *Object) index() *index {
	o.answers.indexing.Do(func() { o.answers.indexed = newIndex(o.Kind, o.Writes) })
	return o.answers.indexed
}

func newIndex(kind string, writes []*Write) *index {
	x := &index{done: make([]time.Time, len(writes)), ended: newLatest(len(writes))}
	version, before := "", time.Time{}
	for i, w := range writes {
		if i == 0 || w.Time.Before(x.first) {
			x.first = w.Time
		}
		x.done[i] = w.Time
		if i > 0 && x.done[i-1].After(w.Time) {
			x.done[i] = x.done[i-1]
		}
		if w.After != nil {
			x.ended.add(w.Time, i)
		}
		if w.Subresource == "status" {
			x.statuses = append(x.statuses, w)
			if w.BodySeen && w.Took() {
				x.counting.add(w.Began(), i)
			}
			if w.Took() || w.Hidden() {
				x.touching.add(w.Began(), i)
			}
		}
		if kind == KindPodAutoscaler && w.After.Is("ScaleTargetInitialized", "True") {
			if x.initialized == nil {
				x.initialized, x.initializedBy = w, w.Began()
			}
			if w.Began().Before(x.initializedBy) {
				x.initializedBy = w.Began()
			}
		}
		if w.Took() || w.Outcome == Read {
			if w.Verb == "update" && version != "" && compareVersions(w.SentVersion, version) > 0 {
				x.broken = append(x.broken, span{before, w.Time})
			}
			before = w.Time
			version = w.version() // "" makes the next one no proof
		}
	}
	x.ended.sort()
	x.counting.sort()
	x.touching.sort()
	slices.SortStableFunc(x.statuses, func(a, b *Write) int { return a.Time.Compare(b.Time) })
	return x
}

// replicaIndex holds what is asked of a Revision at many moments.
type replicaIndex struct {
	moments   []time.Time // when the number of ready replicas may have changed, sorted
	pods      []podCount  // sorted
	annotated []*State    // states with annotations, best first, whatever the moment
}

// podCount is what the Pods say from a moment on.
type podCount struct {
	from   time.Time
	ready  int
	known  bool
	newest *Write // the newest status that counts, nil if there is none
}

func (r *Revision) index() *replicaIndex {
	r.indexing.Do(func() {
		x := &replicaIndex{pods: countPods(r.Pods)}
		for _, objects := range [][]*Object{r.Deployments, r.ReplicaSets, r.Pods, r.PodAutoscalers, {r.Object}} {
			for _, o := range objects {
				for _, w := range o.Writes {
					if w.Outcome == Applied {
						x.moments = append(x.moments, w.Time)
					}
				}
			}
		}
		slices.SortFunc(x.moments, time.Time.Compare)
		x.moments = slices.Compact(x.moments)
		var before Pairs
		add := func(s *State) {
			if s != nil && len(s.Annotations) > 0 && !slices.Equal(s.Annotations, before) {
				x.annotated, before = append(x.annotated, s), s.Annotations
			}
		}
		add(r.Last())
		for _, w := range r.Writes {
			add(w.After)
		}
		for _, pa := range r.PodAutoscalers {
			add(pa.Last())
		}
		r.indexed = x
	})
	return r.indexed
}

// countPods works out what the Pods say at each moment at which that changes.
func countPods(pods []*Object) (steps []podCount) {
	type change struct {
		at  time.Time
		pod int
	}
	var all []change
	for i, pod := range pods {
		for _, w := range pod.Writes {
			all = append(all, change{w.Time, i}, change{w.Began(), i})
		}
		if !pod.Gone.IsZero() {
			all = append(all, change{pod.Gone, i})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return a.at.Compare(b.at) })
	said := make([]podSays, len(pods))
	known, ready, newest := 0, 0, -1
	for i, c := range all {
		old, now := said[c.pod], pods[c.pod].says(c.at)
		said[c.pod] = now
		known += bit(now.status != nil) - bit(old.status != nil)
		ready += bit(now.ready) - bit(old.ready)
		switch {
		case now.status != nil && (newest < 0 || c.pod == newest && !now.status.Time.Before(old.status.Time) ||
			now.status.Time.After(said[newest].status.Time) || now.status.Time.Equal(said[newest].status.Time) && c.pod < newest):
			newest = c.pod
		case c.pod == newest:
			newest = -1
			for j := range said {
				if s := said[j].status; s != nil && (newest < 0 || s.Time.After(said[newest].status.Time)) {
					newest = j
				}
			}
		}
		if i+1 < len(all) && all[i+1].at.Equal(c.at) {
			continue
		}
		step := podCount{from: c.at, ready: ready, known: known > 0}
		if newest >= 0 {
			step.newest = said[newest].status
		}
		steps = append(steps, step)
	}
	return steps
}

func bit(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// podSays is what a Pod says of itself.
type podSays struct {
	status *Write // nil if nothing, or it is gone
	ready  bool
}

// says tells whether a Pod counts as ready as the autoscaler counts: Ready,
// Running and not about to be deleted (knative/serving pkg/resources/pods.go).
func (o *Object) says(t time.Time) (s podSays) {
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
	return podSays{w, w.After.Is("Ready", "True") && (phase == "Running" || phase == "") && !deleting}
}
