package imagecachewedge

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

// Detector is the detector image-cache-wedge.
var Detector = &detectors.Detector{
	Name:     "image-cache-wedge",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"attempts", "reason", "podAutoscalerExists"},
	Requires: []string{skippedreconcilepa.Detector.Name},
	Bodies:   skippedreconcilepa.Detector.Bodies,
	Blind:    skippedreconcilepa.Detector.Blind,
	Run:      run,
}

const (
	// repeated is from how many refused passes on a Revision counts as wedged: retries
	// begin 5 ms apart and double, and five come within 200 ms.
	repeated = 5
	// lasting is how long that has to go on: a storm of AlreadyExists while a cache
	// lags behind is over within seconds.
	lasting = 30 * time.Second
)

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		skip := p.Found(skippedreconcilepa.Detector.Name, r.Object)
		if skip == nil || skip.Fact("phase") != "image-cache" {
			continue
		}
		attempts, _ := skip.Fact("attempts").(int)
		last, _ := skip.Fact("lastAt").(time.Time)
		by := passed(r, last)
		lasted := p.Family.Cluster.End().Sub(skip.Time)
		switch {
		case by != "":
			p.Rule(r.Object, detectors.Held, fmt.Sprintf("after %d refused passes %s", attempts, by))
		case attempts < repeated:
		case !shown(p.Coverage, r):
			p.Rule(r.Object, detectors.Inconclusive, "its image cache was refused again and again, and whether a pass got further later is not in the inputs: neither the controller's log, nor the status of the Revision with bodies, nor a lack of its PodAutoscaler")
		case lasted < lasting:
			p.Rule(r.Object, detectors.Inconclusive, fmt.Sprintf("its image cache was refused again and again, but the data ends %s after it was first", lasted.Round(time.Millisecond)))
		default:
			report(p, r, skip, attempts)
		}
	}
}

// shown reports whether the inputs would show that a pass got further: by the log of
// the reconciler, by a status with its body, or by the PodAutoscaler, which the first
// pass that gets there creates.
func shown(c *coverage.Coverage, r *timeline.Revision) bool {
	status := slices.ContainsFunc(r.Writes, func(w *timeline.Write) bool { return w.Subresource == "status" && w.BodySeen })
	return len(r.Attempts) > 0 || status || autoscaler(c, r) == any(false)
}

// passed tells what shows that a reconcile got past the image cache after a
// moment, "" if nothing does.
func passed(r *timeline.Revision, t time.Time) string {
	for _, o := range r.Images {
		if o.BornBy != nil && o.BornBy.Time.After(t) {
			return "the Image was created"
		}
	}
	for _, pa := range r.PodAutoscalers {
		for _, w := range pa.Writes {
			if w.Took() && w.Subresource == "" && w.Actor.Component == "controller" && w.Time.After(t) {
				return "its PodAutoscaler was written"
			}
		}
	}
	for _, a := range r.Attempts {
		if l := a.Line("Reconciling PA: "); l != nil && l.Time.After(t) {
			return "a reconcile came to the PodAutoscaler"
		}
	}
	if slices.ContainsFunc(r.Writes, func(w *timeline.Write) bool {
		_, heard := w.After.Condition("Active")
		return w.BodySeen && w.Subresource == "status" && w.Time.After(t) && heard && w.Moved("status.actualReplicas") != nil
	}) {
		return "a status with what the autoscaler says was written"
	}
	return ""
}

func report(p *detectors.Pass, r *timeline.Revision, skip *detectors.Finding, attempts int) {
	i := slices.IndexFunc(skip.Evidence, func(e detectors.Evidence) bool { return e.Role == "image-create" || e.Role == "phase-error" })
	if i < 0 {
		return
	}
	f := p.Capture(r.Object, skip.Evidence[i])
	f.Time = skip.Time
	f.Severity = detectors.Medium
	f.Confidence = skip.Confidence
	f.Decisive = detectors.Decisive(skip.Evidence[i])
	f.CausedBy = []*detectors.Finding{skip}
	exists := autoscaler(p.Coverage, r)
	f.Facts = []detectors.Fact{
		{Name: "attempts", Value: attempts},
		{Name: "reason", Value: skip.Fact("reason")},
		{Name: "podAutoscalerExists", Value: exists},
	}
	f.Summary = fmt.Sprintf("%s is wedged at its image cache: %d passes were refused, and none got further", r.Name, attempts)
	if reason, ok := skip.Fact("reason").(string); ok {
		f.Summary += " (" + reason + ")"
	}
	if exists == any(false) {
		f.Summary += "; it has no PodAutoscaler"
	}
}

// autoscaler tells whether the PodAutoscaler of a Revision exists, nil if that is
// unknown.
func autoscaler(c *coverage.Coverage, r *timeline.Revision) any {
	for _, pa := range r.PodAutoscalers {
		if pa.Gone.IsZero() && (len(pa.Sightings) > 0 || slices.ContainsFunc(pa.Writes, (*timeline.Write).Took)) {
			return true
		}
	}
	if r.Covered() && c.Resource("autoscaling.internal.knative.dev", "podautoscalers", "") != nil {
		return false
	}
	return nil
}
