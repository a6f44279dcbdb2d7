package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

// sampleLines returns the lines of a log of a sample.
func sampleLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("../../samples", path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// found runs detect and returns its findings and verdicts, without the places
// of the evidence.
func found(t *testing.T, paths ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(append([]string{"detect", "-o", "json"}, paths...), strings.NewReader(""), &out, &errs); code != exitFindings {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var doc struct {
		Findings []map[string]any
		Verdicts []any
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, f := range doc.Findings {
		for _, e := range append(f["evidence"].([]any), f["chain"].([]any)...) {
			delete(e.(map[string]any), "file")
			delete(e.(map[string]any), "line")
		}
	}
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func inString(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// console is a line of zap in its console encoding; lines of others stay.
func console(line string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &members) != nil {
		return line
	}
	var head []string
	for _, name := range []string{"timestamp", "severity", "logger", "caller", "message"} {
		var text string
		_ = json.Unmarshal(members[name], &text)
		head = append(head, text)
		delete(members, name)
	}
	var stack string
	if raw := members["stacktrace"]; raw != nil {
		_ = json.Unmarshal(raw, &stack)
		delete(members, "stacktrace")
		stack = "\n" + stack
	}
	fields, _ := json.Marshal(members)
	return strings.Join(head, "\t") + "\t" + string(fields) + stack
}

// indentedLines are the lines of a record that is laid out for people.
func indentedLines(line string) []string {
	var buf bytes.Buffer
	if json.Indent(&buf, []byte(line), "", "  ") != nil {
		return []string{line}
	}
	return strings.Split(buf.String(), "\n")
}

func inCell(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// each wraps every line, and joins them with separator.
func eachLine(separator string, wrap func(i int, line string) string) func([]string) string {
	return func(lines []string) string {
		wrapped := make([]string, len(lines))
		for i, l := range lines {
			wrapped[i] = wrap(i, l)
		}
		return strings.Join(wrapped, separator)
	}
}

// between puts all lines between two texts.
func between(before, after string, inner func([]string) string) func([]string) string {
	return func(lines []string) string { return before + inner(lines) + after }
}

// TestWrappedLogsGiveTheSame puts the logs of a sample into each wrapper that
// keeps records whole: what is found must not change.
func TestWrappedLogsGiveTheSame(t *testing.T) {
	many(t)
	audit, controller := sampleLines(t, "latched/audit.log.zst"), sampleLines(t, "latched/controller.log.zst")
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "a.log"), filepath.Join(dir, "c.log")}
	want := ""
	check := func(t *testing.T, wrapAudit, wrapController func([]string) string) {
		t.Helper()
		for i, text := range []string{wrapAudit(audit), wrapController(controller)} {
			if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := found(t, files...)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", firstDifference(got, want), firstDifference(want, got))
		}
	}
	plain := eachLine("\n", func(_ int, l string) string { return l })
	check(t, plain, plain)
	const stamp = "2026-11-30T07:00:00.123456789Z "
	both := func(wrap func(i int, line string) string) [2]func([]string) string {
		w := eachLine("\n", wrap)
		return [2]func([]string) string{w, w}
	}
	onlyAudit := func(w func([]string) string) [2]func([]string) string { return [2]func([]string) string{w, plain} }
	csvOf := func(header, before string) [2]func([]string) string {
		w := between(header+"\n", "", eachLine("\n", func(_ int, l string) string { return before + inCell(l) }))
		return [2]func([]string) string{w, w}
	}
	for name, wrap := range map[string][2]func([]string) string{
		"cri": both(func(_ int, l string) string { return stamp + "stdout F " + l }),
		"cri in parts": both(func(_ int, l string) string {
			return stamp + "stdout P " + l[:len(l)/2] + "\n" + stamp + "stdout F " + l[len(l)/2:]
		}),
		"docker": both(func(_ int, l string) string {
			return `{"log":` + inString(l+"\n") + `,"stream":"stdout","time":"2026-11-30T07:00:00Z"}`
		}),
		"docker in parts": both(func(_ int, l string) string {
			entry := func(part string) string {
				return `{"log":` + inString(part) + `,"stream":"stderr","time":"2026-11-30T07:00:00Z"}`
			}
			const size = 16 << 10
			var entries []string
			for l += "\n"; len(l) > size; l = l[size:] {
				entries = append(entries, entry(l[:size]))
			}
			return strings.Join(append(entries, entry(l)), "\n")
		}),
		"kubectl": both(func(_ int, l string) string { return "[pod/x-1/y] " + stamp + l }),
		"vector": both(func(_ int, l string) string {
			return `{"message":` + inString(l) + `,"source_type":"file","timestamp":"2026-11-30T07:00:00Z"}`
		}),
		"logcli": both(func(_ int, l string) string {
			return `{"labels":{},"line":` + inString(l) + `,"timestamp":"2026-11-30T07:00:00Z"}`
		}),
		"fluent": both(func(i int, l string) string { return fmt.Sprintf(`{"date":%d.5,"log":%s}`, 1700000000+i, inString(l)) }),
		"pairs": both(func(i int, l string) string {
			if !strings.HasPrefix(l, "{") {
				l = fmt.Sprintf(`{"log":%s}`, inString(l))
			}
			return fmt.Sprintf(`[%d.5, %s]`, 1700000000+i, l)
		}),
		"array of pairs":  onlyAudit(between("[", "]", eachLine(",\n ", func(i int, l string) string { return fmt.Sprintf(`[%d, {"log":%s}]`, i+1, inString(l)) }))),
		"pairs on a line": onlyAudit(between("[", "]", eachLine(",", func(i int, l string) string { return fmt.Sprintf(`[%d,%s]`, i+1, l) }))),
		"elasticsearch":   both(func(_ int, l string) string { return `{"_index":"x","_source":{"message":` + inString(l) + `}}` }),
		"event hub": both(func(_ int, l string) string {
			return `{"records":[{"category":"c","properties":{"log":` + inString(l) + `}}]}`
		}),
		"firehose": both(func(i int, l string) string {
			return fmt.Sprintf(`{"messageType":"DATA_MESSAGE","logEvents":[{"id":"%d","message":%s}]}`, i, inString(l))
		}),
		"gcp text": both(func(i int, l string) string {
			return fmt.Sprintf(`{"insertId":"%d","logName":"l","textPayload":%s}`, i, inString(l))
		}),
		"otlp": both(func(_ int, l string) string {
			return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":` + inString(l) + `}}]}]}]}`
		}),
		"stern":          onlyAudit(eachLine("\n", func(_ int, l string) string { return "pod-1 container " + l })),
		"node":           onlyAudit(eachLine("\n", func(_ int, l string) string { return "master-0.example.test " + l })),
		"array":          onlyAudit(between("[", "]", eachLine(",\n", func(_ int, l string) string { return l }))),
		"EventList":      onlyAudit(between(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[`, "]}", eachLine(",", func(_ int, l string) string { return l }))),
		"without breaks": onlyAudit(eachLine("", func(_ int, l string) string { return l })),
		"many in a hub": onlyAudit(between(`{"records":[`, "]}", eachLine(",", func(_ int, l string) string {
			return `{"category":"kube-audit","properties":{"log":` + inString(l) + `}}`
		}))),
		"loki query": onlyAudit(between(`{"status":"success","data":{"resultType":"streams","result":[{"stream":{},"values":[`, "]}]}}", eachLine(",", func(_ int, l string) string { return `["1",` + inString(l) + `]` }))),
		"indented": onlyAudit(eachLine("\n", func(_ int, l string) string {
			return strings.Join(indentedLines(l), "\n")
		})),
		"console":      {plain, eachLine("\n", func(_ int, l string) string { return console(l) })},
		"laid out":     {plain, eachLine("\n", func(_ int, l string) string { return strings.Join(indentedLines(l), "\n") })},
		"Insights CSV": csvOf("@timestamp,@message", "2026-11-30 07:00:00.123,"),
		"Splunk CSV":   csvOf("_time,_raw,host", "1,"),
		"indented in CSV": onlyAudit(between("Line,tsNs\n", "", eachLine("\r\n", func(_ int, l string) string {
			return inCell(strings.Join(indentedLines(l), "\n")) + ",17"
		}))),
		"CRLF and mark": {between("\ufeff", "\r\n", eachLine("\r\n", func(_ int, l string) string { return l })), eachLine("\r\n", func(_ int, l string) string { return l })},
		"UTF-16": onlyAudit(func(lines []string) string {
			out := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(strings.Join(lines, "\n"))) {
				out = binary.LittleEndian.AppendUint16(out, u)
			}
			return string(out)
		}),
	} {
		t.Run(name, func(t *testing.T) { check(t, wrap[0], wrap[1]) })
	}
}

// firstDifference returns the lines of a around the first one that b has not.
func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range la {
		if i >= len(lb) || la[i] != lb[i] {
			return strings.Join(la[max(0, i-5):min(len(la), i+5)], "\n")
		}
	}
	return ""
}

// TestReviewsAreNoWrites: what webhooks were asked about gives no findings, and
// no Revision is said to be there.
func TestReviewsAreNoWrites(t *testing.T) {
	var reviews []string
	for _, l := range sampleLines(t, "latched/audit.log.zst") {
		var event struct{ RequestObject json.RawMessage }
		if json.Unmarshal([]byte(l), &event) == nil && event.RequestObject != nil {
			reviews = append(reviews, fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"%d","object":%s}}`, len(reviews), event.RequestObject))
		}
	}
	path := filepath.Join(t.TempDir(), "reviews.log")
	if err := os.WriteFile(path, []byte(strings.Join(reviews, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"detect", "-o", "json", path}, nil, &out, &errs); code != exitInconclusive {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if !strings.Contains(out.String(), `"findings": []`) || !strings.Contains(out.String(), `"format": "admission-review"`) {
		t.Error(out.String())
	}
	out.Reset()
	if code := run([]string{"show", path + ":2", "-o", "json", path}, nil, &out, &errs); code != exitOK || !strings.Contains(out.String(), `"format": "admission-review"`) {
		t.Errorf("exit %d: %s %s", code, out.String(), errs.String())
	}
}
