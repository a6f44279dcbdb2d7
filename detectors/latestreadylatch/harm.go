package latestreadylatch

import (
	"slices"
	"strings"
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
	name := l.revision.Name
	h.capture = firstShare(f.Ingresses, f, l.revision)
	h.route = firstShare(f.Routes, f, l.revision)
	if h.capture == nil {
		h.capture = h.route
	}
	start := l.write.Time
	if h.capture != nil {
		h.capturedAt = h.capture.Time
		start = h.capturedAt
		if n, ok := detectors.ReadyAt(l.revision, h.capture); ok {
			h.readyAtCapture, h.readyKnown = n.Count, true
		}
		h.live = liveWrite(h.capture)
	}
	if old := f.Find(l.previous, start); old != nil && l.previous != "" {
		if n, ok := old.Ready(start); ok {
			h.previousReady, h.previousKnown = n.Count, true
		}
		h.abandoned = scaledDown(old, l.write.Time)
	}
	h.until, h.untilReason = ended(f, l, h, start, want)
	for _, t := range l.revision.ReadyMoments(l.write.Time, h.until) {
		if n, ok := l.revision.Ready(t); ok {
			h.peakReady, h.peakKnown = max(h.peakReady, n.Count), true
		}
	}
	h.rolledOut = rolledOut(f, l)
	h.refused, h.refusalsKnown = l.revision.Refusals(start, h.until)
	if h.capture != nil {
		h.deficit = deficit(l.revision, start, h.until, want)
		h.peakTraffic = peak(f, h.capture.Object.Kind, name, start, h.until)
	}
	return h
}

// share returns the percentage of traffic that an Ingress or a Route gives a
// Revision.
func share(o *timeline.Object, s *timeline.State, f *timeline.Family, revision string) int {
	if o.Kind == timeline.KindRoute {
		return timeline.RouteShare(s, revision)
	}
	return timeline.IngressShare(s, f.RouteName(o), revision)
}

// trafficSeen reports whether the inputs show where traffic went after a latch:
// an Ingress, or the status of a Route.
func trafficSeen(f *timeline.Family, l latch) bool {
	for _, o := range slices.Concat(f.Ingresses, f.Routes) {
		for _, w := range o.Writes {
			status := o.Kind == timeline.KindRoute && w.Subresource == "status"
			if w.BodySeen && w.Time.After(l.write.Time) && (o.Kind == timeline.KindIngress && w.Subresource == "" || status || w.After.Whole) {
				return true
			}
		}
	}
	return false
}

// firstShare returns the first write that gives a Revision traffic while it
// lives.
func firstShare(objects []*timeline.Object, f *timeline.Family, r *timeline.Revision) *timeline.Write {
	var first *timeline.Write
	lives := func(t time.Time) bool { return !t.Before(r.Born) && (r.Gone.IsZero() || t.Before(r.Gone)) }
	for _, o := range objects {
		for _, w := range o.Writes {
			if w.Outcome == timeline.Applied && w.BodySeen && lives(w.Time) && share(o, w.After, f, r.Name) > 0 {
				if first == nil || w.Time.Before(first.Time) {
					first = w
				}
				break
			}
		}
	}
	return first
}

// liveWrite returns the write that made the Ingress Ready for the generation that
// moved traffic: until then the data plane may not have followed.
func liveWrite(capture *timeline.Write) *timeline.Write {
	if capture.Object.Kind != timeline.KindIngress {
		return nil
	}
	generation := capture.After.Generation
	for _, w := range capture.Object.Writes {
		if w.Time.After(capture.Time) && w.Subresource == "status" && w.After.Is("Ready", "True") && w.After.ObservedGeneration >= generation {
			return w
		}
	}
	return nil
}

// rolledOut returns the write after a latch with which the InferenceService above
// took the Revision for rolled out, nil if there is none: KServe has a latch of its
// own, that moves when the latest ready Revision has all traffic, and not back
// (kserve pkg/apis/serving/v1beta1/inference_service_status.go).
func rolledOut(f *timeline.Family, l latch) *timeline.Write {
	for _, o := range f.InferenceServices {
		for _, w := range o.Writes {
			if w.Outcome == timeline.Applied && w.Time.After(l.write.Time) && slices.ContainsFunc(w.Changes(), func(c timeline.Change) bool {
				return strings.HasSuffix(c.Path, ".latestRolledoutRevision") && c.To != nil && *c.To == l.revision.Name
			}) {
				return w
			}
		}
	}
	return nil
}

// scaledDown returns the first write after t that lowered the number of replicas of
// a Revision, nil if there is none.
func scaledDown(r *timeline.Revision, t time.Time) (first *timeline.Write) {
	for _, d := range r.Deployments {
		for _, w := range d.Writes {
			if _, down := w.Lowered("spec.replicas"); down && w.Time.After(t) && (first == nil || w.Time.Before(first.Time)) {
				first = w
			}
		}
	}
	return first
}

// ended finds the first thing after start that ends the harm.
func ended(f *timeline.Family, l latch, h harm, start time.Time, want int) (time.Time, string) {
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
		for _, w := range h.capture.Object.Writes {
			if w.Outcome == timeline.Applied && w.Time.After(start) && w.BodySeen && share(h.capture.Object, w.After, f, l.revision.Name) == 0 {
				sooner(w.Time, movedTo(f, l, h, w))
				break
			}
		}
	}
	for _, w := range l.configuration.Writes {
		if c := w.Moved(latestReady); c != nil && c.To != nil && *c.To != l.revision.Name && w.Time.After(start) && h.capture == nil {
			if other := f.Find(*c.To, w.Time); other != nil && other.Born.After(l.revision.Born) {
				sooner(w.Time, superseded)
			} else {
				sooner(w.Time, reverted)
			}
		}
	}
	return until, reason
}

// movedTo tells whether traffic that left the Revision went to a newer one.
func movedTo(f *timeline.Family, l latch, h harm, w *timeline.Write) string {
	for _, r := range f.Revisions {
		if r.Born.After(l.revision.Born) && share(h.capture.Object, w.After, f, r.Name) > 0 {
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

// peak returns the largest share that the Ingress gave the Revision, or the
// Route where no Ingress is known: its status can run ahead.
func peak(f *timeline.Family, kind, revision string, from, to time.Time) (most int) {
	objects := f.Ingresses
	if kind == timeline.KindRoute {
		objects = f.Routes
	}
	for _, o := range objects {
		for _, w := range o.Writes {
			if w.BodySeen && w.Took() && !w.Time.Before(from) && !w.Time.After(to) {
				most = max(most, share(o, w.After, f, revision))
			}
		}
	}
	return most
}
