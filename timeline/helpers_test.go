package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// start is when the tests' clock shows 0.
var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// sec returns the moment so many seconds after start.
func sec(s float64) time.Time { return start.Add(time.Duration(math.Round(s*1e6)) * time.Microsecond) }

func stamp(s float64) string { return sec(s).Format("2006-01-02T15:04:05.000000Z07:00") }

// event is an audit event. It is one of the last stage, by Knative's controller,
// 10 ms after it came in, at level RequestResponse, and has succeeded, where
// nothing else is said.
type event struct {
	id, verb, res, name string // res is resource or resource/subresource
	at, received        float64
	level, stage        string
	code                int
	reason, message     string
	uid, sent           string // objectRef.uid and .resourceVersion
	user, agent, pod    string
	as                  string // impersonated user
	dryRun              bool
	truncated           bool
	req, resp           string // bodies: JSON
	details             string // uid in the details of responseStatus
}

// groups are the API groups and versions of resources.
var groups = map[string]string{
	"services": "serving.knative.dev/v1", "configurations": "serving.knative.dev/v1", "revisions": "serving.knative.dev/v1",
	"routes": "serving.knative.dev/v1", "ingresses": "networking.internal.knative.dev/v1alpha1",
	"podautoscalers": "autoscaling.internal.knative.dev/v1alpha1", "images": "caching.internal.knative.dev/v1alpha1",
	"serverlessservices": "networking.internal.knative.dev/v1alpha1", "deployments": "apps/v1", "replicasets": "apps/v1",
	"pods": "v1", "configmaps": "v1", "events": "v1", "inferenceservices": "serving.kserve.io/v1beta1", "domainmappings": "serving.knative.dev/v1beta1", "leases": "coordination.k8s.io/v1",
}

func (e event) json() string {
	resource, sub, _ := strings.Cut(e.res, "/")
	group, version, ok := strings.Cut(groups[resource], "/")
	path := "/apis/" + groups[resource]
	if !ok {
		group, version, path = "", groups[resource], "/api/v1"
	}
	path += "/namespaces/shop/" + resource
	if e.verb != "create" {
		path += "/" + e.name
	}
	if sub != "" {
		path += "/" + sub
	}
	if e.dryRun {
		path += "?dryRun=All"
	}
	or := func(s, instead string) string {
		if s == "" {
			return instead
		}
		return s
	}
	received := e.received
	if received == 0 {
		received = e.at - 0.01
	}
	stage := or(e.stage, "ResponseComplete")
	all := map[string]any{
		"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": or(e.level, "RequestResponse"), "auditID": or(e.id, fmt.Sprintf("%s-%v", e.res, e.at)),
		"stage": stage, "requestURI": path, "verb": e.verb, "userAgent": or(e.agent, "controller/v0.0.0"),
		"objectRef":                without(map[string]any{"resource": resource, "namespace": "shop", "name": e.name, "apiGroup": group, "apiVersion": version, "uid": e.uid, "resourceVersion": e.sent, "subresource": sub}),
		"requestReceivedTimestamp": stamp(received), "stageTimestamp": stamp(e.at),
	}
	user := map[string]any{"username": or(e.user, "system:serviceaccount:knative-serving:controller")}
	if e.pod != "" {
		user["extra"] = map[string]any{"authentication.kubernetes.io/pod-name": []string{e.pod}}
	}
	all["user"] = user
	if e.as != "" {
		all["impersonatedUser"] = map[string]any{"username": e.as}
	}
	if e.truncated {
		all["annotations"] = map[string]any{"audit.k8s.io/truncated": "true"}
	}
	code := e.code
	if code == 0 {
		if code = 200; e.verb == "create" {
			code = 201
		}
	}
	if code > 0 && stage != "RequestReceived" {
		status := without(map[string]any{"code": code, "reason": e.reason, "message": e.message})
		if e.details != "" {
			status["details"] = map[string]any{"name": e.name, "uid": e.details}
		}
		all["responseStatus"] = status
	}
	if e.req != "" {
		all["requestObject"] = json.RawMessage(e.req)
	}
	if e.resp != "" {
		all["responseObject"] = json.RawMessage(e.resp)
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(fmt.Sprintf("%v: %s %s", err, e.req, e.resp))
	}
	return string(text)
}

// without drops the empty strings of a map.
func without(m map[string]any) map[string]any {
	for k, v := range m {
		if v == "" {
			delete(m, k)
		}
	}
	return m
}

// both gives an event the same body as request and answer, the latter with the
// resourceVersion that the object has then.
func (e event) both(version, body string) event {
	e.req, e.resp = body, withVersion(body, version)
	return e
}

func withVersion(body, version string) string {
	return strings.Replace(body, `"metadata":{`, `"metadata":{"resourceVersion":"`+version+`",`, 1)
}

