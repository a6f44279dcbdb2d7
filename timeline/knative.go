package timeline

import (
	"strings"

	"github.com/knforensics/knforensics/ingest/naming"
)

// The kinds of the family, named as the API names them. The core Service of
// Kubernetes is not among them: Service is Knative's.
const (
	KindInferenceService  = "InferenceService"
	KindService           = "Service"
	KindConfiguration     = "Configuration"
	KindRevision          = "Revision"
	KindRoute             = "Route"
	KindIngress           = "Ingress"
	KindDomainMapping     = "DomainMapping"
	KindPodAutoscaler     = "PodAutoscaler"
	KindMetric            = "Metric"
	KindServerlessService = "ServerlessService"
	KindImage             = "Image"
	KindDeployment        = "Deployment"
	KindReplicaSet        = "ReplicaSet"
	KindPod               = "Pod"
	KindHPA               = "HorizontalPodAutoscaler"
)

// groupName names a resource or a kind within its API group.
type groupName struct{ group, name string }

// resourceKinds maps resources of the family to kinds.
var resourceKinds = map[groupName]string{
	{"serving.kserve.io", "inferenceservices"}:                KindInferenceService,
	{"serving.knative.dev", "services"}:                       KindService,
	{"serving.knative.dev", "configurations"}:                 KindConfiguration,
	{"serving.knative.dev", "revisions"}:                      KindRevision,
	{"serving.knative.dev", "routes"}:                         KindRoute,
	{"networking.internal.knative.dev", "ingresses"}:          KindIngress,
	{"serving.knative.dev", "domainmappings"}:                 KindDomainMapping,
	{"autoscaling.internal.knative.dev", "podautoscalers"}:    KindPodAutoscaler,
	{"autoscaling.internal.knative.dev", "metrics"}:           KindMetric,
	{"networking.internal.knative.dev", "serverlessservices"}: KindServerlessService,
	{"caching.internal.knative.dev", "images"}:                KindImage,
	{"apps", "deployments"}:                                   KindDeployment,
	{"apps", "replicasets"}:                                   KindReplicaSet,
	{"", "pods"}:                                              KindPod,
	{"autoscaling", "horizontalpodautoscalers"}:               KindHPA,
	{"", "configmaps"}:                                        kindConfigMap,
}

// groupOf maps those kinds to their API groups, and kindOf the two together to the
// kind.
var groupOf, kindOf = listKinds()

func listKinds() (groups map[string]string, kinds map[groupName]string) {
	groups, kinds = map[string]string{}, map[groupName]string{}
	for resource, kind := range resourceKinds {
		groups[kind], kinds[groupName{resource.group, kind}] = resource.group, kind
	}
	return groups, kinds
}

// isOfFamily reports whether a kind is of the family.
func isOfFamily(kind string) bool {
	_, known := groupOf[kind]
	return known && kind != kindConfigMap
}

// Group returns the API group of a kind of the family.
func (r Ref) Group() string { return groupOf[r.Kind] }

const kindConfigMap = "ConfigMap"

// kindScale is the body of a request to the scale subresource: of the object, it
// tells the number of replicas.
const kindScale = "Scale"

// IsOfFamilies reports whether objects of a resource can be of a family, or
// hold Knative's settings.
func IsOfFamilies(group, resource string) bool {
	return resourceKinds[groupName{group, resource}] != ""
}

// RefOf names the object of a request. Where objects of the resource cannot be
// of a family, the resource stands for the kind, as kubectl writes it, so that
// the Service of Kubernetes is not taken for Knative's. An empty name stands for
// all objects, as * does in RBAC.
func RefOf(group, resource, namespace, name string) Ref {
	kind := resourceKinds[groupName{group, resource}]
	if kind == "" {
		kind = strings.TrimSuffix(resource+"."+group, ".")
	}
	if name == "" {
		name = "*"
	}
	return Ref{kind, namespace, name}
}

// Labels that tie objects together (knative/serving pkg/apis/serving/register.go,
// kserve pkg/constants/constants.go).
const (
	labelService          = "serving.knative.dev/service"
	labelConfiguration    = "serving.knative.dev/configuration"
	labelGeneration       = "serving.knative.dev/configurationGeneration"
	labelRevision         = "serving.knative.dev/revision"
	labelRoute            = "serving.knative.dev/route"
	labelInferenceService = "serving.kserve.io/inferenceservice"
)

// revisionNames maps the children that a Revision can have to its name, for
// records that tell nothing but a name (knative/serving
// pkg/reconciler/revision/resources/names/names.go, reconcile_resources.go).
type revisionNames map[Ref]string

func (n revisionNames) add(namespace, revision string) {
	if _, known := n[Ref{KindPodAutoscaler, namespace, revision}]; known {
		return
	}
	for _, kind := range []string{KindPodAutoscaler, KindServerlessService, KindMetric, KindHPA} {
		n[Ref{kind, namespace, revision}] = revision
	}
	deployment := naming.Child(revision, "-deployment")
	n[Ref{KindDeployment, namespace, deployment}] = revision
	if len(deployment) >= naming.LongestPrefix {
		n[Ref{KindPod, namespace, deployment[:naming.LongestPrefix]}] = revision
	}
	cache := naming.Child(revision, "-cache")
	n[Ref{KindImage, namespace, cache}] = revision
	n[Ref{KindImage, namespace, naming.Child(cache, "-user-container")}] = revision
}

// of returns the Revision whose child an object is by its name, "" if it is no
// child of any. ReplicaSets, Pods and Images continue the name of the
// Deployment or of the image cache after a hyphen.
func (n revisionNames) of(o Ref) string {
	if revision, ok := n[o]; ok {
		return revision
	}
	parent := o
	switch o.Kind {
	case KindReplicaSet, KindPod:
		parent.Kind = KindDeployment
	case KindImage:
	default:
		return ""
	}
	for {
		i := strings.LastIndexByte(parent.Name, '-')
		if i < 0 {
			break
		}
		parent.Name = parent.Name[:i]
		if revision, ok := n[parent]; ok {
			return revision
		}
	}
	if o.Kind == KindPod && len(o.Name) > naming.LongestPrefix {
		return n[Ref{KindPod, o.Namespace, o.Name[:naming.LongestPrefix]}]
	}
	return ""
}
