package latestreadylatch

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"
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
		"blastSeconds", "deficitReplicaSeconds", "previousScaledDownAt", "refusedRequests", "rolledOutAt"},
	Requires: []string{belowinitialscaleready.Detector.Name},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "routes", Subresource: "status"},
		{Group: "networking.internal.knative.dev", Resource: "ingresses"},
	},
	Blind: blind,
	Run:   run,
}

const latestReady = "status.latestReadyRevisionName"

func blind(c *coverage.Coverage) []detectors.Blindness {
	blind := detectors.NeedBodies(c, "serving.knative.dev", "configurations", "status")
	ingresses := detectors.NeedBodies(c, "networking.internal.knative.dev", "ingresses", "")
	routes := detectors.NeedBodies(c, "serving.knative.dev", "routes", "status")
	if len(ingresses) > 0 && len(routes) > 0 {
		blind = append(blind, detectors.Blindness{Needs: "for capturedAt, " + ingresses[0].Needs + ", or else of routes/status.serving.knative.dev",
			Reason: ingresses[0].Reason + ", and " + routes[0].Reason})
	}
	for _, r := range c.Resources {
		if r.Group == "serving.knative.dev" && r.Resource == "revisions" {
			return blind
		}
	}
	return append(blind, detectors.Blindness{Needs: "audit events of revisions.serving.knative.dev", Reason: "the inputs hold none", Total: true})
}

func run(p *detectors.Pass) {
	routed := sync.OnceValue(func() *routed { return newRouted(p.Family) })
	var named []*naming
	for _, c := range p.Family.Configurations {
		named = append(named, newNaming(p.Family, c))
		for i, w := range c.Writes {
			switch l, how := latchOf(p.Family, c, w, c.Writes[:i]); how {
			case exact:
				l.routed = routed
				examine(p, l)
			case unseen:
				p.Rule(l.revision.Object, detectors.Inconclusive, "the Configuration moved to it, but the write that moved it is not in the inputs")
			}
		}
	}
	for _, r := range p.Family.Revisions {
		if detectors.Announced(r) != nil && !detectors.NamedReady(r) {
			p.Rule(r.Object, detectors.Inconclusive, "an Event says that the Configuration moved to it, but no body of configurations/status tells when, and how many replicas were ready is not known")
		}
		notLatched(p, named, r)
	}
}

// latch is a move of latestReadyRevisionName.
type latch struct {
	configuration *timeline.Object
	write         *timeline.Write
	revision      *timeline.Revision
	previous      string // "" if there was none, or it is unknown
	routed        func() *routed
}

// sight tells how well a move is seen.
type sight int

const (
	none   sight = iota // no move
	exact               // this write moved the name
	unseen              // the name moved shortly before, by a write that is not in the inputs
)

// latchOf reads a move from a write, which came after others. Where the name before is unknown, the
// write counts as the move if the Revision turned Ready in the inputs and the
// Configuration was not seen with the name before.
func latchOf(f *timeline.Family, c *timeline.Object, w *timeline.Write, before []*timeline.Write) (l latch, how sight) {
	change := w.Moved(latestReady)
	if change == nil || change.To == nil {
		return l, none
	}
	r := f.Find(*change.To, w.Time)
	if r == nil {
		return l, none
	}
	l = latch{configuration: c, write: w, revision: r}
	isStatus := w.Subresource == "status" && w.Outcome == timeline.Applied
	ready := r.ReadyBy(w.Time)
	switch {
	case change.From != nil:
		l.previous = *change.From
	case namedBefore(before) == r.Name:
		return l, none // no news, whatever was written in between
	case w.Before != nil && w.Before.Whole, c.BornBy != nil, isStatus && ready != nil:
	case isStatus && w.Became("Ready", "True"):
		return l, unseen // a moment ago, as lastTransitionTime tells
	default:
		return l, none
	}
	if !isStatus || missed(before, ready) || c.Broken(w.Time, w.Time) && (ready == nil || w.Since(ready)) {
		return l, unseen
	}
	return l, exact
}

