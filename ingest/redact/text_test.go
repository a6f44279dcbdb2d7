package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/naming"
)

func testRedactor() *Redactor { return New(Key(strings.Repeat("k", keySize)), NewParents()) }

// TestLine: what stands between < and > is replaced by the same pseudonym everywhere,
// and all else stays.
func TestLine(t *testing.T) {
	for _, line := range []string{
		`Reconciling PA: <rt>-00002`,
		`failed to create image cache "<rt>-00002-cache": images.caching.internal.knative.dev "<rt>-00002-cache-user-container" is forbidden: exceeded quota: <capimg>, requested: count/images.caching.internal.knative.dev=1, used: 1`,
		`Operation cannot be fulfilled on podautoscalers.autoscaling.internal.knative.dev "<rt>-00002": the object has been modified; please apply your changes to the latest version and try again`,
		`Event(v1.ObjectReference{Kind:"Revision", Namespace:"<repro>", Name:"<rt>-00002", ResourceVersion:"1036"}): type: 'Warning' reason: 'InternalError' failed`,
		`Processing from queue <repro>/<rt>-00002 (depth: 0)`,
		`Marking bad traffic target: Configuration "<rt>" not ready, isFailure=false`,
		`I1130 06:35:16.571340   13223 warnings.go:110] "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"`,
		`http://<rt>.<repro>.svc.cluster.local:8012`,
		`/apis/serving.knative.dev/v1/namespaces/<repro>/revisions/<rt>-00001/status?dryRun=All&labelSelector=<team>%3D<shop>`,
		`/api/v1/namespaces/<status>/pods/<scale>/log`,
		`system:serviceaccount:knative-serving:controller`, `system:<node>:<node>-07`, `<alice>@<acme>.<example>.com`,
		`2026-11-30T06:36:58.818231Z <at>:2026-11-30T06:36:58Z took 5m42s, 100m, 128Mi, 25%`,
		`gcr.io/knative-releases/knative.dev/serving/cmd/controller:v1.20.3`, `<quay>`,
		`{"kind":"Revision","metadata":{"name":"<rt>","managedFields":[],"labels":{"<team>":"<pay>","serving.knative.dev/service":"<rt>"}}}`,
		`{"log":"{\"message\":\"Created PA: <rt>-00001\"}\n","stream":"stderr"}`,
		`{"kind":"ConfigMap","data":{"allow-zero-initial-scale":"true","initial-scale":"3"},"metadata":{"name":"config-autoscaler"}}`,
		`{"kind":"Event","objectRef":{"resource":"configmaps","name":"config-autoscaler"},"requestObject":{"data":{"initial-scale":"3"}}}`,
		`2026-03-02T09:00:00.1Z stderr F Reconciling PA: <rt>-00002`,
		`2026-03-02T09:00:00.1Z AUDIT: id="" stage="ResponseComplete" ip="127.0.0.1" method="update" user="<alice>" as="<self>" user-agent="<agent>"`,
		`{"resourceVersion":"1036123","labels":{"command.gke.io/dryRun":""}}`, `1764484616.571340 [::1]:50051 used: 107374182`,
		`{"a":1,"requestURI":"`, `[{"op":"replace","path":"/spec/replicas","value":6}]`,
		"\u00a0\u00a0Tag:\u00a0\"\"", ":::", "",
	} {
		if line == `<quay>` {
			line = `quay.io/<quayside>/<x>`
		}
		r := testRedactor()
		var want, original strings.Builder
		for rest := line; rest != ""; {
			before, after, found := strings.Cut(rest, "<")
			want.WriteString(before)
			original.WriteString(before)
			if rest = ""; found {
				var word string
				word, rest, _ = strings.Cut(after, ">")
				want.WriteString(r.pseudonym(word))
				original.WriteString(word)
			}
		}
		if got := r.Line(original.String()); got != want.String() {
			t.Errorf("%s\nbecame %s\nnot    %s", original.String(), got, want.String())
		}
	}
}

