package skippedreconcilepa

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector skipped-reconcile-pa.
var Detector = &detectors.Detector{
	Name:  "skipped-reconcile-pa",
	Doc:   detectors.Manual(manual),
	Facts: []string{"variant", "phase", "reason", "code", "attempts", "firstAt", "lastAt", "consequence"},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"},
		{Group: "autoscaling.internal.knative.dev", Resource: "podautoscalers"},
	},
	Blind: blind,
	Run:   run,
}

func blind(c *coverage.Coverage) []detectors.Blindness {
	const needs = "the controller's log, or audit events of images.caching.internal.knative.dev and podautoscalers.autoscaling.internal.knative.dev, or Events of Revisions"
	for _, r := range c.Resources {
		switch r.ResourceKey {
		case coverage.ResourceKey{Group: "caching.internal.knative.dev", Resource: "images"},
			coverage.ResourceKey{Group: "autoscaling.internal.knative.dev", Resource: "podautoscalers"}:
			return nil
		}
		if r.Resource == "events" && r.Levels["Request"]+r.Levels["RequestResponse"] > 0 {
			return nil
		}
	}
	if c.Records(coverage.ControllerLog, coverage.Events) > 0 {
		return nil
	}
	return []detectors.Blindness{{Needs: needs, Reason: "none of them is in the inputs", Total: true}}
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		passes := passesOf(r)
		if len(passes) == 0 {
			passes = fromEvents(p.Family, r)
		}
		if len(passes) > 0 {
			report(p, r, passes)
			continue
		}
		switch {
		case completed(r) != nil:
			p.Rule(r.Object, detectors.Held, "no pass that was seen to its end ended at the image cache or inside reconcilePA")
		case propagated(r) == nil:
		case len(blind(p.Coverage)) == 0 && detectors.RequestsSeen(r):
			p.Rule(r.Object, detectors.Held, "the status shows that reconcilePA was reached, and no request of the reconciler was refused")
		default:
			p.Rule(r.Object, detectors.Inconclusive, "neither the controller's log nor requests to the Revision's Images and PodAutoscaler are in the inputs")
		}
	}
}

// completed returns a reconcile that went through, nil if none was seen.
func completed(r *timeline.Revision) *timeline.Attempt {
	for _, a := range r.Attempts {
		if !a.End.IsZero() && !a.Failed {
			return a
		}
	}
	return nil
}

// propagated returns a status write with the condition Active, which only
// reconcilePA sets (knative/serving pkg/apis/serving/v1/revision_lifecycle.go,
// PropagateAutoscalerStatus).
func propagated(r *timeline.Revision) *timeline.Write {
	for _, w := range r.Writes {
		if _, ok := w.After.Condition("Active"); ok && w.BodySeen {
			return w
		}
	}
	return nil
}

func report(p *detectors.Pass, r *timeline.Revision, passes []pass) {
	turns := detectors.TurnsOf(r)
	chosen := worst(turns, passes)
	alike := passes[:0:0]
	for _, s := range passes {
		if s.variant == chosen.variant && s.phase == chosen.phase {
			alike = append(alike, s)
		}
	}
	first, attempts, lastAt := alike[0], 0, time.Time{}
	for _, s := range alike {
		attempts += s.count
		for _, t := range []time.Time{s.time, s.last} {
			if t.After(lastAt) {
				lastAt = t
			}
		}
	}
	consequence, severity := judge(p, r, turns, chosen, passes)
	evidence := first.evidence()
	if chosen != first {
		evidence = append(evidence, chosen.evidence()...)
	}
	if chosen.ready != nil {
		evidence = append(evidence, detectors.FromWrite("ready-write", chosen.ready))
	}
	f := p.Capture(r.Object, evidence[0], evidence[1:]...)
	f.Time = first.time
	f.Severity = severity
	f.Confidence = confidence(alike, chosen)
	f.Decisive = []string{first.id(), chosen.id()}
	f.Facts = []detectors.Fact{
		{Name: "variant", Value: chosen.variant},
		{Name: "phase", Value: chosen.phase},
		{Name: "reason", Value: detectors.Known(chosen.reason != "", chosen.reason)},
		{Name: "code", Value: detectors.Known(chosen.code != 0, chosen.code)},
		{Name: "attempts", Value: attempts},
		{Name: "firstAt", Value: detectors.Moment(first.time)},
		{Name: "lastAt", Value: detectors.Moment(lastAt)},
		{Name: "consequence", Value: detectors.Known(consequence != "", consequence)},
	}
	f.Steps = steps(r, chosen)
	f.Summary = summary(r, chosen, attempts, consequence, severity)
}

