package audit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
)

// readEvents returns the lines of testdata/events.jsonl.gz: events of real API
// servers, one for each combination of level, stage, verb, code and what else
// an event can have or lack, and some made by hand for what those had not.
func readEvents(tb testing.TB) (lines [][]byte) {
	tb.Helper()
	f, err := os.Open("testdata/events.jsonl.gz")
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
	if len(lines) < 60 {
		tb.Fatalf("only %d events", len(lines))
	}
	return lines
}

// event returns the text of an event, with members added or replaced.
func event(members ...string) string {
	all := map[string]string{"kind": `"Event"`, "apiVersion": `"audit.k8s.io/v1"`, "level": `"Metadata"`, "auditID": `"a-1"`, "stage": `"ResponseComplete"`,
		"requestURI": `"/api/v1/pods"`, "verb": `"list"`, "stageTimestamp": `"2026-03-02T09:00:00.123456Z"`}
	order := []string{"kind", "apiVersion", "level", "auditID", "stage", "requestURI", "verb", "stageTimestamp"}
	for _, m := range members {
		name, value, _ := strings.Cut(m, "=")
		if _, ok := all[name]; !ok {
			order = append(order, name)
		}
		all[name] = value
	}
	var text []string
	for _, name := range order {
		if all[name] != "" {
			text = append(text, `"`+name+`":`+all[name])
		}
	}
	return "{" + strings.Join(text, ",") + "}"
}

func decode(t *testing.T, text string) *table.AuditEvent {
	t.Helper()
	var ev table.AuditEvent
	if _, err := new(Decoder).Decode([]byte(text), &ev); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return &ev
}

