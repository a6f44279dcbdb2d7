// Package initialscaleregression asks whether a Revision that had been Ready was
// said later never to have reached its initial scale.
//
// # A Revision that had been Ready failed for its initial scale
//
// The initial scale matters once, when a Revision is new. If the mark that it was
// reached (ScaleTargetInitialized of the PodAutoscaler) is lost or not there yet, as
// after an upgrade to the release that introduced it, a Revision that has been
// healthy for days and was scaled to zero turns Ready=False with
// ProgressDeadlineExceeded, "Initial scale was never achieved".
//
// # What it needs
//
// The status of the Revision: audit events of revisions/status with bodies, or a
// snapshot.
//
// # What it does not report
//
// A Revision that was written Ready=True below its target before: it says the
// truth now (see below-initial-scale-ready). A Revision that failed while it was
// new, or for another reason.
//
// # What it cannot see
//
// In a snapshot, that the Revision had been Ready shows only in what is left of
// that time: ContainerHealthy has been True, and Active False for want of traffic
// (NoTraffic), since long before it failed. wasReadyAt is null then.
//
// # How sure it is
//
// strong: requests show it Ready before. probable: what a snapshot has left.
//
// # What to do
//
// The Revision serves nothing until its status is right again: send it traffic or
// roll out again. Look for an upgrade of Knative at that time.
//
//	kubectl get podautoscalers.autoscaling.internal.knative.dev REVISION -n NAMESPACE -o yaml
//
// # Which releases
//
// On upgrade from 0.16 to 0.17: knative/serving#9105, after #8922.
package initialscaleregression