// worst picks the pass that the finding is about: the one that wrote
// Ready=True, else the first.
func worst(turns *detectors.Turns, passes []pass) pass {
	for _, s := range passes {
		if s.ready != nil && turns.Judge(s.ready).State == detectors.Below {
			return s
		}
	}
	for _, s := range passes {
		if s.ready != nil {
			return s
		}
	}
	return passes[0]
}

// judge tells what the pass led to; consequence is empty where the inputs do
// not show what it wrote. What is not known to be wrong is not called critical.
func judge(p *detectors.Pass, r *timeline.Revision, turns *detectors.Turns, s pass, passes []pass) (consequence string, severity detectors.Severity) {
	switch {
	case s.ready != nil:
		switch turns.Judge(s.ready).State {
		case detectors.Below:
			return "ready-write", detectors.Critical
		case detectors.Enough:
			return "ready-write", detectors.Low
		}
		return "ready-write", detectors.Medium
	case s.fromEvent:
		return "", detectors.Low
	case readyUnexplained(r), unseenReady(r), hidden(r) && latchedUnseen(r):
		return "", detectors.Medium
	case hidden(r), lost(r, passes), p.Gap(passes[0].time, r.Gone) != nil:
		return "", detectors.Low
	}
	return "none", detectors.Info
}

// lost reports whether a write of the Revision that is missing in the inputs may
// be what one of some passes wrote.
func lost(r *timeline.Revision, passes []pass) bool {
	return slices.ContainsFunc(passes, func(s pass) bool { return !s.wrote && r.Lost(s.time, s.time.Add(within)) })
}

// readyUnexplained reports whether the Revision turned Ready without ever having
// heard of the autoscaler (condition Active): a pass that ended early wrote that,
// if not one of those that are known.
func readyUnexplained(r *timeline.Revision) bool {
	return slices.ContainsFunc(r.ReadyWrites(), func(w *timeline.Write) bool {
		_, heard := w.After.Condition("Active")
		return !heard
	})
}

// unseenReady reports whether the Revision turned Ready by a write that is not in
// the inputs, as the status of its Configuration tells.
func unseenReady(r *timeline.Revision) bool {
	return len(r.ReadyWrites()) == 0 && r.Covered() && detectors.NamedReady(r)
}

// hidden reports whether the Revision's status was written, or may have been,
// in a way that does not show what was written.
func hidden(r *timeline.Revision) bool {
	seen := false
	for _, w := range r.Writes {
		if w.Subresource != "status" {
			continue
		}
		seen = seen || w.Took()
		if w.Hidden() {
			return true
		}
	}
	return !seen
}

// latchedUnseen reports whether the Configuration took the Revision for ready,
// as an Event tells, although no reconcile of it is known to have gone through.
func latchedUnseen(r *timeline.Revision) bool {
	n := detectors.Announced(r)
	return n != nil && !slices.ContainsFunc(r.Attempts, func(a *timeline.Attempt) bool {
		return a.Line("Reconciling PA:") != nil && !a.Failed && a.Begin.Before(n.Time)
	})
}

func confidence(alike []pass, chosen pass) detectors.Confidence {
	logged, requested := chosen.attempt != nil, chosen.refused != nil
	for _, s := range alike {
		logged = logged || s.attempt != nil
		requested = requested || s.refused != nil
	}
	switch {
	case chosen.fromEvent:
		return detectors.Probable
	case logged && requested, chosen.ready != nil && logged:
		return detectors.Confirmed
	}
	return detectors.Strong
}

func summary(r *timeline.Revision, s pass, attempts int, consequence string, severity detectors.Severity) string {
	what := "reconcilePA was not reached: the pass ended at the image cache"
	if s.variant == aborted {
		what = "reconcilePA was aborted by an error on the PodAutoscaler"
	}
	if s.reason != "" {
		what += fmt.Sprintf(" (%s)", s.reason)
	}
	same := "the same pass"
	if attempts > 1 {
		what += fmt.Sprintf(", %d passes", attempts)
		same = "one of them"
	}
	switch {
	case severity == detectors.Critical:
		return fmt.Sprintf("%s: %s, and %s wrote Ready=True", r.Name, what, same)
	case consequence == "ready-write" && severity == detectors.Low:
		return fmt.Sprintf("%s: %s; the Ready=True it wrote was right", r.Name, what)
	case consequence == "ready-write":
		return fmt.Sprintf("%s: %s, and %s wrote Ready=True; whether enough replicas were ready is not known", r.Name, what, same)
	case consequence == "none":
		return fmt.Sprintf("%s: %s; Ready was left alone", r.Name, what)
	}
	return fmt.Sprintf("%s: %s; what it wrote to the status is not in the inputs", r.Name, what)
}

// at orders passes.
func at(a, b pass) int { return a.time.Compare(b.time) }

// within is how soon after a refused request the same pass writes its status and
// ends.
const within = time.Second