func TestOlderVersions(t *testing.T) {
	at := time.Date(2017, 8, 1, 9, 30, 12, 0, time.UTC)
	ev := decode(t, event(`apiVersion="audit.k8s.io/v1alpha1"`, "stageTimestamp=", `timestamp="2017-08-01T09:30:12Z"`, `metadata={"creationTimestamp":null}`,
		`objectRef={"resource":"revisions","namespace":"shop","name":"a","apiVersion":"serving.knative.dev/v1alpha1"}`))
	if ev.Group != "serving.knative.dev" || ev.Version != "v1alpha1" || !ev.StageTime.Equal(at) {
		t.Errorf("v1alpha1: group %q, version %q, time %v", ev.Group, ev.Version, ev.StageTime)
	}
	for _, members := range [][]string{{`timestamp="2017-08-01T09:30:12Z"`}, {"stageTimestamp=", `timestamp="2017-08-01T09:30:12Z"`, `stageTimestamp="2026-03-02T09:00:00.123456Z"`}} {
		ev = decode(t, event(append(members, `apiVersion="audit.k8s.io/v1beta1"`, `objectRef={"resource":"pods","apiVersion":"v1"}`)...))
		if ev.Group != "" || ev.Version != "v1" || ev.StageTime.Year() != 2026 {
			t.Errorf("v1beta1: group %q, version %q, time %v", ev.Group, ev.Version, ev.StageTime)
		}
	}
	ev = decode(t, event(`objectRef={"apiGroup":"apps","apiVersion":"apps/v1"}`))
	if ev.Group != "apps" || ev.Version != "v1" {
		t.Errorf("group and version twice: group %q, version %q", ev.Group, ev.Version)
	}
	ev = decode(t, event("kind=", "apiVersion="))
	if ev.AuditID != "a-1" {
		t.Errorf("an item of an EventList, without a kind: %+v", ev)
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-03-02T09:00:00Z"`:                  "2026-03-02T09:00:00Z",
		`"2026-03-02T09:00:00.5Z"`:                "2026-03-02T09:00:00.5Z",
		`"2026-03-02T09:00:00.123456789Z"`:        "2026-03-02T09:00:00.123456789Z",
		`"2026-03-02T17:00:00.000001+08:00"`:      "2026-03-02T09:00:00.000001Z",
		`"2026-03-02T05:00:00.000001\u002d04:00"`: "2026-03-02T09:00:00.000001Z",
	} {
		ev := decode(t, event("stageTimestamp="+text))
		if got := ev.StageTime.Format(time.RFC3339Nano); got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
	ev := decode(t, event("stageTimestamp=null", `requestReceivedTimestamp="2026-03-02T09:00:00.5Z"`))
	if ev.StageTime.IsZero() || !ev.StageTime.Equal(ev.Received) {
		t.Errorf("without a stageTimestamp: %v, received %v", ev.StageTime, ev.Received)
	}
}

func TestDryRun(t *testing.T) {
	for _, tt := range []struct {
		members []string
		want    bool
	}{
		{[]string{`requestURI="/x?dryRun=All"`}, true},
		{[]string{`requestURI="/x?fieldManager=kubectl\u0026dryRun=All"`}, true},
		{[]string{`requestURI="/x?dryRun="`}, false},
		{[]string{`requestURI="/x?notdryRun=All&x=dryRun=All"`}, false},
		{[]string{`requestURI="/dryRun=All"`}, false},
		{[]string{`verb="create"`, `objectRef={"resource":"pods","subresource":"eviction"}`, `requestObject={"kind":"Eviction","deleteOptions":{"dryRun":["All"]}}`}, true},
		{[]string{`verb="create"`, `objectRef={"resource":"pods","subresource":"eviction"}`, `requestObject={"kind":"Eviction","deleteOptions":{}}`}, false},
		{[]string{`verb="delete"`, `requestObject={"kind":"DeleteOptions","dryRun":["All"],"x":1}`}, true},
		{[]string{`verb="deletecollection"`, `requestObject={"dryRun":["All"]}`}, true},
		{[]string{`verb="delete"`, `requestObject={"kind":"DeleteOptions","dryRun":[]}`}, false},
		{[]string{`verb="delete"`, `requestObject={"kind":"DeleteOptions"}`}, false},
		{[]string{`verb="delete"`, `requestObject=null`}, false},
		{[]string{`verb="create"`, `requestObject={"dryRun":["All"]}`}, false},
	} {
		if ev := decode(t, event(tt.members...)); ev.DryRun != tt.want {
			t.Errorf("%v: dry run %v, want %v", tt.members, ev.DryRun, tt.want)
		}
	}
}

func TestLastSourceIPAndPod(t *testing.T) {
	ev := decode(t, event(`sourceIPs=["1.1.1.1","10.0.3.7"]`, `user={"username":"a","extra":{"x":["1"],"authentication.kubernetes.io/pod-name":["pod-1"]}}`,
		`impersonatedUser={"username":"b","extra":{"authentication.kubernetes.io/pod-name":["pod-2"]}}`))
	if ev.SourceIP != "10.0.3.7" || ev.Pod != "pod-1" || ev.User != "a" || ev.ImpersonatedUser != "b" {
		t.Errorf("got %+v", ev)
	}
}

func TestDecodeStartsOver(t *testing.T) {
	var d Decoder
	ev := table.AuditEvent{Location: table.Location{File: "x", Line: 7}}
	full := event(`user={"username":"a"}`, `responseStatus={"code":409,"details":{"uid":"u"}}`, `annotations={"audit.k8s.io/truncated":"true"}`, `responseObject={"a":1}`, `requestURI="/x?dryRun=All"`)
	if _, err := d.Decode([]byte(full), &ev); err != nil {
		t.Fatal(err)
	}
	bodies, err := d.Decode([]byte(event()), &ev)
	want := *decode(t, event())
	want.Location = table.Location{File: "x", Line: 7}
	if err != nil || ev != want || bodies.Request != nil || bodies.Response != nil {
		t.Errorf("after another event: %+v %+v %v", ev, bodies, err)
	}
}

func TestNotAudit(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `12`, `"x"`, ``,
		`{"kind":"Event","apiVersion":"v1","message":"x"}`,
		`{"kind":"Policy","apiVersion":"audit.k8s.io/v1","rules":[]}`,
		`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[]}`,
		`{"level":"info","msg":"x"}`,
	} {
		if _, err := new(Decoder).Decode([]byte(text), &table.AuditEvent{}); !errors.Is(err, ErrNotAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{event("auditID=", "requestURI="), "audit event without auditID and requestURI"},
		{event("stageTimestamp="), "audit event without a time"},
		{event(`level="Everything"`), `audit event of unknown level "Everything"`},
		{event(`stage="Done"`), `audit event of unknown stage "Done"`},
		{event("level=5"), "audit event with a number in level"},
		{event(`user={"username":true}`), "audit event with a bool in user.username"},
		{event(`stageTimestamp="yesterday"`), `audit event with "yesterday" for a time`},
		{event()[:60], "invalid JSON at byte 55: string without end"},
		{event() + "}", "invalid JSON at byte 198: text after the end of the value"},
		{event("requestObject=" + strings.Repeat("[", 20000)), jsonscan.ErrDepth.Error()},
	} {
		_, err := new(Decoder).Decode([]byte(tt.text), &table.AuditEvent{})
		if err == nil || errors.Is(err, ErrNotAudit) {
			t.Errorf("%.300s: %v", tt.text, err)
			continue
		}
		if got := Reason([]byte(tt.text), err).Error(); got != tt.want {
			t.Errorf("%.300s\nreason %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestDecodeAllocatesNothing(t *testing.T) {
	var d Decoder
	var ev table.AuditEvent
	var tried int
	for _, line := range readEvents(t) {
		if bytes.IndexByte(line, '\\') >= 0 {
			continue
		}
		tried++
		if n := testing.AllocsPerRun(20, func() { _, _ = d.Decode(line, &ev) }); n != 0 {
			t.Errorf("%v allocations for %.300s", n, line)
		}
	}
	if tried < 10 {
		t.Fatalf("only %d lines without escapes", tried)
	}
	query := []byte(event(`requestURI="/x?fieldManager=a&dryRun=All"`))
	if n := testing.AllocsPerRun(20, func() { _, _ = d.Decode(query, &ev) }); n != 0 {
		t.Errorf("%v allocations for a URI with a query", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	lines := readEvents(b)
	var size int64
	for _, line := range lines {
		size += int64(len(line))
	}
	var d Decoder
	var ev table.AuditEvent
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if _, err := d.Decode(line, &ev); err != nil {
				b.Fatal(err)
			}
		}
	}
}
