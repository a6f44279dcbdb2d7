package wrapper

import "strings"

// clusterOf returns the name of the cluster that the members of an envelope, or
// of an element of a batch, tell; empty if they do not:
//
//   - Google Cloud: resource.labels.cluster_name
//   - Azure: the end of resourceId or _ResourceId, …/managedClusters/NAME
//   - CloudWatch: the log group of EKS, /aws/eks/NAME/cluster
//   - Loki: the label cluster, cluster_name or k8s_cluster_name
//   - OpenShift: openshift.cluster_id
//   - Elasticsearch: orchestrator.cluster.name, as ECS has it
//   - OpenTelemetry: the attribute k8s.cluster.name of the resource
func clusterOf(members map[string][]byte) string {
	for _, name := range []string{"resourceId", "_ResourceId"} {
		if cluster := azureCluster(rawText(members[name])); cluster != "" {
			return cluster
		}
	}
	if rest, ok := strings.CutPrefix(rawText(members["logGroup"]), "/aws/eks/"); ok {
		return strings.TrimSuffix(rest, "/cluster")
	}
	for _, name := range []string{"labels", "stream"} {
		if cluster := lokiCluster(object(members[name])); cluster != "" {
			return cluster
		}
	}
	if cluster := rawText(object(members["openshift"])["cluster_id"]); cluster != "" {
		return cluster
	}
	if cluster := rawText(object(object(members["orchestrator"])["cluster"])["name"]); cluster != "" {
		return cluster
	}
	resource := object(members["resource"])
	if cluster := rawText(object(resource["labels"])["cluster_name"]); cluster != "" {
		return cluster
	}
	return otlpCluster(resource)
}

func azureCluster(id string) string {
	const kind = "/managedclusters/"
	i := strings.Index(strings.ToLower(id), kind)
	if i < 0 {
		return ""
	}
	name, _, _ := strings.Cut(id[i+len(kind):], "/")
	return strings.ToLower(name) // Azure writes it in capitals in some records
}

func lokiCluster(labels map[string][]byte) string {
	for _, name := range []string{"cluster", "cluster_name", "k8s_cluster_name"} {
		if cluster := rawText(labels[name]); cluster != "" {
			return cluster
		}
	}
	return ""
}

func otlpCluster(resource map[string][]byte) string {
	for _, raw := range elements(resource["attributes"]) {
		if attribute := object(raw); rawText(attribute["key"]) == "k8s.cluster.name" {
			return rawText(object(attribute["value"])["stringValue"])
		}
	}
	return ""
}

// of says of which cluster records are, unless they say so themselves.
func of(members map[string][]byte, inner []Inner) []Inner {
	cluster := clusterOf(members)
	for i := range inner {
		if inner[i].Cluster == "" {
			inner[i].Cluster = cluster
		}
	}
	return inner
}
