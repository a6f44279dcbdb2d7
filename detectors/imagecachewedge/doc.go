// Package imagecachewedge asks whether the image cache of a Revision was refused
// again and again.
//
// # A Revision is wedged at its image cache
//
// Each reconcile of a Revision creates the Images that are missing, before it gets
// to the PodAutoscaler. If the API server refuses every time (a quota, a left-over
// Image of another owner, a webhook), no reconcile gets further: the Revision has
// no PodAutoscaler, no autoscaling, no Kubernetes Service, or hears nothing of
// what they say. Since Knative 1.15.3 such a Revision can be written Ready=True
// all the same, and take traffic.
//
// # What it needs
//
// What skipped-reconcile-pa needs: the controller's log, or audit events of
// Images, or Events.
//
// # What it does not report
//
// Fewer than five refused passes, or less than 30 s of them: a cache that lags behind
// makes such a storm too, and it passes. A Revision whose Image was created in the
// end, or whose reconcile came to the PodAutoscaler later. Where the inputs would not
// show that, the verdict is inconclusive.
//
// # What it cannot see
//
// Whether the PodAutoscaler exists, where requests to PodAutoscalers are not in
// the inputs: podAutoscalerExists is null then. A wedge beside a pass that was aborted
// at the PodAutoscaler and did harm: skipped-reconcile-pa tells of that one.
//
// # How sure it is
//
// As sure as skipped-reconcile-pa is about the passes, to which it points.
//
// # What to do
//
// Raise the quota (count/images.caching.internal.knative.dev), or delete the Image
// that is in the way. The next retry goes on by itself; retries are up to 1000 s
// apart by then, so touch the Revision.
//
//	kubectl describe resourcequotas -n NAMESPACE
//	kubectl get images.caching.internal.knative.dev -n NAMESPACE
//	kubectl annotate revisions.serving.knative.dev REVISION -n NAMESPACE touched="$(date)" --overwrite
//
// # Which releases
//
// AlreadyExists in 0.9 and 0.10: knative/serving#6005. With the latch behind it:
// #16649, open up to 1.23. A quota that is not surfaced: #13708, #4416.
package imagecachewedge
