package belowinitialscaleready

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/skippedreconcilepa"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector below-initial-scale-ready.
var Detector = &detectors.Detector{
	Name: "below-initial-scale-ready",
	Doc:  detectors.Manual(manual),
	Facts: []string{"readyReplicas", "readyReplicasSource", "initialScale", "gateScale", "scaleSource",
		"scaleTargetInitialized", "cause", "revertedAt"},
	Requires: []string{skippedreconcilepa.Detector.Name},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"},
		{Group: "autoscaling.internal.knative.dev", Resource: "podautoscalers", Subresource: "status"},
	},
	Blind: blind,
	Run:   run,
}

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "serving.knative.dev", "revisions", "status")
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		examine(p, r)
	}
}

func examine(p *detectors.Pass, r *timeline.Revision) {
	turns := detectors.TurnsOf(r)
	for _, w := range r.ReadyWrites() {
		j := turns.Judge(w)
		switch j.State {
		case detectors.Below:
			report(p, r, w, j)
			return
		case detectors.Enough:
			p.Hold(r.Object, time.Time{}, w.Time, fmt.Sprintf("Ready=True was written at %s", ratio(j)))
			return // once reached, the initial scale no longer counts
		}
		p.Rule(r.Object, detectors.Inconclusive, "Ready=True was written, but "+j.Why)
	}
	if w := detectors.ReadyUnseen(r); w != nil {
		p.Rule(r.Object, detectors.Inconclusive, "the Revision turned Ready=True, but the write that says so is not in the inputs")
		return
	}
	if w := r.HiddenStatus(); w != nil {
		p.Rule(r.Object, detectors.Inconclusive, hiddenReason(w))
		return
	}
	waited(p, r)
}

func ratio(j detectors.Readiness) string {
	if !j.Known || j.Replicas.Count < j.Target.Documented {
		return fmt.Sprintf("a scale the autoscaler had declared reached (target %d)", j.Target.Documented)
	}
	return fmt.Sprintf("%d of %d", j.Replicas.Count, j.Target.Documented)
}

func hiddenReason(w *timeline.Write) string {
	switch {
	case w.Outcome == timeline.Failed:
		return fmt.Sprintf("a write of the status was answered with %d: whether it took effect is not known", w.Code)
	case w.Outcome == timeline.Unanswered:
		return "a write of the status has no answer in the inputs"
	case w.Truncated:
		return "the API server removed the body of a status write (audit.k8s.io/truncated)"
	}
	return fmt.Sprintf("status writes of the Revision are logged at level %s, without bodies", w.Level)
}

// waited rules on a Revision that never turned Ready although some of its
// replicas were. One of before the inputs' begin may have been Ready then.
func waited(p *detectors.Pass, r *timeline.Revision) {
	if !r.Covered() || !slices.ContainsFunc(r.Writes, func(w *timeline.Write) bool { return w.BodySeen && w.Subresource == "status" }) {
		return
	}
	end := p.Family.Cluster.To
	missing := r.Broken(time.Time{}, end) || detectors.NamedReady(r) || detectors.Announced(r) != nil
	since, n, want, ok := detectors.PartlyReady(r)
	if !ok {
		return
	}
	text := fmt.Sprintf("%d of %d replicas were ready, and ", n.Count, want.Documented)
	switch left := end.Sub(since); {
	case missing:
		p.Rule(r.Object, detectors.Inconclusive, text+"writes of the Revision's status are missing in the inputs")
	case left < detectors.Reaction && r.Gone.IsZero():
		p.Rule(r.Object, detectors.Inconclusive, text+fmt.Sprintf("the audit log ends %s later", left.Round(time.Millisecond)))
	default:
		p.Rule(r.Object, detectors.Held, text+"Ready=True was not written")
	}
}

