// Package neverready asks whether a Revision failed to become Ready at all.
//
// # A Revision never became Ready
//
// A Revision that is not Ready within its progress deadline, or failed before, got
// no traffic: the Service goes on with the one before, or has none. Knative does
// not always say so: where the autoscaler gives up and scales to zero, the
// Deployment counts as progressed, and the Revision stays Unknown for ever.
//
// # What it needs
//
// The status of the Revision: audit events of revisions/status with bodies, or a
// snapshot. The deadline is the annotation serving.knative.dev/progress-deadline,
// else config-deployment, else 10 minutes.
//
// # What it does not report
//
// A Revision that was Ready at any time, as its status, its Configuration or its
// Events tell. One whose deadline has not passed at the end of the data, unless it
// has been Ready=False for a minute or says ProgressDeadlineExceeded: while Pods
// cannot be scheduled it is False too, and recovers.
//
// # What it cannot see
//
// A Revision from before the inputs' begin may have been Ready then. It is
// reported only if its PodAutoscaler is known not to have reached the initial
// scale, or if its Configuration names an older Revision as the latest ready one.
//
// # How sure it is
//
// strong: requests show it. probable: a snapshot. suspect: one without times, such as
// a table.
//
// # What to do
//
// Reason and message say what failed; the Pods' rows of the timeline tell more.
// Where image-cache-wedge explains it, this finding points there.
//
//	kubectl describe pods -n NAMESPACE -l serving.knative.dev/revision=REVISION
//	kubectl get events -n NAMESPACE --field-selector involvedObject.name=REVISION
//
// # Which releases
//
// Unknown for ever after the autoscaler gave up: knative/serving#8933, answered by
// #8922. A quota that is not surfaced: #13708, #4416. An Unschedulable Pod marks
// the Revision failed at once: #11923, #6201, #15478; from 1.21 config-deployment
// pod-is-always-schedulable avoids that.
package neverready
