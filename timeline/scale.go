package timeline

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Annotations that set scale, in both spellings; the first that is present
// counts (knative/serving pkg/apis/autoscaling/register.go).
var (
	initialScaleKeys = []string{"autoscaling.knative.dev/initial-scale", "autoscaling.knative.dev/initialScale"}
	minScaleKeys     = []string{"autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/minScale"}
	classKey         = "autoscaling.knative.dev/class"
)

// classKPA is the autoscaler class by default.
const classKPA = "kpa.autoscaling.knative.dev"

// Target is how many ready replicas a Revision needs before it may take
// traffic.
type Target struct {
	// Documented is the larger of initial-scale and min-scale, which the
	// documentation promises. Gate is what the autoscaler compares with: the
	// same, but without min-scale while the PodAutoscaler is Unreachable
	// (knative/serving pkg/apis/autoscaling/v1alpha1/pa_lifecycle.go, ScaleBounds;
	// pkg/reconciler/autoscaling/kpa/kpa.go, activeThreshold).
	Documented int
	Gate       int
	Initial    int    // initial-scale alone, below which the gate never falls
	Source     string // where Documented is from
	Grade      Grade
}

// Target returns the target of the Revision at t. The annotations are those of
// its PodAutoscaler, which follow the Revision's since Knative 1.21, else the
// Revision's own. Without an annotation the default of the cluster holds: as
// config-autoscaler says, else as the Deployment was created with (its replicas
// at creation are the initial scale), else the documented default of 1, which
// is an assumption.
func (r *Revision) Target(t time.Time) Target {
	initial, source, grade := r.initialScale(t)
	target := Target{Documented: initial, Gate: initial, Initial: initial, Source: source, Grade: grade}
	minimum, minSource := r.minScale(t)
	if minimum > target.Documented || minimum == target.Documented && grade == Assumed {
		target.Documented, target.Source, target.Grade = minimum, minSource, Observed
	}
	if minimum > target.Gate && !r.Unreachable(t) {
		target.Gate = minimum
	}
	return target
}

func (r *Revision) initialScale(t time.Time) (int, string, Grade) {
	if n, key, ok := r.annotation(t, initialScaleKeys); ok {
		return n, "annotation " + key, Observed
	}
	if value, known := r.Family.Cluster.Setting("config-autoscaler", "initial-scale", t); known {
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			return n, "config-autoscaler initial-scale", Observed
		}
		return 1, "default of config-autoscaler initial-scale", Observed
	}
	for _, d := range r.Deployments {
		if d.BornBy == nil {
			continue
		}
		if n, ok := d.BornBy.After.Int("spec.replicas"); ok {
			return n, "replicas the Deployment was created with", Inferred
		}
	}
	return 1, "documented default of initial-scale", Assumed
}

func (r *Revision) minScale(t time.Time) (int, string) {
	if n, key, ok := r.annotation(t, minScaleKeys); ok {
		return n, "annotation " + key
	}
	if value, known := r.Family.Cluster.Setting("config-autoscaler", "min-scale", t); known {
		if n, err := strconv.Atoi(value); err == nil {
			return n, "config-autoscaler min-scale"
		}
	}
	return 0, ""
}

// annotation returns a scale annotation as valid at t.
func (r *Revision) annotation(t time.Time, keys []string) (n int, key string, ok bool) {
	for state := range r.annotated(t) {
		for _, key := range keys {
			value, has := state.Annotations.Find(key)
			if !has || r.dropped(key, t) && !r.holds(state, t) {
				continue
			}
			if n, ok := scaleOf(value); ok {
				return n, strings.TrimPrefix(key, "autoscaling.knative.dev/"), true
			}
		}
	}
	return 0, "", false
}

// scaleOf reads the value of a scale annotation; ok is false if it is none.
func scaleOf(value string) (n int, ok bool) {
	n, err := strconv.Atoi(value)
	return n, err == nil && n >= 0
}

// dropped reports whether the last write up to t that changed an annotation of the
// Revision removed it.
func (r *Revision) dropped(key string, t time.Time) bool {
	path := annotation + key + "]"
	w := r.moves(path).upTo(t)
	return w != nil && w.Moved(path).To == nil
}

// holds reports whether a state is that of the PodAutoscaler or the Revision at t.
func (r *Revision) holds(s *State, t time.Time) bool {
	return r.At(t) == s || slices.ContainsFunc(r.PodAutoscalers, func(o *Object) bool { return o.At(t) == s })
}

