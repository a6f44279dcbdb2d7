package timeline

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// scale writes metadata.annotations of autoscaling.
func scale(pairs string) string {
	var all []string
	for _, p := range strings.Fields(pairs) {
		key, value, _ := strings.Cut(p, "=")
		all = append(all, fmt.Sprintf(`"autoscaling.knative.dev/%s":%q`, key, value))
	}
	return `"annotations":{` + strings.Join(all, ",") + `}`
}

// family is a Revision r-00001 with children, written for a test.
type family struct{ events []interface{ json() string } }

func (f *family) add(e event) *family {
	if e.id == "" {
		e.id = fmt.Sprintf("e%d", len(f.events))
	}
	f.events = append(f.events, e)
	return f
}

const ofRevision = `"labels":{"serving.knative.dev/revision":"r-00001","serving.knative.dev/configuration":"r"}`

// newFamily starts a family with the creation of its Revision at 1.5 s.
func newFamily(annotations string) *family {
	return (&family{}).add(event{at: 1.5, verb: "create", res: "revisions", name: "r-00001"}.both("1", object("revisions", "r-00001", "u", scale(annotations))))
}

// status adds a status write of a child.
func (f *family) status(at float64, res, name, status string) *family {
	return f.add(event{at: at, verb: "update", res: res + "/status", name: name, uid: name}.both("", object(res, name, name, ofRevision, status)))
}

func (f *family) deployment(at float64, ready int) *family {
	return f.status(at, "deployments", "r-00001-deployment", fmt.Sprintf(`"status":{"readyReplicas":%d}`, ready))
}

func (f *family) pod(at float64, name, ready string) *family {
	return f.status(at, "pods", "r-00001-deployment-1-"+name, conditions("Ready="+ready, `"phase":"Running"`))
}

// pa adds a write of the PodAutoscaler: its status, or where sub is empty the
// rest.
func (f *family) pa(at float64, sub, annotations, reachability, status string) *family {
	e := event{at: at, verb: "update", res: "podautoscalers" + sub, name: "r-00001", uid: "pa"}
	return f.add(e.both("", object("podautoscalers", "r-00001", "pa", ofRevision+","+scale(annotations), fmt.Sprintf(`"spec":{"reachability":%q}`, reachability), status)))
}

func (f *family) read(t testing.TB, more ...string) *Revision {
	t.Helper()
	return revision(t, read(t, append([]string{join(f.events...)}, more...)...), "r-00001")
}

