package ingressnotready

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/imagecachewedge"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector ingress-not-ready.
var Detector = &detectors.Detector{
	Name:     "ingress-not-ready",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"reason", "since", "stuckSeconds"},
	Requires: []string{imagecachewedge.Detector.Name},
	Bodies:   []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "routes", Subresource: "status"}},
	Blind:    blind,
	Run:      run,
}

// patience is how long an Ingress may take: a load balancer has to follow.
const patience = 2 * time.Minute

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedStates(c, "serving.knative.dev", "routes", "status")
}

func run(p *detectors.Pass) {
	for _, route := range p.Family.Routes {
		examine(p, route)
	}
}

// waiting is the Test for a Route whose traffic is assigned and whose Ingress is not
// ready (knative/serving pkg/apis/serving/v1/route_lifecycle.go).
func waiting(s *timeline.State) (is, known bool, since time.Time) {
	assigned, _ := s.Condition("AllTrafficAssigned")
	ingress, ok := s.Condition("IngressReady")
	is = ok && assigned.Status == "True" && ingress.Status != "True" && ingress.Reason != "RolloutInProgress"
	if since = ingress.Since; assigned.Since.After(since) {
		since = assigned.Since
	}
	return is, ok || s.Whole, since
}

func examine(p *detectors.Pass, route *timeline.Object) {
	switch longest := timeline.Longest(p.Family.Spells(route, waiting)); {
	case longest == nil:
	case longest.Length() >= patience:
		report(p, route, *longest)
	case longest.Unsure:
		p.Rule(route, detectors.Inconclusive, "the Route waited for its Ingress, and the next write of its status is without a body in the inputs")
	case longest.Ended:
		p.Hold(route, longest.From, longest.To, fmt.Sprintf("it waited for its Ingress for %s only", longest.Length().Round(time.Millisecond)))
	}
}

func report(p *detectors.Pass, route *timeline.Object, s timeline.Spell) {
	proof := detectors.FromView("route-write", s.First)
	f := p.Capture(route, proof)
	if s.Last.Source != s.First.Source {
		f.Evidence = append(f.Evidence, detectors.FromView("route-write", s.Last))
	}
	f.Time = s.From
	f.Severity = detectors.Medium
	f.Confidence = detectors.Support(s)
	f.Decisive = detectors.Decisive(proof)
	ingress, _ := s.Last.State.Condition("IngressReady")
	f.Facts = []detectors.Fact{
		{Name: "reason", Value: detectors.Known(ingress.Reason != "", ingress.Reason)},
		{Name: "since", Value: detectors.Moment(s.From)},
		{Name: "stuckSeconds", Value: detectors.Lasted(s)},
	}
	f.Summary = fmt.Sprintf("Route %s has waited for its Ingress for %s", route.Name, s.Length().Round(time.Second))
	if ingress.Reason != "" {
		f.Summary += " (" + ingress.Reason + ")"
	}
	for _, target := range timeline.Traffic(s.Last.State) {
		r := p.Family.Find(target.Revision, s.From)
		if r == nil {
			continue
		}
		if wedge := p.Found(imagecachewedge.Detector.Name, r.Object); wedge != nil && wedge.Fact("podAutoscalerExists") == any(false) {
			f.CausedBy = append(f.CausedBy, wedge)
			f.Summary += fmt.Sprintf("; %s has no PodAutoscaler, and so no Service to route to", r.Name)
			break
		}
	}
}
