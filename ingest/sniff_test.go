package ingest

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

func TestRecognise(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", 70_000) + `"}`
	pretty := "{\n  \"kind\": \"Pod\"\n}\n"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "empty"},
		{"blanks", " \n\r\n", "empty"},
		{"JSON lines", auditLine(1) + auditLine(2), "*document.Lines"},
		{"one JSON line without an end", strings.TrimSpace(auditLine(1)), "*document.Lines"},
		{"a long first line", long + "\n" + long, "*document.Lines"},
		{"JSON lines after comments", "# x\n\n" + auditLine(1), "*document.Lines"},
		{"JSON lines after a line of something else", "Warning: x\n" + auditLine(1), "*document.Lines"},
		{"JSON lines after a cut one", auditLine(1)[:50] + "\n" + auditLine(2), "*document.Lines"},
		{"JSON lines with a stretch of zeros", auditLine(1) + strings.Repeat("\x00", 100) + "\n" + auditLine(2), "*document.Lines"},
		{"JSON over lines", pretty, "*document.JSON"},
		{"JSON over lines after comments", "# x\n" + pretty, "*document.JSON"},
		{"JSON over lines with a stretch of zeros", pretty + "\x00\x00\n" + pretty, "*document.JSON"},
		{"a list over lines", podList, "*document.JSON"},
		{"a list whose items begin their lines", "{\"kind\":\"List\",\"items\":[\n{\"kind\":\"Pod\"},\n{\"kind\":\"Pod\"}]}\n", "*document.JSON"},
		{"a long list whose items begin their lines", "{\"kind\":\"List\",\"items\":[\n" + strings.Repeat("{\"kind\":\"Pod\"},\n", 10_000), "*document.JSON"},
		{"JSON lines after two cut ones", auditLine(1)[:50] + "\n" + auditLine(1)[:60] + "\n" + auditLine(2), "*document.Lines"},
		{"cut JSON lines alone", strings.Repeat(auditLine(1)[:90]+"[Truncated...]\n", 3), "*document.Lines"},
		{"an EventList whose items begin their lines", "{\"kind\":\"EventList\",\"items\":[\n" + strings.Repeat("{\"kind\":\"Event\",\"level\":\"x\"},\n", 3), "*document.JSON"},
		{"an array", "[\n  {\"a\": 1}\n]", "*document.JSON"},
		{"an array after a comment", "# x\n[{\"a\":1}]", "*document.JSON"},
		{"an empty array", "[]", "*document.JSON"},
		{"zap", zapLine(1), "*document.Lines text"},
		{"zap after text", "starting\n" + zapLine(1), "*document.Lines text"},
		{"zap after a lost brace", "starting\n{\n" + zapLine(1), "*document.Entries text"},
		{"zap over lines", laidOut(zapLine(1)), "*document.Entries text"},
		{"zap over lines after text", "starting\r\n" + strings.ReplaceAll(laidOut(zapLine(1)), "\n", "\r\n"), "*document.Entries text"},
		{"zap's console encoding", "starting\n" + consoleEntry, "*document.Entries text"},
		{"zap's console encoding in a container log", "2026-03-02T09:00:00Z stdout F " + consoleEntry, "*document.Joined text"},
		{"fluentd's pairs", `[1.5,{"log":"` + strings.Repeat("x", 70_000), "*document.Lines"},
		{"an array of fluentd's pairs", "[\n [1,{\"a\":\n", "*document.JSON"},
		{"rows of CSV", "@timestamp,@message\n", "*csvlog.Reader"},
		{"klog", klogLine, "*document.Lines text"},
		{"klog without an end", strings.TrimSpace(klogLine), "*document.Lines text"},
		{"a log with words in brackets", "[INFO] x\n" + klogLine, "*document.Lines text"},
		{"a log with zeros", klogLine + "\x00\x00\x00\n" + klogLine, "*document.Lines text"},
		{"YAML", yamlObject, "*document.YAML"},
		{"YAML that starts a document", "--- # x\n" + yamlObject, "*document.YAML"},
		{"YAML of a list", "# x\nitems:\n- kind: Pod\n", "*document.YAML"},
		{"YAML of a sequence", "- apiVersion: v1\n  kind: Pod\n", "*document.YAML"},
		{"YAML that quotes a log", yamlObject + "status:\n  message: |\n    " + klogLine + "    " + zapLine(1), "*document.YAML"},
		{"YAML with CRLF", strings.ReplaceAll(yamlObject, "\n", "\r\n"), "*document.YAML"},
		{"text", "kubectl: command not found\n", "no known format"},
		{"text in brackets", "[INFO] x\n[INFO] y\n", "no known format"},
		{"text with a colon", "name: x\n", "no known format"},
		{"a description", "Name:         rt-00001\nNamespace:    shop\nLabels:       <none>\nEvents:\n  Type    Reason   Age   From   Message\n", "what kubectl describe prints is for people: give the same objects from kubectl get -o yaml, and their Events from kubectl get events -o yaml"},
		{"a name alone", "Name:         rt-00001\n", "no known format"},
		{"a table of a case", "ARROW1\x00\x00\xff", "a table, as of a case or an export: name the folder of a whole case, or the logs"},
		{"a program", "\x7fELF\x02\x01\x01\x00\x00", "binary data of no known format"},
		{"an archive", "a.log" + strings.Repeat("\x00", 500) + "\n" + auditLine(1), "binary data of no known format"},
		{"binary after a line", "PNG\r\n\x1a\n\x00\x00\x00", "binary data of no known format"},
		{"UTF-16", "\xff\xfe{\x00\"\x00", "binary data of no known format"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const headSize = 64 << 10
			how := recognise([]byte(tt.text[:min(len(tt.text), headSize)]), len(tt.text) <= headSize)
			got := how.reason
			if how.reader != nil {
				got = reflect.TypeOf(how.reader(strings.NewReader(tt.text))).String()
			}
			if how.text {
				got += " text"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// FuzzRecognise: a stream is either read or refused with a reason, and reading
// it comes to an end.
func FuzzRecognise(f *testing.F) {
	for _, text := range []string{auditLine(1), zapLine(1), klogLine, podList, yamlObject, "[\n{", "# x\n---\n", "{\n{\n", consoleEntry, laidOut(zapLine(1)), "a,b\n\"{\"\"x\"\":1}\",\"\n",
		"NAME   READY   REASON   URL\nrt     True             http://x\n", "2026-03-02T14:02:31Z stdout P {\n2026-03-02T14:02:31Z stdout F }", `{"log":"x\n","stream":"stdout","time":"t"}`,
		`2026-03-02T09:00:00Z AUDIT: id="c" stage="RequestReceived"`, "PK\x03\x04", "[pod/a/b] " + klogLine, "\x00\x00" + auditLine(1)} {
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, head []byte, whole bool) {
		fuzzing.Bounded(t, len(head), func() { checkRecognised(t, head, whole) })
	})
}

func checkRecognised(t *testing.T, head []byte, whole bool) {
	t.Helper()
	how := recognise(head, whole)
	if (how.reader == nil) == (how.reason == "") {
		t.Fatalf("neither read nor refused, or both: %+v", how)
	}
	if how.reader == nil {
		return
	}
	r := how.reader(bytes.NewReader(head))
	for n := 0; ; n++ {
		if _, err := r.Next(); err != nil {
			return
		}
		if n > len(head)+16 {
			t.Fatal("no end")
		}
	}
}
