package latestreadymovedback

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector latest-ready-moved-back.
var Detector = &detectors.Detector{
	Name:   "latest-ready-moved-back",
	Doc:    detectors.Manual(manual),
	Facts:  []string{"from", "to", "at"},
	Bodies: []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"}},
	Blind:  blind,
	Run:    run,
}

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "serving.knative.dev", "configurations", "status")
}

func run(p *detectors.Pass) {
	for _, c := range p.Family.Configurations {
		examine(p, c)
	}
}

func examine(p *detectors.Pass, c *timeline.Object) {
	hidden := c.HiddenStatus() != nil
	for _, w := range c.Writes {
		change := w.Moved("status.latestReadyRevisionName")
		if change == nil || change.From == nil || change.To == nil || w.Outcome != timeline.Applied {
			continue
		}
		from, to := *change.From, *change.To
		newer, known := newerThan(p.Family, from, to)
		asked := w.After.Field("spec.template.metadata.name") == to
		switch {
		case known && newer && !asked:
			report(p, c, w, from, to)
			return
		case known && !newer && hidden:
			p.Rule(c, detectors.Inconclusive, "its latest ready Revision moved forward, but not all writes of its status are in the inputs with their bodies")
		case known && !newer:
			p.Rule(c, detectors.Held, "its latest ready Revision did not move back by itself")
		}
	}
}

// newerThan reports whether the Revision of a name is newer than that of another,
// either of which the inputs may not show.
func newerThan(f *timeline.Family, name, other string) (newer, known bool) {
	r := f.Find(name, time.Time{})
	if r == nil {
		r = &timeline.Revision{Object: &timeline.Object{Ref: timeline.Ref{Kind: timeline.KindRevision, Namespace: f.Namespace, Name: name}}, Family: f}
	}
	return r.Newer(other)
}

func report(p *detectors.Pass, c *timeline.Object, w *timeline.Write, from, to string) {
	f := p.Capture(c, detectors.FromWrite("latch-write", w))
	f.Time = w.Time
	f.Severity = detectors.Low
	f.Confidence = detectors.Strong
	if c.Broken(w.Time, w.Time) {
		f.Confidence = detectors.Probable
	}
	f.Decisive = []string{w.Source.AuditID}
	f.Facts = []detectors.Fact{{Name: "from", Value: from}, {Name: "to", Value: to}, {Name: "at", Value: w.Time}}
	f.Summary = fmt.Sprintf("Configuration %s went back from %s to %s", c.Name, from, to)
	if r := p.Family.Find(from, w.Time); r != nil && !r.Gone.IsZero() && !r.Gone.After(w.Time) {
		f.Evidence = append(f.Evidence, deletion(r)...)
		f.Summary += ", which had been deleted"
	}
}

func deletion(r *timeline.Revision) []detectors.Evidence {
	if r.GoneBy == nil {
		return nil
	}
	return []detectors.Evidence{detectors.FromWrite("deletion", r.GoneBy)}
}
