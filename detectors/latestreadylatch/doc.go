// Package latestreadylatch asks whether a Configuration moved to a Revision that
// had too few ready replicas, and whether traffic followed.
//
// # A Configuration latched a Revision below its target
//
// When a Revision is Ready, its Configuration writes its name into
// status.latestReadyRevisionName. Since Knative 1.8 that name never goes back to
// an older Revision (knative/serving
// pkg/reconciler/configuration/configuration.go), even if the new one stops
// being Ready a moment later. The Route follows the name: it writes the Ingress,
// and users are served by what little is ready, while the healthy Revision is
// abandoned and scaled away.
//
// Two facts are kept apart. latchedAt: the name moved. capturedAt: traffic
// moved, that is the first write of the Ingress that gives the Revision a share,
// else the first status of the Route that does. The window of harm runs from
// capturedAt to the moment there were enough ready replicas, or traffic went
// elsewhere, or the Revision was deleted, or the audit log ends.
//
// KServe has a latch of its own: latestRolledoutRevision in the status of the
// InferenceService, which moves when the latest ready Revision has all traffic.
// rolledOutAt tells when that named the Revision too.
//
// # What it needs
//
// Audit events of configurations/status with bodies, any of revisions, and what
// below-initial-scale-ready needs to know replicas and target. Without the first
// two it is blind. Ingresses with bodies, else routes/status, for capturedAt.
//
// # What it does not report
//
// A move to a Revision that had reached its target. A Revision whose target
// can only be assumed, or whose number of ready replicas may be too low (see
// below-initial-scale-ready): the verdict is inconclusive. Traffic on the hosts
// of a tag.
//
// # What it cannot see
//
// Without bodies the log of Knative's controller and the Events still tell that
// the name moved (LatestReadyUpdate), but not how many replicas were ready: the
// verdict is inconclusive. So it is where a later record shows the new name and
// the write that moved it is missing, or may be.
//
// Whether requests failed is not in an audit log at all; deficitReplicaSeconds is
// the number of replicas missing, summed over time, while the Revision had
// traffic. The log of the activator, if it is among the inputs, tells of those that
// it refused (refusedRequests), or of most: its logger drops lines under load.
//
// # How sure it is
//
// confirmed: the written body, and the finding of below-initial-scale-ready
// behind it is confirmed, or an Event tells of the move too. strong: the body
// alone.
//
// # What to do
//
// A new generation of the Configuration is the way out: roll out again once the
// cause is gone, or pin the Route's traffic to the previous Revision by name. If
// the previous Revision still has its replicas, that is quick.
//
//	kubectl get routes.serving.knative.dev ROUTE -n NAMESPACE -o jsonpath={.status.traffic}
//	kn service update SERVICE -n NAMESPACE --traffic REVISION=100
//
// # Which releases
//
// The name goes forward only since 1.8 (knative/serving#13239). Open up to 1.23:
// #16649, kserve/kserve#5683. Which releases write Ready=True too early is told by
// below-initial-scale-ready.
package latestreadylatch
