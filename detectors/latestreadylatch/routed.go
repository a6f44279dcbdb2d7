package latestreadylatch

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// routed is what followed from the moves of the Configurations of a family: how its
// Ingresses and Routes sent traffic, and who scaled what down. There can be thousands of
// latches and of writes, so that each write is looked at once, and not for each latch.
type routed struct {
	family     *timeline.Family
	ingresses  map[string][]given // by Revision
	routes     map[string][]given
	told       time.Time                                // when the inputs last showed where traffic went
	rolledOut  map[string][]*timeline.Write             // of InferenceServices, by Revision
	scaledDown map[*timeline.Revision][]*timeline.Write // by time, of those that were asked for
	moved      map[*timeline.Object][]*timeline.Write   // of Configurations, by time, of those that were asked for
}

// course is what the writes of one Ingress or Route show.
type course struct {
	writes  []*timeline.Write // whose bodies tell, of those that took effect
	done    []time.Time       // when the last of those up to each was done
	ready   []*timeline.Write // of the status, that say Ready=True
	readied []time.Time       // when the last of those up to each was done
}

// given is what one Ingress or Route gave a Revision, in order.
type given struct {
	*course
	shares []share
}

// share is the percentage of traffic that a write gives a Revision; it is not 0.
type share struct{ place, percent int }

func newRouted(f *timeline.Family) *routed {
	r := &routed{family: f, ingresses: map[string][]given{}, routes: map[string][]given{}, rolledOut: map[string][]*timeline.Write{},
		scaledDown: map[*timeline.Revision][]*timeline.Write{}, moved: map[*timeline.Object][]*timeline.Write{}}
	for _, o := range f.Ingresses {
		r.follow(o, r.ingresses)
	}
	for _, o := range f.Routes {
		r.follow(o, r.routes)
	}
	for _, o := range f.InferenceServices {
		for _, w := range o.Writes {
			r.rollOut(w)
		}
	}
	return r
}

// follow goes through the writes of an Ingress or a Route.
func (r *routed) follow(o *timeline.Object, by map[string][]given) {
	c, shares := &course{}, map[string][]share{}
	for _, w := range o.Writes {
		if w.Subresource == "status" && w.After.Is("Ready", "True") {
			c.ready, c.readied = append(c.ready, w), append(c.readied, latest(c.readied, w.Time))
		}
		if !w.BodySeen {
			continue
		}
		if tellsTraffic(w) && w.Time.After(r.told) {
			r.told = w.Time
		}
		if !w.Took() {
			continue
		}
		for name, percent := range r.family.SharesOf(o, w.After) {
			if percent != 0 {
				shares[name] = append(shares[name], share{len(c.writes), percent})
			}
		}
		c.writes, c.done = append(c.writes, w), append(c.done, latest(c.done, w.Time))
	}
	for name, list := range shares {
		by[name] = append(by[name], given{c, list})
	}
}

// tellsTraffic reports whether the body of a write of an Ingress or a Route shows where
// traffic goes.
func tellsTraffic(w *timeline.Write) bool {
	part := ""
	if w.Object.Kind == timeline.KindRoute {
		part = "status"
	}
	return w.Subresource == part || w.After.Whole
}

// latest returns the last of some moments, none of which is before the one in front of
// it, or t if that is later.
func latest(moments []time.Time, t time.Time) time.Time {
	if n := len(moments); n > 0 && moments[n-1].After(t) {
		return moments[n-1]
	}
	return t
}

// after returns the place of the first of such moments that is after t.
func after(moments []time.Time, t time.Time) int {
	return sort.Search(len(moments), func(i int) bool { return moments[i].After(t) })
}

// first returns the first write that gives a Revision traffic while it lives, and all that
// its object gave it; the write is nil if there is none.
func first(by map[string][]given, r *timeline.Revision) (first *timeline.Write, of given) {
	for _, g := range by[r.Name] {
		if w := g.first(r); w != nil && (first == nil || w.Time.Before(first.Time)) {
			first, of = w, g
		}
	}
	return first, of
}

