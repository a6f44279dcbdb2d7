// Package skippedreconcilepa asks whether reconciles of a Revision ended before
// they could tell it what its PodAutoscaler says.
//
// # A reconcile of a Revision skipped reconcilePA, or was aborted inside it
//
// Knative reconciles a Revision in phases: Deployment, image cache,
// PodAutoscaler. The first error ends the pass, and the status is written
// nevertheless (knative/serving pkg/reconciler/revision/revision.go and the
// generated reconciler.go). Only reconcilePA, the last phase, copies the
// autoscaler's verdict into the Revision. A pass that ends before that leaves
// ResourcesAvailable and ContainerHealthy as the Deployment phase set them, and
// with one ready pod that is Ready=True: knative/serving#16649.
//
// Two variants are told apart. not-reached: the pass ended at the image cache,
// because creating the Image was refused (quota 403, AlreadyExists or Conflict
// 409, a webhook). aborted: the pass reached reconcilePA, and a write or read of
// the PodAutoscaler failed before the status was copied, mostly a 409 Conflict
// with the autoscaler. From Knative 1.21 the status is copied first, so that an
// aborted pass does no harm there.
//
// # What it needs
//
// Any one of: the log of Knative's controller at level info (the errors
// "failed to create image cache", "failed to update PA"), the audit log of
// images.caching.internal.knative.dev and podautoscalers at any level, or the
// Events of the Revision. The log together with the refused request, or with the
// body of the status write, makes it certain. Whether the pass wrote Ready=True
// shows in bodies of revisions/status only.
//
// # What it does not report
//
// Passes ended by a conflict on the Deployment, by the Deployment of a new
// Revision that the cache does not show yet ("deployment ... not found"), or by
// pending image digests: they write no Ready=True. A skip whose status write
// left Ready alone is reported at severity info, with consequence none; one that
// wrote Ready=True at the target is low. Where the ready replicas or the target
// are unknown, or the number may be too low, it is medium and not critical (see
// below-initial-scale-ready).
//
// Where the inputs do not show what the pass wrote, consequence is null and the
// severity low. It is medium if an Event tells that the Configuration took the
// Revision for ready although the log shows no pass before that which reached
// reconcilePA and did not fail.
//
// # What it cannot see
//
// Reads come from the controller's cache and leave no trace. Constant log
// messages are sampled under load, so that their absence proves nothing. From
// 1.21 conflicts are logged at level debug only. A policy that logs
// serving.knative.dev alone shows what passes wrote, and not why they ended:
// then nothing is said to have held. A status write is taken for that of a
// refused request if it is the next thing the reconciler does, within a second.
//
// # How sure it is
//
// confirmed: the log tells of passes of this kind, and so does a refused request
// or the Ready=True that the pass wrote. strong: the log alone, or requests
// alone, be it with the Ready=True that was written. probable: Events alone.
//
// # What to do
//
// Look at why the Image could not be created (ResourceQuota, a left-over Image,
// a webhook) and remove that. If Ready=True was written below scale, the
// Configuration stays with that Revision: roll out a new one, or pin traffic to
// the old one.
//
//	kubectl describe resourcequotas -n NAMESPACE
//	kubectl get images.caching.internal.knative.dev -n NAMESPACE
//	knforensics show AUDIT-ID PATH...
//
// # Which releases
//
// Every release skips phases after an error. It does harm from 1.15.3, 1.16.1 and
// 1.17 on, where one ready Pod makes ContainerHealthy True (knative/serving#15503,
// #15712, #15713): see below-initial-scale-ready. Open up to 1.23 for the image cache
// (#16649); from 1.21 no longer for a conflict on the PodAutoscaler (#16186).
// AlreadyExists in 0.9 and 0.10: #6005.
package skippedreconcilepa
