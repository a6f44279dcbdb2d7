package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// auditLine is an audit event with an ID of its own.
func auditLine(id int, members ...string) string {
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/pods","verb":"list",`+
		`"user":{"username":"u"},"objectRef":{"resource":"pods","namespace":"shop","apiVersion":"v1"},"stageTimestamp":"2026-03-02T09:00:%02d.000000Z"`, id, id%60) + strings.Join(append([]string{""}, members...), ",") + "}\n"
}

func zapLine(id int) string {
	return fmt.Sprintf(`{"severity":"INFO","timestamp":"2026-03-02T09:01:%02d.5Z","logger":"controller","message":"Reconcile succeeded","knative.dev/key":"shop/rt-%d"}`+"\n", id%60, id)
}

// consoleEntry is what zap's console encoding makes of an error.
const consoleEntry = "2026-03-02T09:01:01.500Z\tERROR\tcontroller\tcontroller/controller.go:566\tReconcile error\t{\"knative.dev/key\": \"shop/rt\", \"error\": \"x\"}\nmain.main\n\t/x/main.go:1\n"

// laidOut is JSON laid out for people.
func laidOut(line string) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(strings.TrimSpace(line)), "", "  ")
	return b.String() + "\n"
}

// inJSON is a text as a string in JSON.
func inJSON(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

const klogLine = "I0302 09:00:00.000000       1 leaderelection.go:250] attempting to acquire leader lease\n"

const podList = `{
    "apiVersion": "v1",
    "items": [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "uid": "p-1", "resourceVersion": "7"}},
        {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "uid": "e-1"}, "involvedObject": {"kind": "Pod", "name": "a"}, "message": "x", "lastTimestamp": "2026-03-02T09:02:00Z"}
    ],
    "kind": "List"
}
`

const yamlObject = "apiVersion: serving.knative.dev/v1\nkind: Revision\nmetadata:\n  name: rt-00001\n"

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func zstded(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// folder makes files of texts, and returns the inputs they are; t.Chdir makes
// their paths short.
func folder(tb testing.TB, files map[string]string) []source.Input {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	tb.Chdir(dir)
	inputs, err := source.Find([]string{"."}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return inputs
}

// read reads inputs and returns the coverage and all rows, as text.
func read(t *testing.T, inputs []source.Input, opts Options) (*coverage.Coverage, []string) {
	t.Helper()
	var rows []string
	c, err := Read(t.Context(), inputs, opts, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) { rows = append(rows, fmt.Sprintf("audit %+v", *r)) })
		b.EachLog(func(r *table.ControllerLog) { rows = append(rows, fmt.Sprintf("log %+v", *r)) })
		b.EachKubeEvent(func(r *table.KubeEvent) { rows = append(rows, fmt.Sprintf("event %+v", *r)) })
		b.EachObject(func(r *table.Object) { rows = append(rows, fmt.Sprintf("object %+v", *r)) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, rows
}

// summary says of each file what the coverage has of it.
func summary(c *coverage.Coverage) (lines []string) {
	for _, f := range c.Files {
		line := fmt.Sprintf("%s %s %d", f.Path, f.Format, f.Records)
		for _, n := range []struct {
			name  string
			count int64
		}{{"rejected", f.Rejected}, {"truncated", f.Truncated}, {"duplicates", f.Duplicates}} {
			if n.count > 0 {
				line += fmt.Sprintf(" %s=%d", n.name, n.count)
			}
		}
		if len(f.Wrappers) > 0 {
			line += " " + strings.Join(f.Wrappers, "+")
		}
		if f.Skipped != "" {
			line += ": " + f.Skipped
		}
		lines = append(lines, line)
	}
	for _, r := range c.Rejections {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Reason))
	}
	return lines
}

func checkSummary(t *testing.T, c *coverage.Coverage, want ...string) {
	t.Helper()
	if got := summary(c); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	for i := range 20_000 {
		text.WriteString(auditLine(i, `"requestReceivedTimestamp":"2026-03-02T09:00:00.000000Z"`, `"userAgent":"controller/v0.0.0 (linux/amd64)"`,
			`"responseObject":{"apiVersion":"serving.knative.dev/v1","kind":"Revision","metadata":{"name":"rt","uid":"u","resourceVersion":"`+fmt.Sprint(i)+`"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}`))
	}
	inputs := folder(b, map[string]string{"audit.log": strings.ReplaceAll(text.String(), `"verb":"list"`, `"verb":"get"`)})
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				c, err := Read(b.Context(), inputs, Options{Jobs: jobs}, func(*table.Batch) error { return nil })
				if err != nil || c.Records() != 20_000 {
					b.Fatal(c, err)
				}
			}
		})
	}
}
