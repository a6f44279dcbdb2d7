// Package routereadbeforetrack asks whether a Route missed the update of its
// Configuration that it was waiting for.
//
// # A Route read its Configuration before it tracked it, and missed the update between
//
// To find its Revision, a Route's reconcile reads its Configuration from a
// cache, and then asks the tracker to be woken when the Configuration changes.
// Before knative/pkg#245 (knative/serving 0.4) the tracker did not call back at
// once for what it had not known before: if the Configuration became ready
// between the read and the Track, nobody woke the Route again. It stays
// RevisionMissing until the next resync, ten hours later, or until something
// else touches it: knative/serving#2954.
//
// A reconcile that changes the Route's status wakes the Route by that very
// write. So the update is lost only where the first Track of a process changes
// nothing: after a restart or a change of leader, for Routes that are
// RevisionMissing already.
//
// # What it needs
//
// The log of Knative's controller, at level info at least: it shows that a
// reconcile of the Route had started before the Configuration's write and ended
// after it, and that none followed (basis logs). Level debug also shows what was
// put into the queue. Without the log, audit events of routes/status and
// configurations/status with bodies show a Route that was last written up to
// 30 s before, and not again for five minutes (basis audit): that is a hint, not
// an order.
//
// # What it does not report
//
// A Route that is merely slow: one that was put into the queue, reconciled or
// written after the Configuration's write. At level info the log does not show
// the queue: then a Route is called stuck only after five minutes, or if the log
// proves that its turn has passed. It does if the workers had nothing to do for
// 5 s in the meantime, or if two others had a turn and then another one, for which
// they had queued up behind it. Else the verdict is inconclusive.
//
// A Route whose reconcile wrote its status is woken by that. A Route whose last
// reconcile had ended before the Configuration's write was tracking by then; if
// it is stuck, it lost its wake-up in another way, and the verdict is
// inconclusive.
//
// # What it cannot see
//
// Reads and Track calls leave no trace of their own: the window is from the
// start of the reconcile to its end. Messages that are the same for all Routes
// are sampled under load; the absence of a line counts only together with the
// absence of writes.
//
// # How sure it is
//
// confirmed: the order of the log lines, and bodies of both writes. strong: the
// order of the log lines. suspect: no such order (basis audit).
//
// # What to do
//
// Touch the Route (an annotation will do), or restart the controller: that
// reads everything again. Upgrade, if the release is older than 0.4.
//
//	kubectl annotate routes.serving.knative.dev ROUTE -n NAMESPACE touched="$(date)" --overwrite
//
// # Which releases
//
// knative/serving up to 0.3 (#2954), mended by knative/pkg#245 in 0.4. Another lost
// wake-up, for a Configuration that does not exist yet, up to 0.9: #4564, mended by
// #5744 in 0.10.
package routereadbeforetrack
