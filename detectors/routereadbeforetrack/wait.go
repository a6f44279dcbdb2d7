package routereadbeforetrack

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/timeline"
)

// update is the moment a Configuration got a ready Revision for the first time.
type update struct {
	began    time.Time // the write is no older than this
	at       time.Time // and done by then
	revision string    // "" if unknown
	written  bool      // the body of the write is known
	told     bool      // the inputs tell of it, and that it was the first
	hidden   bool      // not all that was written to the status is in the inputs
	proof    detectors.Evidence
}

// firstReady finds the write that named a ready Revision where none was named
// before; without bodies, the reconcile of the Configuration that recorded the
// Event about it.
func firstReady(f *timeline.Family, c *timeline.Object) update {
	for _, w := range c.Writes {
		change := w.Moved("status.latestReadyRevisionName")
		if change == nil || change.To == nil || w.Outcome != timeline.Applied {
			continue
		}
		return update{began: w.Began(), at: w.Time, revision: *change.To, written: true, proof: detectors.FromWrite("configuration-write", w), hidden: c.HiddenStatus() != nil,
			told: change.From == nil && (c.BornBy != nil || w.Before != nil && w.Before.Whole || w.Became("Ready", "True"))}
	}
	u := announcedReady(f, c)
	u.hidden = c.HiddenStatus() != nil
	return u
}

var latestReady = lazyregexp.New(`^LatestReadyRevisionName updated to "(.*)"$`)

// announcedReady finds the first ready Revision by the Event LatestReadyUpdate,
// which is recorded just before the status is written.
func announcedReady(f *timeline.Family, c *timeline.Object) (u update) {
	for _, n := range f.NotesAbout(c.Ref) {
		m := latestReady().FindStringSubmatch(n.Message)
		if n.Reason != "LatestReadyUpdate" || m == nil || n.Origin == timeline.FromSnapshot {
			continue
		}
		for _, a := range f.AttemptsAt("configuration", c.Ref) {
			if !a.End.IsZero() && a.Covers(n.Time) {
				return update{began: n.Time, at: a.End, revision: m[1], told: true, proof: detectors.FromNote("configuration-write", n)}
			}
		}
		return u
	}
	return u
}

// controlled returns the requests of Knative's controller about some objects, by when they
// came in.
func controlled(objects []*timeline.Object) (writes []*timeline.Write) {
	for _, o := range objects {
		for _, w := range o.Writes {
			if w.Actor.Component == "controller" {
				writes = append(writes, w)
			}
		}
	}
	slices.SortStableFunc(writes, func(a, b *timeline.Write) int { return a.Began().Compare(b.Began()) })
	return writes
}

// queued returns when Routes of a family were put into the queue of their reconciler, in
// order.
func queued(f *timeline.Family) (at []time.Time) {
	for _, e := range f.Enqueued {
		if e.Reconciler == "route" {
			at = append(at, e.Time)
		}
	}
	return at
}

// wait is a Route that may have been waiting for a Configuration.
type wait struct {
	family        *timeline.Family
	route         *timeline.Object
	configuration *timeline.Object
	update        update
	waiting       detectors.Evidence // that the Route was waiting
	ingresses     []*timeline.Write  // those about Ingresses that the controller made, by when they came in
	queued        []time.Time        // when a Route of the family was put into the queue of its reconciler
}

// unseen reports whether the Configuration may have become ready without a trace
// in the inputs, and the Route is not known to have got on since.
func (w *wait) unseen() bool {
	const routable = "All referred targets are routable"
	if len(w.family.Attempts) == 0 || !w.update.hidden || w.configuration.Last().Field("status.latestReadyRevisionName") != "" {
		return false
	}
	return !slices.ContainsFunc(w.reconciles(), func(a *timeline.Attempt) bool { return a.Line(routable) != nil }) && len(timeline.Traffic(w.route.Last())) == 0
}

// findWaiting looks for proof that the Route was waiting for the Configuration
// when that became ready: its status, else what its last reconcile logged. known
// is false if there was a Route, and neither tells.
func (w *wait) findWaiting() (waits, known bool) {
	if status := w.status(); status != nil {
		w.waiting = detectors.FromWrite("route-write", status)
		return missing(status.After), true
	}
	known = len(w.route.Writes) == 0 || w.route.Writes[0].Began().After(w.update.at)
	for _, a := range w.reconciles() {
		if a.Begin.After(w.update.at) {
			break
		}
		line := w.readBefore(a)
		if waits = line != nil; waits {
			w.waiting = detectors.FromLog("route-write", line)
		}
		known = waits || a.Line("All referred targets are routable") != nil
	}
	return waits, known
}

