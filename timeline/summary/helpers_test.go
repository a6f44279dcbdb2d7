package summary

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// sec returns the moment so many seconds after the tests' clock shows 0.
func sec(s float64) time.Time {
	return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(s * float64(time.Second)))
}

// event is an audit event: of the last stage, by the controller, answered with
// success, where nothing else is said.
type event struct {
	at                   float64
	verb, res, name, uid string  // res is resource or resource/subresource
	ready                string  // of the object in the answer: STATUS or STATUS/REASON, - without conditions
	since                float64 // lastTransitionTime of ready, 0 for none
	stage, agent, reason string
	quoted, version      string // resourceVersion that was sent and that was answered
	code                 int
	dryRun               bool
}

func (e event) json() string {
	resource, sub, _ := strings.Cut(e.res, "/")
	group, query := "serving.knative.dev", ""
	if resource == "ingresses" {
		group = "networking.internal.knative.dev"
	}
	if e.dryRun {
		query = "?dryRun=All"
	}
	code := e.code
	if code == 0 {
		if code = 200; e.verb == "create" {
			code = 201
		}
	}
	or := func(s, instead string) string {
		if s == "" {
			return instead
		}
		return s
	}
	stamp := sec(e.at).Format("2006-01-02T15:04:05.000000Z")
	text := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%s-%s-%v","stage":%q,"requestURI":"/%s%s","verb":%q,"user":{"username":"u"},"userAgent":%q,`+
		`"objectRef":{"resource":%q,"namespace":"shop","name":%q,"uid":%q,"apiGroup":%q,"apiVersion":"v1","subresource":%q,"resourceVersion":%q},"responseStatus":{"code":%d,"reason":%q},"requestReceivedTimestamp":%q,"stageTimestamp":%q`,
		e.res, e.name, e.at, or(e.stage, "ResponseComplete"), e.res, query, e.verb, or(e.agent, "controller/v1"), resource, e.name, e.uid, group, sub, e.quoted, code, e.reason, stamp, stamp)
	if e.ready != "" {
		kind := map[string]string{"services": "Service", "configurations": "Configuration", "revisions": "Revision", "routes": "Route", "ingresses": "Ingress"}[resource]
		text += fmt.Sprintf(`,"responseObject":{"apiVersion":"%s/v1","kind":%q,"metadata":{"name":%q,"namespace":"shop","uid":%q,"resourceVersion":%q,"labels":{"serving.knative.dev/service":"cart"}},"status":{`, group, kind, e.name, e.uid, e.version)
		if status, why, _ := strings.Cut(e.ready, "/"); status != "-" {
			text += fmt.Sprintf(`"conditions":[{"type":"Ready","status":%q,"reason":%q`, status, why)
			if e.since != 0 {
				text += fmt.Sprintf(`,"lastTransitionTime":%q`, sec(e.since).Format(time.RFC3339))
			}
			text += "}]"
		}
		text += "}}"
	}
	return text + "}"
}

// write is a write of the status of Service cart.
func write(at float64, ready string) event {
	return event{at: at, verb: "update", res: "services/status", name: "cart", uid: "s", ready: ready}
}

// versioned is an event that sent one resourceVersion and was answered with another.
func (e event) versioned(quoted, version string) event {
	e.quoted, e.version = quoted, version
	return e
}

// changed is an event that shows a condition with a lastTransitionTime.
func (e event) changed(since float64) event {
	e.since = since
	return e
}

// made is the creation of Service cart.
func made(at float64) event {
	return event{at: at, verb: "create", res: "services", name: "cart", uid: "s", ready: "-"}
}

// lines writes events one below the other.
func lines(events ...event) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.json() + "\n")
	}
	return b.String()
}

func always(time.Time) bool { return true }

// sum sums up the contents of some files.
func sum(t testing.TB, holds func(time.Time) bool, requests *Requests, files ...string) *Summary {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, content := range files {
		path := filepath.Join(dir, fmt.Sprintf("%02d.log", i))
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	inputs, err := source.Find(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := timeline.NewClusters(nil)
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{}, func(batch *table.Batch) error {
		b.Add(batch)
		requests.Add(batch)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		if f.Rejected > 0 || f.Format == coverage.Unknown {
			t.Fatalf("%s: %+v %+v", f.Path, f, c.Rejections)
		}
	}
	h := b.Build()
	requests.Within(holds)
	return Of(h, h.Families, c.Gaps, requests, holds)
}
