package neverready

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

// Detector is the detector never-ready.
var Detector = &detectors.Detector{
	Name:     "never-ready",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"reason", "message", "since", "unknownSeconds"},
	Requires: []string{imagecachewedge.Detector.Name},
	Bodies:   []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"}},
	Blind:    blind,
	Run:      run,
}

const (
	// failing is how long a Revision has to be Ready=False to count as failed.
	failing = time.Minute
	// deadlineExceeded is the reason of a Revision that has failed for good.
	deadlineExceeded = "ProgressDeadlineExceeded"
)

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedStates(c, "serving.knative.dev", "revisions", "status")
}

func run(p *detectors.Pass) {
	for _, r := range p.Family.Revisions {
		examine(p, r)
	}
}

func examine(p *detectors.Pass, r *timeline.Revision) {
	if wasReady(p.Family, r) {
		if len(r.ReadyWrites()) > 0 {
			p.Rule(r.Object, detectors.Held, "the Revision turned Ready")
		}
		return
	}
	spells := p.Family.Spells(r.Object, timeline.StatusIsNot("Ready", "True"))
	if len(spells) == 0 {
		return
	}
	last := spells[len(spells)-1]
	if r.Covered() && !last.From.Equal(last.First.Time) {
		last.From = r.Born // what lastTransitionTime tells is the last change among those that are not True
	}
	ready, _ := last.Last.State.Condition("Ready")
	failed := stretch(p.Family, r, "False")
	switch {
	case ready.Status == "False" && (failed >= failing || ready.Reason == deadlineExceeded):
	case ready.Status == "Unknown" && last.Length() >= r.ProgressDeadline(last.From):
	default:
		return // it may yet become Ready
	}
	switch {
	case last.Unsure:
		p.Rule(r.Object, detectors.Inconclusive, "the Revision was not Ready, and the last write of its status is without a body in the inputs")
	case !isNew(p.Family, r):
		p.Rule(r.Object, detectors.Inconclusive, "the Revision is not Ready, but the inputs begin after it was made: it may have been before")
	default:
		report(p, r, last, ready)
	}
}

// stretch returns how long Ready has had a status at the end of what is known.
func stretch(f *timeline.Family, r *timeline.Revision, status string) time.Duration {
	spells := f.Spells(r.Object, timeline.StatusIs("Ready", status))
	if len(spells) == 0 {
		return 0
	}
	return spells[len(spells)-1].Length()
}

// wasReady reports whether anything tells that a Revision was Ready at some time.
func wasReady(f *timeline.Family, r *timeline.Revision) bool {
	for _, v := range r.Views() {
		if v.State.Is("Ready", "True") {
			return true
		}
	}
	if _, reached := r.Initialized(f.End()); reached || detectors.Announced(r) != nil || detectors.NamedReady(r) {
		return true
	}
	return f.ShownReady(r.Name)
}

// isNew reports whether a Revision cannot have been Ready before the inputs begin.
func isNew(f *timeline.Family, r *timeline.Revision) bool {
	if r.Covered() {
		return true
	}
	for _, pa := range r.PodAutoscalers {
		if c, ok := pa.Last().Condition("ScaleTargetInitialized"); ok && c.Status != "True" {
			return true
		}
	}
	for _, c := range f.Configurations {
		name := c.Last().Field("status.latestReadyRevisionName")
		if newer, known := r.Newer(name); name != "" && known && newer {
			return true
		}
	}
	return false
}

func report(p *detectors.Pass, r *timeline.Revision, s timeline.Spell, ready timeline.Condition) {
	proof := detectors.FromView("state", s.Last)
	f := p.Capture(r.Object, proof)
	if s.First.Source != s.Last.Source {
		f.Evidence = append(f.Evidence, detectors.FromView("state", s.First))
	}
	f.Time = s.From
	f.Severity = detectors.Medium
	f.Confidence = detectors.Support(s)
	f.Decisive = detectors.Decisive(proof)
	if wedge := p.Found(imagecachewedge.Detector.Name, r.Object); wedge != nil {
		f.CausedBy = append(f.CausedBy, wedge)
	}
	var unknown time.Duration
	for _, u := range p.Family.Spells(r.Object, timeline.StatusIs("Ready", "Unknown")) {
		unknown += u.Length()
	}
	f.Facts = []detectors.Fact{
		{Name: "reason", Value: detectors.Known(ready.Reason != "", ready.Reason)},
		{Name: "message", Value: detectors.Known(ready.Message != "", ready.Message)},
		{Name: "since", Value: detectors.Moment(s.From)},
		{Name: "unknownSeconds", Value: detectors.Known(!s.From.IsZero(), detectors.Seconds(unknown))},
	}
	f.Summary = fmt.Sprintf("%s never became Ready: it is %s after %s", r.Name, ready.Text(), s.Length().Round(time.Second))
	if ready.Message != "" {
		f.Summary += fmt.Sprintf(" (%s)", ready.Message)
	}
}