// namedBefore returns the Revision that the last body of some writes named as the
// latest ready one, "" if none did.
func namedBefore(writes []*timeline.Write) string {
	for _, w := range slices.Backward(writes) {
		if named := w.After.Field(latestReady); w.BodySeen && named != "" {
			return named
		}
	}
	return ""
}

// missed reports whether one of some writes of the Configuration's status may have
// moved the name: one whose content is not in the inputs, since the last that
// is, and since the Revision turned Ready.
func missed(writes []*timeline.Write, ready *timeline.Write) bool {
	for _, w := range slices.Backward(writes) {
		switch {
		case w.Subresource == "status" && w.Hidden():
			return ready == nil || !w.Time.Before(ready.Began())
		case w.BodySeen && (w.Subresource == "status" || w.After.Whole):
			return false
		}
	}
	return false
}

func examine(p *detectors.Pass, l latch) {
	r := l.revision
	if p.Found("latest-ready-latch", r.Object) != nil {
		return
	}
	switch j := detectors.JudgeWrite(r, l.write); {
	case j.State == detectors.Below:
		report(p, l, j, p.Found(belowinitialscaleready.Detector.Name, r.Object))
	case j.State == detectors.Enough:
		if l.previous != "" {
			p.Hold(r.Object, time.Time{}, l.write.Time, "the Configuration moved to it when it had reached its target")
		}
	default:
		p.Rule(r.Object, detectors.Inconclusive, "the Configuration moved to it, but "+j.Why)
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
	if detectors.Announced(l.revision) != nil {
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
	if h.capture == nil && !l.routed().told.After(l.write.Time) {
		f.Open = "whether traffic followed: neither an Ingress nor the status of a Route after the latch is in the inputs"
	}
	f.Steps = steps(l, j, h)
	f.Summary = summary(l, j, h, f.Open)
}

func facts(l latch, j detectors.Readiness, h harm) []detectors.Fact {
	captured := h.capture != nil
	return []detectors.Fact{
		{Name: "previousRevision", Value: detectors.Known(l.previous != "", l.previous)},
		{Name: "latchedAt", Value: l.write.Time},
		{Name: "capturedAt", Value: detectors.Known(captured, h.capturedAt)},
		{Name: "liveAt", Value: done(h.live)},
		{Name: "readyAtCapture", Value: detectors.Known(captured && h.readyKnown, h.readyAtCapture)},
		{Name: "peakReadyReplicas", Value: detectors.Known(h.peakKnown, h.peakReady)},
		{Name: "initialScale", Value: j.Target.Documented},
		{Name: "previousReadyReplicas", Value: detectors.Known(h.previousKnown, h.previousReady)},
		{Name: "peakTrafficPercent", Value: detectors.Known(captured, h.peakTraffic)},
		{Name: "reverted", Value: h.untilReason == reverted},
		{Name: "until", Value: detectors.Moment(h.until)},
		{Name: "untilReason", Value: h.untilReason},
		{Name: "blastSeconds", Value: detectors.Known(captured, detectors.Seconds(h.until.Sub(h.capturedAt)))},
		{Name: "deficitReplicaSeconds", Value: detectors.Known(captured && h.readyKnown, h.deficit)},
		{Name: "previousScaledDownAt", Value: done(h.abandoned)},
		{Name: "refusedRequests", Value: detectors.Known(captured && h.refusalsKnown, len(h.refused))},
		{Name: "rolledOutAt", Value: done(h.rolledOut)},
	}
}

// done returns when a write was done, nil if there is none.
func done(w *timeline.Write) any {
	if w == nil {
		return nil
	}
	return w.Time
}

func summary(l latch, j detectors.Readiness, h harm, open string) string {
	text := fmt.Sprintf("Configuration %s moved to %s with %d of %d replicas ready", l.configuration.Name, l.revision.Name, j.Replicas.Count, j.Target.Documented)
	if open != "" {
		return text + "; whether traffic followed is not in the inputs"
	}
	if h.capture == nil {
		return text + "; no traffic was seen to follow"
	}
	text += fmt.Sprintf(", and %d %% of traffic followed after %d ms", h.peakTraffic, h.capturedAt.Sub(l.write.Time).Round(time.Millisecond).Milliseconds())
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
