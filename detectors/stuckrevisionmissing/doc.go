// Package stuckrevisionmissing asks whether a Route stayed RevisionMissing
// although its Configuration had a ready Revision.
//
// # A Route stayed RevisionMissing although its Configuration was ready
//
// A Route whose Configuration has no ready Revision says RevisionMissing, and is
// woken when that changes. If the wake-up is lost, it stays as it is until the
// next resync, ten hours later, or until something else touches it. Users get 404
// from a Service that looks healthy: its Configuration and its Revision are Ready.
//
// # What it needs
//
// The status of the Route and of the Configuration: audit events of routes/status
// and configurations/status with bodies, or a snapshot of both.
//
// # What it does not report
//
// A Route that was woken within five minutes: when hundreds of Services are
// created at once, a turn in the queue can take that long. A Route that waits for
// a Revision which is not Ready: that is what it should do, even if its
// Configuration says Ready=True (see latch-contradiction). A Route that names its
// Revisions and follows no Configuration, or that misses one of those: its message
// tells.
//
// # What it cannot see
//
// Why the wake-up was lost; route-read-before-track looks for one reason, and
// where it finds it, this finding points there (explainedBy). A snapshot without
// times, such as a table, does not tell how long it has been so: a healthy Route
// is in this state too, for some milliseconds.
//
// # How sure it is
//
// strong: requests show both states. probable: a snapshot shows them and tells
// since when. suspect: a snapshot without times, or a gap in the audit log in
// which the Route may have been written.
//
// # What to do
//
// Touch the Route (an annotation will do), or restart the controller: that reads
// everything again. Look at the events of the Route in the timeline, and for a
// restart or a change of leader before.
//
//	kubectl annotate routes.serving.knative.dev ROUTE -n NAMESPACE touched="$(date)" --overwrite
//	kubectl get leases -n knative-serving
//
// # Which releases
//
// Lost wake-ups were mended in knative/serving 0.4 (knative/serving#2954 by
// knative/pkg#245) and 0.10 (knative/serving#4564 by #5744). Later reports of
// Routes and Configurations that a "bogus update" heals: #6265, #6085, #10344.
package stuckrevisionmissing
