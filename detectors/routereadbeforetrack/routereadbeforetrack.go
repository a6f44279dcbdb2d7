package routereadbeforetrack

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

// Detector is the detector route-read-before-track.
var Detector = &detectors.Detector{
	Name: "route-read-before-track",
	Doc:  detectors.Manual(manual),
	Facts: []string{"configuration", "revision", "routeReadAt", "configurationReadyAt", "windowMillis",
		"stuckSeconds", "resolvedAt", "resolvedBy", "basis"},
	Blind: blind,
	Run:   run,
}

const (
	// patience is how long a Route may take to notice without being stuck: its
	// turn in the queue comes within a second when idle, and within tens of
	// seconds when many Services are created at once.
	patience = 30 * time.Second
	// longestReconcile is the time limit of a reconcile (knative/pkg
	// reconciler/reconcile_common.go; 10 s before knative/serving 1.8).
	longestReconcile = 30 * time.Second
)

func blind(c *coverage.Coverage) []detectors.Blindness {
	if c.Records(coverage.ControllerLog) > 0 {
		return nil
	}
	blind := detectors.NeedBodies(c, "serving.knative.dev", "routes", "status")
	blind = append(blind, detectors.NeedBodies(c, "serving.knative.dev", "configurations", "status")...)
	for i := range blind {
		blind[i].Needs += ", or the controller's log"
	}
	return blind
}

func run(p *detectors.Pass) {
	for _, route := range p.Family.Routes {
		for _, c := range p.Family.Configurations {
			if update, ok := firstReady(c); ok {
				examine(p, &wait{route: route, configuration: c, update: update, family: p.Family})
			}
		}
	}
}

// update is the moment a Configuration got a ready Revision for the first time.
type update struct {
	write    *timeline.Write
	revision string
}

// firstReady returns the write that named a ready Revision where none was
// named before.
func firstReady(c *timeline.Object) (update, bool) {
	for _, w := range c.Writes {
		change := w.Moved("status.latestReadyRevisionName")
		if change == nil || change.To == nil || w.Outcome != timeline.Applied {
			continue
		}
		return update{w, *change.To}, change.From == nil
	}
	return update{}, false
}

// wait is a Route that may have been waiting for a Configuration.
type wait struct {
	family        *timeline.Family
	route         *timeline.Object
	configuration *timeline.Object
	update        update
}

func examine(p *detectors.Pass, w *wait) {
	status := w.waiting()
	if status == nil {
		return
	}
	end := p.Family.Cluster.To
	next := w.nextSign()
	switch {
	case next.found && (next.at.Sub(w.update.write.Time) <= patience || w.enqueued(next.at)):
		p.Rule(w.route, detectors.Held, fmt.Sprintf("the Route was woken %s after its Configuration became ready", next.at.Sub(w.update.write.Time).Round(time.Millisecond)))
		return
	case !next.found && end.Sub(w.update.write.Time) < patience:
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf("the data ends %s after the Configuration became ready, too soon to call the Route stuck", end.Sub(w.update.write.Time).Round(time.Millisecond)))
		return
	case !next.found && w.enqueued(end):
		p.Rule(w.route, detectors.Inconclusive, "the Route was put into the queue after the Configuration became ready, and the data ends before its turn")
		return
	}
	w.stuck(p, status, next, end)
}

// stuck decides between this race and another lost wake-up.
func (w *wait) stuck(p *detectors.Pass, status *timeline.Write, next sign, end time.Time) {
	ready := w.update.write.Time
	if read := w.reading(); read != nil {
		w.report(p, status, read, next, end)
		return
	}
	if last := w.lastReconcile(); last != nil {
		p.Rule(w.route, detectors.Held, fmt.Sprintf("the Route did not notice that its Configuration became ready, but its last reconcile had ended %s before: it was tracking by then, and lost its wake-up in another way", ready.Sub(last.End).Round(time.Millisecond)))
		return
	}
	if gap := ready.Sub(status.Time); gap > longestReconcile {
		p.Rule(w.route, detectors.Held, fmt.Sprintf("the Route did not notice that its Configuration became ready, but it had read it %s before: it was tracking by then, and lost its wake-up in another way", gap.Round(time.Second)))
		return
	}
	w.report(p, status, nil, next, end)
}

// waiting returns the status write by which the Route was waiting for the
// Configuration when that became ready, nil if it was not.
func (w *wait) waiting() *timeline.Write {
	var last *timeline.Write
	for _, write := range w.route.Writes {
		// A reconcile that was under way may write what it had read before.
		if write.Received.After(w.update.write.Time.Add(2 * time.Second)) {
			break
		}
		if write.Subresource == "status" && write.BodySeen && write.Took() && missing(write.After) {
			last = write
		} else if write.Subresource == "status" && write.BodySeen && write.Took() {
			if write.Received.Before(w.update.write.Time) {
				last = nil
			}
		}
	}
	return last
}

