// Package oldcapacitydroppedearly asks whether the replicas of an old Revision were
// taken away before the new one had its own.
//
// # The old Revision was scaled down before the new one had its replicas
//
// When traffic has moved to a new Revision, the old one is told that nobody reaches
// it, its min-scale no longer counts, and the autoscaler takes its replicas away. If
// the new Revision has fewer ready replicas than it is promised, capacity that was
// there and healthy is thrown away while it is missing: that is what turns a latch
// into an outage.
//
// # What it needs
//
// Audit events of Deployments with bodies (the scaling down), of Ingresses or
// routes/status with bodies (that traffic had moved), and what
// below-initial-scale-ready needs to know replicas and target of the new Revision.
//
// # What it does not report
//
// An old Revision that is scaled down while it still has traffic: that is its
// autoscaler at work. One that is scaled down when the new one has reached its
// target, or had done so before.
//
// # What it cannot see
//
// Whether the replicas were needed: the new Revision may have had enough for its
// traffic. Where replicas or target of the new one are unknown, or the number may
// be too low, the verdict is inconclusive.
//
// # How sure it is
//
// strong: the bodies of the write that scaled it down and of those before.
//
// # What to do
//
// Scale the old Revision up again only together with moving traffic back: pin the
// Route to it by name. Where latest-ready-latch tells why traffic moved too early,
// this finding points there.
//
//	kubectl get deployments -n NAMESPACE -l serving.knative.dev/service=SERVICE
//	kn service update SERVICE -n NAMESPACE --traffic REVISION=100
//
// # Which releases
//
// With knative/serving#16649, all up to 1.23. Waiting for the scale of the new
// Revision by its traffic: #4665. In 1.12 a healthy Revision lost its replicas when
// an update of its Deployment failed: #14660, mended by #14795.
package oldcapacitydroppedearly
