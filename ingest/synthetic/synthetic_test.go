package synthetic

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// logs writes logs of these sizes.
func logs(t *testing.T, o Options) (audit, controller string) {
	t.Helper()
	var a, b strings.Builder
	if err := Write(&a, &b, o); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

// sameAsKubernetes decodes each event into the types of Kubernetes and back.
func sameAsKubernetes(t *testing.T, audit string) {
	t.Helper()
	for line := range strings.Lines(audit) {
		var e auditv1.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != strings.TrimSuffix(line, "\n") {
			t.Fatalf("wrote\n%s\nKubernetes writes\n%s", line, again)
		}
	}
}

func TestKubernetesWritesTheSame(t *testing.T) {
	audit, _ := logs(t, Options{Audit: 4 << 20})
	sameAsKubernetes(t, audit)
}

// TestGrow: each way gives about as many records as were asked for, of one Service, and
// the same ones the second time.
func TestGrow(t *testing.T) {
	const n = 200
	for _, way := range Ways() {
		var audit, controller, again strings.Builder
		if err := Grow(&audit, &controller, way, n); err != nil {
			t.Fatal(err)
		}
		sameAsKubernetes(t, audit.String())
		if lines := strings.Count(audit.String()+controller.String(), "\n"); lines < n*3/4 || lines > 2*n {
			t.Errorf("%s: %d records, and %d were asked for", way, lines, n)
		}
		if other := strings.Count(audit.String(), `"resource":"services","namespace":"shop"`); other != 1 {
			t.Errorf("%s: %d requests about Services", way, other)
		}
		if err := Grow(&again, io.Discard, way, n); err != nil || again.String() != audit.String() {
			t.Errorf("%s: other bytes the second time (%v)", way, err)
		}
	}
}

func TestSameBytes(t *testing.T) {
	o := Options{Seed: 7, Audit: 1 << 20, Controller: 1 << 20}
	audit, controller := logs(t, o)
	audit2, controller2 := logs(t, o)
	if audit != audit2 || controller != controller2 {
		t.Error("other bytes the second time")
	}
	if n := len(audit); n < 1<<20 {
		t.Errorf("%d bytes of audit log", n)
	}
	if n := len(controller); n < 1<<20 {
		t.Errorf("%d bytes of the controller's log", n)
	}
	o.Seed = 8
	if other, _ := logs(t, o); other == audit {
		t.Error("the same bytes for another seed")
	}
	if longer, _ := logs(t, Options{Seed: 7, Audit: int64(len(audit)) + 1}); !strings.HasPrefix(longer, audit) {
		t.Error("a longer log begins with other bytes")
	}
}

// TestMix holds what package and Options say of the mix.
func TestMix(t *testing.T) {
	audit, controller := logs(t, Options{Audit: 64 << 20})
	_, name, _ := strings.Cut(Revision, "/")
	for _, want := range []string{`"name":"` + name + `"`, `"resource":"leases"`, `"code":409`} {
		if !strings.Contains(audit, want) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.Contains(controller, `"message":"Reconcile succeeded"`) {
		t.Error("no reconcile succeeded")
	}
	share := func(part, of string) float64 {
		return float64(strings.Count(of, part)) / float64(strings.Count(of, "\n"))
	}
	const knative = `.knative.dev","apiVersion":"v1`
	usual := share(knative, audit)
	if usual < 1./20 || usual > 1./8 {
		t.Errorf("%.3f of the lines are about objects of Knative, want about a tenth, less at the beginning", usual)
	}
	rare, _ := logs(t, Options{Audit: 8 << 20, Between: 20 * time.Second})
	if got := share(knative, rare); got > usual/2 {
		t.Errorf("%.3f of the lines are about objects of Knative with rare rollouts, %.3f with usual ones", got, usual)
	}
	for line := range strings.Lines(controller) {
		if !json.Valid([]byte(line)) {
			t.Fatalf("no JSON: %s", line)
		}
	}
}

func TestWriteFails(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	if err := Write(w, io.Discard, Options{Audit: 1}); err == nil || !strings.Contains(err.Error(), "audit log") {
		t.Errorf("got %v", err)
	}
	if err := Write(io.Discard, w, Options{Controller: 1}); err == nil || !strings.Contains(err.Error(), "controller") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkWrite(b *testing.B) {
	var audit bytes.Buffer
	b.SetBytes(8 << 20)
	for b.Loop() {
		audit.Reset()
		if err := Write(&audit, io.Discard, Options{Audit: 8 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}