// missing reports whether a Route says that it has no Revision to send traffic
// to. It uses one reason for several situations; with traffic assigned it is
// another one.
func missing(s *timeline.State) bool {
	c, ok := s.Condition("Ready")
	return ok && c.Status != "True" && c.Reason == "RevisionMissing" && len(timeline.Traffic(s)) == 0
}

// sign is the first trace of a Route's reconcile after the update.
type sign struct {
	found bool
	at    time.Time
	by    string
	proof detectors.Evidence
}

// nextSign finds the first reconcile of the Route that started after the
// update, in the log, or as a write of the Route's status or its Ingress.
func (w *wait) nextSign() (s sign) {
	after := w.update.write.Time
	take := func(at time.Time, by string, proof detectors.Evidence) {
		if at.After(after) && (!s.found || at.Before(s.at)) {
			s = sign{true, at, by, proof}
		}
	}
	for _, a := range w.family.Attempts {
		if a.Reconciler == "route" && a.Object == w.route.Ref && len(a.Lines) > 0 {
			take(a.Begin, "reconcile", detectors.FromLog("route-write", &a.Lines[0]))
		}
	}
	read := w.reading()
	objects := append([]*timeline.Object{w.route}, w.family.Ingresses...)
	for _, o := range objects {
		for _, write := range o.Writes {
			if write.Actor.Component != "controller" || o == w.route && write.Subresource != "status" {
				continue
			}
			if read != nil && read.Covers(write.Time) {
				continue // of the reconcile that had read before
			}
			take(write.Received, write.Verb+" "+o.Kind, detectors.FromWrite("route-write", write))
		}
	}
	return s
}

// enqueued reports whether the Route was put into its reconciler's queue
// between the update and t.
func (w *wait) enqueued(t time.Time) bool {
	for _, e := range w.family.Enqueued {
		if e.Reconciler == "route" && e.Time.After(w.update.write.Received) && e.Time.Before(t) {
			return true
		}
	}
	return false
}

// reading returns the reconcile of the Route that was under way when the
// Configuration became ready, nil if none is known.
func (w *wait) reading() *timeline.Attempt {
	for _, a := range w.family.Attempts {
		if a.Reconciler == "route" && a.Object == w.route.Ref && a.Begin.Before(w.update.write.Time) && !a.End.IsZero() && a.End.After(w.update.write.Received) {
			return a
		}
	}
	return nil
}

// lastReconcile returns the last reconcile of the Route that ended before the
// update.
func (w *wait) lastReconcile() (last *timeline.Attempt) {
	for _, a := range w.family.Attempts {
		if a.Reconciler == "route" && a.Object == w.route.Ref && !a.End.IsZero() && a.End.Before(w.update.write.Time) {
			last = a
		}
	}
	return last
}

func (w *wait) report(p *detectors.Pass, status *timeline.Write, read *timeline.Attempt, next sign, end time.Time) {
	f := p.Capture(w.route, detectors.FromWrite("configuration-write", w.update.write), detectors.FromWrite("route-write", status))
	ready := w.update.write.Time
	until := end
	var resolvedAt, resolvedBy any
	if next.found {
		until = next.at
		resolvedAt, resolvedBy = next.at, next.by
		f.Evidence = append(f.Evidence, next.proof)
	}
	stuck := until.Sub(ready)
	f.Time = ready
	f.Severity = detectors.High
	f.Confidence = detectors.Suspect
	f.Decisive = []string{w.update.write.Source.AuditID}
	basis := "audit"
	var readAt, window any
	if read != nil {
		basis = "logs"
		f.Confidence = detectors.Confirmed
		readAt, window = read.Begin, int(read.End.Sub(read.Begin).Milliseconds())
		f.Decisive = append(f.Decisive, read.TraceID)
		for i := range read.Lines {
			f.Evidence = append(f.Evidence, detectors.FromLog("route-read", &read.Lines[i]))
		}
	}
	f.Facts = []detectors.Fact{
		{Name: "configuration", Value: w.configuration.Name},
		{Name: "revision", Value: w.update.revision},
		{Name: "routeReadAt", Value: readAt},
		{Name: "configurationReadyAt", Value: ready},
		{Name: "windowMillis", Value: window},
		{Name: "stuckSeconds", Value: float64(stuck.Milliseconds()) / 1000},
		{Name: "resolvedAt", Value: resolvedAt},
		{Name: "resolvedBy", Value: resolvedBy},
		{Name: "basis", Value: basis},
	}
	f.Summary = w.summary(read, next, stuck)
}

func (w *wait) summary(read *timeline.Attempt, next sign, stuck time.Duration) string {
	text := fmt.Sprintf("Route %s stayed RevisionMissing for %s after its Configuration became ready", w.route.Name, stuck.Round(time.Second))
	if read != nil {
		text += fmt.Sprintf(": the reconcile that was to track it had read it %d ms before, and nothing woke the Route again", w.update.write.Time.Sub(read.Begin).Milliseconds())
	} else {
		text += "; its last status was written just before, which is how a read before the update looks in an audit log"
	}
	if !next.found {
		text += ", up to the end of the data"
	}
	return text
}
