package readyflap

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/belowinitialscaleready"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector ready-flap.
var Detector = &detectors.Detector{
	Name:     "ready-flap",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"transitions", "shortestTrueMillis"},
	Requires: []string{belowinitialscaleready.Detector.Name},
	Bodies:   []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"}},
	Blind:    blind,
	Run:      run,
}

const (
	// moment is below how long a Revision that was Ready counts as one that flapped.
	moment = 2 * time.Second
	// nearby is how far two changes of Ready are apart at most that count as a flap.
	nearby = time.Minute
)

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "serving.knative.dev", "revisions", "status")
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		examine(p, r)
	}
}

func examine(p *detectors.Pass, r *timeline.Revision) {
	spells := p.Family.Spells(r.Object, timeline.StatusIs("Ready", "True"))
	changes, shortest, unsure := changesOf(r, spells)
	switch {
	case shortest >= 0 && shortest < moment, fast(changes):
		report(p, r, spells, changes, shortest)
	case unsure:
		p.Rule(r.Object, detectors.Inconclusive, "the Revision was Ready, and the next write of its status is without a body in the inputs")
	case len(spells) > 0 && spells[0].Timed():
		p.Rule(r.Object, detectors.Held, "the Revision turned Ready and stayed so, or did not change soon")
	}
}

// changesOf lists the times at which Ready changed from and to True, after it was
// True first. shortest is the shortest time it was True, -1 if no end of one was
// seen; unsure tells that one ended with a write whose content is not known.
func changesOf(r *timeline.Revision, spells []timeline.Spell) (changes []time.Time, shortest time.Duration, unsure bool) {
	shortest = -1
	for i, s := range spells {
		if !s.Timed() {
			continue
		}
		if i > 0 && !spells[i-1].Unsure {
			changes = append(changes, s.From)
		}
		switch {
		case s.Unsure:
			unsure = true
		case s.Ended && !s.To.Equal(r.Gone):
			changes = append(changes, s.To)
			if shortest < 0 || s.Length() < shortest {
				shortest = s.Length()
			}
		}
	}
	return changes, shortest, unsure
}

// fast reports whether two changes followed each other closely.
func fast(changes []time.Time) bool {
	for i := 1; i < len(changes); i++ {
		if changes[i].Sub(changes[i-1]) < nearby {
			return true
		}
	}
	return false
}

func report(p *detectors.Pass, r *timeline.Revision, spells []timeline.Spell, changes []time.Time, shortest time.Duration) {
	proof := detectors.FromView("ready-write", spells[0].First)
	f := p.Capture(r.Object, proof)
	for _, s := range spells[1:] {
		f.Evidence = append(f.Evidence, detectors.FromView("ready-write", s.First))
	}
	f.Time = spells[0].From
	f.Severity = detectors.Low
	f.Confidence = detectors.Strong
	f.Decisive = detectors.Decisive(proof)
	if below := p.Found(belowinitialscaleready.Detector.Name, r.Object); below != nil {
		f.CausedBy = append(f.CausedBy, below)
	}
	f.Facts = []detectors.Fact{
		{Name: "transitions", Value: len(changes)},
		{Name: "shortestTrueMillis", Value: detectors.Known(shortest >= 0, int(shortest.Milliseconds()))},
	}
	f.Summary = fmt.Sprintf("%s was Ready=True for %s only, and Ready changed %d times after it was True first",
		r.Name, shortest.Round(time.Millisecond), len(changes))
}