func configMap(pairs string) string {
	var all []string
	for _, p := range strings.Fields(pairs) {
		key, value, _ := strings.Cut(p, "=")
		all = append(all, fmt.Sprintf("%q:%q", key, value))
	}
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"config-autoscaler","namespace":"knative-serving","uid":"cm"},"data":{` + strings.Join(all, ",") + "}}\n"
}

func TestTarget(t *testing.T) {
	created := func(replicas int) event {
		return event{at: 2, verb: "create", res: "deployments", name: "r-00001-deployment"}.both("", object("deployments", "r-00001-deployment", "d", ofRevision, fmt.Sprintf(`"spec":{"replicas":%d}`, replicas)))
	}
	unreachable := func(f *family) *family { return f.pa(2, "", "", "Unreachable", `"status":{}`) }
	tests := []struct {
		name             string
		family           *family
		config           string
		documented, gate int
		source           string
		grade            Grade
	}{
		{"annotation", newFamily("initial-scale=6"), "", 6, 6, "annotation initial-scale", Observed},
		{"old spelling", newFamily("initialScale=6"), "", 6, 6, "annotation initialScale", Observed},
		{"both spellings: the first counts", newFamily("initialScale=9 initial-scale=6"), "", 6, 6, "annotation initial-scale", Observed},
		{"initial-scale over min-scale", newFamily("initial-scale=6 min-scale=2"), "", 6, 6, "annotation initial-scale", Observed},
		{"min-scale over initial-scale", newFamily("initial-scale=2 min-scale=6"), "", 6, 6, "annotation min-scale", Observed},
		{"min-scale alone", newFamily("min-scale=6"), "", 6, 6, "annotation min-scale", Observed},
		{"minScale", newFamily("minScale=6"), "", 6, 6, "annotation minScale", Observed},
		{"Unreachable: the gate passes over min-scale", unreachable(newFamily("min-scale=6")), "", 6, 1, "annotation min-scale", Observed},
		{"but not over initial-scale", unreachable(newFamily("initial-scale=6")), "", 6, 6, "annotation initial-scale", Observed},
		{"zero", newFamily("initial-scale=0"), "", 0, 0, "annotation initial-scale", Observed},
		{"no number: as if there was none", newFamily("initial-scale=many"), configMap("initial-scale=4"), 4, 4, "config-autoscaler initial-scale", Observed},
		{"the cluster's default", newFamily(""), configMap("initial-scale=4"), 4, 4, "config-autoscaler initial-scale", Observed},
		{"the annotation wins over it", newFamily("initial-scale=2"), configMap("initial-scale=4"), 2, 2, "annotation initial-scale", Observed},
		{"the cluster says nothing about it", newFamily(""), configMap("stable-window=60s"), 1, 1, "default of config-autoscaler initial-scale", Observed},
		{"min-scale of the cluster", newFamily("initial-scale=2"), configMap("min-scale=5"), 5, 5, "config-autoscaler min-scale", Observed},
		{"as the Deployment was created", newFamily("").add(created(4)), "", 4, 4, "replicas the Deployment was created with", Inferred},
		{"nothing tells", newFamily(""), "", 1, 1, "documented default of initial-scale", Assumed},
		{"the PodAutoscaler's annotation is newer", newFamily("initial-scale=3").pa(2, "", "initial-scale=7", "Reachable", `"status":{}`), "", 7, 7, "annotation initial-scale", Observed},
	}
	for _, test := range tests {
		more := []string{}
		if test.config != "" {
			more = append(more, test.config)
		}
		got := test.family.read(t, more...).Target(sec(10))
		want := Target{Documented: test.documented, Gate: test.gate, Initial: got.Initial, Source: test.source, Grade: test.grade}
		if got != want || got.Initial > got.Gate {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

// TestTargetInTime: annotations of the PodAutoscaler can change in its life.
func TestTargetInTime(t *testing.T) {
	r := newFamily("initial-scale=3").pa(2, "", "initial-scale=3", "Reachable", `"status":{}`).pa(5, "", "initial-scale=7", "Unreachable", `"status":{}`).read(t)
	for at, want := range map[float64]int{3: 3, 6: 7} {
		if got := r.Target(sec(at)).Documented; got != want {
			t.Errorf("at %v: %d, want %d", at, got, want)
		}
	}
	if r.Unreachable(sec(3)) || !r.Unreachable(sec(6)) {
		t.Error("reachability is that of another time")
	}
}

func TestSetting(t *testing.T) {
	write := func(id string, at float64, value string) event {
		body := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"config-autoscaler","namespace":"shop","uid":"cm"},"data":{"initial-scale":"` + value + `","a":"b"}}`
		return event{id: id, at: at, verb: "update", res: "configmaps", name: "config-autoscaler", uid: "cm"}.both("", body)
	}
	snapshot := withVersion(strings.Replace(configMap("initial-scale=9"), "knative-serving", "shop", 1), "99")
	tests := []struct {
		name, key string
		inputs    []string
		at        float64
		value     string
		known     bool
	}{
		{"as written before", "initial-scale", []string{join(write("a", 1, "3"), write("b", 5, "7"))}, 4, "3", true},
		{"and after", "initial-scale", []string{join(write("a", 1, "3"), write("b", 5, "7"))}, 6, "7", true},
		{"of before the first write nothing is known", "initial-scale", []string{join(write("a", 5, "7"))}, 4, "", false},
		{"nor does a snapshot from after it tell", "initial-scale", []string{join(write("a", 5, "7")), snapshot}, 4, "", false},
		{"a snapshot alone", "initial-scale", []string{snapshot}, 4, "9", true},
		{"a key that is absent has its default", "min-scale", []string{snapshot}, 4, "", true},
		{"no ConfigMap", "initial-scale", []string{join(event{at: 1, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"})}, 4, "", false},
	}
	for _, test := range tests {
		value, known := read(t, test.inputs...).Clusters[0].Setting("config-autoscaler", test.key, sec(test.at))
		if value != test.value || known != test.known {
			t.Errorf("%s: %q, %v", test.name, value, known)
		}
	}
}

// sent leaves of the writes of the PodAutoscaler what was sent, without the spec
// if bare.
func (f *family) sent(bare bool) *family {
	for i, record := range f.events {
		if e, ok := record.(event); ok && strings.HasPrefix(e.res, "podautoscalers") {
			e.level, e.resp = "Request", ""
			if bare {
				e.req = regexp.MustCompile(`"spec":\{[^}]*\},`).ReplaceAllString(e.req, "")
			}
			f.events[i] = e
		}
	}
	return f
}

func TestInitialized(t *testing.T) {
	const yes, no = "ScaleTargetInitialized=True", "ScaleTargetInitialized=Unknown"
	base := func(annotations string) *family {
		return newFamily(annotations).pa(2, "/status", annotations, "Reachable", conditions(no))
	}
	tests := []struct {
		name   string
		family *family
		at     float64
		ok     bool
		gate   int
		seen   bool
		proves bool // that Documented replicas were ready
	}{
		{"not yet", base("initial-scale=3"), 9, false, 0, false, false},
		{"declared", base("initial-scale=3").pa(5, "/status", "initial-scale=3", "Reachable", conditions(yes)), 9, true, 3, true, true},
		{"declared later", base("initial-scale=3").pa(5, "/status", "initial-scale=3", "Reachable", conditions(yes)), 4, false, 0, false, false},
		{"it counts from when it came in", base("initial-scale=3").pa(5, "/status", "initial-scale=3", "Reachable", conditions(yes)), 4.995, true, 3, true, true},
		{"for a lower gate it proves nothing", base("min-scale=3").pa(4, "", "min-scale=3", "Unreachable", conditions(no)).pa(5, "/status", "min-scale=3", "Unreachable", conditions(yes)), 9, true, 1, true, false},
		{"the gate is that of the time", base("min-scale=3").pa(4, "", "min-scale=3", "Unreachable", conditions(no)).pa(5, "/status", "min-scale=3", "Unreachable", conditions(yes)).
			pa(6, "", "min-scale=3", "Reachable", conditions(yes)), 9, true, 1, true, false},
		{"what was sent tells the spec", base("min-scale=3").pa(5, "/status", "min-scale=3", "Unreachable", conditions(yes)).sent(false), 9, true, 1, true, false},
		{"and that it was reachable", base("min-scale=3").pa(5, "/status", "min-scale=3", "Reachable", conditions(yes)).sent(false), 9, true, 3, true, true},
		{"an unknown spec proves nothing", base("min-scale=3").pa(5, "/status", "min-scale=3", "Unreachable", conditions(yes)).sent(true), 9, true, 1, false, false},
		{"unless min-scale does not matter", base("initial-scale=3").pa(5, "/status", "initial-scale=3", "Reachable", conditions(yes)).sent(true), 9, true, 3, true, true},
		{"the write that turned it was not seen", base("min-scale=3").pa(6, "", "min-scale=3", "Reachable", conditions(yes)), 9, true, 1, false, false},
		{"nor is it needed for initial-scale", base("initial-scale=3").pa(6, "", "initial-scale=3", "Reachable", conditions(yes)), 9, true, 3, false, true},
		{"class HPA counts Pods that are not ready", base("initial-scale=3 class=hpa.autoscaling.knative.dev").pa(5, "/status", "initial-scale=3 class=hpa.autoscaling.knative.dev", "Reachable", conditions(yes)), 9, true, 3, true, false},
	}
	for _, test := range tests {
		r := test.family.read(t)
		i, ok := r.Initialized(sec(test.at))
		if ok != test.ok || i.Gate != test.gate || i.Seen != test.seen {
			t.Errorf("%s: %v, gate %d, seen %v", test.name, ok, i.Gate, i.Seen)
			continue
		}
		if ok && r.ProvesReady(i, r.Target(sec(test.at)).Documented) != test.proves {
			t.Errorf("%s: proves %v", test.name, !test.proves)
		}
	}
}

// TestInitializedWithSkew: the write that turned the condition is by its time
// after one that shows it already. The first in order tells the gate.
func TestInitializedWithSkew(t *testing.T) {
	pa := func(id string, at float64, sub, version, reach, sti string) event {
		return event{id: id, at: at, verb: "update", res: "podautoscalers" + sub, name: "r-00001", uid: "pa"}.both(version,
			object("podautoscalers", "r-00001", "pa", ofRevision+","+scale("min-scale=3"), `"spec":{"reachability":"`+reach+`"}`, conditions("ScaleTargetInitialized="+sti)))
	}
	f := newFamily("min-scale=3").add(pa("a", 2, "/status", "10", "Unreachable", "Unknown")).add(pa("b", 5.5, "/status", "11", "Unreachable", "True")).add(pa("c", 5, "", "12", "Reachable", "True"))
	i, ok := f.read(t).Initialized(sec(5.2))
	if !ok || i.Write.Source.AuditID != "b" || i.Gate != 1 || !i.Seen {
		t.Errorf("%v %+v", ok, i)
	}
}

func TestClass(t *testing.T) {
	for annotations, want := range map[string]string{"": classKPA, "class=hpa.autoscaling.knative.dev": "hpa.autoscaling.knative.dev"} {
		if got := newFamily(annotations).read(t).Class(sec(9)); got != want {
			t.Errorf("%q: %s", annotations, got)
		}
	}
}

// TestDroppedAnnotation holds that an annotation that was removed does not count
// from then on, and did before.
func TestDroppedAnnotation(t *testing.T) {
	const name = "r-00001"
	for what, patch := range map[string]event{
		"the answer shows it": {id: "2", at: 3, verb: "patch", res: "revisions", name: name, resp: object("revisions", name, "u", "")},
		"the request asks for it": {id: "2", at: 3, verb: "patch", res: "revisions", name: name, level: "Request",
			req: `{"metadata":{"annotations":{"autoscaling.knative.dev/initial-scale":null}}}`},
	} {
		h := read(t, join(event{id: "1", at: 1, verb: "create", res: "revisions", name: name, resp: object("revisions", name, "u", initial3)}, patch,
			event{id: "3", at: 4, verb: "create", res: "deployments", name: name + "-deployment", resp: object("deployments", name+"-deployment", "d", "", `"spec":{"replicas":1}`)}))
		r := revision(t, h, name)
		if before := r.Target(sec(2)); before.Documented != 3 || before.Grade != Observed {
			t.Errorf("%s: before, the target is %+v", what, before)
		}
		if after := r.Target(sec(5)); after.Documented != 1 || after.Grade != Inferred {
			t.Errorf("%s: the target is %+v", what, after)
		}
	}
}
