// Package ingressnotready asks whether a Route had its traffic assigned and no
// Ingress that was ready for it.
//
// # A Route waits for its Ingress
//
// When its Revisions are ready, a Route writes its Ingress, and the networking
// layer (net-istio, net-kourier, net-contour, net-gateway-api) makes routes of it
// and says Ready. Until then the Route is not Ready, and traffic goes on as before,
// or nowhere. An Ingress that points at a Service which does not exist, as after a
// latch on a Revision without a PodAutoscaler, is never ready.
//
// # What it needs
//
// The status of the Route: audit events of routes/status with bodies, or a snapshot.
//
// # What it does not report
//
// An Ingress that was ready within two minutes. A gradual rollout
// (RolloutInProgress). A Route that waits for a Revision: see
// stuck-revision-missing.
//
// # What it cannot see
//
// Why: the log of the networking layer tells. Whether requests fail: where an
// Ingress was ready before, the data plane mostly goes on with what it had.
//
// # How sure it is
//
// strong: requests show it. probable: a snapshot that tells since when.
//
// # What to do
//
// Look at the Ingress (kubectl get king), at its status and at the Services that it
// names. Look whether the networking layer runs.
//
//	kubectl get ingresses.networking.internal.knative.dev ROUTE -n NAMESPACE -o yaml
//	kubectl get pods -n knative-serving
//
// # Which releases
//
// Depends on the networking layer. A Route that was Ready too early by a bumped
// observedGeneration: knative/serving#9325.
package ingressnotready
