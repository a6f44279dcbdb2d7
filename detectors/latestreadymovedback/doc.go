// Package latestreadymovedback asks whether a Configuration went back to an older
// Revision.
//
// # A Configuration went back to an older Revision
//
// status.latestReadyRevisionName of a Configuration goes forward only, since
// Knative 1.8: to the Revision of the latest generation that is Ready. Before, it
// could fall back to an older one, and traffic with it. It still does when the
// Revision that it names is deleted.
//
// # What it needs
//
// Audit events of configurations/status with bodies.
//
// # What it does not report
//
// A Configuration that was told to go back: its template names the older Revision
// (spec.template.metadata.name). Revisions of which neither label nor name tells
// the generation.
//
// # What it cannot see
//
// Moves whose write is not in the inputs. Whether traffic followed: see the
// Route's rows of the timeline.
//
// # How sure it is
//
// strong: the written body. probable: the name before was read from a write after
// which others are known to be missing.
//
// # What to do
//
// Look whether somebody deleted the newer Revision, and whether its Pods failed.
// Roll out again.
//
//	kubectl get revisions -n NAMESPACE -l serving.knative.dev/configuration=CONFIGURATION
//
// # Which releases
//
// Forward only since knative/serving 1.8 (#13239, for #12078).
package latestreadymovedback
