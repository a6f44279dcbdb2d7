package latestreadylatch

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// The reasons why the harm of a latch ended.
const (
	enough     = "enough"
	reverted   = "reverted"
	superseded = "superseded"
	deleted    = "deleted"
	endOfData  = "end-of-data"
)

// harm is what a latch led to.
type harm struct {
	capture        *timeline.Write // the write that moved traffic, nil if none was seen
	route          *timeline.Write // the Route's status that says so
	capturedAt     time.Time
	live           *timeline.Write // made the Ingress Ready with it, nil if none was seen
	readyAtCapture int
	readyKnown     bool
	peakReady      int
	peakKnown      bool
	previousReady  int
	previousKnown  bool
	abandoned      *timeline.Write    // the first that scaled the previous Revision down, nil if none was seen
	rolledOut      *timeline.Write    // with which the InferenceService took it for rolled out, nil if none was seen
	refused        []timeline.Refusal // of requests, as the activator logged them
	refusalsKnown  bool
	peakTraffic    int
	until          time.Time
	untilReason    string
	deficit        float64 // replicas missing, summed over seconds
}

func measure(f *timeline.Family, l latch, want int) (h harm) {
	after := l.routed()
	var gave given
	h.capture, gave = first(after.ingresses, l.revision)
	h.route, _ = first(after.routes, l.revision)
	shares := after.ingresses[l.revision.Name]
	if h.capture == nil {
		h.capture, gave = first(after.routes, l.revision)
		shares = after.routes[l.revision.Name]
	}
	start := l.write.Time
	if h.capture != nil {
		h.capturedAt = h.capture.Time
		start = h.capturedAt
		if n, ok := detectors.ReadyAt(l.revision, h.capture); ok {
			h.readyAtCapture, h.readyKnown = n.Count, true
		}
		h.live = gave.live(h.capture)
	}
	if old := f.Find(l.previous, start); old != nil && l.previous != "" {
		if n, ok := old.Ready(start); ok {
			h.previousReady, h.previousKnown = n.Count, true
		}
		h.abandoned = after.scaledDownAfter(old, l.write.Time)
	}
	h.until, h.untilReason = ended(f, l, h, gave, start, want)
	for _, t := range l.revision.ReadyMoments(l.write.Time, h.until) {
		if n, ok := l.revision.Ready(t); ok {
			h.peakReady, h.peakKnown = max(h.peakReady, n.Count), true
		}
	}
	h.rolledOut = after.rollOutAfter(l.revision.Name, l.write.Time)
	h.refused, h.refusalsKnown = l.revision.Refusals(start, h.until)
	if h.capture != nil {
		h.deficit = deficit(l.revision, start, h.until, want)
		h.peakTraffic = peak(shares, start, h.until)
	}
	return h
}

// ended finds the first thing after start that ends the harm.
func ended(f *timeline.Family, l latch, h harm, g given, start time.Time, want int) (time.Time, string) {
	until, reason := f.Cluster.To, endOfData // what follows in the controller's log tells nothing about replicas
	sooner := func(t time.Time, why string) {
		if !t.IsZero() && !t.Before(start) && (t.Before(until) || reason == endOfData && t.Equal(until)) {
			until, reason = t, why
		}
	}
	for _, t := range l.revision.ReadyMoments(start, until) {
		if n, ok := l.revision.Ready(t); ok && n.Count >= want {
			sooner(t, enough)
			break
		}
	}
	sooner(l.revision.Gone, deleted)
	if h.capture != nil {
		if w := g.left(start); w != nil {
			sooner(w.Time, movedTo(f, l, w))
		}
	} else if w := l.routed().movedOnAfter(l.configuration, l.revision.Name, start); w != nil {
		if other := f.Find(w.After.Field(latestReady), w.Time); other != nil && other.Born.After(l.revision.Born) {
			sooner(w.Time, superseded)
		} else {
			sooner(w.Time, reverted)
		}
	}
	return until, reason
}

// movedTo tells whether traffic that left the Revision went to a newer one.
func movedTo(f *timeline.Family, l latch, w *timeline.Write) string {
	for name, percent := range f.SharesOf(w.Object, w.After) {
		if percent > 0 && slices.ContainsFunc(f.Lives(name), func(r *timeline.Revision) bool { return r.Born.After(l.revision.Born) }) {
			return superseded
		}
	}
	return reverted
}

func deficit(r *timeline.Revision, from, to time.Time, want int) (sum float64) {
	moments := r.ReadyMoments(from, to)
	for i := 0; i+1 < len(moments); i++ {
		if n, ok := r.Ready(moments[i]); ok {
			sum += float64(max(0, want-n.Count)) * moments[i+1].Sub(moments[i]).Seconds()
		}
	}
	return float64(int64(sum*1000+0.5)) / 1000
}
