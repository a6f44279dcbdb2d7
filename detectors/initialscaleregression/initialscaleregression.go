package initialscaleregression

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/belowinitialscaleready"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector initial-scale-regression.
var Detector = &detectors.Detector{
	Name:     "initial-scale-regression",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"wasReadyAt", "failedAt", "reason"},
	Requires: []string{belowinitialscaleready.Detector.Name},
	Bodies:   []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"}},
	Blind:    blind,
	Run:      run,
}

// longBefore is how long before it failed a Revision has to have been healthy, as
// a snapshot tells.
const longBefore = time.Minute

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedStates(c, "serving.knative.dev", "revisions", "status")
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		examine(p, r)
	}
}

func examine(p *detectors.Pass, r *timeline.Revision) {
	ready := p.Family.Spells(r.Object, timeline.StatusIs("Ready", "True"))
	first, ended := firstEnd(ready)
	for _, failed := range p.Family.Spells(r.Object, timeline.ConditionIs("Ready", neverAchieved)) {
		if p.Found(belowinitialscaleready.Detector.Name, r.Object) != nil {
			p.Rule(r.Object, detectors.Held, "it failed for its initial scale, which it had never reached: Ready=True had been written below it")
			return
		}
		if ended && !first.After(failed.From) {
			before := lastBefore(ready, failed.From)
			report(p, r, *before, failed, before.From)
			return
		}
		if healthyBefore(failed.First.State, failed.From) {
			report(p, r, failed, failed, time.Time{})
			return
		}
	}
	switch {
	case len(ready) == 0:
	case slices.ContainsFunc(ready, func(s timeline.Spell) bool { return s.Unsure }):
		p.Rule(r.Object, detectors.Inconclusive, "the Revision was Ready, and the next write of its status is without a body in the inputs")
	default:
		p.Rule(r.Object, detectors.Held, "the Revision was Ready, and was not said to have missed its initial scale later")
	}
}

// neverAchieved reports whether a condition is that of a Revision whose initial
// scale was not reached (knative/serving pkg/apis/serving/v1/revision_lifecycle.go,
// PropagateAutoscalerStatus).
func neverAchieved(c timeline.Condition) bool {
	return c.Status == "False" && c.Reason == "ProgressDeadlineExceeded" && strings.Contains(c.Message, "Initial scale was never achieved")
}

// firstEnd returns when the first of some spells ended; ok is false if none did.
func firstEnd(spells []timeline.Spell) (first time.Time, ok bool) {
	for _, s := range spells {
		if s.Ended && (!ok || s.To.Before(first)) {
			first, ok = s.To, true
		}
	}
	return first, ok
}

// lastBefore returns the last spell that ended by t, nil if there is none.
func lastBefore(spells []timeline.Spell, t time.Time) (last *timeline.Spell) {
	for i := range spells {
		if s := &spells[i]; s.Ended && !s.To.After(t) {
			last = s
		}
	}
	return last
}

// healthyBefore reports whether what a status has kept shows that the Revision was
// up, and then without traffic, long before it failed.
func healthyBefore(s *timeline.State, failed time.Time) bool {
	container, _ := s.Condition("ContainerHealthy")
	active, _ := s.Condition("Active")
	before := func(c timeline.Condition) bool {
		return !c.Since.IsZero() && failed.Sub(c.Since) >= longBefore
	}
	return container.Status == "True" && before(container) && active.Status == "False" && active.Reason == "NoTraffic" && before(active)
}

func report(p *detectors.Pass, r *timeline.Revision, before, failed timeline.Spell, wasReadyAt time.Time) {
	proof := detectors.FromView("state", failed.First)
	f := p.Capture(r.Object, proof)
	if !wasReadyAt.IsZero() {
		f.Evidence = append(f.Evidence, detectors.FromView("ready-write", before.First))
	}
	f.Time = failed.From
	f.Severity = detectors.Medium
	f.Confidence = detectors.Support(before, failed)
	if wasReadyAt.IsZero() {
		f.Confidence = detectors.Probable
	}
	f.Decisive = detectors.Decisive(proof)
	condition, _ := failed.First.State.Condition("Ready")
	f.Facts = []detectors.Fact{
		{Name: "wasReadyAt", Value: detectors.Moment(wasReadyAt)},
		{Name: "failedAt", Value: detectors.Moment(failed.From)},
		{Name: "reason", Value: condition.Reason},
	}
	f.Summary = fmt.Sprintf("%s turned Ready=False for an initial scale that was never achieved, although it had been up before", r.Name)
}