// readBefore returns the line with which a reconcile of the Route says that it
// read the Configuration before that was ready, nil if there is none.
func (w *wait) readBefore(a *timeline.Attempt) *timeline.LogLine {
	line := a.Line("Marking bad traffic target: ")
	if line == nil || !strings.Contains(line.Message, fmt.Sprintf("Configuration %q not ready", w.configuration.Name)) {
		return nil
	}
	return line
}

// status returns the last status of the Route that is older than the update,
// or was written by a reconcile that may have read the Configuration before it.
func (w *wait) status() (last *timeline.Write) {
	const inFlight = 2 * time.Second
	for _, write := range w.route.Writes {
		if write.Subresource != "status" || !write.BodySeen || !write.Took() || write.Began().After(w.update.at.Add(inFlight)) {
			continue
		}
		if write.Began().Before(w.update.at) || missing(write.After) {
			last = write
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
	take := func(at time.Time, by string, proof detectors.Evidence) {
		if at.After(w.update.at) && (!s.found || at.Before(s.at)) {
			s = sign{true, at, by, proof}
		}
	}
	for _, a := range w.reconciles() {
		if len(a.Lines) == 0 || a.End.IsZero() && w.readBefore(a) != nil {
			continue // when that one began is not known
		}
		take(a.Begin, "reconcile", detectors.FromLog("route-write", &a.Lines[0]))
	}
	read := w.reading()
	of := func(write *timeline.Write) bool { return read != nil && read.Covers(write.Time) } // the reconcile that had read before
	for _, write := range w.route.Writes {
		if write.Actor.Component == "controller" && write.Subresource == "status" && !of(write) {
			take(write.Began(), write.Verb+" Route", detectors.FromWrite("route-write", write))
		}
	}
	later := sort.Search(len(w.ingresses), func(i int) bool { return w.ingresses[i].Began().After(w.update.at) })
	for _, write := range w.ingresses[later:] {
		if !of(write) {
			take(write.Began(), write.Verb+" Ingress", detectors.FromWrite("route-write", write))
			break
		}
	}
	return s
}

// reconciles returns the reconciles of the Route.
func (w *wait) reconciles() []*timeline.Attempt { return w.family.AttemptsAt("route", w.route.Ref) }

// queueLogged reports whether the log shows what was put into the Route's
// queue, which it does at debug level.
func (w *wait) queueLogged() bool { return len(w.family.Enqueued) > 0 }

// enqueued reports whether the Route was put into its reconciler's queue
// between the update and t.
func (w *wait) enqueued(t time.Time) bool {
	i := sort.Search(len(w.queued), func(i int) bool { return w.queued[i].After(w.update.began) })
	return i < len(w.queued) && w.queued[i].Before(t)
}

// reading returns the reconcile of the Route that was under way when the
// Configuration became ready, nil if none is known.
func (w *wait) reading() *timeline.Attempt {
	for _, a := range w.reconciles() {
		if a.Begin.Before(w.update.began) && a.Ended().After(w.update.began) {
			return a
		}
	}
	return nil
}

// wrote reports whether a reconcile wrote the Route's status.
func wrote(route *timeline.Object, a *timeline.Attempt) bool {
	for _, w := range route.Writes {
		if w.Subresource == "status" && w.Outcome == timeline.Applied && w.Actor.Component == "controller" && a.Covers(w.Time) {
			return true
		}
	}
	return false
}

// lastReconcile returns the last reconcile of the Route that ended before the
// update, if its process was still there then: what it tracked is lost with it.
func (w *wait) lastReconcile() (last *timeline.Attempt) {
	for _, a := range w.reconciles() {
		if !a.End.IsZero() && a.End.Before(w.update.at) {
			last = a
		}
	}
	if last == nil || !w.family.Cluster.Alive(last.Pod, w.update.at) {
		return nil
	}
	return last
}

// missedTurn reports whether the Route would have had its turn by t, had it been
// put into the queue of the process that had read before: the log shows what is
// put there, or the time is enough for any queue, or the turn has passed.
func (w *wait) missedTurn(read *timeline.Attempt, t time.Time) bool {
	return w.queueLogged() || t.Sub(w.update.at) > slowest ||
		w.family.Cluster.Passed("route", read.Pod, w.update.at.Add(delivery), t)
}
