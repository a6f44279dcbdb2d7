package stuckrevisionmissing

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/routereadbeforetrack"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector stuck-revision-missing.
var Detector = &detectors.Detector{
	Name:     "stuck-revision-missing",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"configuration", "revision", "reason", "since", "stuckSeconds", "explainedBy"},
	Requires: []string{routereadbeforetrack.Detector.Name},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "routes", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"},
	},
	Blind: blind,
	Run:   run,
}

const (
	// patience is how long a Route may wait for its turn when hundreds of Services
	// are created at once.
	patience = 5 * time.Minute
	// usual is how long a turn mostly takes at most.
	usual = 30 * time.Second
)

func blind(c *coverage.Coverage) []detectors.Blindness {
	return append(detectors.NeedStates(c, "serving.knative.dev", "routes", "status"),
		detectors.NeedStates(c, "serving.knative.dev", "configurations", "status")...)
}

func run(p *detectors.Pass) {
	for _, route := range p.Family.Routes {
		for _, c := range p.Family.Configurations {
			if timeline.Follows(route, c.Name) {
				examine(p, route, c)
			}
		}
	}
}

// wait is a stretch through which a Route waited for a Configuration that was
// ready.
type wait struct {
	timeline.Spell
	route, configuration timeline.Spell
	revision             string
}

func examine(p *detectors.Pass, route, c *timeline.Object) {
	longest := timeline.Longest(waits(p.Family, route, c))
	if longest == nil {
		return
	}
	explained := p.Found(routereadbeforetrack.Detector.Name, route)
	length := longest.Length()
	switch {
	case length >= patience, longest.From.IsZero(), explained != nil && !longest.Ended:
		report(p, route, c, longest, explained)
	case longest.Unsure:
		p.Rule(route, detectors.Inconclusive, "the Route waited, and the next status of it, its Configuration or its Revision is without a body in the inputs")
	case longest.Ended:
		p.Hold(route, longest.From, longest.To, fmt.Sprintf("the Route waited for %s after its Configuration was ready", length.Round(time.Millisecond)))
	case length > usual:
		p.Rule(route, detectors.Inconclusive, fmt.Sprintf("the Route has waited for %s at the end of the data, too soon to call it stuck", length.Round(time.Second)))
	}
}

// waits lists the stretches through which the Route said RevisionMissing, the
// Configuration was Ready, and so was its Revision as far as the inputs show.
func waits(f *timeline.Family, route, c *timeline.Object) (list []wait) {
	end := f.End()
	for _, r := range route.Spells(end, missing) {
		for _, ready := range c.Spells(end, named) {
			both, ok := r.Overlap(ready)
			if !ok {
				continue
			}
			revision := ready.First.State.Field("status.latestReadyRevisionName")
			for _, s := range whileReady(f, both, revision) {
				list = append(list, wait{s, r, ready, revision})
			}
		}
	}
	return list
}

// whileReady cuts a stretch down to the times in which a Revision was Ready. One
// whose status the inputs do not show does not count.
func whileReady(f *timeline.Family, s timeline.Spell, revision string) (list []timeline.Spell) {
	r := f.Find(revision, s.From)
	if r == nil || !seen(r) {
		return []timeline.Spell{s}
	}
	for _, ready := range r.Spells(f.End(), timeline.StatusIs("Ready", "True")) {
		if both, ok := s.Overlap(ready); ok {
			list = append(list, both)
		}
	}
	return list
}

func seen(r *timeline.Revision) bool {
	for _, v := range r.Views() {
		if _, ok := v.State.Condition("Ready"); ok {
			return true
		}
	}
	return false
}

// missing is the Test for a Route that waits for a Revision.
func missing(s *timeline.State) (is, known bool, since time.Time) {
	for _, typ := range []string{"AllTrafficAssigned", "Ready"} {
		c, ok := s.Condition(typ)
		known = known || ok
		if ok && c.Status != "True" && c.Reason == "RevisionMissing" {
			return true, true, c.Since
		}
	}
	return false, known || s.Whole, ready(s).Since
}

func ready(s *timeline.State) timeline.Condition {
	c, _ := s.Condition("Ready")
	return c
}

// named is the Test for a Configuration that is Ready with a Revision.
func named(s *timeline.State) (is, known bool, since time.Time) {
	c, ok := s.Condition("Ready")
	return ok && c.Status == "True" && s.Field("status.latestReadyRevisionName") != "", ok || s.Whole, c.Since
}

func report(p *detectors.Pass, route, c *timeline.Object, w *wait, explained *detectors.Finding) {
	stuck := detectors.FromView("route-write", w.route.Last)
	is := detectors.FromView("configuration-write", w.configuration.First)
	f := p.Capture(route, stuck, is)
	f.Time = w.From
	f.Severity = detectors.High
	f.Confidence = detectors.Support(w.Spell, w.route, w.configuration)
	f.Decisive = detectors.Decisive(stuck, is)
	reason := ready(w.route.First.State).Reason
	var fingerprint any
	if explained != nil {
		f.CausedBy = append(f.CausedBy, explained)
		fingerprint = explained.Fingerprint()
	}
	f.Facts = []detectors.Fact{
		{Name: "configuration", Value: c.Name},
		{Name: "revision", Value: w.revision},
		{Name: "reason", Value: detectors.Known(reason != "", reason)},
		{Name: "since", Value: detectors.Moment(w.From)},
		{Name: "stuckSeconds", Value: detectors.Lasted(w.Spell)},
		{Name: "explainedBy", Value: fingerprint},
	}
	if g := p.Gap(w.From, w.To); g != nil && !w.From.IsZero() {
		f.Confidence = detectors.Suspect
		f.Open = "whether the Route was written in between: the audit log has a gap"
	}
	f.Summary = summary(route, c, w)
}

func summary(route, c *timeline.Object, w *wait) string {
	text := fmt.Sprintf("Route %s says RevisionMissing although Configuration %s is ready with %s", route.Name, c.Name, w.revision)
	switch {
	case w.From.IsZero():
		return text + "; the snapshot does not tell how long"
	case w.Ended:
		return text + fmt.Sprintf("; that lasted for %s", w.Length().Round(time.Second))
	}
	return text + fmt.Sprintf("; that has lasted for %s at the end of the data", w.Length().Round(time.Second))
}
