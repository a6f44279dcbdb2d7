package activationstuck

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector activation-stuck.
var Detector = &detectors.Detector{
	Name:   "activation-stuck",
	Doc:    detectors.Manual(manual),
	Facts:  []string{"queuedSeconds", "desired", "ready"},
	Bodies: []coverage.ResourceKey{{Group: "autoscaling.internal.knative.dev", Resource: "podautoscalers", Subresource: "status"}},
	Blind:  blind,
	Run:    run,
}

// grace is how long the autoscaler waits beyond the progress deadline before it
// gives an activation up (knative/serving pkg/reconciler/autoscaling/kpa/scaler.go,
// activationTimeoutBuffer).
const grace = 30 * time.Second

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedStates(c, "autoscaling.internal.knative.dev", "podautoscalers", "status")
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		for _, pa := range r.PodAutoscalers {
			examine(p, r, pa)
		}
	}
}

// queued is the Test for a PodAutoscaler that reached its initial scale before and
// is being activated.
func queued(s *timeline.State) (is, known bool, since time.Time) {
	active, ok := s.Condition("Active")
	return active.Status == "Unknown" && active.Reason == "Queued" && s.Is("ScaleTargetInitialized", "True"), ok || s.Whole, active.Since
}

func examine(p *detectors.Pass, r *timeline.Revision, pa *timeline.Object) {
	longest := timeline.Longest(p.Family.Spells(pa, queued))
	if longest == nil {
		return
	}
	desired, wants := longest.Last.State.Int("status.desiredScale")
	ready, has := longest.Last.State.Int("status.actualScale")
	switch limit := r.ProgressDeadline(longest.From) + grace; {
	case longest.Length() > limit && (!has || ready == 0) && (!wants || desired > 0):
		f := report(p, r, *longest)
		f.Facts = []detectors.Fact{
			{Name: "queuedSeconds", Value: detectors.Lasted(*longest)},
			{Name: "desired", Value: detectors.Known(wants, desired)},
			{Name: "ready", Value: detectors.Known(has, ready)},
		}
	case longest.Unsure:
		p.Rule(r.Object, detectors.Inconclusive, "it was being activated, and the next status of its PodAutoscaler is without a body in the inputs")
	case longest.Ended:
		p.Hold(r.Object, longest.From, longest.To, fmt.Sprintf("an activation was over after %s", longest.Length().Round(time.Millisecond)))
	}
}

func report(p *detectors.Pass, r *timeline.Revision, s timeline.Spell) *detectors.Finding {
	proof := detectors.FromView("scale", s.First)
	f := p.Capture(r.Object, proof)
	if s.Last.Source != s.First.Source {
		f.Evidence = append(f.Evidence, detectors.FromView("scale", s.Last))
	}
	f.Time = s.From
	f.Severity = detectors.Medium
	f.Confidence = detectors.Support(s)
	f.Decisive = detectors.Decisive(proof)
	f.Summary = fmt.Sprintf("%s was queued for activation for %s", r.Name, s.Length().Round(time.Second))
	if !s.Ended {
		f.Summary += ", up to the end of the data"
	}
	return f
}
