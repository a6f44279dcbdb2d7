// Package latestreadystale asks whether a Configuration stayed with an older
// Revision although a newer one was Ready.
//
// # A Configuration stayed with an older Revision although a newer one is Ready
//
// When a newer Revision is Ready, its Configuration moves to it, and the Route
// follows. It did not where the latest of all had failed before: the Configuration
// looked at that one and never at the one in between. The newer, healthy Revision
// gets no traffic.
//
// # What it needs
//
// The status of the Configuration and of its Revisions: audit events of
// configurations/status and revisions/status with bodies, or a snapshot of both.
//
// # What it does not report
//
// A Configuration that moved within a minute. One of which the template names
// the older Revision (spec.template.metadata.name). Revisions of which neither
// label nor name tells the generation.
//
// # What it cannot see
//
// A snapshot shows one moment. If the Configuration's status was written 5 s or
// more after the newer Revision turned Ready, it had had its chance; without that
// and without a minute having passed, nothing is said.
//
// # How sure it is
//
// strong: requests show both states. probable: a snapshot shows them.
//
// # What to do
//
// Mend or delete the Revision that failed, or roll out again: the next generation
// takes over. Traffic can be pinned to the newer Revision by name.
//
//	kubectl get revisions -n NAMESPACE -l serving.knative.dev/configuration=CONFIGURATION
//	kn service update SERVICE -n NAMESPACE --traffic REVISION=100
//
// # Which releases
//
// knative/serving#5285 reports it. The reconciler goes through all Revisions from
// the latest ready one on since 1.8 (#13239).
package latestreadystale
