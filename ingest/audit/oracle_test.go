package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	authnv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/jsonskip"
	"github.com/knforensics/knforensics/ingest/table"
)

// TestOracle holds Decode against the decoder of Kubernetes on real events.
func TestOracle(t *testing.T) {
	var d Decoder
	for _, line := range append(readEvents(t), []byte(event(`responseStatus={"code":-5}`)), []byte(event(`sourceIPs=["a","b"]`))) {
		var ev table.AuditEvent
		bodies, err := d.Decode(line, &ev)
		if err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		want, err := Strict(line)
		if err != nil {
			t.Fatalf("strict: %v: %.300s", err, line)
		}
		compare(t, line, &ev, bodies, want)
	}
	if d.General > 20 {
		t.Errorf("%d events were not read as kube-apiserver writes them", d.General)
	}
}

// compare holds every column against what Kubernetes reads.
func compare(t *testing.T, line []byte, ev *table.AuditEvent, bodies Bodies, want *auditv1.Event) {
	t.Helper()
	ref, status := want.ObjectRef, want.ResponseStatus
	if ref == nil {
		ref = &auditv1.ObjectReference{}
	}
	var reason, message, detailsUID string
	var code int32
	if status != nil {
		reason, message, code = string(status.Reason), status.Message, status.Code
		if status.Details != nil {
			detailsUID = string(status.Details.UID)
		}
	}
	var impersonated, lastIP string
	if want.ImpersonatedUser != nil {
		impersonated = want.ImpersonatedUser.Username
	}
	if n := len(want.SourceIPs); n > 0 {
		lastIP = want.SourceIPs[n-1]
	}
	group, version := groupVersion(ref.APIGroup, ref.APIVersion)
	for _, c := range []struct{ name, got, want string }{
		{"auditID", ev.AuditID, string(want.AuditID)}, {"level", ev.Level, string(want.Level)}, {"stage", ev.Stage, string(want.Stage)},
		{"verb", ev.Verb, want.Verb}, {"requestURI", ev.RequestURI, want.RequestURI},
		{"user", ev.User, want.User.Username}, {"impersonatedUser", ev.ImpersonatedUser, impersonated}, {"pod", ev.Pod, podOf(want.User)},
		{"userAgent", ev.UserAgent, want.UserAgent}, {"sourceIP", ev.SourceIP, lastIP},
		{"apiGroup", ev.Group, group}, {"apiVersion", ev.Version, version}, {"resource", ev.Resource, ref.Resource}, {"subresource", ev.Subresource, ref.Subresource},
		{"namespace", ev.Namespace, ref.Namespace}, {"name", ev.Name, ref.Name}, {"uid", ev.UID, string(ref.UID)}, {"resourceVersion", ev.ResourceVersion, ref.ResourceVersion},
		{"reason", ev.Reason, reason}, {"message", ev.Message, message}, {"details.uid", ev.DetailsUID, detailsUID},
		{"requestObject", string(bodies.Request), raw(want.RequestObject)}, {"responseObject", string(bodies.Response), raw(want.ResponseObject)},
		{"place of requestObject", string(line[ev.RequestOffset : ev.RequestOffset+ev.RequestLength]), raw(want.RequestObject)},
		{"place of responseObject", string(line[ev.ResponseOffset : ev.ResponseOffset+ev.ResponseLength]), raw(want.ResponseObject)},
		{"received", stamp(ev.Received), stamp(want.RequestReceivedTimestamp.Time)},
	} {
		if c.got != c.want {
			t.Fatalf("%s is %q, Kubernetes reads %q: %.400s", c.name, c.got, c.want, line)
		}
	}
	if ev.Code != int64(code) {
		t.Fatalf("code is %d, Kubernetes reads %d: %.400s", ev.Code, code, line)
	}
	if ev.Truncated != (want.Annotations[truncatedAnnotation] == "true") {
		t.Fatalf("truncated is %v: %.400s", ev.Truncated, line)
	}
	if at := want.StageTimestamp.Time; !at.IsZero() && !ev.StageTime.Equal(at) {
		t.Fatalf("stage time is %v, Kubernetes reads %v: %.400s", ev.StageTime, at, line)
	}
}

