package object

import (
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/table"
)

func TestPatch(t *testing.T) {
	deployment := Header{"apps/v1", "Deployment"}
	revision := Header{"serving.knative.dev/v1", "Revision"}
	route := Header{"serving.knative.dev/v1", "Route"}
	configMap := Header{"v1", "ConfigMap"}
	for _, tt := range []struct {
		what   string
		header Header
		name   string
		body   string
		patch  string
		want   string // as from describe, without its first line
	}{
		{"an operation as Knative's autoscaler sends", deployment, "rt", `[{"op":"replace","path":"/spec/replicas","value":6}]`, JSONPatch, "  field spec.replicas = \"6\"\n"},
		{"members in any order", deployment, "rt", `[{"value":6,"path":"/spec/replicas","op":"add"}]`, JSONPatch, "  field spec.replicas = \"6\"\n"},
		{"operations that set nothing", deployment, "rt", `[{"op":"test","path":"/spec/replicas","value":6},{"op":"add","path":"/spec/replicas"},{"op":"remove","path":"/spec/paused"},{"op":"move","from":"/a","path":"/b"},1,null]`, JSONPatch, ""},
		{"operations that remove", deployment, "rt", `[{"op":"remove","path":"/spec/replicas"},{"op":"replace","path":"/status/replicas","value":null},{"op":"move","from":"/status/readyReplicas","path":"/x"},{"op":"copy","from":"/x","path":"/status/availableReplicas"}]`, JSONPatch,
			"  removed spec.replicas\n  removed status.replicas\n  removed status.readyReplicas\n  removed status.availableReplicas\n"},
		{"what is set and removed", deployment, "rt", `[{"op":"add","path":"/spec/replicas","value":1},{"op":"remove","path":"/spec/replicas"}]`, JSONPatch, "  removed spec.replicas\n"},
		{"what is removed and set", deployment, "rt", `[{"op":"remove","path":"/spec/replicas"},{"op":"add","path":"/spec/replicas","value":1}]`, JSONPatch, "  field spec.replicas = \"1\"\n  removed spec.replicas\n"},
		{"an annotation that is removed", deployment, "rt", `[{"op":"remove","path":"/metadata/annotations/serving.knative.dev~1x"},{"op":"remove","path":"/metadata/labels"}]`, JSONPatch, "  annotation serving.knative.dev/x = \"\"\n  removed metadata.labels\n"},
		{"annotations that are all removed", deployment, "rt", `{"metadata":{"annotations":null,"labels":{"a":"b"}}}`, MergePatch, "  label a = \"b\"\n  removed metadata.annotations\n"},
		{"annotations that are all replaced", deployment, "rt", `[{"op":"replace","path":"/metadata/annotations","value":{"serving.knative.dev/x":"1"}},{"op":"move","from":"/metadata/annotations/serving.knative.dev~1y","path":"/metadata/annotations/serving.knative.dev~1z"}]`, JSONPatch,
			"  annotation serving.knative.dev/x = \"1\"\n  annotation serving.knative.dev/y = \"\"\n  removed metadata.annotations\n  removed metadata.annotations[serving.knative.dev/z]\n"},
		{"the whole", deployment, "rt", `[{"op":"replace","path":"","value":{"spec":{"replicas":1}}}]`, JSONPatch, "  removed spec\n  removed status\n  removed data\n  removed metadata.labels\n  removed metadata.annotations\n"},
		{"metadata that is replaced", deployment, "rt", `[{"op":"add","path":"/metadata/labels/a","value":"b"},{"op":"replace","path":"/metadata","value":{}}]`, JSONPatch, "  removed metadata.labels\n  removed metadata.annotations\n"},
		{"an element that is removed: others move", route, "rt", `[{"op":"remove","path":"/spec/traffic/0"}]`, JSONPatch, "  removed spec.traffic\n"},
		{"an element that is put before others", route, "rt", `[{"op":"add","path":"/spec/traffic/0","value":{"percent":1}}]`, JSONPatch, "  removed spec.traffic\n"},
		{"an element that is replaced", route, "rt", `[{"op":"replace","path":"/spec/traffic/1","value":{"percent":1}}]`, JSONPatch, "  field spec.traffic[1].percent = \"1\"\n  removed spec.traffic[1]\n"},
		{"a list in a merge patch is the whole list", route, "rt", `{"spec":{"traffic":[{"percent":1}]}}`, MergePatch, "  field spec.traffic[0].percent = \"1\"\n  removed spec.traffic\n"},
		{"a list in a strategic merge patch is merged by key", deployment, "rt", `{"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"a","image":"b"}]}}}}`, MergePatch, "  field spec.replicas = \"2\"\n  removed spec.template.spec.containers\n"},
		{"what is not selected", deployment, "rt", `[{"op":"add","path":"/spec/template/spec/containers/0/env/0/value","value":"hunter2"},{"op":"add","path":"/spec/paused","value":true},{"op":"add","path":"/","value":1},{"op":"add","path":"spec/replicas","value":1}]`, JSONPatch, ""},
		{"an element", deployment, "rt", `[{"op":"replace","path":"/spec/template/spec/containers/1/image","value":"x:2"}]`, JSONPatch, "  field spec.template.spec.containers[1].image = \"x:2\"\n"},
		{"a structure", route, "rt", `[{"op":"replace","path":"/spec/traffic","value":[{"revisionName":"rt-1","percent":100},{"tag":"a"}]}]`, JSONPatch, "  field spec.traffic[0].revisionName = \"rt-1\"\n  field spec.traffic[0].percent = \"100\"\n  field spec.traffic[1].tag = \"a\"\n  removed spec.traffic\n"},
		{"an element at the end", route, "rt", `[{"op":"add","path":"/spec/traffic/-","value":{"percent":1}}]`, JSONPatch, "  removed spec.traffic\n"},
		{"metadata", revision, "rt", `[{"op":"add","path":"/metadata/annotations/serving.knative.dev~1forceUpgrade","value":"true"},{"op":"add","path":"/metadata/annotations/a~01b","value":"x"},{"op":"add","path":"/metadata/labels","value":{"a":"b"}},{"op":"add","path":"/metadata/labels/c~0~1d","value":"e"},{"op":"add","path":"/metadata/finalizers","value":["x"]}]`, JSONPatch,
			"  label a = \"b\"\n  label c~/d = \"e\"\n  annotation serving.knative.dev/forceUpgrade = \"true\"\n  removed metadata.labels\n"},
		{"a setting of Knative", configMap, "config-autoscaler", `[{"op":"add","path":"/data/initial-scale","value":"3"},{"op":"add","path":"/data/with.dot","value":"4"},{"op":"add","path":"/data/_example","value":"x"}]`, JSONPatch, "  field data.initial-scale = \"3\"\n  field data[with.dot] = \"4\"\n"},
		{"a ConfigMap of someone", configMap, "credentials", `[{"op":"add","path":"/data/password","value":"hunter2"},{"op":"add","path":"/data","value":{"password":"hunter2"}}]`, JSONPatch, ""},
		{"a ConfigMap without a name", configMap, "", `[{"op":"add","path":"/data/password","value":"hunter2"}]`, JSONPatch, ""},
		{"no operations", deployment, "rt", `[]`, JSONPatch, ""},

		{"a partial object", deployment, "rt", `{"spec":{"replicas":6},"metadata":{"annotations":{"serving.knative.dev/x":"1","other":"2"}}}`, MergePatch, "  annotation serving.knative.dev/x = \"1\"\n  field spec.replicas = \"6\"\n"},
		{"what it removes", deployment, "rt", `{"spec":{"replicas":null},"metadata":{"annotations":{"serving.knative.dev/x":null}}}`, MergePatch, "  annotation serving.knative.dev/x = \"\"\n  removed spec.replicas\n"},
		{"a partial setting of Knative", configMap, "config-autoscaler", `{"data":{"initial-scale":"3","_example":"x"}}`, MergePatch, "  field data.initial-scale = \"3\"\n"},
		{"a partial ConfigMap of someone", configMap, "credentials", `{"data":{"password":"hunter2"}}`, MergePatch, ""},
		{"a partial status", revision, "rt", `{"status":{"conditions":[{"type":"Ready","status":"True"}],"actualReplicas":1}}`, MergePatch, "  condition Ready True \"\" \"\" severity=\"\" since \n  field status.actualReplicas = \"1\"\n"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			o := table.Object{Location: table.Location{Line: 7}, Origin: "o", AuditID: "a", SpecDigest: "left from before"}
			if err := new(Decoder).Patch([]byte(tt.body), tt.header, tt.name, &o); err != nil {
				t.Fatal(err)
			}
			if o.Patch != tt.patch || o.Kind != tt.header.Kind || o.Group != tt.header.Group() || o.Line != 7 || o.AuditID != "a" || o.Origin != "o" {
				t.Errorf("got %+v", o)
			}
			_, got, _ := strings.Cut(describe(&o), "\n")
			if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
	for _, body := range []string{``, `[`, `[{"op":"add"]`, `[] 1`, `{"spec":{`, `"x"`, `1`} {
		if err := new(Decoder).Patch([]byte(body), deployment, "rt", &table.Object{}); err == nil {
			t.Errorf("%q is accepted", body)
		}
	}
}
