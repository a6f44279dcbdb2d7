package timeline

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
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
	KindPodAutoscaler     = "PodAutoscaler"
	KindMetric            = "Metric"
	KindServerlessService = "ServerlessService"
	KindImage             = "Image"
	KindDeployment        = "Deployment"
	KindReplicaSet        = "ReplicaSet"
	KindPod               = "Pod"
	KindHPA               = "HorizontalPodAutoscaler"
)

// resourceKinds maps group/resource to kind, for the resources of the family.
var resourceKinds = map[string]string{
	"serving.kserve.io/inferenceservices":                KindInferenceService,
	"serving.knative.dev/services":                       KindService,
	"serving.knative.dev/configurations":                 KindConfiguration,
	"serving.knative.dev/revisions":                      KindRevision,
	"serving.knative.dev/routes":                         KindRoute,
	"networking.internal.knative.dev/ingresses":          KindIngress,
	"autoscaling.internal.knative.dev/podautoscalers":    KindPodAutoscaler,
	"autoscaling.internal.knative.dev/metrics":           KindMetric,
	"networking.internal.knative.dev/serverlessservices": KindServerlessService,
	"caching.internal.knative.dev/images":                KindImage,
	"apps/deployments":                                   KindDeployment,
	"apps/replicasets":                                   KindReplicaSet,
	"/pods":                                              KindPod,
	"autoscaling/horizontalpodautoscalers":               KindHPA,
	"/configmaps":                                        kindConfigMap,
}

const kindConfigMap = "ConfigMap"

// objectKind returns the kind of an object of the family, "" for others.
func objectKind(group, kind string) string {
	switch group + "/" + kind {
	case "serving.kserve.io/InferenceService", "serving.knative.dev/Service", "serving.knative.dev/Configuration",
		"serving.knative.dev/Revision", "serving.knative.dev/Route", "networking.internal.knative.dev/Ingress",
		"autoscaling.internal.knative.dev/PodAutoscaler", "autoscaling.internal.knative.dev/Metric",
		"networking.internal.knative.dev/ServerlessService", "caching.internal.knative.dev/Image",
		"apps/Deployment", "apps/ReplicaSet", "/Pod", "autoscaling/HorizontalPodAutoscaler", "/ConfigMap":
		return kind
	}
	return ""
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

// childName names a child of an object as Knative does: parent and suffix, or
// a hash where that would be longer than 63 characters (knative/pkg
// kmeta/names.go, ChildName).
func childName(parent, suffix string) string {
	const longest, hashed = 63, 32
	if len(parent)+len(suffix) <= longest {
		return parent + suffix
	}
	if len(suffix) > longest-hashed {
		return parent // no suffix that Knative uses is so long
	}
	sum := md5.Sum([]byte(parent))
	return parent[:longest-hashed-len(suffix)] + hex.EncodeToString(sum[:]) + suffix
}

// revisionNames maps the names that a Revision's children can have to the name
// of the Revision, for records that tell nothing but a name (knative/serving
// pkg/reconciler/revision/resources/names/names.go).
type revisionNames map[string]string

func (n revisionNames) add(namespace, revision string) {
	for _, name := range []string{revision, childName(revision, "-deployment"), childName(revision, "-cache"), childName(revision, "-private")} {
		n[namespace+"/"+name] = revision
	}
}

// of returns the Revision whose child has a name: an exact one, or one that
// continues it after a hyphen, as ReplicaSets, Pods and Images do.
func (n revisionNames) of(namespace, name string) string {
	for {
		if rev, ok := n[namespace+"/"+name]; ok {
			return rev
		}
		i := strings.LastIndexByte(name, '-')
		if i < 0 {
			return ""
		}
		name = name[:i]
	}
}
