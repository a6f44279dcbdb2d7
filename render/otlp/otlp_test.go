package otlp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	trace "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/otlp"
	"github.com/knforensics/knforensics/render/rendertest"
	"github.com/knforensics/knforensics/timeline"
)

// written returns the files in the order of otlp.Files.
func written(t testing.TB, stories []*render.Story) []string {
	t.Helper()
	files := make([]bytes.Buffer, len(otlp.Files))
	var to []io.Writer
	for i := range files {
		to = append(to, &files[i])
	}
	w := otlp.NewWriter("v1", to)
	rendertest.Write(t, w, stories)
	var texts []string
	for i := range files {
		texts = append(texts, files[i].String())
	}
	return texts
}

// read reads the files in protobuf, and holds that those in JSON say the same.
func read(t *testing.T, files []string) (*trace.TracesData, *logs.LogsData) {
	t.Helper()
	traces, records := &trace.TracesData{}, &logs.LogsData{}
	inJSON := []proto.Message{&trace.TracesData{}, &logs.LogsData{}}
	for i, m := range []proto.Message{traces, records} {
		if err := proto.Unmarshal([]byte(files[2+i]), m); err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(files[i]) {
			part := inJSON[i].ProtoReflect().New().Interface()
			if err := protojson.Unmarshal(mapped(t, text), part); err != nil {
				t.Fatal(err)
			}
			proto.Merge(inJSON[i], part)
		}
		if !proto.Equal(m, inJSON[i]) {
			t.Errorf("%s and %s differ", otlp.Files[i], otlp.Files[2+i])
		}
	}
	return traces, records
}

// digits matches the IDs in a line of OTLP's JSON.
var digits = regexp.MustCompile(`"(traceId|spanId|parentSpanId)":"([^"]*)"`)

// mapped makes protobuf's JSON of a line of OTLP's, and holds what is particular to
// that: IDs in lower case hexadecimal, enums as numbers.
func mapped(t *testing.T, text string) []byte {
	t.Helper()
	if strings.Contains(text, "SPAN_KIND_") || strings.Contains(text, "SEVERITY_NUMBER_") || strings.Contains(text, "STATUS_CODE_") {
		t.Error("enums are named")
	}
	return digits.ReplaceAllFunc([]byte(text), func(found []byte) []byte {
		m := digits.FindSubmatch(found)
		id, err := hex.DecodeString(string(m[2]))
		if want := map[bool]int{true: 16, false: 8}[string(m[1]) == "traceId"]; err != nil || len(id) != want || string(m[2]) != strings.ToLower(string(m[2])) {
			t.Errorf("%s: %v", found, err)
		}
		quoted, _ := json.Marshal(base64.StdEncoding.EncodeToString(id))
		return []byte(`"` + string(m[1]) + `":` + string(quoted))
	})
}

func spansOf(traces *trace.TracesData) (list []*trace.Span) {
	for _, r := range traces.ResourceSpans {
		list = append(list, r.ScopeSpans[0].Spans...)
	}
	return list
}

func logsOf(data *logs.LogsData) (list []*logs.LogRecord) {
	for _, r := range data.ResourceLogs {
		list = append(list, r.ScopeLogs[0].LogRecords...)
	}
	return list
}

// check holds what OTLP asks of spans, and that each but the span of an object is below
// another one of its trace. It returns the spans by ID.
func check(t *testing.T, traces *trace.TracesData, records *logs.LogsData) map[string]*trace.Span {
	t.Helper()
	spans := map[string]*trace.Span{}
	for _, s := range spansOf(traces) {
		if spans[string(s.SpanId)] != nil {
			t.Errorf("two spans %x: %s and %s", s.SpanId, s.Name, spans[string(s.SpanId)].Name)
		}
		spans[string(s.SpanId)] = s
		if len(s.TraceId) != 16 || len(s.SpanId) != 8 || s.Name == "" || s.StartTimeUnixNano == 0 || s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Errorf("no span: %v", s)
		}
	}
	for _, s := range spans {
		parent := spans[string(s.ParentSpanId)]
		if len(s.ParentSpanId) > 0 && (parent == nil || !bytes.Equal(parent.TraceId, s.TraceId)) {
			t.Errorf("%s is below none of its trace", s.Name)
		}
	}
	for _, l := range logsOf(records) {
		if s := spans[string(l.SpanId)]; len(l.SpanId) > 0 && (s == nil || !bytes.Equal(s.TraceId, l.TraceId)) {
			t.Errorf("a log of no span: %v", l)
		}
	}
	return spans
}

