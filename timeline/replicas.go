package timeline

import (
	"slices"
	"sort"
	"strconv"
	"time"
)

// Replicas is a number of ready replicas and what supports it.
type Replicas struct {
	Count  int
	Source string    // what was counted
	Time   time.Time // when the source said so
	Proof  Source
	by     *Write // of Proof, nil if there is none
}

const (
	// contradicted is after how long a source is no longer current, if another
	// one has said something else since.
	contradicted = 10 * time.Second
	// lag is how long after the Pods the status of an object that counts them
	// may still change, and soon how long it mostly takes.
	lag, soon = 10 * time.Second, 2 * time.Second
)

// The sources, the Pods themselves and what is made of them.
const (
	sourcePods       = "Pods"
	sourceReplicaSet = "ReplicaSet status"
	sourceDeployment = "Deployment status"
	sourceAutoscaler = "PodAutoscaler status"
	sourceRevision   = "Revision status"
)

// Ready returns the highest number of ready replicas at t that a source
// current at that time supports; ok is false if no source tells.
func (r *Revision) Ready(t time.Time) (best Replicas, ok bool) {
	sources := r.counts(t)
	for _, s := range sources {
		if s.outdated(sources) {
			continue
		}
		if !ok || s.Count > best.Count || s.Count == best.Count && s.better(best) {
			best, ok = s, true
		}
	}
	return best, ok
}

// outdated reports whether another source has said something else long since.
// What the Revision's status says contradicts nothing: it repeats what the
// PodAutoscaler said at some time before.
func (s Replicas) outdated(all []Replicas) bool {
	return slices.ContainsFunc(all, func(other Replicas) bool {
		return other.Source != sourceRevision && other.Count != s.Count && other.Time.Sub(s.Time) > contradicted
	})
}

// better orders sources that say the same: the newest, but not the Revision.
func (s Replicas) better(other Replicas) bool {
	if (s.Source == sourceRevision) != (other.Source == sourceRevision) {
		return other.Source == sourceRevision
	}
	return s.Time.After(other.Time)
}

// counts asks each source for what it last said at or before t.
func (r *Revision) counts(t time.Time) []Replicas {
	x := r.index()
	list := make([]Replicas, 0, 5)
	add := func(source string, n int, newest *Write) {
		said := Replicas{Count: n, Source: source, by: newest}
		if newest != nil {
			said.Time, said.Proof = newest.Time, newest.Source
		}
		list = append(list, said)
	}
	one := func(source string, o *Object, path string, zero bool) {
		if o == nil {
			return
		}
		if s := o.saysNumber(t, path, zero); s.status != nil {
			add(source, s.ready, s.status)
		}
	}
	one(sourceDeployment, x.deployments.at(t), "status.readyReplicas", true)
	if sets := countAt(x.sets, t); sets.known {
		add(sourceReplicaSet, sets.ready, sets.newest)
	}
	if r.countsReady() { // that of class HPA counts Pods that are not ready too
		one(sourceAutoscaler, x.autoscalers.at(t), "status.actualScale", false)
		one(sourceRevision, r.Object, "status.actualReplicas", false)
	}
	if pods := countAt(x.pods, t); pods.known {
		add(sourcePods, pods.ready, pods.newest)
	}
	return list
}

// statusAt returns the last write of an object's status at or before t whose
// content is known. A write to the rest of the object repeats the status that
// was stored, and is no news about it. Writes count from when they came in:
// what their senders tell was so before.
func (o *Object) statusAt(t time.Time) *Write {
	if i := o.index().counting.upTo(t); i >= 0 {
		return o.Writes[i]
	}
	return nil
}

// readyPods counts Pods; ok is false if none is known to have a status.
func (r *Revision) readyPods(t time.Time) (n Replicas, ok bool) {
	c := countAt(r.index().pods, t)
	n.Source, n.Count = sourcePods, c.ready
	if c.newest != nil {
		n.Time, n.Proof, n.by = c.newest.Time, c.newest.Source, c.newest
	}
	return n, c.known
}

// KnownBefore returns the time at which the last word on ready replicas was
// written of all that were stored before a write, by their resourceVersions,
// and within a few seconds of it, if that is later than when the write came in,
// as it can be where two API servers have different clocks; else the zero time.
//
// These are versions of different objects, which are comparable only as long as
// one etcd makes them. Knative's resources and those of the core share one unless
// --etcd-servers-overrides says otherwise. Therefore nothing may be concluded
// from this that accuses: all it may do is give the benefit of a number that was
// written later than the clocks say. Where the versions are of two etcds that
// number is one of a few seconds later, and a failure is missed, not invented.
func (r *Revision) KnownBefore(w *Write) time.Time {
	if !w.Versioned() {
		return time.Time{}
	}
	return r.index().stored().before(w, w.Time.Add(clocks))
}

