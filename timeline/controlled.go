package timeline

import (
	"slices"
	"sort"
	"time"
)

// Controlled returns the requests that the revision reconciler makes: to the
// Revision's status, its Deployment, its Images and its PodAutoscaler, by
// Knative's controller, in time order.
func (r *Revision) Controlled() (writes []*Write) {
	groups := [][]*Object{{r.Object}, r.Deployments, r.Images, r.PodAutoscalers}
	for _, objects := range groups {
		for _, o := range objects {
			for _, w := range o.Writes {
				if w.Actor.Component == "controller" && w.Outcome != Read && (o.Kind != KindRevision || w.Subresource == "status") {
					writes = append(writes, w)
				}
			}
		}
	}
	slices.SortFunc(writes, byTime)
	return writes
}

// joinAttempts gives each reconcile the requests that were under way while it
// ran. A key is worked on by one worker at a time, so that the reconciles of
// one process do not overlap; with room for the clocks they may.
func (r *Revision) joinAttempts() {
	if len(r.Attempts) == 0 {
		return
	}
	ended := make([]time.Time, len(r.Attempts)) // the latest end up to each
	for i, a := range r.Attempts {
		ended[i] = a.Ended()
		if i > 0 && ended[i-1].After(ended[i]) {
			ended[i] = ended[i-1]
		}
	}
	for _, w := range r.Controlled() {
		for _, room := range []time.Duration{0, slack} {
			if a := r.attemptAt(w, room, ended); a != nil {
				a.Writes = append(a.Writes, w)
				break
			}
		}
	}
}

// attemptAt returns the first reconcile that was under way from when a request
// came in to when it was done.
func (r *Revision) attemptAt(w *Write, room time.Duration, ended []time.Time) (found *Attempt) {
	began := w.Began().Add(room)
	n := sort.Search(len(r.Attempts), func(i int) bool { return r.Attempts[i].Begin.After(began) })
	for i := n - 1; i >= 0 && !ended[i].Add(room).Before(w.Time); i-- {
		if a := r.Attempts[i]; a.covers(w.Time, room) && a.covers(w.Began(), room) && (a.Pod == "" || w.Actor.Pod == "" || a.Pod == w.Actor.Pod) {
			found = a
		}
	}
	return found
}
