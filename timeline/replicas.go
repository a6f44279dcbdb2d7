package timeline

import (
	"slices"
	"strconv"
	"time"
)

// Replicas is a number of ready replicas and what supports it.
type Replicas struct {
	Count  int
	Source string    // what was counted
	Time   time.Time // when the source said so
	Proof  Source
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
func (r *Revision) counts(t time.Time) (list []Replicas) {
	add := func(source string, objects []*Object, path string, zero bool) {
		total, found := Replicas{Source: source}, false
		for _, o := range objects {
			w := o.statusAt(t)
			if w == nil || !o.Exists(t) {
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
	add(sourceDeployment, newest(r.Deployments, t), "status.readyReplicas", true)
	add(sourceReplicaSet, r.ReplicaSets, "status.readyReplicas", true)
	if r.class == classKPA { // that of class HPA counts Pods that are not ready too
		add(sourceAutoscaler, newest(r.PodAutoscalers, t), "status.actualScale", false)
		add(sourceRevision, []*Object{r.Object}, "status.actualReplicas", false)
	}
	if pods, ok := r.readyPods(t); ok {
		list = append(list, pods)
	}
	return list
}

// newest returns the last of the objects of one name that existed at t.
func newest(objects []*Object, t time.Time) []*Object {
	for i := len(objects) - 1; i >= 0; i-- {
		if objects[i].Exists(t) {
			return objects[i : i+1]
		}
	}
	return nil
}

// statusAt returns the last write of an object's status at or before t whose
// content is known. A write to the rest of the object repeats the status that
// was stored, and is no news about it. Writes count from when they came in:
// what their senders tell was so before.
func (o *Object) statusAt(t time.Time) *Write {
	var last *Write
	for _, w := range o.Writes {
		if w.BodySeen && w.Subresource == "status" && w.Took() && !w.Began().After(t) {
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
		phase := w.After.Field("status.phase")
		deleting := !w.After.Deleting.IsZero()
		if state := pod.At(t); state != nil {
			deleting = deleting || !state.Deleting.IsZero()
		}
		if w.After.Is("Ready", "True") && (phase == "Running" || phase == "") && !deleting {
			n.Count++
		}
	}
	return n, ok
}

// KnownBefore returns the time at which the last word on ready replicas was
// written of all that were stored before a write, by their resourceVersions,
// and within a few seconds of it. That can be later than the write where two
// API servers have different clocks. It is the zero time if versions do not
// tell. Versions of different objects compare because one etcd makes them.
func (r *Revision) KnownBefore(w *Write) (last time.Time) {
	if !decimal(w.version()) {
		return last
	}
	for _, objects := range [][]*Object{r.Pods, r.ReplicaSets, r.Deployments, r.PodAutoscalers} {
		for _, o := range objects {
			for _, s := range o.Writes {
				if s.Subresource == "status" && compareVersions(s.version(), w.version()) < 0 && s.Time.Sub(w.Time) <= clocks && s.Time.After(last) {
					last = s.Time
				}
			}
		}
	}
	return last
}

// Told returns the number of replicas that a write of the Revision's status says
// are ready, as the controller has it from the autoscaler; ok is false if it
// says nothing, or the autoscaler counts others too. Fresh tells that the write
// brought the number: a pass that ended early writes down the one from before.
func (r *Revision) Told(w *Write) (n Replicas, fresh, ok bool) {
	n = Replicas{Source: sourceRevision, Time: w.Time, Proof: w.Source}
	n.Count, ok = w.After.Int("status.actualReplicas")
	return n, w.Moved("status.actualReplicas") != nil, ok && r.class == classKPA
}

// Doubt tells why at t more replicas may have been ready than n says, which is
// fewer than want; it is empty if nothing speaks for that.
func (r *Revision) Doubt(n Replicas, t time.Time, want int) string {
	switch {
	case n.Source == sourceRevision && !r.saidWithReady(n):
		return "only its own status tells, which repeats what the PodAutoscaler said at some time before"
	case r.blindSince(n, t):
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
	return slices.ContainsFunc(r.Writes, func(w *Write) bool {
		_, fresh, ok := r.Told(w)
		return ok && fresh && w.Source == n.Proof && w.After.Is("Ready", "True")
	})
}

// seesPods reports whether the inputs show the Pods of the Revision, all of
// them.
func (r *Revision) seesPods(t time.Time) bool {
	_, ok := r.readyPods(t)
	return ok && r.Covered()
}

// blindSince reports whether, since a source spoke, the status of an object
// behind it was written in a way that does not show what was written: of Pods,
// and of what counts them unless the number is that of the Pods themselves.
func (r *Revision) blindSince(n Replicas, to time.Time) bool {
	if n.Source == sourcePods {
		return slices.ContainsFunc(r.Pods, func(pod *Object) bool { return pod.Exists(to) && pod.blindSince(time.Time{}, to) })
	}
	for _, objects := range [][]*Object{r.Pods, r.ReplicaSets, r.Deployments, r.PodAutoscalers} {
		if slices.ContainsFunc(objects, func(o *Object) bool { return o.blindSince(n.Time, to) }) {
			return true
		}
	}
	return false
}

// blindSince reports whether the last write of the object's status between two
// moments does not show what was written.
func (o *Object) blindSince(from, to time.Time) (blind bool) {
	for _, w := range o.Writes {
		if w.Subresource == "status" && w.Time.After(from) && !w.Began().After(to) && (w.Took() || w.Hidden()) {
			blind = w.Hidden()
		}
	}
	return blind
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
