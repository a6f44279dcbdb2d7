package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// auditEvent is an audit event, by members.
type auditEvent map[string]json.RawMessage

func (e auditEvent) text(name string) (s string) {
	_ = json.Unmarshal(e[name], &s)
	return s
}

func (e auditEvent) member(name string) auditEvent {
	var m auditEvent
	_ = json.Unmarshal(e[name], &m)
	return m
}

func (e auditEvent) line() string {
	out, _ := json.Marshal(e)
	return string(out)
}

// grpcOf gives the gRPC code that Google has for an HTTP status
// (google/rpc/code.proto).
var grpcOf = map[string]int{"400": 3, "401": 16, "403": 7, "404": 5, "409": 10, "422": 3, "429": 8, "500": 13, "503": 14, "504": 4}

// gke is an event as an entry of Google Cloud Logging; "" where GKE has none.
func gke(e auditEvent, i int) string {
	ref := e.member("objectRef")
	if e.text("stage") != "ResponseComplete" || ref.text("resource") == "" {
		return ""
	}
	group, version := ref.text("apiGroup"), ref.text("apiVersion")
	name := version + "/"
	if ns := ref.text("namespace"); ns != "" {
		name += "namespaces/" + ns + "/"
	}
	name += strings.TrimRight(ref.text("resource")+"/"+ref.text("name")+"/"+ref.text("subresource"), "/")
	domain := strings.Split(group, ".")
	slices.Reverse(domain)
	service := strings.Join(domain, ".")
	if group == "" {
		group, service = "core", "io.k8s.core"
	} else if len(domain) == 1 {
		service = "io.k8s." + service
	}
	method := strings.Join(slices.DeleteFunc([]string{service, version, ref.text("resource"), ref.text("subresource"), e.text("verb")}, func(s string) bool { return s == "" }), ".")
	status := e.member("responseStatus")
	payload := map[string]any{"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "serviceName": "k8s.io", "methodName": method, "resourceName": group + "/" + name,
		"authenticationInfo": map[string]string{"principalEmail": e.member("user").text("username")},
		"requestMetadata":    map[string]string{"callerIp": "10.0.0.1", "callerSuppliedUserAgent": e.text("userAgent")},
		"status":             map[string]any{"code": grpcOf[string(status["code"])], "message": status.text("message")}}
	for from, to := range map[string]string{"requestObject": "request", "responseObject": "response"} {
		var body map[string]any
		d := json.NewDecoder(bytes.NewReader(e[from]))
		d.UseNumber()
		if d.Decode(&body) == nil && body != nil {
			body["@type"] = "x"
			payload[to] = body
		}
	}
	labels := map[string]string{"authorization.k8s.io/decision": "allow"}
	if strings.Contains(e.text("requestURI"), "dryRun=") {
		labels["command.gke.io/dryRun"] = "true"
	}
	out, _ := json.Marshal(map[string]any{"insertId": fmt.Sprintf("i%d", i), "logName": "projects/p/logs/cloudaudit.googleapis.com%2Factivity", "labels": labels,
		"operation": map[string]any{"id": e.text("auditID"), "first": true, "last": true, "producer": "k8s.io"},
		"resource":  map[string]any{"type": "k8s_cluster", "labels": map[string]string{"cluster_name": "c"}}, "protoPayload": payload,
		"timestamp": e.text("stageTimestamp"), "receiveTimestamp": e.text("stageTimestamp")})
	return string(out)
}

// aks is an event as a row of AKSAudit; a body of more than limit bytes is left
// out.
func aks(limit int) func(auditEvent, int) string {
	return func(e auditEvent, _ int) string {
		row := map[string]any{"TenantId": "t", "Type": "AKSAudit", "PodName": "kube-apiserver-x"}
		for from, to := range map[string]string{"auditID": "AuditId", "level": "Level", "stage": "Stage", "verb": "Verb", "requestURI": "RequestUri", "userAgent": "UserAgent",
			"requestReceivedTimestamp": "RequestReceivedTime", "stageTimestamp": "StageReceivedTime"} {
			row[to] = e.text(from)
		}
		for from, to := range map[string]string{"user": "User", "sourceIPs": "SourceIps", "objectRef": "ObjectRef", "responseStatus": "ResponseStatus",
			"requestObject": "RequestObject", "responseObject": "ResponseObject", "annotations": "Annotations"} {
			switch raw := e[from]; {
			case raw == nil:
				row[to] = ""
			case len(raw) > limit && strings.HasSuffix(to, "Object"):
				row[to] = "skipped-too-big-size-object"
			default:
				row[to] = string(raw)
			}
		}
		out, _ := json.Marshal(row)
		return string(out)
	}
}

