package kubetable

import "strings"

// kinds maps the resource that kubectl prints before a name, "resource.group/",
// to the kind; a table of one resource does not print it, and is told by its
// columns.
var kinds = map[string]string{
	"service.serving.knative.dev": "Service", "configuration.serving.knative.dev": "Configuration",
	"revision.serving.knative.dev": "Revision", "route.serving.knative.dev": "Route", "domainmapping.serving.knative.dev": "DomainMapping",
	"podautoscaler.autoscaling.internal.knative.dev": "PodAutoscaler", "metric.autoscaling.internal.knative.dev": "Metric",
	"serverlessservice.networking.internal.knative.dev": "ServerlessService", "ingress.networking.internal.knative.dev": "Ingress",
	"certificate.networking.internal.knative.dev": "Certificate", "image.caching.internal.knative.dev": "Image",
	"inferenceservice.serving.kserve.io": "InferenceService", "deployment.apps": "Deployment", "replicaset.apps": "ReplicaSet",
	"statefulset.apps": "StatefulSet", "daemonset.apps": "DaemonSet", "job.batch": "Job", "cronjob.batch": "CronJob",
	"horizontalpodautoscaler.autoscaling": "HorizontalPodAutoscaler", "ingress.networking.k8s.io": "Ingress",
	"pod": "Pod", "service": "Service", "event": "Event", "configmap": "ConfigMap", "secret": "Secret", "namespace": "Namespace", "node": "Node",
	"endpoints": "Endpoints", "serviceaccount": "ServiceAccount", "persistentvolumeclaim": "PersistentVolumeClaim",
	"revision": "Revision", "configuration": "Configuration", "route": "Route", "podautoscaler": "PodAutoscaler", "deployment": "Deployment", "replicaset": "ReplicaSet",
}

// groups gives the group of kinds that are told by columns or by a short name.
var groups = map[string]string{
	"Service": "serving.knative.dev", "Configuration": "serving.knative.dev", "Revision": "serving.knative.dev", "Route": "serving.knative.dev",
	"DomainMapping": "serving.knative.dev", "PodAutoscaler": "autoscaling.internal.knative.dev", "ServerlessService": "networking.internal.knative.dev",
	"Image": "caching.internal.knative.dev", "InferenceService": "serving.kserve.io", "Deployment": "apps", "ReplicaSet": "apps", "StatefulSet": "apps",
	"DaemonSet": "apps", "Job": "batch", "CronJob": "batch", "HorizontalPodAutoscaler": "autoscaling",
}

// byColumns tells kinds by the columns that kubectl prints of them, the most
// telling first (k8s.io/kubernetes pkg/printers/internalversion/printers.go, and
// additionalPrinterColumns of the CRDs).
var byColumns = []struct {
	columns []string
	kind    string
}{
	{[]string{"CONFIG NAME"}, "Revision"},
	{[]string{"K8S SERVICE NAME", "GENERATION"}, "Revision"},
	{[]string{"DESIREDSCALE", "ACTUALSCALE"}, "PodAutoscaler"},
	{[]string{"MODE", "SERVICENAME", "PRIVATESERVICENAME"}, "ServerlessService"},
	{[]string{"URL", "READY", "PREV", "LATEST"}, "InferenceService"},
	{[]string{"LATESTCREATED", "LATESTREADY", "URL"}, "Service"},
	{[]string{"LATESTCREATED", "LATESTREADY", "DOMAIN"}, "Service"},
	{[]string{"LATESTCREATED", "LATESTREADY"}, "Configuration"},
	{[]string{"URL", "READY", "REASON"}, "Route"},
	{[]string{"DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE"}, "DaemonSet"},
	{[]string{"READY", "UP-TO-DATE", "AVAILABLE"}, "Deployment"},
	{[]string{"DESIRED", "CURRENT", "READY", "AGE"}, "ReplicaSet"},
	{[]string{"READY", "STATUS", "RESTARTS"}, "Pod"},
	{[]string{"REFERENCE", "TARGETS", "MINPODS"}, "HorizontalPodAutoscaler"},
	{[]string{"SCHEDULE", "SUSPEND", "ACTIVE"}, "CronJob"},
	{[]string{"COMPLETIONS", "DURATION"}, "Job"},
	{[]string{"STATUS", "ROLES", "VERSION"}, "Node"},
	{[]string{"IMAGE"}, "Image"},
}

// kind tells the kind of an object by the columns of a table of one resource.
// DomainMappings have the columns of Routes; their names are domains.
func (t Table) kind(name string) string {
	for _, k := range byColumns {
		if !t.has(k.columns) {
			continue
		}
		if k.kind == "Route" && strings.Contains(name, ".") {
			return "DomainMapping"
		}
		return k.kind
	}
	return ""
}

func (t Table) has(columns []string) bool {
	for _, name := range columns {
		if t.index(name) < 0 {
			return false
		}
	}
	return true
}
