package object

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/jsonskip"
	"github.com/knforensics/knforensics/ingest/table"
)

var update = flag.Bool("update", false, "write what was read to testdata")

// readObjects returns the lines of testdata/objects.jsonl.gz: an object of each
// kind of the selection, real ones but for ConfigMap, Secret,
// HorizontalPodAutoscaler, Lease and InferenceService.
func readObjects(tb testing.TB) (lines [][]byte) {
	tb.Helper()
	f, err := os.Open("testdata/objects.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for s := bufio.NewScanner(z); s.Scan(); {
		lines = append(lines, bytes.Clone(s.Bytes()))
	}
	return lines
}

// describe writes what an object became.
func describe(o *table.Object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s %s %s/%s uid=%s rv=%s generation=%d observed=%d created=%s", o.Group, o.Version, o.Kind, o.Namespace, o.Name, o.UID, o.ResourceVersion, o.Generation, o.Observed, stamp(o.Created))
	fmt.Fprintf(&b, " deleted=%s status=%v spec=%v\n", stamp(o.Deleted), o.HasStatus, o.SpecDigest != "")
	for _, p := range o.Labels {
		fmt.Fprintf(&b, "  label %s = %q\n", p.Key, p.Value)
	}
	for _, p := range o.Annotations {
		fmt.Fprintf(&b, "  annotation %s = %q\n", p.Key, p.Value)
	}
	for _, w := range o.Owners {
		fmt.Fprintf(&b, "  owner %s %s %s controller=%s\n", w.Kind, w.Name, w.UID, w.Controller)
	}
	for _, c := range o.Conditions {
		fmt.Fprintf(&b, "  condition %s %s %q %q severity=%q since %s\n", c.Type, c.Status, c.Reason, c.Message, c.Severity, c.Transition)
	}
	for _, p := range o.Fields {
		fmt.Fprintf(&b, "  field %s = %q\n", p.Key, p.Value)
	}
	for _, p := range o.Removed {
		fmt.Fprintf(&b, "  removed %s\n", p.Path)
	}
	return b.String()
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.RFC3339)
}

// TestSelection holds what is read of each kind against testdata/objects.txt.
func TestSelection(t *testing.T) {
	var got strings.Builder
	var d Decoder
	seen := map[string]bool{}
	for _, line := range readObjects(t) {
		header, err := d.Header(line)
		if err != nil {
			t.Fatal(err)
		}
		var o table.Object
		if err := d.Decode(line, header, &o); err != nil {
			t.Fatal(err)
		}
		seen[o.Group+"/"+o.Kind] = true
		got.WriteString(describe(&o))
	}
	for kind := range selection {
		if !seen[kind] {
			t.Errorf("no %s among the objects", kind)
		}
	}
	const golden = "testdata/objects.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(got.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d of %s differs:\n%s\nwant\n%s", i+1, golden, strings.Join(lines[min(i, len(lines)):min(i+1, len(lines))], ""), line)
		}
	}
	if len(lines) != strings.Count(string(want), "\n")+1 {
		t.Errorf("%d lines more than in %s", len(lines)-strings.Count(string(want), "\n")-1, golden)
	}
}

var pathStep = regexp.MustCompile(`[^.\[\]]+|\[[^\]]*\]`)

// TestSelectionAgainstJSON holds the selected fields against a plain walk of
// what encoding/json reads.
func TestSelectionAgainstJSON(t *testing.T) {
	var d Decoder
	for _, line := range readObjects(t) {
		header, _ := d.Header(line)
		var o table.Object
		if err := d.Decode(line, header, &o); err != nil {
			t.Fatal(err)
		}
		var body any
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&body); err != nil {
			t.Fatal(err)
		}
		for _, f := range o.Fields {
			value := body
			for _, step := range pathStep.FindAllString(f.Key, -1) {
				step = strings.Trim(step, ".[]")
				switch at := value.(type) {
				case map[string]any:
					value = at[step]
				case []any:
					i, _ := strconv.Atoi(step)
					value = at[i]
				}
			}
			if fmt.Sprint(value) != f.Value {
				t.Errorf("%s %s: %s is %q, in the object it is %v", o.Kind, o.Name, f.Key, f.Value, value)
			}
		}
	}
}

