package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

func copied(t *testing.T, r *Redactor, text string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := r.Copy(&out, bufio.NewReaderSize(strings.NewReader(text), headSize))
	return out.String(), err
}

// forms are texts of all forms, in which acme stands for what is replaced.
var forms = map[string]string{
	"lines":    "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"verb\":\"get\"}\n\n{\"level\":\"info\",\"ts\":1.5,\"msg\":\"acme\"}\n",
	"console":  "2026-03-02T09:00:00.491Z\tERROR\tcontroller\tcontroller/controller.go:566\tReconcile error\t{\"knative.dev/key\": \"acme/acme-00002\"}\nmain.main\n",
	"klog":     "I1130 06:35:16.571340   13223 leaderelection.go:250] acquired lease acme\n",
	"legacy":   `2026-03-02T09:00:00.552147711Z AUDIT: id="c3d7" stage="ResponseComplete" method="update" user="acme" namespace="acme" uri="/api/v1/namespaces/acme/pods/acme" response="200"` + "\n",
	"values":   "{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    {\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"acme\"}}\n  ],\n  \"kind\": \"List\",\n  \"metadata\": {\"acme\": \"\"}\n}\n",
	"yaml":     "# acme\napiVersion: v1\nkind: Pod\nmetadata:\n  name: acme # acme\n",
	"table":    "NAME        READY   STATUS    AGE\npod/acme    1/1     Running   5m42s\n",
	"rows":     "@timestamp,@message\n2026-03-02 14:02:11.480,\"{\"\"kind\"\":\"\"Event\"\",\"\"apiVersion\"\":\"\"audit.k8s.io/v1\"\",\"\"x\"\":\"\"acme\"\"}\"\n",
	"cri":      "2026-03-02T09:00:00.1Z stdout P {\"level\":\"info\",\"ts\":1.5,\"m\n2026-03-02T09:00:00.1Z stdout F sg\":\"acme\"}\n",
	"pretty":   "{\n  \"level\": \"info\",\n  \"ts\": 1.5,\n  \"msg\": \"acme\"\n}\n{\"level\":\"info\",\"ts\":1.5,\"msg\":\"acme\"}\n",
	"prefixed": "[pod/controller-7c5f/controller] {\"level\":\"info\",\"ts\":1.5,\"msg\":\"acme\"}\n",
}

// TestForms: a copy has the lines of its original, and what is replaced in it.
func TestForms(t *testing.T) {
	for name, text := range forms {
		r := testRedactor()
		got, err := copied(t, r, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(got, "acme") || !strings.Contains(got, r.pseudonym("acme")) {
			t.Errorf("%s became\n%s", name, got)
		}
		if a, b := strings.Count(text, "\n"), strings.Count(got, "\n"); a != b && name != "cri" && name != "yaml" {
			t.Errorf("%s has %d lines, not %d:\n%s", name, b, a, got)
		}
		again, _ := copied(t, testRedactor(), text)
		if again != got {
			t.Errorf("%s is redacted in two ways", name)
		}
	}
	if _, err := copied(t, testRedactor(), "no log of anything"); err == nil {
		t.Error("what is of no known format was copied")
	}
}

// TestContainers: a line of a container log stays one, whatever is beside it and whatever
// else has the name of a tag.
func TestContainers(t *testing.T) {
	text := "2026-03-02T09:00:00.1Z stderr F I1130 06:35:16.571340 1 x.go:250] acme\n2026-03-02T09:00:00.1Z stdout P {\"level\":\"info\",\"ts\":1.5,\"m\n" +
		"2026-03-02T09:00:00.1Z stdout F sg\":\"acme\"}\n2026-03-02T09:00:00.1Z stderr F:x {\"level\":\"info\",\"ts\":1.5,\"msg\":\"f-p \\\"F\\\"\"}\n"
	r := testRedactor()
	got, err := copied(t, r, text)
	if err != nil {
		t.Fatal(err)
	}
	var opener wrapper.Opener
	for line := range strings.Lines(got) {
		if name, _ := opener.Open([]byte(line)); line != "\n" && name != "cri" {
			t.Errorf("%q is no line of a container log", line)
		}
	}
	if err := r.check("copy", strings.NewReader(got)); err != nil {
		t.Error(err)
	}
}

// TestLegacy: an audit event in the text format stays one, and what happened is the same.
func TestLegacy(t *testing.T) {
	got, err := copied(t, testRedactor(), forms["legacy"])
	if err != nil {
		t.Fatal(err)
	}
	var ev table.AuditEvent
	if err := audit.DecodeLegacy([]byte(strings.TrimSpace(got)), &ev); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if ev.Verb != "update" || ev.Stage != "ResponseComplete" || ev.Resource != "pods" || ev.Code != 200 || ev.User == "" {
		t.Errorf("%s is read as %+v", got, ev)
	}
}

// TestCutOff: it is told of a copy that its original is cut.
func TestCutOff(t *testing.T) {
	for name, text := range map[string]string{
		"values": strings.TrimSuffix(forms["values"], "]\n}\n") + "{\n \"kind\": \"Po",
		"yaml":   forms["yaml"] + "---\na: [\n",
	} {
		var cut *Cut
		if got, err := copied(t, testRedactor(), text); !errors.As(err, &cut) || got == "" {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

// FuzzCopy: whatever a text is, nothing that was replaced is in its copy, and JSON
// stays JSON.
func FuzzCopy(f *testing.F) {
	for _, text := range forms {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() {
			r := testRedactor()
			r.parents.Add(data)
			line := r.Line(string(data))
			if json.Valid(data) && startsJSON(string(data)) && !json.Valid([]byte(line)) {
				t.Fatalf("%q became %q", data, line)
			}
			text, _ := copied(t, r, string(data))
			if err := r.check("copy", strings.NewReader(text)); err != nil {
				t.Fatalf("%q became %q: %v", data, text, err)
			}
		})
	})
}
