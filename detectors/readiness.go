package detectors

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// Readiness is the answer to the question behind several detectors: had a
// Revision, at a moment, as many ready replicas as it is promised to have
// before it takes traffic?
type Readiness struct {
	State       ReadinessState
	Replicas    timeline.Replicas
	Known       bool // Replicas is known
	Target      timeline.Target
	Initialized *timeline.Initialization // the autoscaler's own declaration before, nil if there was none
	Why         string                   // why State is Undecided
}

// ReadinessState is the answer.
type ReadinessState int

// The answers.
const (
	Undecided ReadinessState = iota
	Below
	Enough
)

// tolerable is how far clocks may be apart for resourceVersions to have the last word
// on what was known when (timeline.Revision.KnownBefore).
const tolerable = 5 * time.Second

// Reaction is how long it may take until a controller acts on what it could know.
const Reaction = 5 * time.Second

// Judge compares ready replicas and target of a Revision at t. A declaration
// of the autoscaler (ScaleTargetInitialized) for a gate at or above the target
// counts as proof that the target was met. What is unknown is never taken
// for 0, and a number that may be too low accuses nobody.
func Judge(r *timeline.Revision, t time.Time) Readiness {
	j := compare(r, t)
	apart, want := r.Family.ClocksApart(), j.Target.Documented
	switch {
	case j.State == Enough:
	case apart > tolerable:
		j.Why = fmt.Sprintf("the clocks of the API servers are %s apart: which number is of that time is not known", apart.Round(time.Millisecond))
	case !j.Known:
		j.Why = "no input tells how many replicas were ready"
	case j.Target.Grade == timeline.Assumed:
		j.Why = "the target is unknown: neither a scale annotation, nor config-autoscaler, nor the creation of the Deployment is in the inputs"
	case !isNew(r, t):
		j.Why = fmt.Sprintf("the inputs begin after the Revision was made: it may have reached its target of %d before", want)
	default:
		if doubt := r.Doubt(j.Replicas, t, want); doubt != "" {
			j.Why = fmt.Sprintf("the %s says %d of %d, but %s", j.Replicas.Source, j.Replicas.Count, want, doubt)
		} else {
			j.State = Below
		}
	}
	return j
}

// compare tells whether there is proof of enough replicas at t; else it is Undecided, and
// not told why.
func compare(r *timeline.Revision, t time.Time) Readiness {
	j := Readiness{Target: r.Target(t)}
	want, proven := j.Target.Documented, false
	if i, ok := r.Initialized(t); ok {
		j.Initialized = &i
		proven = r.ProvesReady(i, want)
	}
	j.Replicas, j.Known = r.Ready(t)
	counted := j.Known && j.Target.Grade != timeline.Assumed && j.Replicas.Count >= want
	if want == 0 || (proven || counted) && r.Family.ClocksApart() <= tolerable {
		j.State = Enough
	}
	return j
}

// JudgeWrite judges at the moment a write came in: of what its sender may have
// known. Where that was too little, and the clocks of two API servers may be to
// blame, the order of resourceVersions has the last word.
func JudgeWrite(r *timeline.Revision, w *timeline.Write) Readiness {
	j := Judge(r, w.Began())
	if j.State == Enough {
		return j
	}
	if known := r.KnownBefore(w); known.After(w.Began()) {
		if later := Judge(r, known); later.State == Enough || j.State == Below {
			return later
		}
	}
	return j
}

// ReadyAt returns how many replicas were ready when a write came in. Where the
// clocks of two API servers differ, as what was stored before the write but is
// later by its time shows, more may be known than the times tell.
func ReadyAt(r *timeline.Revision, w *timeline.Write) (timeline.Replicas, bool) {
	n, ok := r.Ready(w.Began())
	if known := r.KnownBefore(w); known.After(w.Time) {
		if later, found := r.Ready(known); found && (!ok || later.Count > n.Count) {
			return later, true
		}
	}
	return n, ok
}

// Turns judges the writes that turned a Revision Ready. Once one of them was at the
// target, the target no longer counts.
type Turns struct {
	revision *timeline.Revision
	places   map[*timeline.Write]int
	judged   int // how many were looked at for the first at the target
	reached  int // the place of that, negative if it was not met yet
}

// TurnsOf returns who judges the writes that turned a Revision Ready.
func TurnsOf(r *timeline.Revision) *Turns { return &Turns{revision: r, reached: -1} }

// Judge judges one of those writes. What it says about replicas itself counts: the
// controller has that from the autoscaler.
func (t *Turns) Judge(w *timeline.Write) Readiness {
	j := judgeReady(t.revision, w)
	if j.State == Below && t.reachedBefore(w) {
		j.State, j.Why = Enough, ""
	}
	return j
}

// Enough reports whether one of those writes is judged Enough by itself. That is known
// sooner than what else it may be.
func (t *Turns) Enough(w *timeline.Write) bool {
	r := t.revision
	j := compare(r, w.Began())
	if j.State == Enough {
		return true
	}
	if known := r.KnownBefore(w); known.After(w.Began()) {
		switch later := compare(r, known); {
		case later.State == Enough:
			return true
		case later.Target != j.Target:
			return judgeReady(r, w).State == Enough
		}
	}
	n, _, ok := r.Told(w)
	return ok && j.Target.Grade != timeline.Assumed && n.Count >= j.Target.Documented
}

