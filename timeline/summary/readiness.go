package summary

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// State is what is known of how an object became Ready.
type State string

// The states.
const (
	Ready     State = "ready"     // a write made it Ready
	NotReady  State = "notReady"  // none did until the end of the data, or of its life
	Undecided State = "undecided" // the inputs cannot tell
)

// Readiness tells how an object became Ready.
type Readiness struct {
	Object *timeline.Object
	Family *timeline.Family
	State  State
	Reason string // of Undecided: what the inputs lack
	// Made is when the request that created the object was answered; to the
	// second, as metadata.creationTimestamp tells it, where Logged is false. It
	// is zero if nothing tells.
	Made   time.Time
	Logged bool
	// By is the write that turned it Ready first, nil if State is not Ready.
	By   *timeline.Write
	Took time.Duration // from Made to By
	// Until is when the object was deleted, or the end of the audit events.
	Until time.Time
	Last  *timeline.Condition // the Ready condition as last known, nil if nothing is
	Steps []Step              // in order of time
}

// Step is another object of the family that became Ready on the way.
type Step struct {
	Object *timeline.Object
	Took   time.Duration // since the first object was made
}

// why returns the reason of the Ready condition, or its status where it has
// none.
func (r *Readiness) why() string {
	if r.Last == nil {
		return "no status written"
	}
	return cmp.Or(r.Last.Reason, "Ready "+r.Last.Status)
}

// madeAt is when the object counts as made: when it was first seen, if nothing
// tells of its creation.
func (r *Readiness) madeAt() time.Time {
	if r.Made.IsZero() && len(r.Object.Writes) > 0 {
		return r.Object.Writes[0].Time
	}
	return r.Made
}

// judge decides how objects became Ready.
type judge struct {
	gaps     []coverage.Gap
	statuses map[named]bool                 // the kinds, without names, of which a write of a status is in the inputs
	placed   map[named]bool                 // the objects of which the namespace is known
	named    map[*timeline.Object]time.Time // when each Revision was named as latest ready
	turns    map[*timeline.Object]turn      // as far as that was asked
}

// named is a name of whatever namespace.
type named struct {
	cluster    *timeline.Cluster
	kind, name string
}

func newJudge(h *timeline.History, gaps []coverage.Gap) *judge {
	j := &judge{gaps, map[named]bool{}, map[named]bool{}, map[*timeline.Object]time.Time{}, map[*timeline.Object]turn{}}
	for _, f := range h.Families {
		j.nameReady(f)
		for _, o := range members(f) {
			if slices.ContainsFunc(o.Writes, isStatus) {
				j.statuses[named{cluster: f.Cluster, kind: o.Kind}] = true
			}
			if o.Namespace != "" {
				j.placed[named{f.Cluster, o.Kind, o.Name}] = true
			}
		}
	}
	return j
}

// counts reports whether an object is one of the cluster, and no other.
func (j *judge) counts(f *timeline.Family, o *timeline.Object) bool {
	switch {
	case o.Namespace == "" && j.placed[named{f.Cluster, o.Kind, o.Name}]:
		return false // a table without namespaces shows it
	case len(o.Writes) == 0 && len(o.Sightings) == 0 && !f.Cluster.From.IsZero():
		// An Event does not tell Knative's Service from that of Kubernetes.
		return len(f.AttemptsAt("", o.Ref)) > 0
	case len(o.Writes) == 0 || len(o.Sightings) > 0:
		return true
	}
	return slices.ContainsFunc(o.Writes, func(w *timeline.Write) bool {
		return w.Outcome != timeline.DryRun && (w.Verb != "create" || w.Outcome != timeline.Refused)
	})
}

func isStatus(w *timeline.Write) bool { return w.Subresource == "status" }

