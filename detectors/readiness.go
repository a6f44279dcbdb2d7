package detectors

import (
	"fmt"
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

// Judge compares ready replicas and target of a Revision at t. A declaration
// of the autoscaler (ScaleTargetInitialized) for a gate at or above the target
// counts as proof that the target was met. What is unknown is never taken
// for 0.
func Judge(r *timeline.Revision, t time.Time) Readiness {
	j := Readiness{Target: r.Target(t)}
	want := j.Target.Documented
	if i, ok := r.Initialized(t); ok {
		j.Initialized = &i
		if r.ProvesReady(i, want) {
			j.State = Enough
		}
	}
	j.Replicas, j.Known = r.Ready(t)
	switch {
	case j.State == Enough:
	case want == 0:
		j.State = Enough
	case !j.Known:
		j.Why = "no input tells how many replicas were ready"
	case j.Target.Grade == timeline.Assumed:
		j.Why = "the target is unknown: neither a scale annotation, nor config-autoscaler, nor the creation of the Deployment is in the inputs"
	case j.Replicas.Count >= want:
		j.State = Enough
	case j.Replicas.Doubtful:
		j.Why = fmt.Sprintf("the %s says %d of %d, but Pods or the PodAutoscaler were written later, without bodies", j.Replicas.Source, j.Replicas.Count, want)
	default:
		j.State = Below
	}
	return j
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

// ReadyWrites lists the writes with which a Revision turned Ready=True, in order.
// Where the state before is unknown, the write counts if the condition says
// that it changed just then: lastTransitionTime has a resolution of a second.
func ReadyWrites(r *timeline.Revision) (writes []*timeline.Write) {
	for _, w := range r.Writes {
		if !w.Became("Ready", "True") {
			continue
		}
		change := w.Moved("conditions.Ready")
		c, _ := w.After.Condition("Ready")
		if change.From == nil && r.BornBy == nil && !c.Since.IsZero() && w.Time.Sub(c.Since) > 5*time.Second {
			continue
		}
		writes = append(writes, w)
	}
	return writes
}
