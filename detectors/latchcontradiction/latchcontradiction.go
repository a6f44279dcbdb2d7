package latchcontradiction

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/latestreadylatch"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector latch-contradiction.
var Detector = &detectors.Detector{
	Name:     "latch-contradiction",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"revision", "revisionReady", "since", "trafficPercent"},
	Requires: []string{latestreadylatch.Detector.Name},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"},
	},
	Blind: blind,
	Run:   run,
}

// patience is how long the two may disagree: a reconcile takes 30 s at most
// (knative/pkg reconciler/reconcile_common.go), and has to be queued.
const patience = time.Minute

func blind(c *coverage.Coverage) []detectors.Blindness {
	return append(detectors.NeedStates(c, "serving.knative.dev", "configurations", "status"),
		detectors.NeedStates(c, "serving.knative.dev", "revisions", "status")...)
}

func run(p *detectors.Pass) {
	for _, c := range p.Family.Configurations {
		named := map[string][]timeline.Spell{}
		for _, s := range p.Family.SpellsBy(c, timeline.ReadyWith) {
			named[s.Name] = append(named[s.Name], s.Spell)
		}
		for _, r := range p.Family.Revisions {
			examine(p, c, r, named[r.Name])
		}
	}
}

// contradiction is a stretch through which a Configuration was Ready with a
// Revision that was not.
type contradiction struct {
	timeline.Spell
	configuration, revision timeline.Spell
}

func examine(p *detectors.Pass, c *timeline.Object, r *timeline.Revision, named []timeline.Spell) {
	switch longest := timeline.Longest(contradictions(p.Family, r, named)); {
	case longest == nil:
	case longest.Length() >= patience, longest.From.IsZero():
		report(p, c, r, longest)
	case longest.Unsure:
		p.Rule(c, detectors.Inconclusive, fmt.Sprintf("Ready=True stood beside %s, which was not, and the next write of one of the two is without a body in the inputs", r.Name))
	case longest.Ended:
		p.Hold(c, longest.From, longest.To, fmt.Sprintf("Ready=True stood beside %s, which was not, for %s", r.Name, longest.Length().Round(time.Millisecond)))
	}
}

// contradictions lists the stretches through which a Revision was not Ready while its
// Configuration was Ready with it.
func contradictions(f *timeline.Family, r *timeline.Revision, named []timeline.Spell) (list []contradiction) {
	if len(named) == 0 {
		return nil
	}
	notReady := timeline.CourseOf(f.Spells(r.Object, timeline.StatusIsNot("Ready", "True")))
	for _, with := range named {
		for _, not := range notReady.Beside(with) {
			if both, ok := with.Overlap(not); ok {
				list = append(list, contradiction{both, with, not})
			}
		}
	}
	return list
}

func report(p *detectors.Pass, c *timeline.Object, r *timeline.Revision, k *contradiction) {
	proof := []detectors.Evidence{detectors.FromView("latch-write", k.configuration.First), detectors.FromView("state", k.revision.First)}
	f := p.Capture(c, proof[0], proof[1:]...)
	f.Time = k.From
	f.Severity = detectors.High
	f.Confidence = detectors.Support(k.Spell, k.configuration, k.revision)
	f.Decisive = detectors.Decisive(proof...)
	if latch := p.Found(latestreadylatch.Detector.Name, r.Object); latch != nil {
		f.CausedBy = append(f.CausedBy, latch)
	}
	ready, _ := k.revision.Last.State.Condition("Ready")
	share, known := p.Family.Share(r.Name, k.To)
	f.Facts = []detectors.Fact{
		{Name: "revision", Value: r.Name},
		{Name: "revisionReady", Value: ready.Status},
		{Name: "since", Value: detectors.Moment(k.From)},
		{Name: "trafficPercent", Value: detectors.Known(known, share)},
	}
	f.Summary = fmt.Sprintf("Configuration %s is Ready with %s, which is %s", c.Name, r.Name, ready.Text())
	if !k.From.IsZero() {
		f.Summary += fmt.Sprintf(", for %s", k.Length().Round(time.Second))
	}
	if known {
		f.Summary += fmt.Sprintf(", and %d %% of traffic goes there", share)
	}
}
