// Package statuswriteclobber asks whether a retried status write took back what
// somebody else had written in between.
//
// # A retried status write took back a newer one
//
// Knative's reconcilers write a status with the version they have read. If that is
// refused (409 Conflict), the generated code reads the object again and writes the
// same status once more, with the new version: what had been written in between is
// lost (knative/pkg, the generated reconciler.go, updateStatus). Mostly the next
// reconcile mends it. Where another object has acted on what was there for a moment,
// it does not.
//
// # What it needs
//
// Audit events of status writes with the bodies that were sent, of the refused ones
// too (level Request or RequestResponse).
//
// # What it does not report
//
// Conflicts whose retry changed back nothing. Changes of which only reason or
// message is taken back. Retries that come later than 2 s after: those are of
// another reconcile. Objects of which no status is in the inputs with its body: of
// those nothing is said, and where that is true of all it is blind. Deployments and
// other objects that Kubernetes' own controllers write: after a conflict those work
// the status out anew.
//
// # What it cannot see
//
// What the reconciler had read. Two writers that overwrite each other without a
// conflict.
//
// # How sure it is
//
// strong: the three bodies.
//
// # What to do
//
// Look at what happened between the two writes: who acted on the status that was
// taken back. See ready-flap and latest-ready-latch.
//
//	knforensics show --diff AUDIT-ID PATH...
//
// # Which releases
//
// All: the retry is part of the generated reconcilers since knative/pkg 0.13. There
// is no report of it as a failure of its own.
package statuswriteclobber
