package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/naming"
)

func TestChildName(t *testing.T) {
	f := strings.Repeat("f", 63)
	tests := []struct{ parent, suffix, want string }{
		// knative/pkg kmeta/names_test.go
		{"asdf", "-deployment", "asdf-deployment"},
		{f, "-deployment", "ffffffffffffffffffff105d7597f637e83cc711605ac3ea4957-deployment"},
		{f, "-deploy", "ffffffffffffffffffffffff105d7597f637e83cc711605ac3ea4957-deploy"},
		// just short enough
		{f[:52], "-deployment", f[:52] + "-deployment"},
		{f, "", f},
	}
	for _, test := range tests {
		if got := naming.Child(test.parent, test.suffix); got != test.want {
			t.Errorf("%s%s: %s, want %s", test.parent, test.suffix, got, test.want)
		}
	}
	for n := 53; n <= 63; n++ {
		if got := naming.Child(f[:n], "-deployment"); len(got) != 63 || got == naming.Child(f[:n-1], "-deployment") {
			t.Errorf("%d characters: %s", n, got)
		}
	}
}

// families writes each family as "name: kind name, …", sorted.
func families(h *History) string {
	var all []string
	for _, f := range h.Families {
		var objects []string
		for _, o := range f.objects {
			objects = append(objects, o.Kind+" "+o.Name)
		}
		slices.Sort(objects)
		all = append(all, f.Name+": "+strings.Join(objects, ", "))
	}
	return strings.Join(all, "; ")
}

// seen is a snapshot of an object: one line.
func seen(resource, name, uid, metadata string, members ...string) string {
	return withVersion(object(resource, name, uid, metadata, members...), "1") + "\n"
}

func labels(pairs string) string {
	var all []string
	for _, p := range strings.Fields(pairs) {
		key, value, _ := strings.Cut(p, "=")
		all = append(all, fmt.Sprintf(`"serving.knative.dev/%s":%q`, key, value))
	}
	return `"labels":{` + strings.Join(all, ",") + `}`
}