func TestSamples(t *testing.T) {
	for _, sample := range rendertest.Samples(t, "../..") {
		stories := rendertest.Stories(t, sample)
		files := written(t, stories)
		for i, again := range written(t, stories) {
			if again != files[i] {
				t.Errorf("%s: another time, another %s", sample, otlp.Files[i])
			}
		}
		traces, records := read(t, files)
		spans := check(t, traces, records)
		findings, rows, writes := 0, 0, 0
		for _, s := range stories {
			findings += len(s.Findings)
			rows += len(s.Entries) + len(s.Findings)
			for _, o := range s.Family.Objects() {
				for _, w := range o.Writes {
					if w.Outcome != timeline.Read {
						writes++
					}
				}
			}
		}
		if n := len(logsOf(records)); n != rows {
			t.Errorf("%s: %d logs, want %d", sample, n, rows)
		}
		for _, s := range spans {
			findings -= len(s.Events)
			if s.Kind == trace.Span_SPAN_KIND_CLIENT {
				writes--
			}
		}
		if findings != 0 || writes != 0 {
			t.Errorf("%s: findings differ by %d, requests by %d", sample, findings, writes)
		}
	}
}

// attribute returns the text of an attribute of a span.
func attribute(s *trace.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// TestLatched holds that the refused request is below the reconcile that made it, which
// failed, and that below the Revision, which has the finding.
func TestLatched(t *testing.T) {
	traces, records := read(t, written(t, rendertest.Stories(t, "../../samples/latched")))
	spans := check(t, traces, records)
	found := false
	for _, s := range spans {
		if s.Name != "create Image" || s.Status.GetCode() != trace.Status_STATUS_CODE_ERROR || attribute(s, "k8s.object.name") != "rt-00002-cache-user-container" {
			continue
		}
		found = true
		reconcile := spans[string(s.ParentSpanId)]
		if reconcile.Name != "reconcile revision" || reconcile.Status.GetCode() != trace.Status_STATUS_CODE_ERROR || attribute(reconcile, "knforensics.trace_id") == "" {
			t.Errorf("below %v", reconcile)
		}
		root := spans[string(reconcile.ParentSpanId)]
		if root.Name != "Revision rt-00002" || len(root.ParentSpanId) > 0 || len(root.Events) == 0 {
			t.Errorf("that below %v", root)
		}
	}
	if !found {
		t.Error("no span of the refused request")
	}
}

func TestHostile(t *testing.T) {
	files := written(t, rendertest.Hostile(t))
	traces, records := read(t, files)
	check(t, traces, records)
	if strings.ContainsAny(files[0]+files[1], "\x1b\a\u202e") {
		t.Error("raw controls in JSON")
	}
	const user = "user.name"
	for _, s := range spansOf(traces) {
		if got := attribute(s, user); s.Name == "update Service/status" && got != rendertest.Evil && got != "u" {
			t.Errorf("%s is %q", user, got)
		}
	}
}

// TestGapsOnce holds that a gap, of which every family tells, is one log.
func TestGapsOnce(t *testing.T) {
	gap := timeline.Entry{Kind: timeline.EntryGap, Summary: "no data"}
	story := &render.Story{Family: &timeline.Family{Cluster: &timeline.Cluster{}}, Coverage: &coverage.Coverage{}, Entries: []timeline.Entry{gap}}
	_, records := read(t, written(t, []*render.Story{story, story}))
	if n := len(logsOf(records)); n != 1 {
		t.Errorf("%d logs", n)
	}
}

// TestOpen holds that the log of a finding without a time is of the end, and tells what is
// not known of it and where its proof is, and that what is undecided has a log too.
func TestOpen(t *testing.T) {
	_, records := read(t, written(t, []*render.Story{rendertest.Open(time.Unix(60, 0))}))
	texts := map[string]string{}
	for _, l := range logsOf(records) {
		texts[l.EventName] = fmt.Sprintln(l.TimeUnixNano, l.Body.GetStringValue())
		for _, a := range l.Attributes {
			texts[l.EventName] += a.Key + " " + a.Value.GetStringValue()
			for _, v := range a.Value.GetArrayValue().GetValues() {
				texts[l.EventName] += v.GetStringValue()
			}
			texts[l.EventName] += "\n"
		}
	}
	for name, wants := range map[string][]string{
		"knforensics.finding":      {"60000000000 found", "knforensics.open Not known: whether traffic followed", "state final.json:7 id", render.NoTime},
		"knforensics.inconclusive": {"60000000000 e: no bodies", "cart-00002"},
	} {
		for _, want := range wants {
			if !strings.Contains(texts[name], want) {
				t.Errorf("no %q in %s", want, texts[name])
			}
		}
	}
}

// FuzzWriter holds what OTLP asks of traces and logs, whatever the inputs say.
func FuzzWriter(f *testing.F) {
	f.Add(rendertest.HostileInput)
	f.Fuzz(func(t *testing.T, input string) {
		traces, records := read(t, written(t, rendertest.Told(t, input)))
		check(t, traces, records)
	})
}
