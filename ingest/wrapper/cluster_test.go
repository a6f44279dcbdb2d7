package wrapper

import "testing"

func TestClusters(t *testing.T) {
	const event = `{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\"}`
	for _, test := range []struct{ what, record, want string }{
		{"Google Cloud", `{"insertId":"i","logName":"l","resource":{"type":"k8s_cluster","labels":{"cluster_name":"east"}},"textPayload":"` + event + `"}`, "east"},
		{"Azure, a batch", `{"records":[{"category":"kube-audit","resourceId":"/SUBSCRIPTIONS/S/PROVIDERS/MICROSOFT.CONTAINERSERVICE/MANAGEDCLUSTERS/EAST","properties":{"log":"` + event + `"}}]}`, "east"},
		{"Azure, a row", `{"AuditId":"a","ObjectRef":{},"Verb":"get","_ResourceId":"/subscriptions/s/managedClusters/east"}`, "east"},
		{"CloudWatch", `{"messageType":"DATA_MESSAGE","logGroup":"/aws/eks/east/cluster","logEvents":[{"message":"` + event + `"}]}`, "east"},
		{"logcli", `{"labels":{"cluster":"east"},"line":"` + event + `"}`, "east"},
		{"a query to Loki", `{"data":{"result":[{"stream":{"cluster_name":"east"},"values":[["1","` + event + `"]]}]}}`, "east"},
		{"OpenShift", `{"@timestamp":"t","openshift":{"cluster_id":"east"},"message":"` + event + `"}`, "east"},
		{"Elasticsearch", `{"_source":{"orchestrator":{"cluster":{"name":"east"}},"message":"` + event + `"}}`, "east"},
		{"OpenTelemetry", `{"resourceLogs":[{"resource":{"attributes":[{"key":"x","value":{}},{"key":"k8s.cluster.name","value":{"stringValue":"east"}}]},"scopeLogs":[{"logRecords":[{"body":{"stringValue":"` + event + `"}}]}]}]}`, "east"},
		{"one wrapper in another", `{"log":"{\"labels\":{\"cluster\":\"east\"},\"line\":\"{}\"}\n","stream":"stdout","time":"t"}`, "east"},
		{"a log group of something else", `{"messageType":"DATA_MESSAGE","logGroup":"/ecs/x","logEvents":[{"message":"` + event + `"}]}`, ""},
		{"nothing", `{"log":"` + event + `\n","stream":"stdout","time":"t"}`, ""},
	} {
		leaves := new(Opener).Leaves([]byte(test.record))
		if len(leaves) != 1 || leaves[0].Cluster != test.want {
			t.Errorf("%s: %+v, want %q", test.what, leaves, test.want)
		}
	}
}
