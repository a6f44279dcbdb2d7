package latestreadylatch

import (
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// steps tells what the latch led to.
func steps(l latch, j detectors.Readiness, h harm) []detectors.Step {
	what := fmt.Sprintf("Configuration %s moved to %s", l.configuration.Name, l.revision.Name)
	if l.previous != "" {
		what += ", from " + l.previous
	}
	list := []detectors.Step{detectors.NewStep(detectors.Latch, what, detectors.FromWrite("", l.write))}
	if h.capture == nil {
		return list
	}
	list = append(list, detectors.NewStep(detectors.Traffic,
		fmt.Sprintf("the %s sent %d %% of traffic to it", h.capture.Object.Kind, h.peakTraffic), detectors.FromWrite("", h.capture)))
	if h.live != nil {
		list = append(list, detectors.NewStep(detectors.Traffic, "the Ingress was Ready with it", detectors.FromWrite("", h.live)))
	}
	if h.rolledOut != nil {
		list = append(list, detectors.NewStep(detectors.Latch, h.rolledOut.Object.Ref.Kind+" "+h.rolledOut.Object.Name+" took it for rolled out", detectors.FromWrite("", h.rolledOut)))
	}
	if h.abandoned != nil {
		to, _ := h.abandoned.Lowered("spec.replicas")
		list = append(list, detectors.NewStep(detectors.Abandoned, fmt.Sprintf("%s was scaled down to %d", l.previous, to), detectors.FromWrite("", h.abandoned)))
	}
	return append(list, users(l.revision, j.Target, h))
}

// users tells what the users of the Revision had to do with.
func users(r *timeline.Revision, target timeline.Target, h harm) detectors.Step {
	held := h.until.Sub(h.capturedAt).Round(time.Second)
	what := fmt.Sprintf("for %s too few replicas were ready", held)
	proof := detectors.FromWrite("", h.capture)
	if n, ok := r.Ready(h.until); ok && h.peakKnown {
		what = fmt.Sprintf("for %s it had at most %d of %d replicas ready; %.0f replica-seconds were missing", held, h.peakReady, target.Documented, h.deficit)
		if h.untilReason == enough {
			what = fmt.Sprintf("for %s it had fewer than %d replicas ready; %.0f replica-seconds were missing", held, target.Documented, h.deficit)
		}
		proof.Source = n.Proof
	}
	if len(h.refused) > 0 {
		what += fmt.Sprintf("; the activator refused %d requests", len(h.refused))
		proof.Source = h.refused[0].Source
	}
	proof.Time = h.until
	return detectors.NewStep(detectors.Users, what, proof)
}
