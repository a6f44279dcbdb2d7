// Package activationstuck asks whether a Revision that was to come up from zero did
// not.
//
// # A Revision does not come up from zero
//
// A Revision that was scaled to zero is activated by the first request: its
// PodAutoscaler turns Active=Unknown with reason Queued, requests are buffered, and
// Pods are made. If they do not get ready, nothing says so: the Revision stays
// Ready=True, its Route too, and requests time out. After the progress deadline and
// 30 s the autoscaler gives up and scales to zero, until the next request.
//
// # What it needs
//
// The status of PodAutoscalers: audit events of podautoscalers/status with bodies,
// or a snapshot. And any record of their Revisions.
//
// # What it does not report
//
// A new Revision that waits for its initial scale: see never-ready. One of which some
// replicas are ready: it serves, though with fewer than its min-scale. An activation
// that took no longer than the progress deadline and 30 s.
//
// # What it cannot see
//
// Whether requests were lost: the activator's log tells. A PodAutoscaler from before
// the inputs' begin may have been queued for longer than they show.
//
// # How sure it is
//
// strong: requests show the queueing from its begin. probable: a snapshot, which
// tells since when.
//
// # What to do
//
// The Pods' rows of the timeline tell why they do not get ready: an image that is
// gone, a quota, no node. Send traffic to another Revision.
//
//	kubectl describe pods -n NAMESPACE -l serving.knative.dev/revision=REVISION
//	kubectl logs -n knative-serving deployment/activator
//
// # Which releases
//
// Open: knative/serving#11531; errors of an activation are not shown: #14157, #11717,
// #13211.
package activationstuck
