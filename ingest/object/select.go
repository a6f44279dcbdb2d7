package object

import (
	"slices"
	"strings"
)

// selection names, for each kind, the scalars of spec, status and data that
// the tables keep, beside what every object has. "[]" stands for each element
// of an array, "*" for each member of an object.
//
// It is a choice of what may matter to someone who reads a history of the
// Knative family, and says nothing about what the values mean.
var selection = compile(map[string][]string{
	"serving.knative.dev/Service": {
		"spec.template.metadata.name", "spec.template.metadata.annotations.*", "spec.template.spec.containers[].image",
		"spec.traffic[].*", "status.traffic[].*", "status.latestCreatedRevisionName", "status.latestReadyRevisionName",
	},
	"serving.knative.dev/Configuration": {
		"spec.template.metadata.name", "spec.template.metadata.annotations.*", "spec.template.spec.containers[].image",
		"status.latestCreatedRevisionName", "status.latestReadyRevisionName",
	},
	"serving.knative.dev/Revision": {
		"spec.containers[].image", "status.containerStatuses[].imageDigest",
		"status.actualReplicas", "status.desiredReplicas",
	},
	"serving.knative.dev/Route":         {"spec.traffic[].*", "status.traffic[].*"},
	"serving.knative.dev/DomainMapping": {"spec.ref.kind", "spec.ref.name", "status.url"},
	"autoscaling.internal.knative.dev/PodAutoscaler": {
		"spec.reachability", "spec.scaleTargetRef.name",
		"status.actualScale", "status.desiredScale", "status.serviceName", "status.metricsServiceName",
	},
	"networking.internal.knative.dev/ServerlessService": {
		"spec.mode", "spec.numActivators", "status.serviceName", "status.privateServiceName",
	},
	"networking.internal.knative.dev/Ingress": {
		"spec.rules[].hosts[]", "spec.rules[].visibility",
		"spec.rules[].http.paths[].splits[].serviceName", "spec.rules[].http.paths[].splits[].percent",
	},
	"caching.internal.knative.dev/Image": {"spec.image"},
	"apps/Deployment": {
		"spec.replicas", "spec.template.spec.containers[].image",
		"status.replicas", "status.updatedReplicas", "status.readyReplicas", "status.availableReplicas", "status.unavailableReplicas",
	},
	"apps/ReplicaSet": {"spec.replicas", "status.replicas", "status.readyReplicas", "status.availableReplicas"},
	"/Pod": {
		"spec.nodeName", "status.phase", "status.reason",
		"status.containerStatuses[].name", "status.containerStatuses[].ready",
		"status.containerStatuses[].state.waiting.reason", "status.containerStatuses[].state.terminated.reason",
		"status.containerStatuses[].state.terminated.exitCode",
	},
	"/ConfigMap":                          {"data.*"},
	"/ResourceQuota":                      {"spec.hard.*", "status.used.*"},
	"autoscaling/Scale":                   {"spec.replicas"},
	"autoscaling/HorizontalPodAutoscaler": {"spec.minReplicas", "spec.maxReplicas", "status.currentReplicas", "status.desiredReplicas"},
	"coordination.k8s.io/Lease":           {"spec.holderIdentity"},
	"serving.kserve.io/InferenceService": {
		"status.components.*.latestCreatedRevision", "status.components.*.latestReadyRevision",
		"status.components.*.latestRolledoutRevision", "status.components.*.previousRolledoutRevision",
	},
})

// node is a step of a path: what may follow it.
type node struct {
	names   []string
	members []*node // by name
	any     *node   // "*"
	element *node   // "[]"
	keep    bool
}

// member returns what follows with a name, and whether it is a name of the
// selection, in which there is nothing to mark in a path.
func (n *node) member(name string) (next *node, known bool) {
	if n == nil {
		return nil, false
	}
	if i := slices.Index(n.names, name); i >= 0 {
		return n.members[i], true
	}
	return n.any, false
}

func compile(paths map[string][]string) map[string]*node {
	trees := make(map[string]*node, len(paths))
	for kind, list := range paths {
		root := &node{}
		for _, path := range list {
			root.add(strings.Split(strings.ReplaceAll(path, "[]", ".[]"), "."))
		}
		trees[kind] = root
	}
	return trees
}

func (n *node) add(steps []string) {
	if len(steps) == 0 {
		n.keep = true
		return
	}
	var next **node
	switch steps[0] {
	case "*":
		next = &n.any
	case "[]":
		next = &n.element
	default:
		i := slices.Index(n.names, steps[0])
		if i < 0 {
			i = len(n.names)
			n.names, n.members = append(n.names, steps[0]), append(n.members, nil)
		}
		next = &n.members[i]
	}
	if *next == nil {
		*next = &node{}
	}
	(*next).add(steps[1:])
}

// treeOf returns what is selected of an object, nil for nothing. Of ConfigMaps
// it is Knative's own settings only: others may hold what should not spread.
func treeOf(group, kind, name string) *node {
	if kind == "ConfigMap" && !strings.HasPrefix(name, "config-") {
		return nil
	}
	return selection[group+"/"+kind]
}

// keepAnnotation tells which annotations the tables keep: those of Knative
// and KServe, which steer scaling, routing and rollout.
func keepAnnotation(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	return isUnder(domain, "knative.dev") || isUnder(domain, "kserve.io")
}

// isUnder reports whether a domain is another, or is below it.
func isUnder(domain, top string) bool {
	above, ok := strings.CutSuffix(domain, top)
	return ok && (above == "" || above[len(above)-1] == '.')
}

// Kinds maps the resources that appear in audit events to the kinds of the
// objects in their bodies, for bodies that do not say: patches.
var kinds = map[string]string{
	"serving.knative.dev/services":                       "Service",
	"serving.knative.dev/configurations":                 "Configuration",
	"serving.knative.dev/revisions":                      "Revision",
	"serving.knative.dev/routes":                         "Route",
	"serving.knative.dev/domainmappings":                 "DomainMapping",
	"autoscaling.internal.knative.dev/podautoscalers":    "PodAutoscaler",
	"autoscaling.internal.knative.dev/metrics":           "Metric",
	"networking.internal.knative.dev/serverlessservices": "ServerlessService",
	"networking.internal.knative.dev/ingresses":          "Ingress",
	"networking.internal.knative.dev/certificates":       "Certificate",
	"caching.internal.knative.dev/images":                "Image",
	"apps/deployments":                                   "Deployment",
	"apps/replicasets":                                   "ReplicaSet",
	"/pods":                                              "Pod",
	"/services":                                          "Service",
	"/endpoints":                                         "Endpoints",
	"/configmaps":                                        "ConfigMap",
	"/resourcequotas":                                    "ResourceQuota",
	"autoscaling/horizontalpodautoscalers":               "HorizontalPodAutoscaler",
	"coordination.k8s.io/leases":                         "Lease",
	"serving.kserve.io/inferenceservices":                "InferenceService",
}

// Kind returns the kind of the objects of a resource, "" where it is not one
// of the Knative family.
func Kind(group, resource string) string { return kinds[group+"/"+resource] }