func (j *judge) readiness(f *timeline.Family, o *timeline.Object) *Readiness {
	r := &Readiness{Object: o, Family: f, Made: o.Born, Logged: o.BornBy != nil, Until: f.Cluster.To}
	if !o.Gone.IsZero() {
		r.Until = o.Gone
	}
	if c, ok := o.Last().Condition("Ready"); ok {
		r.Last = &c
	}
	by, was := j.turn(f, o)
	if by != nil {
		r.Until = by.Time
	}
	r.Reason = j.open(r, by, was)
	switch {
	case r.Reason != "":
		r.State = Undecided
	case by != nil:
		r.State, r.By, r.Took = Ready, by, by.Time.Sub(r.Made)
	default:
		r.State = NotReady
	}
	return r
}

// open says why the inputs cannot tell how an object became Ready, and when; by
// is the write that turned it so, and was tells whether it was Ready at all. It is
// empty if they can.
func (j *judge) open(r *Readiness, by *timeline.Write, was bool) string {
	o, from := r.Object, r.Family.Cluster.From
	switch {
	case len(o.Writes) == 0 && len(o.Sightings) > 0:
		return "only a snapshot tells of it, which has no time"
	case len(o.Writes) == 0:
		return "no audit event tells of it"
	case r.Made.IsZero():
		return "its creation is not in the inputs"
	case !r.Logged && r.Made.Before(from.Truncate(time.Second)):
		return "it was made before the audit log begins"
	case by != nil && by.Time.Before(r.Made):
		return "it was Ready before it was made, as clocks that differ tell"
	case by == nil && !was && !j.statuses[named{cluster: r.Family.Cluster, kind: o.Kind}]:
		return "the audit log holds no write of the status of such an object"
	case unseen(o, r.Until):
		return "the audit log does not hold what was written to its status"
	case j.gap(r.Made, r.Until):
		return "the audit log has a gap in that time"
	case o.Broken(r.Made, r.Until) || skipped(o, r.Until):
		return "a write of it is missing in the audit log"
	case by == nil && was:
		return "it was Ready, and the write that first made it so is not in the inputs"
	}
	return ""
}

// unseen reports whether a status was written to an object until some moment
// and what was written is not known. A write that failed is not counted if a
// later one shows what came of it.
func unseen(o *timeline.Object, until time.Time) bool {
	known := false
	for _, w := range slices.Backward(o.Writes) {
		if !isStatus(w) {
			continue
		}
		known = known || w.BodySeen && w.Took()
		if w.Hidden() && !w.Time.After(until) && (w.Outcome != timeline.Failed || !known) {
			return true
		}
	}
	return false
}

// skipped reports whether a read until some moment shows a version of an object
// that no write in the inputs made, although they hold the one before.
func skipped(o *timeline.Object, until time.Time) bool {
	return slices.ContainsFunc(o.Writes, func(w *timeline.Write) bool {
		return w.Outcome == timeline.Read && w.BodySeen && !w.Time.After(until) &&
			w.Before != nil && w.Before.ResourceVersion != "" && w.Before.ResourceVersion != w.After.ResourceVersion
	})
}

func (j *judge) gap(from, to time.Time) bool {
	return slices.ContainsFunc(j.gaps, func(g coverage.Gap) bool { return g.From.Before(to) && g.To.After(from) })
}

// turning are the objects of a family that turned Ready, of each kind by when they did, and
// those of one moment in the order of members.
type turning map[string][]became

type became struct {
	*timeline.Object
	at time.Time
}

func (j *judge) turning(f *timeline.Family) turning {
	t := turning{}
	for _, o := range members(f) {
		if by, _ := j.turn(f, o); by != nil {
			t[o.Kind] = append(t[o.Kind], became{o, by.Time})
		}
	}
	for _, list := range t {
		slices.SortStableFunc(list, func(a, b became) int { return a.at.Compare(b.at) })
	}
	return t
}

// steps tells which other objects of the family became Ready on the way, of each
// kind the first.
func (t turning) steps(r *Readiness) (steps []Step) {
	for _, kind := range kindOrder {
		list := t[kind]
		i := sort.Search(len(list), func(i int) bool { return !list[i].at.Before(r.Made) })
		if kind != r.Object.Kind && !r.Made.IsZero() && i < len(list) && !list[i].at.After(r.Until) {
			steps = append(steps, Step{list[i].Object, list[i].at.Sub(r.Made)})
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return cmp.Compare(a.Took, b.Took) })
	return steps
}
