package timeline

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	tests := []struct{ text, number, class string }{
		{"0.3.0", "0.3.0", "A"}, {"v1.14.1", "1.14.1", "A"}, {"1.15.0", "1.15.0", "A"}, {"1.15.2", "1.15.2", "A"}, {"1.15.3", "1.15.3", "B"},
		{"1.16.0", "1.16.0", "A"}, {"1.16.1", "1.16.1", "B"}, {"1.16.3", "1.16.3", "B"}, {"1.17.0", "1.17.0", "B"}, {"1.17.9", "1.17.9", "B"},
		{"1.18.1", "1.18.1", "B"}, {"1.18.2", "1.18.2", "C"}, {"1.19.6", "1.19.6", "B"}, {"1.19.7", "1.19.7", "C"}, {"1.20.0", "1.20.0", "C"},
		{"1.21.0", "1.21.0", "D"}, {"v1.23.0", "1.23.0", "D"}, {"2.0.0", "2.0.0", "D"}, {"1.20", "1.20", "C"}, {"1.14", "1.14", "A"}, {"1.15", "1.15", "AB"}, {"1.16", "1.16", "AB"}, {"1.17", "1.17", "B"}, {"1.18", "1.18", "BC"}, {"1.19", "1.19", "BC"}, {"1.21", "1.21", "D"}, {" 1.20.3 ", "1.20.3", "C"},
		{"1.18.2-distro.4", "1.18.2", "C"}, {"1.15.3+vendor", "1.15.3", "B"},
		{"", "", ""}, {"latest", "", ""}, {"1", "", ""}, {"1.20.3.4", "", ""}, {"1.x", "", ""}, {"-1.20", "", ""}, {"20260101-abc", "", ""},
		{"99999999999999999999.1.1", "", ""},
	}
	for _, test := range tests {
		number, classes, err := ParseVersion(test.text)
		class := ""
		for _, c := range classes {
			class += string(c)
		}
		if number != test.number || class != test.class || (err != nil) != (test.class == "") {
			t.Errorf("%q: %q, class %q, %v", test.text, number, class, err)
		}
	}
}

// pod is a Pod in a snapshot, with labels.
func pod(namespace, name, labels string, more ...string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":%q,"labels":{%s}}%s}`+"\n", name, namespace, labels, strings.Join(more, ""))
}

