package redact

import (
	"strings"
	"testing"
)

func testRedactor() *Redactor { return New(Key(strings.Repeat("k", keySize)), nil) }

func TestTry(t *testing.T) {
	r := testRedactor()
	for _, s := range []string{
		`Reconciling PA: rt-00002`, `failed to create image cache "rt-00002-cache": images.caching.internal.knative.dev "rt-00002-cache-user-container" is forbidden: exceeded quota: capimg, requested: count/images.caching.internal.knative.dev=1, used: 1`,
		`Operation cannot be fulfilled on podautoscalers.autoscaling.internal.knative.dev "rt-00002": the object has been modified; please apply your changes to the latest version and try again`,
		`Event(v1.ObjectReference{Kind:"Revision", Namespace:"repro", Name:"rt-00002", UID:"c710cfda-407c-4769-8749-5c1dfe89bf31", APIVersion:"serving.knative.dev/v1", ResourceVersion:"1036", FieldPath:""}): type: 'Warning' reason: 'InternalError' failed`,
		`Processing from queue repro/rt-00002 (depth: 0)`, `I1130 06:35:16.571340   13223 warnings.go:110] "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"`,
		`http://rt.repro.svc.cluster.local:8012`, `10.244.8.2:9090`, `/apis/serving.knative.dev/v1/namespaces/repro/revisions/rt-00001/status?dryRun=All&fieldManager=kubectl-client-side-apply&labelSelector=app%3Dshop`,
		`system:serviceaccount:knative-serving:controller`, `kube-controller-manager/v1.34.2 (linux/amd64) kubernetes/8cc511e/system:serviceaccount:kube-system:deployment-controller`,
		`Unable to fetch image "ghcr.io/acme/shop:1.2": unexpected status code 401 Unauthorized`, `controller.knative.dev.serving.pkg.reconciler.revision.reconciler.00-of-01`,
		`rt-00002-deployment-5c6554b685-2bv7l`, `alice@acme.example.com`, `eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9.eyJpc3MiOiJrdWJlIn0.c2ln`, `Marking bad traffic target: Configuration "rt" not ready, isFailure=false`,
		`gcr.io/knative-releases/knative.dev/serving/cmd/controller:v1.20.3`,
		`{"kind":"Event","items":[{"metadata":{"name":"rt","managedFields":[{"a":1}],"labels":{"team":"pay","n":"123","serving.knative.dev/service":"rt"}},"spec":{"containers":[{"env":[{"name":"A","value":"42"}]}]}}]}`,
		`{"kind":"ConfigMap","data":{"allow-zero-initial-scale":"true"},"metadata":{"name":"config-autoscaler"}}`, `{"kind":"Secret","data":{"a":"MTIz"}}`,
	} {
		t.Log(r.Line(s))
	}
}