// truncated is an event of which the API server removed the bodies if they have
// more than limit bytes (k8s.io/apiserver plugin/pkg/audit/truncate).
func truncated(limit int) func(auditEvent, int) string {
	return func(e auditEvent, _ int) string {
		if len(e["requestObject"])+len(e["responseObject"]) > limit {
			delete(e, "requestObject")
			delete(e, "responseObject")
			e["annotations"] = json.RawMessage(`{"audit.k8s.io/truncated":"true"}`)
		}
		return e.line()
	}
}

// cutAt is an event that its carrier cut, in the order in which kube-apiserver
// writes the members.
func cutAt(limit int) func(auditEvent, int) string {
	return func(e auditEvent, _ int) string {
		var text strings.Builder
		for _, name := range []string{"kind", "apiVersion", "level", "auditID", "stage", "requestURI", "verb", "user", "sourceIPs", "userAgent", "objectRef", "responseStatus",
			"requestObject", "responseObject", "requestReceivedTimestamp", "stageTimestamp", "annotations"} {
			if raw := e[name]; raw != nil {
				fmt.Fprintf(&text, `,"%s":%s`, name, raw)
			}
		}
		line := "{" + text.String()[1:] + "}"
		if len(line) > limit {
			return line[:limit] + "[Truncated...]"
		}
		return line
	}
}

type finding struct {
	Detector, Confidence string
	Object               map[string]any
	Time                 any
	Facts                map[string]any
}

// verdicts is what detect says.
type verdicts struct {
	Coverage struct {
		Blind []struct{ Detector string }
	}
	Findings []finding
	Verdicts []struct {
		Detector, Verdict, Reason string
		Object                    map[string]any
	}
}

func detected(t *testing.T, paths ...string) (v verdicts) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(append([]string{"detect", "-o", "json"}, paths...), strings.NewReader(""), &out, &errs); code == exitUsage || code == exitInternal {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func objectOf(o map[string]any) string {
	return fmt.Sprintf("%v %v/%v", o["kind"], o["namespace"], o["name"])
}

var confidences = []string{"suspect", "probable", "strong", "confirmed"}

// near reports whether two values are the same, or, as times and as seconds, no
// further from each other than a record with the exact time may be missed by.
func near(a, b any, by time.Duration) bool {
	if fmt.Sprint(a) == fmt.Sprint(b) {
		return true
	}
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && math.Abs(x-y) <= by.Seconds()
	}
	x, err := time.Parse(time.RFC3339Nano, fmt.Sprint(a))
	y, err2 := time.Parse(time.RFC3339Nano, fmt.Sprint(b))
	return err == nil && err2 == nil && x.Sub(y).Abs() <= by
}

// lessThan holds what a form of a log with less in it may say, against what the
// whole says: nothing more and nothing else, and not silence.
func (v verdicts) lessThan(t *testing.T, whole verdicts, by time.Duration) {
	t.Helper()
	for _, f := range v.Findings {
		i := slices.IndexFunc(whole.Findings, func(w finding) bool {
			return w.Detector == f.Detector && objectOf(w.Object) == objectOf(f.Object) && (f.Time == nil || near(f.Time, w.Time, by))
		})
		if i < 0 {
			t.Errorf("%s of %s at %v is found only where less is known", f.Detector, objectOf(f.Object), f.Time)
			continue
		}
		w := whole.Findings[i]
		if slices.Index(confidences, f.Confidence) > slices.Index(confidences, w.Confidence) {
			t.Errorf("%s of %s is %s, and was %s", f.Detector, objectOf(f.Object), f.Confidence, w.Confidence)
		}
		for name, fact := range f.Facts {
			if fact == nil || fact == "unknown" || name == "readyReplicasSource" { // another source may be left for the same number
				continue
			}
			if name == "explainedBy" && w.Facts[name] != nil {
				continue // a fingerprint is made of IDs, which the form may lose
			}
			if !near(fact, w.Facts[name], by) {
				t.Errorf("%s of %s: %s is %v, and was %v", f.Detector, objectOf(f.Object), name, fact, w.Facts[name])
			}
		}
	}
	for _, w := range whole.Verdicts {
		switch got := v.verdict(w.Detector, objectOf(w.Object)); {
		case got == "" && !v.blind(w.Detector):
			t.Errorf("%s of %s was %s, and nothing is said of it", w.Detector, objectOf(w.Object), w.Verdict)
		case got == "held" && w.Verdict != "held":
			t.Errorf("%s of %s was %s, and is held now", w.Detector, objectOf(w.Object), w.Verdict)
		}
	}
}