func (g *given) first(r *timeline.Revision) *timeline.Write {
	n := sort.Search(len(g.shares), func(i int) bool { return !g.done[g.shares[i].place].Before(r.Born) })
	for _, s := range g.shares[n:] {
		w := g.writes[s.place]
		if w.Outcome == timeline.Applied && s.percent > 0 && !w.Time.Before(r.Born) && (r.Gone.IsZero() || w.Time.Before(r.Gone)) {
			return w
		}
	}
	return nil
}

// left returns the first write after t that gives the Revision no traffic, nil if there is
// none.
func (g *given) left(t time.Time) *timeline.Write {
	i := after(g.done, t)
	n := sort.Search(len(g.shares), func(n int) bool { return g.shares[n].place >= i })
	for _, w := range g.writes[i:] {
		if n < len(g.shares) && g.shares[n].place == i {
			n++
		} else if w.Outcome == timeline.Applied && w.Time.After(t) {
			return w
		}
		i++
	}
	return nil
}

// live returns the write after a capture that made the Ingress Ready for the generation
// that moved traffic, nil if there is none: until then the data plane may not have
// followed.
func (c *course) live(capture *timeline.Write) *timeline.Write {
	if capture.Object.Kind != timeline.KindIngress {
		return nil
	}
	for _, w := range c.ready[after(c.readied, capture.Time):] {
		if w.Time.After(capture.Time) && w.After.ObservedGeneration >= capture.After.Generation {
			return w
		}
	}
	return nil
}

// peak returns the largest share that a Revision was given between two moments.
func peak(all []given, from, to time.Time) (most int) {
	for _, g := range all {
		for _, s := range g.shares {
			if w := g.writes[s.place]; !w.Time.Before(from) && !w.Time.After(to) {
				most = max(most, s.percent)
			}
		}
	}
	return most
}

// rollOut takes note of a write with which an InferenceService took a Revision for rolled
// out: KServe has a latch of its own, that moves when the latest ready Revision has all
// traffic, and not back (kserve pkg/apis/serving/v1beta1/inference_service_status.go).
func (r *routed) rollOut(w *timeline.Write) {
	if w.Outcome != timeline.Applied {
		return
	}
	for _, c := range w.Changes() {
		if strings.HasSuffix(c.Path, ".latestRolledoutRevision") && c.To != nil {
			r.rolledOut[*c.To] = append(r.rolledOut[*c.To], w)
		}
	}
}

// rollOutAfter returns the first write after t with which the InferenceService above took a
// Revision for rolled out, nil if there is none.
func (r *routed) rollOutAfter(revision string, t time.Time) *timeline.Write {
	for _, w := range r.rolledOut[revision] {
		if w.Time.After(t) {
			return w
		}
	}
	return nil
}

// scaledDownAfter returns the first write after t that lowered the number of replicas of a
// Revision, nil if there is none.
func (r *routed) scaledDownAfter(of *timeline.Revision, t time.Time) *timeline.Write {
	list, known := r.scaledDown[of]
	if !known {
		for _, d := range of.Deployments {
			for _, w := range d.Moves("spec.replicas") {
				if _, down := w.Lowered("spec.replicas"); down {
					list = append(list, w)
				}
			}
		}
		list = byTime(list)
		r.scaledDown[of] = list
	}
	if list = laterThan(list, t); len(list) > 0 {
		return list[0]
	}
	return nil
}

// movedOnAfter returns the first write after t with which a Configuration moved to another
// Revision than that of a name, nil if there is none.
func (r *routed) movedOnAfter(c *timeline.Object, name string, t time.Time) *timeline.Write {
	list, known := r.moved[c]
	if !known {
		list = byTime(slices.Clone(c.Moves(latestReady)))
		r.moved[c] = list
	}
	for _, w := range laterThan(list, t) {
		if to := w.Moved(latestReady).To; to != nil && *to != name {
			return w
		}
	}
	return nil
}

// byTime puts writes in the order in which they were done.
func byTime(list []*timeline.Write) []*timeline.Write {
	slices.SortStableFunc(list, func(a, b *timeline.Write) int { return a.Time.Compare(b.Time) })
	return list
}

// laterThan returns those of some writes in that order that were done after t.
func laterThan(list []*timeline.Write, t time.Time) []*timeline.Write {
	return list[sort.Search(len(list), func(i int) bool { return list[i].Time.After(t) }):]
}
