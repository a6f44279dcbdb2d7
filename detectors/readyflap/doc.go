// Package readyflap asks whether a Revision turned Ready and soon was not.
//
// # A Revision turned Ready and soon was not
//
// A Revision that is Ready for a moment only is latched by its Configuration in
// that moment, and the Route may follow. The flap is the mark of a Ready=True that
// was premature, or of two writers that disagree.
//
// # What it needs
//
// Audit events of revisions/status with bodies.
//
// # What it does not report
//
// A Revision that stayed Ready for 2 s or longer and then failed once. Changes of
// Ready that are a minute or more apart. What Active says: a Revision that is
// scaled to zero stays Ready.
//
// # What it cannot see
//
// Changes within one reconcile, which are never written. Writes without bodies: a
// time of Ready=True that ends with one is not counted.
//
// # How sure it is
//
// strong: the written bodies.
//
// # What to do
//
// Look at what the Configuration and the Route did in that moment; where
// below-initial-scale-ready tells why Ready=True was premature, this finding
// points there.
//
//	knforensics timeline --rev NAMESPACE/REVISION PATH...
//
// # Which releases
//
// Seen with knative/serving#16649 up to 1.23 and kserve/kserve#5683. Up to 1.17 a
// conflict on the Deployment could have it too: #15797.
package readyflap