// annotated returns the states whose annotations may tell the scale, best
// first: the PodAutoscaler at t, the Revision at t, then any state of the
// Revision, whose annotations hardly ever change. Of those only the first are there
// that tell something.
func (r *Revision) annotated(t time.Time) iter.Seq[*State] {
	return func(yield func(*State) bool) {
		for _, o := range r.PodAutoscalers {
			if s := o.At(t); s != nil && len(s.Annotations) > 0 && !yield(s) {
				return
			}
		}
		if s := r.At(t); s != nil && len(s.Annotations) > 0 && !yield(s) {
			return
		}
		for _, s := range r.index().annotated {
			if !yield(s) {
				return
			}
		}
	}
}

// Unreachable reports whether the PodAutoscaler was marked Unreachable at t,
// that is, whether the autoscaler passed over min-scale.
func (r *Revision) Unreachable(t time.Time) bool {
	for _, pa := range r.PodAutoscalers {
		if pa.At(t).Field("spec.reachability") == "Unreachable" {
			return true
		}
	}
	return false
}

// Class returns the autoscaler class.
func (r *Revision) Class(t time.Time) string {
	for state := range r.annotated(t) {
		if class := state.Annotations.Get(classKey); class != "" {
			return class
		}
	}
	return classKPA
}

// Initialization is the moment the autoscaler declared that the initial scale
// was reached: ScaleTargetInitialized turned True, for good.
type Initialization struct {
	Write *Write // the first one that shows it
	// Gate is what the autoscaler compared with at least. It is exact if Seen,
	// that is, if Write is the one that turned the condition, and it is known
	// whether the PodAutoscaler was Unreachable then, if that matters.
	Gate int
	Seen bool
}

// Initialized returns the first write that says ScaleTargetInitialized=True, if
// it or one after it came in up to t: clocks may differ, the order of an
// object's writes does not. ok is false if there is none.
func (r *Revision) Initialized(t time.Time) (i Initialization, ok bool) {
	for _, pa := range r.PodAutoscalers {
		x := pa.index()
		if x.initialized == nil || x.initializedBy.After(t) {
			continue
		}
		if !ok || x.initialized.Time.Before(i.Write.Time) {
			i, ok = r.initialization(x.initialized), true
		}
	}
	return i, ok
}

// initialization works out the gate. Where min-scale counts only if the
// PodAutoscaler was not Unreachable, the gate is not known unless that is.
func (r *Revision) initialization(w *Write) Initialization {
	initial, _, _ := r.initialScale(w.Time)
	change := w.Moved("conditions.ScaleTargetInitialized")
	i := Initialization{Write: w, Gate: initial,
		Seen: w.Subresource == "status" && change != nil && (change.From != nil || w.Before != nil && w.Before.Whole)}
	if minimum, _ := r.minScale(w.Time); i.Seen && minimum > initial {
		switch reachability, known := w.reachability(); {
		case !known:
			i.Seen = false
		case reachability != "Unreachable":
			i.Gate = minimum
		}
	}
	return i
}

// reachability returns what spec.reachability the sender of a write of a
// PodAutoscaler had: an update of the status sends the spec along, else the
// object in the answer has the spec of that time, else what was known before
// counts.
func (w *Write) reachability() (value string, known bool) {
	const path = "spec.reachability"
	if w.Subresource == "status" && w.sent != nil && !w.sent.patch && w.sent.state.SpecDigest != "" {
		return w.sent.state.Fields.Get(path), true
	}
	value = w.After.Field(path)
	return value, value != "" || w.After != nil && w.After.Whole
}

// ProvesReady reports whether the initialization proves that want replicas
// were ready: its gate was no lower, and the autoscaler counts ready Pods. That
// of class HPA counts all (knative/serving pkg/reconciler/autoscaling/hpa/hpa.go).
func (r *Revision) ProvesReady(i Initialization, want int) bool {
	return i.Gate >= want && r.CountsReady(i.Write.Time)
}

// countsReady is CountsReady at the end of the inputs.
func (r *Revision) countsReady() bool {
	r.classing.Do(func() { r.ofKPA = r.CountsReady(r.Family.Cluster.To) })
	return r.ofKPA
}

// CountsReady reports whether the autoscaler of a Revision counts ready Pods only, as
// that of class KPA does.
func (r *Revision) CountsReady(t time.Time) bool { return r.Class(t) == classKPA }