func TestFamilies(t *testing.T) {
	traffic := func(configuration string) string {
		return fmt.Sprintf(`"spec":{"traffic":[{"configurationName":%q,"percent":100}]}`, configuration)
	}
	tests := []struct {
		name, input, want string
	}{
		{"by owners", seen("services", "svc", "s", "") + seen("configurations", "svc", "c", owner("Service", "svc", "s")) +
			seen("revisions", "odd", "r", owner("Configuration", "svc", "c")) + seen("deployments", "d", "d", owner("Revision", "odd", "r")) +
			seen("replicasets", "rs", "rs", owner("Deployment", "d", "d")) + seen("pods", "p", "p", owner("ReplicaSet", "rs", "rs")) +
			seen("routes", "svc", "t", owner("Service", "svc", "s")) + seen("ingresses", "svc", "i", owner("Route", "svc", "t")),
			"svc: Configuration svc, Deployment d, Ingress svc, Pod p, ReplicaSet rs, Revision odd, Route svc, Service svc"},
		{"owners that were not seen", seen("revisions", "odd", "r", owner("Configuration", "svc", "c")) + seen("deployments", "d", "d", owner("Revision", "odd", "r")),
			"svc: Deployment d, Revision odd"},
		{"by labels", seen("revisions", "odd", "r", labels("configuration=svc")) + seen("deployments", "d", "d", labels("revision=odd configuration=svc")) +
			seen("ingresses", "i", "i", labels("route=svc")) + seen("pods", "p", "p", labels("service=svc revision=odd")),
			"svc: Deployment d, Ingress i, Pod p, Revision odd"},
		{"a Configuration with a Service above", seen("configurations", "cfg", "c", labels("service=svc")) + seen("revisions", "cfg-00001", "r", labels("configuration=cfg")),
			"svc: Configuration cfg, Revision cfg-00001"},
		{"a Route of its own that points at another Configuration", seen("configurations", "cfg", "c", "") + seen("routes", "rt", "t", "", traffic("cfg")) + seen("ingresses", "rt", "i", owner("Route", "rt", "t")),
			"cfg: Configuration cfg, Ingress rt, Route rt"},
		{"and at one of a Service", seen("configurations", "cfg", "c", owner("Service", "svc", "s")) + seen("routes", "rt", "t", "", traffic("cfg")),
			"svc: Configuration cfg, Route rt"},
		{"a Revision with a name of its own", seen("services", "svc", "s", "") + seen("revisions", "svc-blue", "r", labels("service=svc configuration=svc")) + seen("podautoscalers", "svc-blue", "a", ""),
			"svc: PodAutoscaler svc-blue, Revision svc-blue, Service svc"},
		{"the Deployment of someone else", seen("revisions", "r-00001", "r", "") + seen("deployments", "web", "d", "") + seen("pods", "web-1", "p", owner("ReplicaSet", "web", "x")),
			"r: Revision r-00001"},
		{"one that only looks like a child", seen("revisions", "r-00001", "r", "") + seen("deployments", "r-00001-debug", "d", "") + seen("pods", "r-00001-shell", "p", "") + seen("podautoscalers", "r-00001-x", "a", ""),
			"r: Revision r-00001"},
		{"owners in a circle", seen("configurations", "a", "1", owner("Configuration", "b", "2")) + seen("configurations", "b", "2", owner("Configuration", "a", "1")),
			""},
	}
	for _, test := range tests {
		if got := families(read(t, test.input)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestFamiliesByName: at level Metadata nothing but names tells.
func TestFamiliesByName(t *testing.T) {
	long := strings.Repeat("model-", 8) + "predictor-00001" // 63 characters
	deployment := naming.Child(long, "-deployment")
	rs := deployment + "-5c6554b685"
	names := []struct{ res, name, revision string }{
		{"deployments", "rt-00002-deployment", "rt-00002"},
		{"replicasets", "rt-00002-deployment-5c6554b685", "rt-00002"},
		{"pods", "rt-00002-deployment-5c6554b685-7965s", "rt-00002"},
		{"images", "rt-00002-cache-user-container", "rt-00002"},
		{"images", "rt-00002-cache", "rt-00002"},
		{"images", "rt-00002-cache-side-car", "rt-00002"},
		{"podautoscalers", "rt-00002", "rt-00002"},
		{"serverlessservices", "rt-00002", "rt-00002"},
		{"deployments", deployment, long},
		{"replicasets", rs, long},
		{"pods", (rs + "-")[:58] + "7965s", long},
		{"images", naming.Child(naming.Child(long, "-cache"), "-user-container"), long},
		{"podautoscalers", long, long},
		{"deployments", "rt-00002-deployment-2", ""},
		{"pods", "rt-00002-7965s", ""},
		{"images", "rt-00002-user-container", ""},
	}
	for _, test := range names {
		h := read(t, join(
			event{at: 1, verb: "create", res: "revisions", name: "rt-00002", level: "Metadata"},
			event{at: 1, verb: "create", res: "revisions", name: long, level: "Metadata"},
			event{id: "x", at: 2, verb: "patch", res: test.res, name: test.name, level: "Metadata"}))
		got := ""
		for _, f := range h.Families {
			for _, r := range f.Revisions {
				for _, objects := range [][]*Object{r.Deployments, r.ReplicaSets, r.Pods, r.Images, r.PodAutoscalers, r.ServerlessServices} {
					for _, o := range objects {
						got = r.Name
						if o.joined != Inferred {
							t.Errorf("%s %s: joined %s", test.res, test.name, o.joined)
						}
					}
				}
			}
		}
		if got != test.revision {
			t.Errorf("%s %s is of %q, want %q", test.res, test.name, got, test.revision)
		}
	}
}

func TestInferenceService(t *testing.T) {
	label := `"labels":{"serving.kserve.io/inferenceservice":"llama"}`
	tests := []struct{ name, input, want string }{
		{"owner", seen("inferenceservices", "llama", "i", "") + seen("services", "x", "s", owner("InferenceService", "llama", "i")), "llama/1"},
		{"owner that was not seen", seen("services", "x", "s", owner("InferenceService", "llama", "i")), "llama/0"},
		{"label", seen("inferenceservices", "llama", "i", "") + seen("services", "x", "s", label), "llama/1"},
		{"name", seen("inferenceservices", "llama", "i", "") + seen("services", "llama-predictor", "s", ""), "llama/1"},
		{"older name", seen("inferenceservices", "llama", "i", "") + seen("services", "llama-predictor-default", "s", ""), "llama/1"},
		{"a name that is not KServe's", seen("inferenceservices", "llama", "i", "") + seen("services", "llama-web", "s", ""), "/0"},
		{"of another", seen("inferenceservices", "other", "i", "") + seen("services", "x", "s", label), "llama/0"},
	}
	for _, test := range tests {
		f := read(t, test.input).Families[0]
		if got := fmt.Sprintf("%s/%d", f.InferenceService, len(f.InferenceServices)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestRevisionNames(t *testing.T) {
	tests := []struct{ name, metadata, configuration, generation string }{
		{"rt-00002", "", "rt", "2"},
		{"rt-predictor-00012", "", "rt-predictor", "12"},
		{"rt-100000", "", "rt", "100000"},
		{"rt-blue", "", "", ""},
		{"rt-002", "", "", ""},
		{"rt-blue", labels("configuration=cfg configurationGeneration=7"), "cfg", "7"},
		{"rt-00002", labels("configuration=cfg configurationGeneration=7"), "cfg", "7"},
		{"rt-00002", owner("Configuration", "own", "c"), "own", "2"},
	}
	for _, test := range tests {
		r := revision(t, read(t, seen("revisions", test.name, "r", test.metadata)), test.name)
		if r.Configuration() != test.configuration || r.Generation() != test.generation {
			t.Errorf("%s %s: Configuration %q, generation %q", test.name, test.metadata, r.Configuration(), r.Generation())
		}
	}
}

// TestOwnersWithoutUID: bodies made by hand, and those of some tools, have none.
func TestOwnersWithoutUID(t *testing.T) {
	h := read(t, seen("revisions", "a-00001", "", "")+seen("revisions", "b-00001", "", "")+
		seen("deployments", "b-00001-deployment", "", `"ownerReferences":[{"kind":"Revision","name":"b-00001","controller":true}]`)+
		seen("replicasets", "x", "", `"ownerReferences":[{"kind":"Deployment","name":"b-00001-deployment","controller":true}]`))
	if got := families(h); got != "a: Revision a-00001; b: Deployment b-00001-deployment, ReplicaSet x, Revision b-00001" {
		t.Errorf("families %s", got)
	}
}

func TestSelect(t *testing.T) {
	h := read(t, seen("configurations", "cfg", "c", labels("service=svc"))+seen("revisions", "cfg-00001", "r", labels("configuration=cfg")))
	tests := []struct {
		kind, name, namespace string
		want                  int
	}{
		{KindConfiguration, "cfg", "", 1}, {KindConfiguration, "shop/cfg", "", 1}, {KindConfiguration, "other/cfg", "", 0}, {KindConfiguration, "cfg", "other", 0},
		{KindRevision, "cfg-00001", "shop", 1}, {KindRevision, "svc", "", 0},
		{KindService, "svc", "", 1}, // never written, but its family tells of it
		{KindRoute, "svc", "", 1}, {KindInferenceService, "svc", "", 0},
	}
	for _, test := range tests {
		if got := h.Select(test.kind, test.name, test.namespace); len(got) != test.want {
			t.Errorf("%s %s in %q: %d, want %d", test.kind, test.name, test.namespace, len(got), test.want)
		}
	}
	if got := h.Names(KindRevision); !slices.Equal(got, []string{"shop/cfg-00001"}) {
		t.Errorf("names %q", got)
	}
}

func TestFullName(t *testing.T) {
	f := &Family{Namespace: "shop", Name: "cart", Cluster: &Cluster{}}
	if got := f.FullName(); got != "shop/cart" {
		t.Error(got)
	}
	f.Cluster.Name = "east"
	if got := f.FullName(); got != "east: shop/cart" {
		t.Error(got)
	}
}