// Told returns the number of replicas that a write of the Revision's status says
// are ready, as the controller has it from the autoscaler; ok is false if it
// says nothing, or the autoscaler counts others too. Fresh tells that the write
// brought the number: a pass that ended early writes down the one from before.
func (r *Revision) Told(w *Write) (n Replicas, fresh, ok bool) {
	n = Replicas{Source: sourceRevision, Time: w.Time, Proof: w.Source, by: w}
	n.Count, ok = w.After.Int("status.actualReplicas")
	return n, w.Moved("status.actualReplicas") != nil, ok && r.countsReady()
}

// Doubt tells why at t more replicas may have been ready than n says, which is
// fewer than want; it is empty if nothing speaks for that.
func (r *Revision) Doubt(n Replicas, t time.Time, want int) string {
	switch {
	case n.Source == sourceRevision && !r.saidWithReady(n):
		return "only its own status tells, which repeats what the PodAutoscaler said at some time before"
	case r.blindSince(n, t) && !r.podsTell(n, t):
		return "Pods or what counts them were written later, without bodies"
	case n.Source == sourceRevision, r.seesPods(t):
		return ""
	case n.Source == sourcePods:
		return "the inputs begin after the Revision was made, and may not show all of its Pods"
	}
	if late := r.caughtUp(n.Source, t, want); late > 0 {
		return "it said " + strconv.Itoa(want) + " only " + late.Round(time.Millisecond).String() + " later, and lags behind the Pods, which the inputs do not show"
	}
	return ""
}

// saidWithReady reports whether a number is a fresh one from a status of the
// Revision that says Ready=True.
func (r *Revision) saidWithReady(n Replicas) bool {
	_, fresh, ok := r.Told(n.by)
	return ok && fresh && n.by.After.Is("Ready", "True")
}

// seesPods reports whether the inputs show the Pods of the Revision, all of
// them.
func (r *Revision) seesPods(t time.Time) bool {
	_, ok := r.readyPods(t)
	return ok && r.Covered()
}

// podsTell reports whether all Pods are known and no more of them were ready
// than a source says. What counts them can then say no more either.
func (r *Revision) podsTell(n Replicas, t time.Time) bool {
	pods, ok := r.readyPods(t)
	return ok && r.Covered() && pods.Count <= n.Count && !r.blindSince(pods, t)
}

// blindSince reports whether, since a source spoke, the status of an object
// behind it was written in a way that does not show what was written: of Pods,
// and of what counts them unless the number is that of the Pods themselves.
func (r *Revision) blindSince(n Replicas, to time.Time) bool {
	h := &r.index().hidden
	if n.Source == sourcePods {
		return countAt(h.pods, to).known
	}
	return h.since(n.Time, to)
}

// blindSince reports whether the last write of the object's status between two
// moments does not show what was written.
func (o *Object) blindSince(from, to time.Time) (blind bool) {
	x := o.index()
	for i := x.touching.upTo(to); i >= 0 && x.done[i].After(from); i-- {
		w := o.Writes[i]
		if w.Subresource == "status" && w.Time.After(from) && !w.Began().After(to) && (w.Took() || w.Hidden()) {
			return w.Hidden()
		}
	}
	return false
}

// caughtUp returns how long after t a source said at last that want replicas
// were ready, if that was so soon that they may have been ready at t: the next
// thing it said, or almost at once. Else it is 0.
func (r *Revision) caughtUp(source string, t time.Time, want int) time.Duration {
	next := true
	for _, u := range r.ReadyMoments(t, t.Add(lag)) {
		for _, s := range r.counts(u) {
			switch {
			case s.Source != source || !s.Time.After(t):
			case s.Count < want:
				next = false
			case next || u.Sub(t) <= soon:
				return s.Time.Sub(t)
			}
		}
	}
	return 0
}

// ReadyMoments returns the moments in [from, to] at which the number of ready
// replicas may have changed, in order, from and to included.
func (r *Revision) ReadyMoments(from, to time.Time) []time.Time {
	if !from.Before(to) {
		return slices.Compact([]time.Time{to, from})
	}
	later := r.MomentsAfter(from)
	last := sort.Search(len(later), func(i int) bool { return !later[i].Before(to) })
	return slices.Concat([]time.Time{from}, later[:last], []time.Time{to})
}

// MomentsAfter returns those moments of all times after t.
func (r *Revision) MomentsAfter(t time.Time) []time.Time {
	all := r.index().moments
	return all[sort.Search(len(all), func(i int) bool { return all[i].After(t) }):]
}

// Sources returns how many independent sources support the number of ready
// replicas at t: the Pods, the autoscaler, and the controllers of Kubernetes,
// which count as one. The Revision's own status is none.
func (r *Revision) Sources(t time.Time) int {
	best, ok := r.Ready(t)
	if !ok {
		return 0
	}
	witnesses := map[string]bool{}
	for _, s := range r.counts(t) {
		if s.Count != best.Count {
			continue
		}
		switch s.Source {
		case sourceReplicaSet, sourceDeployment:
			witnesses[sourceDeployment] = true
		case sourceAutoscaler, sourcePods:
			witnesses[s.Source] = true
		}
	}
	return len(witnesses)
}