// verdict returns what is said of a detector and an object.
func (v verdicts) verdict(detector, object string) string {
	for _, w := range v.Verdicts {
		if w.Detector == detector && objectOf(w.Object) == object {
			return w.Verdict
		}
	}
	return ""
}

// blind reports whether it is said that the inputs lack something for a detector.
func (v verdicts) blind(detector string) bool {
	return slices.ContainsFunc(v.Coverage.Blind, func(b struct{ Detector string }) bool { return b.Detector == detector })
}

type lossyForm struct {
	name string
	form func(auditEvent, int) string
	by   time.Duration // how far off a time may be
}

// TestLossyForms puts the audit logs of samples into forms that lose something.
// Where a record is cut, its time can be lost, and another record has to stand
// for it.
func TestLossyForms(t *testing.T) {
	many(t)
	const around = time.Second
	forms := []lossyForm{
		{"GKE", gke, 0}, {"AKSAudit", aks(1 << 20), 0}, {"cut", cutAt(1500), around}, {"truncated", truncated(0), around},
		{"AKSAudit without bodies", aks(0), around}, {"AKSAudit without long bodies", aks(4000), around},
		{"long events truncated", truncated(6000), around}, {"long lines cut", cutAt(6000), around},
	}
	for sample, forms := range map[string][]lossyForm{"latched": forms, "held": forms, "route-race": forms[:4]} {
		lines := slices.DeleteFunc(sampleLines(t, sample+"/audit.log.zst"), func(line string) bool {
			return sample == "route-race" && !strings.Contains(line, "scale-00") // some of 60 Services will do
		})
		log := filepath.Join("../../samples", sample, "controller.log.zst")
		path := filepath.Join(t.TempDir(), "audit.log")
		write := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(strings.Join(lines, "\n"))
		withLog, alone := detected(t, path, log), detected(t, path)
		for _, f := range forms {
			t.Run(sample+"/"+f.name, func(t *testing.T) {
				write(inForm(t, lines, f.form))
				detected(t, path, log).lessThan(t, withLog, f.by)
				detected(t, path).lessThan(t, alone, f.by)
			})
		}
	}
}

// inForm puts audit events into a form.
func inForm(t *testing.T, lines []string, form func(auditEvent, int) string) string {
	t.Helper()
	var text strings.Builder
	for i, line := range lines {
		var e auditEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if line := form(e, i); line != "" {
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

// TestDroppedLines drops the lines of the controller's log that tell of a Route
// that is stuck, as its logger does under load, where the bodies are gone too:
// what cannot be told is undecided, not fine.
func TestDroppedLines(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lines := slices.DeleteFunc(sampleLines(t, "route-race/audit.log.zst"), func(line string) bool { return !strings.Contains(line, "scale-005") })
	audit := write("audit.log", inForm(t, lines, truncated(0)))
	for _, dropped := range []string{`LatestReadyRevisionName updated to`, `Marking bad traffic target: Configuration`} {
		log := slices.DeleteFunc(sampleLines(t, "route-race/controller.log.zst"), func(line string) bool {
			return strings.Contains(line, "scale-005") && strings.Contains(line, dropped)
		})
		got := detected(t, audit, write("controller.log", strings.Join(log, "\n"))).verdict("route-read-before-track", "Route repro/scale-005")
		if got != "inconclusive" {
			t.Errorf("without %q: %q", dropped, got)
		}
	}
	if got := detected(t, audit, "../../samples/route-race/controller.log.zst").verdict("route-read-before-track", "Route repro/scale-005"); got != "captured" {
		t.Errorf("with all lines: %q", got)
	}
}