func TestReleaseOfCluster(t *testing.T) {
	const own = `"app.kubernetes.io/name":"knative-serving","app.kubernetes.io/version":`
	deployment := func(image string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"controller","namespace":"knative-serving"},"spec":{"template":{"spec":{"containers":[{"name":"controller","image":"` + image + `"}]}}}}` + "\n"
	}
	tests := []struct{ name, input, want string }{
		{"label", pod("knative-serving", "controller-1", own+`"1.18.1"`), "1.18.1 [B]"},
		{"label of another namespace", pod("serving", "webhook-1", own+`"v1.20.3"`), "1.20.3 [C]"},
		{"label of somebody else", pod("knative-serving", "kourier-1", `"app.kubernetes.io/name":"knative-networking","app.kubernetes.io/version":"1.18.1"`), " [A B C D]"},
		{"label of a networking layer", pod("knative-serving", "net-kourier-1", own+`"1.18.2","app.kubernetes.io/component":"net-kourier"`), " [A B C D]"},
		{"old label", pod("knative-serving", "controller-1", `"serving.knative.dev/release":"v0.20.0"`), "0.20.0 [A]"},
		{"no version", pod("knative-serving", "controller-1", own+`"devel"`), " [A B C D]"},
		{"image", deployment("gcr.io/knative-releases/knative.dev/serving/cmd/controller:v1.19.7"), "1.19.7 [C]"},
		{"image by digest", deployment("gcr.io/knative-releases/knative.dev/serving/cmd/controller@sha256:0123"), " [A B C D]"},
		{"an upgrade within a class", pod("knative-serving", "controller-1", own+`"1.21.0"`) + pod("knative-serving", "controller-2", own+`"1.22.1"`), " [D]"},
		{"an upgrade", pod("knative-serving", "controller-1", own+`"1.18.1"`) + pod("knative-serving", "controller-2", own+`"1.22.1"`), " [B D]"},
	}
	for _, test := range tests {
		h := read(t, test.input)
		r := h.Clusters[0].Release()
		if got := fmt.Sprint(r.Version, " ", r.Classes); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestGivenRelease: what was given counts, whatever the inputs tell.
func TestGivenRelease(t *testing.T) {
	cluster := newFamily("").read(t, pod("knative-serving", "controller-1", `"app.kubernetes.io/name":"knative-serving","app.kubernetes.io/version":"1.18.1"`)).Family.Cluster
	cluster.Given("1.23.0", []Class{ClassD})
	for _, r := range []Release{cluster.Release(), (&Family{Cluster: cluster}).Release()} {
		if r.Version != "1.23.0" || !r.May(ClassD) || r.May(ClassB) || !r.Known() || len(r.Against) != 1 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBehaviour(t *testing.T) {
	scaled := `"annotations":{"autoscaling.knative.dev/initial-scale":"3"}`
	created := func(res, name, uid, metadata string, req ...string) event {
		e := event{at: 2, verb: "create", res: res, name: name, uid: uid, code: 201, resp: object(res, name, uid, metadata)}
		if len(req) > 0 {
			e.req = req[0]
		}
		return e
	}
	revision := created("revisions", "r-00001", "u", scaled)
	plain := created("revisions", "r-00001", "u", "")
	status := func(list string) event {
		return event{at: 3, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}.both("", object("revisions", "r-00001", "u", "", conditions(list)))
	}
	patch := func(agent string) event {
		return event{at: 4, verb: "patch", res: "deployments/scale", name: "r-00001-deployment", agent: agent, level: "Metadata"}
	}
	conflict := `Operation cannot be fulfilled on deployments.apps "r-00001-deployment"`
	logged := func(level, message, err string) zap {
		return zap{at: 2, trace: "t", level: level, msg: message, err: err}
	}
	type record interface{ json() string }
	tests := []struct {
		name    string
		records []record
		want    string
	}{
		{"nothing", []record{revision}, "[A B C D]"},
		{"deployments/scale by the autoscaler", []record{plain, patch("autoscaler/v0.0.0")}, "[D]"},
		{"deployments/scale by somebody else", []record{plain, patch("kubectl/v1.34")}, "[A B C D]"},
		{"a hashed Deployment", []record{plain, created("deployments", "r-00001-deployment", "d", `"labels":{"serving.knative.dev/deployment-hash":"x","serving.knative.dev/revision":"r-00001"}`)}, "[D]"},
		{"copied annotations", []record{revision, created("deployments", "r-00001-deployment", "d", scaled)}, "[A B C]"},
		{"annotations that were not copied", []record{revision, created("deployments", "r-00001-deployment", "d", "")}, "[D]"},
		{"annotated later", []record{plain, created("deployments", "r-00001-deployment", "d", ""),
			event{at: 60, verb: "patch", res: "revisions", name: "r-00001", uid: "u", resp: object("revisions", "r-00001", "u", scaled)}}, "[A B C D]"},
		{"none to copy", []record{plain, created("deployments", "r-00001-deployment", "d", "")}, "[A B C D]"},
		{"a conflict at debug level", []record{plain, logged("DEBUG", "Reconcile conflict", "")}, "[D]"},
		{"a conflict as an error", []record{plain, logged("ERROR", "Returned an error", conflict)}, "[A B C]"},
		{"another error", []record{plain, logged("ERROR", "Returned an error", "failed to create image cache")}, "[A B C D]"},
		{"healthy without a word of the autoscaler", []record{plain, status("ContainerHealthy=True")}, "[B C D]"},
		{"healthy with it", []record{plain, status("ContainerHealthy=True Active=True")}, "[A B C D]"},
		{"not healthy", []record{plain, status("ContainerHealthy=Unknown")}, "[A B C D]"},
		{"a class that was added", []record{plain, created("podautoscalers", "r-00001", "p", "", object("podautoscalers", "r-00001", "", `"annotations":{"autoscaling.knative.dev/class":"kpa.autoscaling.knative.dev"}`))}, "[C D]"},
		{"two signs", []record{plain, status("ContainerHealthy=True"), logged("ERROR", "Returned an error", conflict)}, "[B C]"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		log := ""
		for _, r := range test.records {
			if z, ok := r.(zap); ok {
				log += z.json() + "\n"
				continue
			}
			records = append(records, r)
		}
		files := []string{join(records...)}
		if log != "" {
			files = append(files, log)
		}
		r := read(t, files...).Families[0].Release()
		if got := fmt.Sprint(r.Classes); got != test.want {
			t.Errorf("%s: %s, want %s: %+v", test.name, got, test.want, r.Signs)
		}
		for _, s := range r.Signs {
			if s.Source == (Source{}) {
				t.Errorf("%s: %q has no source", test.name, s.What)
			}
		}
	}
}
