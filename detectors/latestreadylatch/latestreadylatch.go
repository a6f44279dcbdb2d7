package latestreadylatch

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

// Detector is the detector latest-ready-latch.
var Detector = &detectors.Detector{
	Name: "latest-ready-latch",
	Doc:  detectors.Manual(manual),
	Facts: []string{"previousRevision", "latchedAt", "capturedAt", "liveAt", "readyAtCapture", "peakReadyReplicas",
		"initialScale", "previousReadyReplicas", "peakTrafficPercent", "reverted", "until", "untilReason",
		"blastSeconds", "deficitReplicaSeconds"},
	Requires: []string{belowinitialscaleready.Detector.Name},
	Blind:    blind,
	Run:      run,
}

const latestReady = "status.latestReadyRevisionName"

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "serving.knative.dev", "configurations", "status")
}

func run(p *detectors.Pass) {
	for _, c := range p.Family.Configurations {
		for _, w := range c.Writes {
			if l, ok := latchOf(p.Family, c, w); ok {
				examine(p, l)
			}
		}
	}
	for _, r := range p.Family.Revisions {
		if n := announced(p.Family, r); n != nil && p.Found("latest-ready-latch", r.Object) == nil && !latchedInBodies(p.Family, r.Name) {
			p.Rule(r.Object, detectors.Inconclusive, "an Event says that the Configuration moved to it, but no body of configurations/status tells when, and how many replicas were ready is not known")
		}
		notLatched(p, r)
	}
}

// latch is a move of latestReadyRevisionName.
type latch struct {
	configuration *timeline.Object
	write         *timeline.Write
	revision      *timeline.Revision
	previous      string // "" if there was none, or it is unknown
}

// latchOf reads a move from a write. Where the name before is unknown, the
// write counts as the move if the Revision turned Ready in the inputs and the
// Configuration was not seen with the name before.
func latchOf(f *timeline.Family, c *timeline.Object, w *timeline.Write) (l latch, ok bool) {
	change := w.Moved(latestReady)
	if change == nil || change.To == nil || w.Outcome != timeline.Applied {
		return l, false
	}
	r := f.Find(*change.To, w.Time)
	if r == nil {
		return l, false
	}
	l = latch{configuration: c, write: w, revision: r}
	if change.From != nil {
		l.previous = *change.From
		return l, true
	}
	if w.Before != nil && w.Before.Whole {
		return l, true
	}
	for _, ready := range detectors.ReadyWrites(r) {
		if !ready.Time.After(w.Time) {
			return l, true
		}
	}
	return l, c.BornBy != nil
}

func examine(p *detectors.Pass, l latch) {
	r := l.revision
	j := detectors.Judge(r, l.write.Began())
	below := p.Found(belowinitialscaleready.Detector.Name, r.Object)
	switch {
	case p.Found("latest-ready-latch", r.Object) != nil:
	case j.State == detectors.Below:
		report(p, l, j, below)
	case j.State == detectors.Enough:
		if l.previous != "" {
			p.Rule(r.Object, detectors.Held, "the Configuration moved to it when it had reached its target")
		}
	default:
		p.Rule(r.Object, detectors.Inconclusive, "the Configuration moved to it, but "+j.Why)
	}
}

// announced returns the Event that tells of the move to a Revision.
func announced(f *timeline.Family, r *timeline.Revision) *timeline.Note {
	text := fmt.Sprintf("LatestReadyRevisionName updated to %q", r.Name)
	for _, n := range f.Notes {
		if n.Reason == "LatestReadyUpdate" && n.Message == text {
			return n
		}
	}
	return nil
}

func latchedInBodies(f *timeline.Family, name string) bool {
	for _, c := range f.Configurations {
		for _, w := range c.Writes {
			if w.After.Field(latestReady) == name && w.BodySeen {
				return true
			}
		}
	}
	return false
}

// notLatched rules on a newer Revision that stayed below its target while the
// Configuration stayed with the ready one.
func notLatched(p *detectors.Pass, r *timeline.Revision) {
	for _, c := range p.Family.Configurations {
		for _, w := range c.Writes {
			stayed := w.After.Field(latestReady)
			if !w.BodySeen || stayed == "" || stayed == r.Name || r.Born.IsZero() || w.Time.Before(r.Born) {
				continue
			}
			old := p.Family.Find(stayed, w.Time)
			if old == nil || !old.Born.Before(r.Born) || latchedInBodies(p.Family, r.Name) {
				continue
			}
			p.Rule(r.Object, detectors.Held, fmt.Sprintf("the Configuration stayed with %s", stayed))
			return
		}
	}
}

