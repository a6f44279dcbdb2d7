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
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "routes", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"},
	},
	Blind: blind,
	Run:   run,
}

const (
	// patience is how long a Route may take to notice without a doubt: its turn
	// in the queue comes within a second when idle.
	patience = 30 * time.Second
	// slowest is how long a Route may wait for its turn when hundreds of
	// Services are created at once. One that was woken sooner is called slow,
	// unless the log shows that it was not even put into the queue.
	slowest = 5 * time.Minute
	// longestReconcile is the time limit of a reconcile (knative/pkg
	// reconciler/reconcile_common.go; 10 s before knative/serving 1.8).
	longestReconcile = 30 * time.Second
	// delivery is how long it may take until the controller is told of a write.
	delivery = time.Second
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
	updates := make([]update, len(p.Family.Configurations))
	for i, c := range p.Family.Configurations {
		updates[i] = firstReady(p.Family, c)
	}
	signs, turns := controlled(p.Family.Ingresses), queued(p.Family)
	for _, route := range p.Family.Routes {
		for i, c := range p.Family.Configurations {
			w := &wait{family: p.Family, route: route, configuration: c, update: updates[i], ingresses: signs, queued: turns}
			if !updates[i].told {
				if w.unseen() {
					p.Rule(route, detectors.Inconclusive, "when the Configuration became ready is not in the inputs: its status was written without a body that could be read, and no Event tells")
				}
				continue
			}
			switch waits, known := w.findWaiting(); {
			case waits:
				w.examine(p)
			case !known:
				w.doubt(p)
			}
		}
	}
}

// doubt decides about a Route of which nothing tells whether it was waiting: one
// that was woken is not stuck, whether or not it was.
func (w *wait) doubt(p *detectors.Pass) {
	next := w.nextSign()
	if late := next.at.Sub(w.update.at); next.found && late <= patience {
		p.Hold(w.route, w.update.began, next.at, fmt.Sprintf("the Route was woken %s after its Configuration became ready", late.Round(time.Millisecond)))
		return
	}
	p.Rule(w.route, detectors.Inconclusive, "whether the Route was waiting when its Configuration became ready is not in the inputs: its status was written without a body that could be read, and its last reconcile before logged nothing about its traffic")
}

// examine decides about a Route that was waiting when its Configuration became
// ready.
func (w *wait) examine(p *detectors.Pass) {
	read, next, end := w.reading(), w.nextSign(), p.Family.Cluster.End()
	if left := w.route.Left(); !left.IsZero() && left.Before(end) {
		end = left
	}
	late := next.at.Sub(w.update.at)
	switch {
	case next.found && late <= patience:
		p.Hold(w.route, w.waiting.Time, next.at, fmt.Sprintf("the Route was woken %s after its Configuration became ready", late.Round(time.Millisecond)))
	case read != nil && wrote(w.route, read):
		p.Hold(w.route, w.waiting.Time, w.update.at, "the reconcile that had read the Configuration before wrote the Route's status, which wakes the Route again")
	case next.found && (late <= slowest && !w.queueLogged() || w.enqueued(next.at)):
		p.Hold(w.route, w.waiting.Time, next.at, fmt.Sprintf("the Route was slow, not stuck: it took its turn %s after its Configuration became ready", late.Round(time.Millisecond)))
	case !next.found && end.Sub(w.update.at) < patience:
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf("what the inputs tell of the Route ends %s after the Configuration became ready, too soon to call it stuck", end.Sub(w.update.at).Round(time.Millisecond)))
	case !next.found && w.enqueued(end):
		p.Rule(w.route, detectors.Inconclusive, "the Route was put into the queue after the Configuration became ready, and the data ends before its turn")
	case !next.found && read != nil && !w.missedTurn(read, end):
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf("the Route did not notice that its Configuration became ready %s before the end of the data, but its turn in the queue may not have come by then", end.Sub(w.update.at).Round(time.Second)))
	default:
		w.stuck(p, read, next, end)
	}
}