// TestGone: nothing is left of what is secret, nor of addresses and identifiers.
func TestGone(t *testing.T) {
	for secret, lines := range map[string][]string{
		"4711": {
			`{"kind":"Secret","data":{"a":"4711"}}`, `{"kind":"Secret","stringData":{"a":4711}}`, `{"data":{"pin":"4711"},"kind":"ConfigMap","metadata":{"name":"x"}}`,
			`{"env":[{"name":"PIN","value":"4711"}]}`, `{"args":["--pin","4711"]}`, `{"labels":{"customer":"4711"}}`, `{"annotations":{"acme.test/x":"pin 4711"}}`,
			`[{"op":"add","path":"/data/pin","value":"4711"}]`, `[{"op":"add","path":"/metadata/annotations/acme~1pin","value":"4711"}]`,
			`{"kubectl.kubernetes.io/last-applied-configuration":"{\"a\":4711}"}`, `{"status":{"token":"4711"}}`, `{"token":{"deep":"x","n":4711}}`, `{"caBundle":[4711]}`, `{"token":4711}`, `{"continue":"4711"}`,
			`{"managedFields":[{"f:4711":{}}]}`, `{"message":"{\"env\":[{\"value\":\"4711\"}]}"}`, `{"env":[{"value":"4711`,
		},
		"hunter": {`{"env":[{"value":"hunter2"}]}`, `{"a":"x\u000ahunter"}`, `{"a":"\xhunter"}`, `hunter`, `{"hunter":{}}`, `{hunter}`, `/api/v1/hunter`, `{"x":hunter}`},
		"10.1.2.3": {
			`10.1.2.3:80`, `ip:10.1.2.3`, `{"ip":"10.1.2.3"}`, `EndpointAddress{IP:10.1.2.3,TargetRef:nil}`, `/api/v1/nodes/10.1.2.3`, `http://10.1.2.3/`,
		},
		"fd00:10:244:1": {`fd00:10:244:1::5`, `[fd00:10:244:1::5]:80`},
		"4079":          {`7f913220-4ca3-4079-84e7-2fd3a6d5916f`, `UID:7f913220-4ca3-4079-84e7-2fd3a6d5916f`, `JTI=7f913220-4ca3-4079-84e7-2fd3a6d5916f`},
		"48213":         {`shop-48213`, `{"a":"shop-48213"}`},
		"xhkv8":         {`a-b-xhkv8`},
		"210987654321": {
			`arn:aws:sts::210987654321:assumed-role/x`, `aws-iam-authenticator:210987654321:x`, `210987654321.dkr.ecr.eu-central-1.amazonaws.com/x`,
			`210987654321-compute@developer.gserviceaccount.com`, `{"owner":"210987654321"}`, `projects/210987654321/x`, `account 210987654321 is not`,
		},
		"10-1-2-3": {`ip-10-1-2-3.eu-central-1.compute.internal`, `10-1-2-3.x.pod.cluster.local`, `system:node:ip-10-1-2-3.ec2.internal`, `/api/v1/nodes/ip-10-1-2-3`, `x-10-1-2-3-y`},
	} {
		for _, line := range lines {
			if got := testRedactor().Line(line); strings.Contains(got, secret) {
				t.Errorf("%s became %s", line, got)
			}
		}
	}
}

// TestChildren: names that are made of one another are so afterwards, also where a name
// gets too long by its pseudonym, or was.
func TestChildren(t *testing.T) {
	long := strings.Repeat("very-", 9) + "long"
	for _, parent := range []string{"rt", "a-b-c-d-e-f", long} {
		for _, suffix := range []string{"-00002", "-deployment", "-cache", "-private"} {
			r := testRedactor()
			name := child(parent, suffix)
			r.parents.Add(fmt.Appendf(nil, "%s %s", parent, name))
			if got, want := r.Line(name), child(r.Line(parent), suffix); got != want {
				t.Errorf("%s became %s, %s became %s", parent, r.Line(parent), name, got)
			}
		}
	}
}

// TestCut: a Pod of a Deployment with a long name starts as that does.
func TestCut(t *testing.T) {
	r := testRedactor()
	deployment := child(strings.Repeat("q", 50)+"-00001", "-deployment")
	replicaSet := deployment + "-787f694b45"
	pod := replicaSet[:58] + "xhkv8"
	r.parents.Add([]byte(pod + " " + replicaSet + " " + deployment))
	if got, want := r.Line(pod), r.Line(deployment); !strings.HasPrefix(got, want[:min(len(want), 58)]) {
		t.Errorf("the Pod became %s, the Deployment %s", got, want)
	}
}

func TestScramble(t *testing.T) {
	r := testRedactor()
	seen := map[string]bool{}
	for a := range len(digits) * len(digits) * len(digits) {
		out := r.scramble(fmt.Sprintf("%03d", a), digits)
		if len(out) != 3 || seen[out] {
			t.Fatalf("%03d became %s, as another", a, out)
		}
		seen[out] = true
	}
	if r.scramble("abc", hexDigits) == New(NewKey(), nil).scramble("abc", hexDigits) && r.scramble("def0", hexDigits) == New(NewKey(), nil).scramble("def0", hexDigits) {
		t.Error("two keys scramble alike")
	}
}

func child(parent, suffix string) string { return naming.Child(parent, suffix) }