func report(p *detectors.Pass, l latch, j detectors.Readiness, below *detectors.Finding) {
	h := measure(p.Family, l, j.Target.Documented)
	f := p.Capture(l.revision.Object, detectors.FromWrite("latch-write", l.write),
		detectors.Evidence{Role: "scale", Time: j.Replicas.Time, Source: j.Replicas.Proof})
	f.Time = l.write.Time
	f.Severity = detectors.High
	f.Confidence = detectors.Strong
	f.Decisive = []string{l.write.Source.AuditID}
	if h.capture != nil {
		f.Severity = detectors.Critical
		f.Evidence = append(f.Evidence, detectors.FromWrite("capture-write", h.capture))
	}
	if h.route != nil {
		f.Evidence = append(f.Evidence, detectors.FromWrite("route-write", h.route))
	}
	if n := announced(p.Family, l.revision); n != nil {
		f.Confidence = detectors.Confirmed
	}
	if below != nil {
		f.CausedBy = append(f.CausedBy, below)
		for _, e := range below.Evidence {
			if e.Role == "ready-write" {
				f.Evidence = append(f.Evidence, e)
			}
		}
		if below.Confidence == detectors.Confirmed {
			f.Confidence = detectors.Confirmed
		}
	}
	f.Facts = facts(l, j, h)
	f.Summary = summary(l, j, h)
}

func facts(l latch, j detectors.Readiness, h harm) []detectors.Fact {
	captured := h.capture != nil
	return []detectors.Fact{
		{Name: "previousRevision", Value: detectors.Known(l.previous != "", l.previous)},
		{Name: "latchedAt", Value: l.write.Time},
		{Name: "capturedAt", Value: detectors.Known(captured, h.capturedAt)},
		{Name: "liveAt", Value: detectors.Moment(h.liveAt)},
		{Name: "readyAtCapture", Value: detectors.Known(captured && h.readyKnown, h.readyAtCapture)},
		{Name: "peakReadyReplicas", Value: detectors.Known(h.peakKnown, h.peakReady)},
		{Name: "initialScale", Value: j.Target.Documented},
		{Name: "previousReadyReplicas", Value: detectors.Known(h.previousKnown, h.previousReady)},
		{Name: "peakTrafficPercent", Value: detectors.Known(captured, h.peakTraffic)},
		{Name: "reverted", Value: h.untilReason == reverted},
		{Name: "until", Value: detectors.Moment(h.until)},
		{Name: "untilReason", Value: h.untilReason},
		{Name: "blastSeconds", Value: detectors.Known(captured, seconds(h.until.Sub(h.capturedAt)))},
		{Name: "deficitReplicaSeconds", Value: detectors.Known(captured && h.readyKnown, h.deficit)},
	}
}

// seconds rounds to milliseconds: more digits would be noise.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

func summary(l latch, j detectors.Readiness, h harm) string {
	text := fmt.Sprintf("Configuration %s moved to %s with %d of %d replicas ready", l.configuration.Name, l.revision.Name, j.Replicas.Count, j.Target.Documented)
	if h.capture == nil {
		return text + "; no traffic was seen to follow"
	}
	text += fmt.Sprintf(", and %d %% of traffic followed after %d ms", h.peakTraffic, h.capturedAt.Sub(l.write.Time).Milliseconds())
	held := h.until.Sub(h.capturedAt).Round(time.Second)
	switch h.untilReason {
	case enough:
		text += fmt.Sprintf("; enough replicas were ready after %s", held)
	case endOfData:
		text += fmt.Sprintf("; at the end of the data, %s later, that had not changed", held)
	case reverted:
		text += fmt.Sprintf("; traffic went back after %s", held)
	case superseded:
		text += fmt.Sprintf("; a newer Revision took over after %s", held)
	case deleted:
		text += fmt.Sprintf("; it was deleted after %s", held)
	}
	if h.previousKnown && h.previousReady > 0 {
		text += fmt.Sprintf("; %s was left with %d ready", l.previous, h.previousReady)
	}
	return text
}
