package belowinitialscaleready

import (
	"fmt"
	"slices"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/skippedreconcilepa"
	"github.com/knforensics/knforensics/timeline"
)

// The causes of a Ready=True below the target.
const (
	skippedPhase = "skipped-phase"
	gateGap      = "known-gate-gap"
	gateCollapse = "gate-collapse"
	unknown      = "unknown"
)

// hpaGate is a hypothesis only: the gate of class HPA counts Pods that are not ready
// (knative/serving pkg/reconciler/autoscaling/hpa/hpa.go).
const hpaGate = "hpa-gate"

// cause is why Ready=True was written too early.
type cause struct {
	name string
	skip *detectors.Finding // the pass that ended early and wrote it, nil if that is not the cause
}

// causeOf tells why a write turned a Revision Ready below its target. A collapsed
// gate suffices alone, and counts before a skipped phase; so does the release that
// asks no gate.
func causeOf(p *detectors.Pass, r *timeline.Revision, w *timeline.Write, j detectors.Readiness) cause {
	skip := p.Found(skippedreconcilepa.Detector.Name, r.Object)
	suspected := skip != nil && skip.Fact("consequence") == nil
	if skip != nil && (!skip.Has("ready-write", w.Source) || harmless(skip, p.Family.Release())) {
		skip = nil
	}
	_, heard := w.After.Condition("Active")
	gap := heard && initialized(r, w.Began()) == any(false) && p.Family.Release().May(timeline.ClassB)
	switch {
	case collapsed(j):
		return cause{gateCollapse, skip}
	case skip != nil:
		return cause{skippedPhase, skip}
	case gap && (cameThrough(r, w) || !suspected && detectors.RequestsSeen(r)):
		return cause{name: gateGap}
	}
	return cause{name: unknown}
}

// collapsed reports whether the autoscaler declared the scale reached for a gate
// below the target.
func collapsed(j detectors.Readiness) bool {
	return j.Initialized != nil && j.Initialized.Seen && j.Initialized.Gate < j.Target.Documented
}

// harmless reports whether a pass that was aborted by a conflict cannot have been
// the cause: from 1.21 the status is copied before the PodAutoscaler is updated
// (knative/serving#16186).
func harmless(skip *detectors.Finding, release timeline.Release) bool {
	return skip.Fact("variant") == any("aborted") && skip.Fact("reason") == any("Conflict") && slices.Equal(release.Classes, []timeline.Class{timeline.ClassD})
}

// hypotheses lists the causes that the inputs do not exclude, and what would settle
// each. A status without the condition Active was written by a pass that never came
// to what the autoscaler says: then neither the release nor the gate is to blame.
func hypotheses(p *detectors.Pass, r *timeline.Revision, w *timeline.Write, j detectors.Readiness) (list []detectors.Hypothesis) {
	release := p.Family.Release()
	_, heard := w.After.Condition("Active")
	if !cameThrough(r, w) && !(release.Known() && release.May(timeline.ClassA)) {
		list = append(list, detectors.Hypothesis{Cause: skippedPhase,
			SettledBy: "the log of Knative's controller, or audit events of images.caching.internal.knative.dev and podautoscalers.autoscaling.internal.knative.dev"})
	}
	declared := initialized(r, w.Began())
	if heard && declared != any(true) && release.May(timeline.ClassB) {
		list = append(list, detectors.Hypothesis{Cause: gateGap,
			SettledBy: "the release: a snapshot of the Deployments in knative-serving, or --knative-version"})
	}
	if heard && declared != any(false) && j.Target.Initial < j.Target.Documented {
		list = append(list, detectors.Hypothesis{Cause: gateCollapse,
			SettledBy: "audit events of podautoscalers and podautoscalers/status with bodies"})
	}
	if heard && declared == any(true) && !r.CountsReady(w.Began()) {
		list = append(list, detectors.Hypothesis{Cause: hpaGate, SettledBy: "audit events of pods/status with bodies"})
	}
	return list
}

// steps tells what led from the cause to the write.
func steps(p *detectors.Pass, r *timeline.Revision, w *timeline.Write, j detectors.Readiness, c cause) (list []detectors.Step) {
	switch c.name {
	case gateCollapse:
		list = collapse(r, j)
	case gateGap:
		what := "the release does not wait for the autoscaler's verdict"
		proof := detectors.FromWrite("", w)
		if release := p.Family.Release(); release.Version != "" && release.Known() {
			what = fmt.Sprintf("Knative %s does not wait for the autoscaler's verdict", release.Version)
			if told := release.Signs[0].Source; told != (timeline.Source{}) { // else it was given
				proof = detectors.Evidence{Source: told}
			}
		}
		list = append(list, detectors.NewStep(detectors.Gate, what, proof))
	}
	what := fmt.Sprintf("Ready=True was written at %d of %d", j.Replicas.Count, j.Target.Documented)
	return append(list, detectors.NewStep(detectors.ReadyWrite, what, detectors.FromWrite("", w)))
}

// collapse tells how the gate of a Revision fell to less than its target.
func collapse(r *timeline.Revision, j detectors.Readiness) (list []detectors.Step) {
	by := j.Initialized.Write.Time
	for _, v := range r.Views() {
		c, ok := v.State.Condition("ResourcesAvailable")
		if ok && c.Status == "False" && v.Write != nil && !v.Time.After(by) {
			list = append(list, detectors.NewStep(detectors.Trigger, fmt.Sprintf("no Pod was available: %s", c.Reason), detectors.FromView("", v)))
			break
		}
	}
	for _, pa := range r.PodAutoscalers {
		for _, w := range pa.Writes {
			if c := w.Moved("spec.reachability"); c != nil && c.To != nil && *c.To == "Unreachable" && w.Outcome == timeline.Applied && !w.Time.After(by) {
				list = append(list, detectors.NewStep(detectors.Gate, "the PodAutoscaler was marked Unreachable, so that min-scale did not count", detectors.FromWrite("", w)))
				break
			}
		}
	}
	what := fmt.Sprintf("the autoscaler declared the initial scale reached at %d, where %d is promised", j.Initialized.Gate, j.Target.Documented)
	return append(list, detectors.NewStep(detectors.Gate, what, detectors.FromWrite("", j.Initialized.Write)))
}
