package stuckrevisionmissing

import (
	_ "embed"
	"fmt"
	"strings"
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
	var ready []*readiness
	for _, c := range p.Family.Configurations {
		ready = append(ready, newReadiness(p.Family, c))
	}
	for _, route := range p.Family.Routes {
		waited := p.Family.Spells(route, missing)
		for _, c := range ready {
			if len(waited) > 0 && timeline.Follows(route, c.configuration.Name) {
				examine(p, route, waited, c)
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

func examine(p *detectors.Pass, route *timeline.Object, waited []timeline.Spell, c *readiness) {
	longest := timeline.Longest(c.waits(waited))
	if longest == nil {
		return
	}
	explained := p.Found(routereadbeforetrack.Detector.Name, route)
	length := longest.Length()
	switch {
	case length >= patience, longest.From.IsZero(), explained != nil && !longest.Ended:
		report(p, route, c.configuration, longest, explained)
	case longest.Unsure:
		p.Rule(route, detectors.Inconclusive, "the Route waited, and the next status of it, its Configuration or its Revision is without a body in the inputs")
	case longest.Ended:
		p.Hold(route, longest.From, longest.To, fmt.Sprintf("the Route waited for %s after its Configuration was ready", length.Round(time.Millisecond)))
	case length > usual:
		p.Rule(route, detectors.Inconclusive, fmt.Sprintf("the Route has waited for %s at the end of the data, too soon to call it stuck", length.Round(time.Second)))
	}
}

// readiness is when a Configuration was Ready, and with which Revision.
type readiness struct {
	family        *timeline.Family
	configuration *timeline.Object
	with          *timeline.Course
	ready         map[*timeline.Revision]*timeline.Course // when its Revisions were, nil where the inputs do not show it; as far as that was asked
}

func newReadiness(f *timeline.Family, c *timeline.Object) *readiness {
	var with []timeline.Spell
	for _, named := range f.SpellsBy(c, timeline.ReadyWith) {
		with = append(with, named.Spell)
	}
	return &readiness{f, c, timeline.CourseOf(with), map[*timeline.Revision]*timeline.Course{}}
}

// waits lists the stretches through which a Route said RevisionMissing, the
// Configuration was Ready, and so was its Revision as far as the inputs show.
func (c *readiness) waits(missing []timeline.Spell) (list []wait) {
	for _, w := range missing {
		for _, n := range c.with.Beside(w) {
			name, _, _ := timeline.ReadyWith(n.First.State)
			both, ok := w.Overlap(n)
			if !ok || !concerns(w.Last.State, c.configuration.Name, name) {
				continue
			}
			ready := c.readyOf(c.family.Find(name, both.From))
			if ready == nil {
				list = append(list, wait{both, w, n, name})
				continue
			}
			for _, s := range ready.Beside(both) {
				if all, ok := both.Overlap(s); ok {
					list = append(list, wait{all, w, n, name})
				}
			}
		}
	}
	return list
}

// readyOf returns when a Revision was Ready, nil if the inputs do not show it.
func (c *readiness) readyOf(r *timeline.Revision) *timeline.Course {
	if r == nil {
		return nil
	}
	ready, known := c.ready[r]
	if !known {
		if seen(r) {
			ready = timeline.CourseOf(c.family.Spells(r.Object, timeline.StatusIs("Ready", "True")))
		}
		c.ready[r] = ready
	}
	return ready
}

func seen(r *timeline.Revision) bool {
	for _, v := range r.Views() {
		if _, ok := v.State.Condition("Ready"); ok {
			return true
		}
	}
	return false
}

// concerns reports whether what a Route says is missing is the ready Revision of a
// Configuration. It uses one reason for several situations, such as a Revision that
// was deleted and is still named in its spec; the message tells them apart
// (knative/serving pkg/reconciler/route/traffic/errors.go).
func concerns(s *timeline.State, configuration, revision string) bool {
	for _, typ := range []string{"AllTrafficAssigned", "Ready"} {
		c, _ := s.Condition(typ)
		switch {
		case c.Reason != "RevisionMissing" || c.Message == "":
		case strings.Contains(c.Message, "not found"):
			return false
		default:
			return strings.Contains(c.Message, fmt.Sprintf("%q", configuration)) || strings.Contains(c.Message, fmt.Sprintf("%q", revision))
		}
	}
	return true
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
