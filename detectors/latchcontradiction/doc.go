// Package latchcontradiction asks whether a Configuration was Ready with a Revision
// that was not.
//
// # A Configuration is Ready with a Revision that is not
//
// A Configuration writes the name of a ready Revision into
// status.latestReadyRevisionName, and never goes back to an older one (knative/serving
// pkg/reconciler/configuration/configuration.go). If that Revision stops being
// Ready a moment later, the Configuration goes on saying Ready=True about it:
// nothing sets it to Unknown while the latest created Revision is the latest ready
// one (pkg/apis/serving/v1/configuration_lifecycle.go). The contradiction is what
// is left to see of a latch once it has happened, also in a plain snapshot.
//
// # What it needs
//
// The status of the Configuration and of its Revision: audit events of
// configurations/status and revisions/status with bodies, or a snapshot of both.
// The Ingress or the Route for trafficPercent.
//
// # What it does not report
//
// A contradiction that lasted less than a minute: a Configuration follows its
// Revision within milliseconds when that fails, and so does a Revision that comes
// back. A Configuration that says itself that its Revision failed.
//
// # What it cannot see
//
// Whether the Revision had been Ready for good reason: see latest-ready-latch,
// which needs the audit log, and to which this finding points where both are found.
//
// # How sure it is
//
// strong: requests show both states. probable: a snapshot shows them and tells
// since when. suspect: a snapshot without times.
//
// # What to do
//
// Compare the ready replicas of the Revision with its traffic. Roll out a new
// Revision, or pin the Route to one that is healthy. Restarting the controller
// changes nothing: the name does not go back.
//
//	kubectl get configurations,revisions -n NAMESPACE -l serving.knative.dev/service=SERVICE
//	kn service update SERVICE -n NAMESPACE --traffic REVISION=100
//
// # Which releases
//
// The name goes forward only since knative/serving 1.8 (#13239). The latch behind
// it is open in all releases up to 1.23: knative/serving#16649, kserve/kserve#5683.
package latchcontradiction
