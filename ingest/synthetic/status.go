package synthetic

import (
	"fmt"
	"strings"
	"time"
)

// condition is a condition with its reason and message, if it has them.
type condition struct{ kind, status, reason, message string }

const queued = "Requests to the target are being buffered as resources are provisioned."

func conditions(t time.Time, list ...condition) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, `,{"lastTransitionTime":%q`, t.Format(time.RFC3339))
		if c.message != "" {
			fmt.Fprintf(&b, `,"message":%q`, c.message)
		}
		if c.reason != "" {
			fmt.Fprintf(&b, `,"reason":%q`, c.reason)
		}
		if c.kind == "Active" || c.kind == "ScaleTargetInitialized" {
			b.WriteString(`,"severity":"Info"`)
		}
		fmt.Fprintf(&b, `,"status":%q,"type":%q}`, c.status, c.kind)
	}
	return `"conditions":[` + strings.TrimPrefix(b.String(), ",") + `]`
}

// setService sets the status of the Service.
func (s *service) setService(t time.Time, r *revision, ready string) {
	s.object.status = fmt.Sprintf(`{"address":{"url":"http://%[1]s.%[2]s.svc.cluster.local"},%[3]s,%[4]s,"observedGeneration":%[5]d,"url":"http://%[1]s.%[2]s.example.com"}`,
		s.object.name, s.object.namespace, conditions(t, condition{"ConfigurationsReady", ready, "", ""}, condition{"Ready", ready, "", ""}, condition{"RoutesReady", ready, "", ""}), s.revisions(r), s.object.generation)
}

// setConfiguration sets the status of the Configuration.
func (s *service) setConfiguration(t time.Time, r *revision, ready string) {
	s.configuration.status = fmt.Sprintf(`{%s,%s,"observedGeneration":%d}`, conditions(t, condition{"Ready", ready, "", ""}), s.revisions(r), s.configuration.generation)
}

// revisions names the latest Revisions.
func (s *service) revisions(created *revision) string {
	names := fmt.Sprintf(`"latestCreatedRevisionName":%q`, created.object.name)
	if s.ready != nil {
		names += fmt.Sprintf(`,"latestReadyRevisionName":%q`, s.ready.object.name)
	}
	return names
}

// setRoute sets the status of the Route. Before its first Revision is ready
// it has no traffic to give.
func (s *service) setRoute(t time.Time, ready, message string) {
	traffic := ""
	if s.ready != nil {
		traffic = fmt.Sprintf(`"traffic":[{"latestRevision":true,"percent":100,"revisionName":%q}],`, s.ready.object.name)
	}
	list := conditions(t, condition{"AllTrafficAssigned", ready, "", message}, condition{"CertificateProvisioned", "True", "TLSNotEnabled", "autoTLS is not enabled"},
		condition{"IngressReady", ready, "", ""}, condition{"Ready", ready, "", message})
	s.route.status = fmt.Sprintf(`{%s,"observedGeneration":%d,%s"url":"http://%s.%s.example.com"}`, list, s.route.generation, traffic, s.object.name, s.object.namespace)
}

// setIngress has the Ingress send all traffic to the latest ready Revision.
func (s *service) setIngress(t time.Time, ready string) {
	namespace, name, to := s.object.namespace, s.object.name, s.ready.object.name
	s.ingress.spec = fmt.Sprintf(`{"httpOption":"Enabled","rules":[{"hosts":["%[1]s.%[2]s","%[1]s.%[2]s.svc","%[1]s.%[2]s.svc.cluster.local"],"http":{"paths":[{"splits":[{"appendHeaders":{"Knative-Serving-Namespace":%[2]q,"Knative-Serving-Revision":%[3]q},"percent":100,"serviceName":%[3]q,"serviceNamespace":%[2]q,"servicePort":80}]}]},"visibility":"ClusterLocal"}]}`, name, namespace, to)
	s.ingress.status = fmt.Sprintf(`{%s,"observedGeneration":%d}`, conditions(t, condition{"LoadBalancerReady", ready, "", ""}, condition{"NetworkConfigured", ready, "", ""}, condition{"Ready", ready, "", ""}), s.ingress.generation)
}

// setRevision sets the status of the Revision.
func (r *revision) setRevision(t time.Time, ready, reason string) {
	active := "Unknown"
	if ready == "True" {
		active = "True"
	}
	list := conditions(t, condition{"Active", active, "", ""}, condition{"ContainerHealthy", ready, reason, ""}, condition{"Ready", ready, reason, ""}, condition{"ResourcesAvailable", ready, reason, ""})
	r.object.status = fmt.Sprintf(`{"actualReplicas":%d,%s,"containerStatuses":[{"imageDigest":"%s@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","name":"user-container"}],"desiredReplicas":%d,"observedGeneration":1}`,
		r.ready, list, r.image, r.wanted)
}

// setAutoscaler sets the status of the PodAutoscaler.
func (r *revision) setAutoscaler(t time.Time, ready string) {
	reason, message := "Queued", queued
	if ready == "True" {
		reason, message = "", ""
	}
	list := conditions(t, condition{"Active", ready, reason, message}, condition{"Ready", ready, reason, message}, condition{"SKSReady", ready, "", ""}, condition{"ScaleTargetInitialized", ready, "", ""})
	r.autoscaler.status = fmt.Sprintf(`{"actualScale":%d,%s,"desiredScale":%d,"metricsServiceName":"%s-private","observedGeneration":1,"serviceName":%q}`, r.ready, list, r.wanted, r.object.name, r.object.name)
}

// setServerless sets the status of the ServerlessService.
func (r *revision) setServerless(t time.Time, ready string) {
	list := conditions(t, condition{"ActivatorEndpointsPopulated", "True", "", ""}, condition{"EndpointsPopulated", ready, "", ""}, condition{"Ready", ready, "", ""})
	r.serverless.status = fmt.Sprintf(`{%s,"observedGeneration":1,"privateServiceName":"%s-private","serviceName":%q}`, list, r.object.name, r.object.name)
}

// setWorkload sets the statuses of Deployment and ReplicaSet.
func (r *revision) setWorkload(t time.Time) {
	available := "True"
	if r.ready < r.wanted {
		available = "False"
	}
	list := conditions(t, condition{"Available", available, "MinimumReplicasAvailable", "Deployment does not have minimum availability."}, condition{"Progressing", "True", "ReplicaSetUpdated", "ReplicaSet is progressing."})
	r.deployment.status = fmt.Sprintf(`{"availableReplicas":%[1]d,%[2]s,"observedGeneration":%[5]d,"readyReplicas":%[1]d,"replicas":%[3]d,"unavailableReplicas":%[4]d,"updatedReplicas":%[3]d}`, r.ready, list, r.wanted, r.wanted-r.ready, r.deployment.generation)
	r.replicaSet.status = fmt.Sprintf(`{"availableReplicas":%[1]d,"observedGeneration":%[3]d,"readyReplicas":%[1]d,"replicas":%[2]d}`, r.ready, r.wanted, r.replicaSet.generation)
}

// podPhases are the statuses that a kubelet writes of a Pod that starts.
var podPhases = [...]struct{ phase, ready string }{{"Pending", "False"}, {"Running", "False"}, {"Running", "True"}}

func podStatus(t time.Time, phase, ready string, address int) string {
	list := conditions(t, condition{"PodScheduled", "True", "", ""}, condition{"Initialized", "True", "", ""}, condition{"ContainersReady", ready, "", ""}, condition{"Ready", ready, "", ""})
	return fmt.Sprintf(`{%s,"phase":%q,"podIP":"10.244.3.%d"}`, list, phase, address)
}
