package timeline

import (
	"slices"
	"sync"
	"time"
)

// replicaIndex holds what is asked of a Revision at many moments.
type replicaIndex struct {
	moments     []time.Time // when the number of ready replicas may have changed, sorted
	pods, sets  []count     // what the Pods and the ReplicaSets say, sorted
	deployments succession
	autoscalers succession
	stored      func() *stored // the statuses of Pods and of what counts them
	hidden      hidden         // those that the inputs do not show
	annotated   []*State       // those that tell something of the scale first, best first, whatever the moment
	readied     []*Write       // those of the status with which the Revision turned Ready=True, in order
	earliest    []time.Time    // when the first of those up to each was done
	unheard     bool           // a status was written that had never heard of the autoscaler
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
	x.stored = sync.OnceValue(func() *stored { return newStored(counting) })
	x.hidden = newHidden(r.Pods, counting)
	x.read(r.Writes)
	return x
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