// kinds are the kinds of the objects of resources.
var kinds = map[string]string{
	"services": "Service", "configurations": "Configuration", "revisions": "Revision", "routes": "Route", "ingresses": "Ingress",
	"podautoscalers": "PodAutoscaler", "images": "Image", "serverlessservices": "ServerlessService", "deployments": "Deployment",
	"replicasets": "ReplicaSet", "pods": "Pod", "configmaps": "ConfigMap", "inferenceservices": "InferenceService", "domainmappings": "DomainMapping",
}

// object writes an object of a resource: metadata beside name and uid, and the
// other members, each as JSON.
func object(resource, name, uid, metadata string, members ...string) string {
	text := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"namespace":"shop"`, groups[resource], kinds[resource], name)
	if uid != "" {
		text += fmt.Sprintf(`,"uid":%q`, uid)
	}
	if metadata != "" {
		text += "," + metadata
	}
	return text + "}" + strings.Join(append([]string{""}, members...), ",") + "}"
}

// conditions writes status.conditions from "Type=STATUS" and "Type=STATUS/REASON",
// and more members of status.
func conditions(list string, more ...string) string {
	var all []string
	for _, c := range strings.Fields(list) {
		typ, rest, _ := strings.Cut(c, "=")
		status, reason, _ := strings.Cut(rest, "/")
		all = append(all, fmt.Sprintf(`{"type":%q,"status":%q,"reason":%q}`, typ, status, reason))
	}
	return `"status":{` + strings.Join(append([]string{`"conditions":[` + strings.Join(all, ",") + `]`}, more...), ",") + `}`
}

func owner(kind, name, uid string) string {
	return fmt.Sprintf(`"ownerReferences":[{"kind":%q,"name":%q,"uid":%q,"controller":true}]`, kind, name, uid)
}

// zap is a line of a controller log.
type zap struct {
	at                          float64
	level, msg, err             string
	reconciler, key, trace, pod string
	took                        string
	fields                      string // further members
}

func (z zap) json() string {
	or := func(s, instead string) string {
		if s == "" {
			return instead
		}
		return s
	}
	m := without(map[string]any{"severity": or(z.level, "INFO"), "timestamp": stamp(z.at), "logger": "controller", "message": z.msg,
		"error": z.err, "knative.dev/traceid": z.trace, "knative.dev/pod": z.pod, "duration": z.took,
		"knative.dev/controller": "knative.dev.serving.pkg.reconciler." + or(z.reconciler, "revision") + ".Reconciler"})
	if z.trace != "" {
		m["knative.dev/key"] = or(z.key, "shop/r-00001")
	}
	text, _ := json.Marshal(m)
	return strings.TrimSuffix(string(text), "}") + z.fields + "}"
}

// join writes events and lines one below the other.
func join(records ...interface{ json() string }) string {
	var lines []string
	for _, r := range records {
		lines = append(lines, r.json())
	}
	return strings.Join(lines, "\n") + "\n"
}

// read makes a history of the contents of some files.
func read(t testing.TB, files ...string) *History {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, content := range files {
		path := filepath.Join(dir, fmt.Sprintf("%02d", i))
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return readPaths(t, paths)
}

func readPaths(t testing.TB, paths []string) *History {
	t.Helper()
	inputs, err := source.Find(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder()
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{}, func(batch *table.Batch) error {
		b.Add(batch)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		if f.Rejected > 0 || f.Skipped != "" {
			t.Fatalf("%s: %d records rejected, %s %+v", f.Path, f.Rejected, f.Skipped, c.Rejections)
		}
	}
	return b.Build()
}

// lives returns all objects of a kind and name, oldest first.
func lives(h *History, kind, name string) (list []*Object) {
	for _, m := range h.Select(kind, name, "shop") {
		if len(m.Object.Writes)+len(m.Object.Sightings) > 0 {
			list = append(list, m.Object)
		}
	}
	return list
}

// one returns the only object of a kind and name.
func one(t testing.TB, h *History, kind, name string) *Object {
	t.Helper()
	list := lives(h, kind, name)
	if len(list) != 1 {
		t.Fatalf("%d objects %s %s, want 1", len(list), kind, name)
	}
	return list[0]
}

// revision returns the only Revision of a name.
func revision(t testing.TB, h *History, name string) *Revision {
	t.Helper()
	for _, f := range h.Families {
		for _, r := range f.Revisions {
			if r.Name == name {
				return r
			}
		}
	}
	t.Fatalf("no Revision %s", name)
	return nil
}

// ids returns the audit IDs of some writes, one after the other.
func ids(writes []*Write) string {
	var list []string
	for _, w := range writes {
		list = append(list, w.Source.AuditID)
	}
	return strings.Join(list, " ")
}

// logged returns rows without those that tell of the time before the inputs.
func logged(entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Kind == EntryGap })
}
