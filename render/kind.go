package render

import (
	"strings"

	"github.com/knforensics/knforensics/timeline"
)

// shortKinds are the names that kubectl takes for kinds, as all releases of their
// CustomResourceDefinitions and Kubernetes have them: knative/serving and
// knative/networking config, and kserve config/crd.
var shortKinds = map[string]string{
	timeline.KindInferenceService: "isvc", timeline.KindService: "ksvc", timeline.KindConfiguration: "cfg", timeline.KindRevision: "rev",
	timeline.KindRoute: "rt", timeline.KindIngress: "kingress", timeline.KindDomainMapping: "dm", timeline.KindPodAutoscaler: "kpa",
	timeline.KindServerlessService: "sks", timeline.KindImage: "img", timeline.KindDeployment: "deploy", timeline.KindReplicaSet: "rs",
	timeline.KindPod: "po", timeline.KindHPA: "hpa",
}

// ShortKind returns the short name that kubectl takes for a kind, and the kind in lower
// case where it has none.
func ShortKind(kind string) string {
	if short, ok := shortKinds[kind]; ok {
		return short
	}
	return strings.ToLower(kind)
}