func report(p *detectors.Pass, r *timeline.Revision, w *timeline.Write, j detectors.Readiness) {
	c := causeOf(p, r, w, j)
	f := p.Capture(r.Object, detectors.FromWrite("ready-write", w),
		detectors.Evidence{Role: "scale", Time: j.Replicas.Time, Source: j.Replicas.Proof})
	if c.skip != nil {
		f.CausedBy = append(f.CausedBy, c.skip)
		for _, e := range c.skip.Evidence {
			if e.Role != "ready-write" && !e.Time.After(w.Time.Add(time.Second)) {
				f.Evidence = append(f.Evidence, e)
			}
		}
	}
	if j.Initialized != nil {
		f.Evidence = append(f.Evidence, detectors.FromWrite("scale", j.Initialized.Write))
	}
	f.Time = w.Time
	f.Severity = detectors.Critical
	f.Confidence = confidence(r, w, j, c.skip)
	f.Decisive = []string{w.Source.AuditID}
	f.Facts = []detectors.Fact{
		{Name: "readyReplicas", Value: j.Count()},
		{Name: "readyReplicasSource", Value: detectors.Known(j.Known, j.Replicas.Source)},
		{Name: "initialScale", Value: j.Target.Documented},
		{Name: "gateScale", Value: gate(j)},
		{Name: "scaleSource", Value: j.Target.Source},
		{Name: "scaleTargetInitialized", Value: initialized(r, w.Began())},
		{Name: "cause", Value: c.name},
		{Name: "revertedAt", Value: detectors.Moment(reverted(r, w))},
	}
	f.Summary = fmt.Sprintf("%s was written Ready=True with %d of %d replicas ready%s",
		r.Name, j.Replicas.Count, j.Target.Documented, because[c.name])
	f.Steps = steps(p, r, w, j, c)
	if c.name == unknown {
		f.Hypotheses = hypotheses(p, r, w, j)
	}
}

var because = map[string]string{
	skippedPhase: ": the pass that wrote it never heard the autoscaler's verdict",
	gateGap:      ": this release does not wait for the autoscaler's verdict",
	gateCollapse: ": the autoscaler had passed over min-scale and declared the scale reached",
	unknown:      "; the inputs do not show why",
}

// gate returns the number the controller's gate compared with: at the
// autoscaler's declaration if there was one, else at the write.
func gate(j detectors.Readiness) int {
	if j.Initialized != nil {
		return j.Initialized.Gate
	}
	return j.Target.Gate
}

// cameThrough reports whether the log shows that the pass which wrote w went
// through all phases.
func cameThrough(r *timeline.Revision, w *timeline.Write) bool {
	return slices.ContainsFunc(r.Attempts, func(a *timeline.Attempt) bool {
		return !a.End.IsZero() && !a.Failed && slices.Contains(a.Writes, w)
	})
}

// initialized returns the condition ScaleTargetInitialized at t, nil where no
// PodAutoscaler status is known.
func initialized(r *timeline.Revision, t time.Time) any {
	if _, ok := r.Initialized(t); ok {
		return true
	}
	for _, pa := range r.PodAutoscalers {
		if s := pa.At(t); s != nil && (s.Whole || len(s.Conditions) > 0) {
			return false
		}
	}
	return nil
}

// reverted returns when Ready left True again.
func reverted(r *timeline.Revision, w *timeline.Write) time.Time {
	for _, later := range r.Writes {
		if later.Time.Before(w.Time) || later == w || later.Outcome != timeline.Applied {
			continue
		}
		if c, ok := later.After.Condition("Ready"); ok && c.Status != "True" {
			return later.Time
		}
	}
	return time.Time{}
}

func confidence(r *timeline.Revision, w *timeline.Write, j detectors.Readiness, skip *detectors.Finding) detectors.Confidence {
	switch {
	case skip != nil && skip.Confidence == detectors.Confirmed, r.Sources(w.Began()) > 1:
		return detectors.Confirmed
	case j.Replicas.Proof == w.Source:
		return detectors.Probable
	}
	return detectors.Strong
}
