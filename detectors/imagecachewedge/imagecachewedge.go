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

// repeated is from how many refused passes on a Revision counts as wedged: retries
// begin 5 ms apart and double, and five come within 200 ms.
const repeated = 5

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		skip := p.Found(skippedreconcilepa.Detector.Name, r.Object)
		if skip == nil || skip.Fact("phase") != "image-cache" {
			continue
		}
		attempts, _ := skip.Fact("attempts").(int)
		last, _ := skip.Fact("lastAt").(time.Time)
		if by := passed(r, last); by != "" {
			p.Rule(r.Object, detectors.Held, fmt.Sprintf("after %d refused passes %s", attempts, by))
		} else if attempts >= repeated {
			report(p, r, skip, attempts, last)
		}
	}
}

// passed tells what shows that a reconcile got past the image cache after a
// moment, "" if nothing does.
func passed(r *timeline.Revision, t time.Time) string {
	for _, o := range r.Images {
		if o.BornBy != nil && o.BornBy.Time.After(t) {
			return "the Image was created"
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

func report(p *detectors.Pass, r *timeline.Revision, skip *detectors.Finding, attempts int, last time.Time) {
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
	exists := autoscaler(p.Coverage, r, last)
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

// autoscaler tells whether the PodAutoscaler of a Revision existed at t, nil if
// that is unknown.
func autoscaler(c *coverage.Coverage, r *timeline.Revision, t time.Time) any {
	for _, pa := range r.PodAutoscalers {
		if len(pa.Sightings) > 0 || pa.Exists(t) && slices.ContainsFunc(pa.Writes, (*timeline.Write).Took) {
			return true
		}
	}
	if r.Covered() && c.Resource("autoscaling.internal.knative.dev", "podautoscalers", "") != nil {
		return false
	}
	return nil
}
