// Package belowinitialscaleready asks whether a Revision was written Ready=True
// with fewer ready replicas than it is promised to have.
//
// # A Revision was written Ready=True below its initial scale
//
// Knative promises that a new Revision takes no traffic before it has as many
// ready replicas as the larger of initial-scale and min-scale say. The write of
// Ready=True is the moment that promise is kept or broken: the Configuration
// latches the Revision within milliseconds, and the Route follows. It counts
// however short it lasts, whatever later writes or a final snapshot say.
//
// # The causes it tells apart
//
// skipped-phase: the pass that wrote it did not reach reconcilePA, or was
// aborted in it (knative/serving#16649; see skipped-reconcile-pa). gate-collapse:
// the autoscaler declared the scale reached although it was not, because it
// passes over min-scale while the PodAutoscaler is Unreachable, as it is while
// no Pod can be scheduled; possible in every release so far. known-gate-gap: no
// pass was skipped and the autoscaler had declared nothing; Knative 1.15.3,
// 1.16.1 to 1.16.3, 1.17, 1.18.0, 1.18.1 and 1.19.0 to 1.19.6 do that on every
// rollout. It is said only where the inputs show that the pass went through, or
// would show that one was refused, and where the release may be one of those, as
// labels of Knative's own objects, its behaviour or --knative-version tell.
// unknown: the inputs do not show which; then each cause that they leave possible
// is named, with what would settle it.
//
// # What it needs
//
// Audit events of revisions/status with bodies (level Request or
// RequestResponse). The target: scale annotations on the Revision or its
// PodAutoscaler, or config-autoscaler. The ready replicas: the highest number
// that a source current at the write supports, of the status of Deployment,
// ReplicaSet and PodAutoscaler, and of the Pods. What is unknown is never taken
// for 0. The PodAutoscaler of class HPA counts Pods that are not ready, and is no
// source.
//
// # What it does not report
//
// A Revision that had reached its scale before. ScaleTargetInitialized=True
// written earlier for a gate at or above the target counts as proof, even if
// the Deployment's status still says less: that status lags when its controller
// is starved. So does a write of Ready=True that says the target itself, and a
// number that the resourceVersions put before the write where clocks do not.
// A target that could only be assumed is no ground to accuse.
//
// A number that may be too low accuses nobody: one that is older than a write of
// Pods, or of what counts them, without a body; one of a status that lags behind
// Pods which the inputs do not show, and reached the target right afterwards; a
// count of Pods that may not be all; the Revision's own copy of a number, unless
// the write of Ready=True brought it along. A Revision from before the inputs'
// begin is accused only if they show that it had never been initialized. In all
// these cases the verdict is inconclusive.
//
// # What it cannot see
//
// Without bodies it is blind. Pods logged at level Metadata leave the
// Deployment's status as the only source; if that is older than the last write
// of a Pod, it decides nothing. What happened before the inputs' begin.
//
// # How sure it is
//
// confirmed: the written body, and a confirmed finding of skipped-reconcile-pa
// about the pass that wrote it, or a second source for the replicas. The status
// of Deployment and ReplicaSet are one source, that of the PodAutoscaler and the
// Pods are others. strong: the body and one source. probable: the body alone,
// which says how many replicas it was.
//
// # What to do
//
// Compare capacity and traffic now: the old Revision may be scaled away
// already. Roll out again, or pin the Route to the previous Revision.
//
//	kubectl get deployments,podautoscalers.autoscaling.internal.knative.dev -n NAMESPACE -l serving.knative.dev/revision=REVISION
//	kn service update SERVICE -n NAMESPACE --traffic REVISION=100
//
// # Which releases
//
// Class A, up to 1.15.2 and 1.16.0: a skipped phase does not lead to it. Class B,
// 1.15.3, 1.16.1 to 1.16.3, 1.17, 1.18.0, 1.18.1, 1.19.0 to 1.19.6: every rollout
// does (knative/serving#15503), mended by #16094 with #16100 and #16101 in 1.18.2,
// 1.19.7 and 1.20. Class C, from there to 1.20: a skipped or aborted reconcilePA
// (#16649). Class D, from 1.21: a skip at the image cache still does, a conflict on
// the PodAutoscaler no longer (#16186). The collapsed gate is open in all: #4884,
// #14115, #14287, #14862; from 1.21 config-deployment pod-is-always-schedulable avoids
// it, and an explicit initial-scale does everywhere. HPA class before 1.4: #12769,
// mended by #12811.
package belowinitialscaleready