func TestObjectParts(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"nulls", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","creationTimestamp":null,"labels":null,"annotations":null,"ownerReferences":null},"spec":null,"status":null}`,
			"apps/v1 Deployment /a uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=true\n"},
		{"an empty status", `{"apiVersion":"apps/v1","kind":"Deployment","status":{}}`, "apps/v1 Deployment / uid= rv= generation=0 observed=0 created=- deleted=- status=true spec=false\n"},
		{"year 1 is no time", `{"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":"0001-01-01T00:00:00Z"}}`, "/v1 Pod / uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=false\n"},
		{"wrong types", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":[1],"spec":"x","status":{"conditions":{"a":1},"replicas":{"a":1},"readyReplicas":[2]}}`,
			"apps/v1 Deployment / uid= rv= generation=0 observed=0 created=- deleted=- status=true spec=true\n"},
		{"escapes", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"\u00e9","labels":{"\u0061":"\"b\"","c":"d"}},"spec":{"\u0072eplicas":3}}`,
			"apps/v1 Deployment /é uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=true\n  label a = \"\\\"b\\\"\"\n  label c = \"d\"\n  field spec.replicas = \"3\"\n"},
		{"false and zero", `{"apiVersion":"v1","kind":"Pod","status":{"containerStatuses":[{"name":"a","ready":false,"state":{"terminated":{"exitCode":0}}},{"ready":true}]}}`,
			"/v1 Pod / uid= rv= generation=0 observed=0 created=- deleted=- status=true spec=false\n  field status.containerStatuses[0].name = \"a\"\n  field status.containerStatuses[0].ready = \"false\"\n  field status.containerStatuses[0].state.terminated.exitCode = \"0\"\n  field status.containerStatuses[1].ready = \"true\"\n"},
		{"annotations", `{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"autoscaling.knative.dev/initialScale":"6","serving.knative.dev/creator":"a","serving.kserve.io/x":"1","kubectl.kubernetes.io/last-applied-configuration":"{}","notknative.dev/x":"2","knative.dev":"3"}}}`,
			"/v1 Pod / uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=false\n  annotation autoscaling.knative.dev/initialScale = \"6\"\n  annotation serving.knative.dev/creator = \"a\"\n  annotation serving.kserve.io/x = \"1\"\n  annotation knative.dev = \"3\"\n"},
		{"the type is said elsewhere", `{"metadata":{"name":"a"},"spec":{"replicas":1}}`, "apps/v1 Deployment /a uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=true\n  field spec.replicas = \"1\"\n"},
		{"the version is said elsewhere", `{"kind":"Deployment","spec":{"replicas":1}}`, "apps/v1 Deployment / uid= rv= generation=0 observed=0 created=- deleted=- status=false spec=true\n  field spec.replicas = \"1\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := table.Object{Location: table.Location{Line: 7}, Origin: "o", AuditID: "a", Name: "left from before", Fields: []table.Pair{{}}}
			if err := new(Decoder).Decode([]byte(tt.body), Header{"apps/v1", "Deployment"}, &o); err != nil {
				t.Fatal(err)
			}
			if got := describe(&o); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if o.Line != 7 || o.Origin != "o" || o.AuditID != "a" || o.Patch != "" {
				t.Errorf("what the caller set is lost: %+v", o)
			}
		})
	}
}

func TestSpecDigest(t *testing.T) {
	digestOf := func(spec string) string {
		var o table.Object
		if err := new(Decoder).Decode([]byte(`{"kind":"X","spec":`+spec+`,"status":{"a":`+spec+`}}`), Header{}, &o); err != nil {
			t.Fatal(err)
		}
		return o.SpecDigest
	}
	if a, b := digestOf(`{"a":1}`), digestOf(`{"a":2}`); a == b || a != digestOf(`{"a":1}`) {
		t.Errorf("digests %s and %s", a, b)
	}
}

func TestHeader(t *testing.T) {
	for body, want := range map[string]Header{
		`{"apiVersion":"v1","kind":"Pod"}`:                          {"v1", "Pod"},
		`{"kind":"Revision","apiVersion":"serving.knative.dev/v1"}`: {"serving.knative.dev/v1", "Revision"},
	} {
		got, err := new(Decoder).Header([]byte(body))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
		if again := (Header{got.Group() + "/" + got.Version(), ""}).Version(); got.Group() != "" && again != got.Version() {
			t.Errorf("group %q and version %q", got.Group(), got.Version())
		}
	}
	for _, body := range []string{`{}`, `{"kind":"Pod"}`, `{"apiVersion":"v1"}`, `{"apiVersion":"v1","kind":null}`, `[]`, `1`} {
		if _, err := new(Decoder).Header([]byte(body)); !errors.Is(err, ErrNoKind) {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, body := range []string{`{"apiVersion":"v1","kind":"Pod"`, `{"apiVersion":"v1","kind":"Pod"}}`, `{"a":[}]}`, ``} {
		if _, err := new(Decoder).Header([]byte(body)); err == nil || errors.Is(err, ErrNoKind) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// FuzzObject reads a text as an object, as an Event and as a patch of the object
// called name.
func FuzzObject(f *testing.F) {
	for _, line := range readObjects(f) {
		if len(line) < 1500 {
			f.Add(line, "")
		}
	}
	f.Add([]byte(`{"kind":"Event","metadata":{"name":"a"},"involvedObject":{"kind":"Pod"},"message":"x","series":{"count":1,"lastObservedTime":"2026-03-02T09:06:00Z"},"firstTimestamp":null}`), "a")
	f.Add([]byte(`{"note":"x","regarding":null,"eventTime":"2026-03-02T09:06:00.000001Z","deprecatedSource":{"component":"a"}}`), "")
	f.Add([]byte(`[{"op":"replace","path":"/data/a~1b","value":{"a":["b",{"c":1}]}},{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`), "credentials")
	f.Add([]byte(`{"data":{"a":"b"},"metadata":{"name":"config-x"}}`), "config-x")
	f.Add([]byte(`[{"op":"add","path":"/spec/traffic/-","value":{"percent":1}},{"op":"add","path":"/data/b","value":"c"}]`), "config-x")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		fuzzing.Bounded(t, len(data)+len(name), func() {
			checkObject(t, data)
			checkEvent(t, data)
			checkPatch(t, data, name)
		})
	})
}

// checkObject: if the header can be read, so can the object, and they agree.
func checkObject(t *testing.T, data []byte) {
	t.Helper()
	var d Decoder
	header, err := d.Header(data)
	if err != nil {
		return
	}
	if trimmed := bytes.TrimSpace(data); jsonskip.End(trimmed) != len(trimmed) {
		t.Fatalf("not one object: %q", data)
	}
	var o table.Object
	if err := d.Decode(data, header, &o); err != nil {
		if json.Valid(data) {
			t.Fatalf("the header could be read, but %v: %q", err, data)
		}
		return
	}
	if o.Kind != header.Kind {
		t.Fatalf("kind %q, the header says %q: %q", o.Kind, header.Kind, data)
	}
	checkSpreadsNothing(t, &o, o.Name)
}

// checkEvent: what is read as an Event is one object. What is passed over in it is
// not checked.
func checkEvent(t *testing.T, data []byte) {
	t.Helper()
	var e table.KubeEvent
	if err := new(Decoder).Event(data, &e); err != nil {
		return
	}
	if trimmed := bytes.TrimSpace(data); jsonskip.End(trimmed) != len(trimmed) {
		t.Fatalf("accepted, but not one object: %q", data)
	}
}

// checkPatch: a patch is marked as one.
func checkPatch(t *testing.T, data []byte, name string) {
	t.Helper()
	for _, header := range []Header{{"v1", "ConfigMap"}, {"serving.knative.dev/v1", "Service"}, {"v1", "Pod"}} {
		var o table.Object
		if new(Decoder).Patch(data, header, name, &o) != nil {
			continue
		}
		if o.Patch == "" {
			t.Fatalf("not marked as a patch: %q", data)
		}
		checkSpreadsNothing(t, &o, cmp.Or(o.Name, name))
	}
}

// checkSpreadsNothing: of ConfigMaps, only the data of Knative's own is kept,
// and of Secrets none.
func checkSpreadsNothing(t *testing.T, o *table.Object, name string) {
	t.Helper()
	if len(o.Fields) > 0 && (o.Kind == "Secret" || o.Kind == "ConfigMap" && !strings.HasPrefix(name, "config-")) {
		t.Fatalf("fields of %s %q: %v", o.Kind, name, o.Fields)
	}
}