// reachedBefore reports whether one of the writes before another was at the target.
func (t *Turns) reachedBefore(w *timeline.Write) bool {
	writes := t.revision.ReadyWrites()
	if t.places == nil {
		t.places = make(map[*timeline.Write]int, len(writes))
		for i, turn := range writes {
			t.places[turn] = i
		}
	}
	place, ok := t.places[w]
	if !ok {
		place = len(writes)
	}
	for ; t.reached < 0 && t.judged < place; t.judged++ {
		if t.Enough(writes[t.judged]) {
			t.reached = t.judged
		}
	}
	return t.reached >= 0 && t.reached < place
}

func judgeReady(r *timeline.Revision, w *timeline.Write) Readiness {
	j := JudgeWrite(r, w)
	n, fresh, ok := r.Told(w)
	if !ok || j.State == Enough || j.Target.Grade == timeline.Assumed {
		return j
	}
	switch want := j.Target.Documented; {
	case n.Count >= want:
		j.Replicas, j.Known, j.State, j.Why = n, true, Enough, ""
	case j.State == Undecided && fresh && isNew(r, w.Began()) && (!j.Known || j.Replicas.Count <= n.Count):
		j.Replicas, j.Known, j.State, j.Why = n, true, Below, ""
	}
	return j
}

// PartlyReady returns the first moment at which a Revision is known to have had some
// ready replicas, but fewer than its target; ok is false if there is none.
func PartlyReady(r *timeline.Revision) (t time.Time, n timeline.Replicas, want timeline.Target, ok bool) {
	if len(r.Writes) == 0 {
		return t, n, want, false
	}
	for _, t := range r.ReadyMoments(r.Writes[0].Time, r.Family.Cluster.To) {
		n, known := r.Ready(t)
		want := r.Target(t)
		if known && n.Count > 0 && n.Count < want.Documented && want.Grade != timeline.Assumed {
			return t, n, want, true
		}
	}
	return t, n, want, false
}

// isNew reports whether it is certain that the Revision had not reached its
// initial scale before t and lost replicas since: the inputs show its whole
// life, or its PodAutoscaler before it was initialized, or its status that
// never heard of the autoscaler (condition Active).
func isNew(r *timeline.Revision, t time.Time) bool {
	if r.Covered() {
		return true
	}
	for _, pa := range r.PodAutoscalers {
		if _, ok := pa.At(t).Condition("ScaleTargetInitialized"); ok && !pa.At(t).Is("ScaleTargetInitialized", "True") {
			return true
		}
	}
	return r.Unheard()
}

// Count returns the number of ready replicas, nil if it is unknown.
func (j Readiness) Count() any { return Known(j.Known, j.Replicas.Count) }

// Known returns v if known, else nil.
func Known[T any](known bool, v T) any {
	if !known {
		return nil
	}
	return v
}

// Moment returns t, or nil if it is the zero time.
func Moment(t time.Time) any { return Known(!t.IsZero(), t) }

// ReadyUnseen returns the first record that shows a Revision Ready=True which
// was not before, although the write that turned it is not in the inputs; nil
// if there is none.
func ReadyUnseen(r *timeline.Revision) *timeline.Write {
	for _, w := range r.Writes {
		change := w.Moved("conditions.Ready")
		if w.Subresource == "status" && w.Outcome == timeline.Applied || change == nil || change.From == nil || change.To == nil {
			continue
		}
		if w.After.Is("Ready", "True") && !w.Before.Is("Ready", "True") {
			return w
		}
	}
	return nil
}

// Announced returns the Event that tells that a Configuration moved to a
// Revision, nil if there is none.
func Announced(r *timeline.Revision) *timeline.Note {
	text := fmt.Sprintf("LatestReadyRevisionName updated to %q", r.Name)
	for _, n := range r.Family.NotesOf("LatestReadyUpdate", text) {
		if lived(r, n.Time) {
			return n
		}
	}
	return nil
}

// NamedReady reports whether a body of the Configuration's status names a
// Revision as the latest ready one.
func NamedReady(r *timeline.Revision) bool {
	named := r.Family.NamedReady(r.Name)
	i := sort.Search(len(named), func(i int) bool { return !named[i].Time.Before(r.Born.Truncate(time.Second)) })
	return i < len(named) && lived(r, named[i].Time)
}

// RequestsSeen reports whether the requests that end a pass when they are
// refused would be in the inputs: the Images and the PodAutoscaler of a
// Revision that was made in their time are created in it.
func RequestsSeen(r *timeline.Revision) bool {
	written := func(o *timeline.Object) bool { return len(o.Writes) > 0 }
	return !r.Covered() || slices.ContainsFunc(r.Images, written) && slices.ContainsFunc(r.PodAutoscalers, written)
}

// lived reports whether a Revision may have existed at t, which can be given to
// the second. Several that lived one after the other can have one name.
func lived(r *timeline.Revision, t time.Time) bool {
	return !t.Before(r.Born.Truncate(time.Second)) && (r.Gone.IsZero() || !t.After(r.Gone.Add(time.Second)))
}