func podOf(user authnv1.UserInfo) string {
	if names := user.Extra[podNameExtra]; len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func raw(body *runtime.Unknown) string {
	if body == nil {
		return ""
	}
	return string(body.Raw)
}

// FuzzEvent: Decode agrees with Kubernetes where both succeed, and refuses what
// is no JSON. What it refused is salvaged only if it was cut. An event in the
// text format has what makes it one.
func FuzzEvent(f *testing.F) {
	for _, line := range readEvents(f) {
		if len(line) < 2000 {
			f.Add(line)
			f.Add(line[:len(line)/2])
			f.Add(append(bytes.Clone(line[:len(line)*3/4]), "[Truncated...]"...))
		}
	}
	f.Add([]byte(event("timestamp=null", `responseStatus={"code":-0,"details":null}`, `sourceIPs=["a",null]`, `requestObject= [1 ]`, "user=null")))
	f.Add([]byte(event(`k8s_audit_level="Metadata"`, `verb="delete"`, `requestObject={"dryRun":["All"]}`)))
	f.Add([]byte(`2026-03-02T09:00:00Z AUDIT: id="c" stage="RequestReceived" uri="/apis/a/v1/watch/namespaces/n/r/x/s" response="1"`))
	f.Add([]byte(`2017-05-04T22:18:40.333960028-04:00 AUDIT: id="b220" response="404"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() {
			checkEvent(t, data)
			checkLegacy(t, data)
		})
	})
}

func checkEvent(t *testing.T, data []byte) {
	t.Helper()
	var d Decoder
	var ev table.AuditEvent
	bodies, err := d.Decode(data, &ev)
	if err != nil {
		checkSalvage(t, data, err, ev)
		return
	}
	for _, body := range []struct {
		text           []byte
		offset, length int64
	}{{bodies.Request, ev.RequestOffset, ev.RequestLength}, {bodies.Response, ev.ResponseOffset, ev.ResponseLength}} {
		if !bytes.Equal(data[body.offset:body.offset+body.length], body.text) {
			t.Fatalf("the body %q is not at %d: %q", body.text, body.offset, data)
		}
	}
	want, strict := Strict(data)
	var syntax *json.SyntaxError
	if errors.As(strict, &syntax) || errors.Is(strict, io.ErrUnexpectedEOF) || errors.Is(strict, io.EOF) {
		if d.General > 0 || !strings.HasPrefix(string(data), `{"kind":"Event","apiVersion":"audit.k8s.io/v1",`) || !json.Valid(hollow(data)) {
			t.Fatalf("accepted, but %v: %q", strict, data)
		}
		return
	}
	if strict == nil && !ambiguous(data) {
		if d.Forwarded { // its level is in a member that Kubernetes does not know
			want.Level = auditv1.Level(ev.Level)
		}
		compare(t, data, &ev, bodies, want)
	}
}

// hollow empties the containers in an event that are passed over, from the first
// of each name to its end.
func hollow(data []byte) []byte {
	for _, name := range []string{"extra", "metadata", "details", "requestObject", "responseObject", "annotations"} {
		marker := []byte(`"` + name + `":`)
		at := bytes.Index(data, marker)
		if at < 0 {
			continue
		}
		at += len(marker)
		if end := jsonskip.End(data[at:]); end > 0 && (data[at] == '{' || data[at] == '[') {
			data = append(append(bytes.Clone(data[:at]), "{}"...), data[at+end:]...)
		}
	}
	return data
}

// checkSalvage: what is salvaged was cut, and tells enough to be an event.
func checkSalvage(t *testing.T, data []byte, err error, ev table.AuditEvent) {
	t.Helper()
	if Reason(data, err) == nil {
		t.Fatalf("refused without a reason: %q", data)
	}
	if !Salvage(data, err, &ev) {
		return
	}
	if json.Valid(data) {
		t.Fatalf("salvaged, but whole: %q", data)
	}
	if ev.AuditID == "" || ev.Verb == "" || !ev.Truncated {
		t.Fatalf("salvaged as %+v: %q", ev, data)
	}
}

func checkLegacy(t *testing.T, line []byte) {
	t.Helper()
	var ev table.AuditEvent
	if IsLegacy(line) && DecodeLegacy(line, &ev) == nil && (ev.AuditID == "" && ev.RequestURI == "" || ev.StageTime.IsZero() || ev.Stage == "") {
		t.Fatalf("%q gave %+v", line, ev)
	}
}

// ambiguous reports whether encoding/json and Decode may see different things
// in a text: names that occur twice or differ in case, and bytes that are not
// UTF-8.
func ambiguous(data []byte) bool {
	if !utf8.Valid(data) {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(data))
	var walk func() bool
	walk = func() bool {
		token, err := d.Token()
		if err != nil {
			return true
		}
		if token != json.Delim('{') && token != json.Delim('[') {
			return false
		}
		seen := map[string]bool{}
		for d.More() {
			if token == json.Delim('{') {
				key, _ := d.Token()
				name := strings.ToLower(strings.ToUpper(key.(string)))
				if seen[name] || known[name] != "" && known[name] != key {
					return true
				}
				seen[name] = true
			}
			if walk() {
				return true
			}
		}
		_, _ = d.Token()
		return false
	}
	return walk()
}

var known = func() map[string]string {
	m := map[string]string{}
	for name := range strings.FieldsSeq(`kind apiVersion level auditID stage requestURI verb user username uid groups extra impersonatedUser sourceIPs userAgent
		objectRef resource namespace name apiGroup resourceVersion subresource responseStatus metadata status message reason details code
		requestObject responseObject requestReceivedTimestamp stageTimestamp annotations`) {
		m[strings.ToLower(name)] = name
	}
	return m
}()