// stuck tells this race from another lost wake-up.
func (w *wait) stuck(p *detectors.Pass, read *timeline.Attempt, next sign, end time.Time) {
	const other = "the Route is stuck, or was, but not for a read before Track: it had %s %s before its Configuration became ready and was tracking by then; how it lost its wake-up the inputs do not tell"
	if read != nil {
		w.report(p, read, next, end)
		return
	}
	if last := w.lastReconcile(); last != nil {
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf(other, "ended its last reconcile", w.update.at.Sub(last.End).Round(time.Millisecond)))
		return
	}
	gap := w.update.at.Sub(w.waiting.Time)
	switch {
	case gap > longestReconcile:
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf(other, "written its status", gap.Round(time.Second)))
	case end.Sub(w.update.at) < slowest:
		p.Rule(w.route, detectors.Inconclusive, fmt.Sprintf("the Route did not notice that its Configuration became ready %s before the end of the data; only the controller's log could tell a slow Route from a stuck one", end.Sub(w.update.at).Round(time.Second)))
	default:
		w.report(p, nil, next, end)
	}
}

func (w *wait) report(p *detectors.Pass, read *timeline.Attempt, next sign, end time.Time) {
	f := p.Capture(w.route, w.update.proof, w.waiting)
	until := end
	var resolvedAt, resolvedBy any
	if next.found {
		until = next.at
		resolvedAt, resolvedBy = next.at, next.by
		f.Evidence = append(f.Evidence, next.proof)
	}
	stuck := until.Sub(w.update.at)
	f.Time = w.update.at
	f.Severity = detectors.High
	f.Confidence = detectors.Suspect
	f.Decisive = w.decisive(read)
	basis := "audit"
	var readAt, window any
	if read != nil {
		basis = "logs"
		f.Confidence = detectors.Strong
		if w.update.written && w.waiting.AuditID != "" {
			f.Confidence = detectors.Confirmed
		}
		readAt, window = read.Begin, int(read.Ended().Sub(read.Begin).Milliseconds())
		for i := range read.Lines {
			f.Evidence = append(f.Evidence, detectors.FromLog("route-read", &read.Lines[i]))
		}
	}
	f.Facts = []detectors.Fact{
		{Name: "configuration", Value: w.configuration.Name},
		{Name: "revision", Value: detectors.Known(w.update.revision != "", w.update.revision)},
		{Name: "routeReadAt", Value: readAt},
		{Name: "configurationReadyAt", Value: w.update.at},
		{Name: "windowMillis", Value: window},
		{Name: "stuckSeconds", Value: float64(stuck.Milliseconds()) / 1000},
		{Name: "resolvedAt", Value: resolvedAt},
		{Name: "resolvedBy", Value: resolvedBy},
		{Name: "basis", Value: basis},
	}
	f.Summary = w.summary(read, next, stuck)
}

// decisive returns the IDs of the records that make the finding. An Event in a
// log has none.
func (w *wait) decisive(read *timeline.Attempt) (ids []string) {
	if id := w.update.proof.ID(); id != "" {
		ids = append(ids, id)
	}
	if read != nil {
		ids = append(ids, read.TraceID)
	}
	return ids
}

func (w *wait) summary(read *timeline.Attempt, next sign, stuck time.Duration) string {
	text := fmt.Sprintf("Route %s stayed RevisionMissing for %s after its Configuration became ready", w.route.Name, stuck.Round(time.Second))
	if read != nil {
		text += fmt.Sprintf(": the reconcile that was to track it had read it %d ms before, and nothing woke the Route again", w.update.at.Sub(read.Begin).Round(time.Millisecond).Milliseconds())
	} else {
		text += "; its last status was written just before, which is how a read before the update looks in an audit log"
	}
	if !next.found {
		text += ", up to the end of the data"
	}
	return text
}
