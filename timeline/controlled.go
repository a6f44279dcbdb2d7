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
	all, byPod := &run{}, map[string]*run{}
	for i, a := range r.Attempts {
		if byPod[a.Pod] == nil {
			byPod[a.Pod] = &run{}
		}
		all.add(i, a)
		byPod[a.Pod].add(i, a)
	}
	for _, w := range r.Controlled() {
		for _, room := range []time.Duration{0, slack} {
			i := all.first(w, room)
			if w.Actor.Pod != "" { // a reconcile without a Pod may have sent it too
				i = earlier(byPod[""].first(w, room), byPod[w.Actor.Pod].first(w, room))
			}
			if i >= 0 {
				r.Attempts[i].Writes = append(r.Attempts[i].Writes, w)
				break
			}
		}
	}
}

// run are reconciles by begin, of one process or of all.
type run struct {
	places []int
	begun  []time.Time
	ended  []time.Time // the latest end up to each
}

func (r *run) add(place int, a *Attempt) {
	end := a.Ended()
	if n := len(r.ended); n > 0 && r.ended[n-1].After(end) {
		end = r.ended[n-1]
	}
	r.places, r.begun, r.ended = append(r.places, place), append(r.begun, a.Begin), append(r.ended, end)
}

// earlier returns the first of two places, of which -1 is none.
func earlier(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// first returns the place of the first reconcile that was under way from when a request
// came in to when it was done, -1 if there is none.
func (r *run) first(w *Write, room time.Duration) int {
	if r == nil {
		return -1
	}
	i := sort.Search(len(r.ended), func(i int) bool { return !r.ended[i].Add(room).Before(w.Time) })
	if i == len(r.ended) || r.begun[i].Add(-room).After(w.Began()) {
		return -1
	}
	return r.places[i]
}
