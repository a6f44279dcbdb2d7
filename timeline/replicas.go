package timeline

import (
	"slices"
	"time"
)

// Replicas is a number of ready replicas and what supports it.
type Replicas struct {
	Count  int
	Source string    // what was counted
	Time   time.Time // when the source said so
	Proof  Source
	// Doubtful tells that the number is a Deployment's or ReplicaSet's, and
	// that Pods or the PodAutoscaler were written later without showing what:
	// the Deployment's status can lag (measured with a deployment controller
	// starved by conflicts).
	Doubtful bool
}

// contradicted is after how long a source is no longer current, if another one
// has said something else since.
const contradicted = 10 * time.Second

// Ready returns the highest number of ready replicas at t that a source
// current at that time supports; ok is false if no source tells.
func (r *Revision) Ready(t time.Time) (best Replicas, ok bool) {
	sources := r.counts(t)
	for _, s := range sources {
		if s.outdated(sources) {
			continue
		}
		if !ok || s.Count > best.Count || s.Count == best.Count && s.Time.After(best.Time) {
			best, ok = s, true
		}
	}
	if ok && (best.Source == sourceDeployment || best.Source == sourceReplicaSet) {
		best.Doubtful = r.blindSince(best.Time, t)
	}
	return best, ok
}

func (s Replicas) outdated(all []Replicas) bool {
	for _, other := range all {
		if other.Count != s.Count && other.Time.Sub(s.Time) > contradicted {
			return true
		}
	}
	return false
}

const (
	sourceDeployment = "Deployment status"
	sourceReplicaSet = "ReplicaSet status"
	sourceAutoscaler = "PodAutoscaler status"
	sourcePods       = "Pods"
	sourceRevision   = "Revision status"
)

// counts asks each source for what it last said at or before t.
func (r *Revision) counts(t time.Time) (list []Replicas) {
	add := func(source string, objects []*Object, path string, zero bool) {
		total, found := Replicas{Source: source}, false
		for _, o := range objects {
			w := o.statusAt(t)
			if w == nil {
				continue
			}
			n, has := w.After.Int(path)
			if !has && !(zero && w.After.Whole) {
				continue
			}
			found = true
			total.Count += n
			if w.Time.After(total.Time) {
				total.Time, total.Proof = w.Time, w.Source
			}
		}
		if found {
			list = append(list, total)
		}
	}
	add(sourceDeployment, r.Deployments, "status.readyReplicas", true)
	add(sourceReplicaSet, r.ReplicaSets, "status.readyReplicas", true)
	add(sourceAutoscaler, r.PodAutoscalers, "status.actualScale", false)
	add(sourceRevision, []*Object{r.Object}, "status.actualReplicas", false)
	if pods, ok := r.readyPods(t); ok {
		list = append(list, pods)
	}
	return list
}

// statusAt returns the last write of an object's status at or before t whose
// content is known. A write to the rest of the object repeats the status that
// was stored, and is no news about it.
func (o *Object) statusAt(t time.Time) *Write {
	var last *Write
	for _, w := range o.Writes {
		done := w.Time
		if o.Kind == KindRevision {
			done = w.Began() // its sender knew the number that it wrote
		}
		if done.After(t) {
			break
		}
		if w.BodySeen && w.Subresource == "status" && w.Took() {
			last = w
		}
	}
	return last
}

// readyPods counts Pods as the autoscaler does: Ready, Running and not about
// to be deleted (knative/serving pkg/resources/pods.go).
func (r *Revision) readyPods(t time.Time) (n Replicas, ok bool) {
	n.Source = sourcePods
	for _, pod := range r.Pods {
		if !pod.Exists(t) {
			continue
		}
		w := pod.statusAt(t)
		if w == nil {
			continue
		}
		ok = true
		if w.Time.After(n.Time) {
			n.Time, n.Proof = w.Time, w.Source
		}
		state := pod.At(t)
		phase := state.Field("status.phase")
		if state.Is("Ready", "True") && (phase == "Running" || phase == "") && state.Deleting.IsZero() {
			n.Count++
		}
	}
	return n, ok
}

// blindSince reports whether the status of a Pod or of the PodAutoscaler was
// written between two moments in a way that does not show what was written.
func (r *Revision) blindSince(from, to time.Time) bool {
	for _, objects := range [][]*Object{r.Pods, r.PodAutoscalers} {
		for _, o := range objects {
			for _, w := range o.Writes {
				if w.Subresource == "status" && w.Outcome == Applied && !w.BodySeen && w.Time.After(from) && !w.Time.After(to) {
					return true
				}
			}
		}
	}
	return false
}

// ReadyMoments returns the moments in [from, to] at which the number of ready
// replicas may have changed, in order, from and to included.
func (r *Revision) ReadyMoments(from, to time.Time) []time.Time {
	moments := []time.Time{from, to}
	for _, objects := range [][]*Object{r.Deployments, r.ReplicaSets, r.Pods, r.PodAutoscalers, {r.Object}} {
		for _, o := range objects {
			for _, w := range o.Writes {
				if w.Outcome == Applied && w.Time.After(from) && w.Time.Before(to) {
					moments = append(moments, w.Time)
				}
			}
		}
	}
	slices.SortFunc(moments, time.Time.Compare)
	return slices.Compact(moments)
}

// Sources returns how many independent sources, written by different programs,
// support the number of ready replicas at t.
func (r *Revision) Sources(t time.Time) int {
	best, ok := r.Ready(t)
	if !ok {
		return 0
	}
	n := 0
	for _, s := range r.counts(t) {
		if s.Count == best.Count && s.Source != sourceRevision && s.Source != sourceReplicaSet {
			n++
		}
	}
	return n
}
