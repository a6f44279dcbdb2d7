package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// readText reads one text, and returns what became of it in short: for each
// row its table and what tells it apart.
func readText(tb testing.TB, text string) (*coverage.Coverage, []string) {
	tb.Helper()
	inputs, err := source.Find([]string{source.Stdin}, strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	var rows []string
	check := func(at table.Location) {
		if at.Offset < 0 || at.Offset+at.Length > int64(len(text)) || at.Line < 1 || at.Lines < 1 {
			tb.Fatalf("a row lies at %+v, the text has %d bytes", at, len(text))
		}
	}
	c, err := Read(tb.Context(), inputs, Options{}, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) {
			check(r.Location)
			rows = append(rows, fmt.Sprintf("audit %s %s/%s %s dry=%v", r.AuditID, r.Resource, r.Name, r.Verb, r.DryRun))
		})
		b.EachLog(func(r *table.ControllerLog) {
			check(r.Location)
			rows = append(rows, fmt.Sprintf("log %s %q", r.Format, r.Message))
		})
		b.EachKubeEvent(func(r *table.KubeEvent) {
			check(r.Location)
			rows = append(rows, fmt.Sprintf("event %s %s %q", r.Origin, r.AuditID, r.Message))
		})
		b.EachObject(func(r *table.Object) {
			check(r.Location)
			rows = append(rows, fmt.Sprintf("object %s %s %s %s/%s %s %v", r.Origin, r.AuditID, r.Patch, r.Group, r.Kind, r.Name, r.Fields))
		})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c, rows
}

// request is an audit event about a Revision.
func request(verb string, members ...string) string {
	base := []string{`"kind":"Event"`, `"apiVersion":"audit.k8s.io/v1"`, `"level":"RequestResponse"`, `"auditID":"a"`, `"stage":"ResponseComplete"`, `"requestURI":"/x"`, `"verb":"` + verb + `"`,
		`"objectRef":{"apiGroup":"serving.knative.dev","apiVersion":"v1","resource":"revisions","namespace":"shop","name":"rt"}`, `"stageTimestamp":"2026-03-02T09:00:00.000000Z"`}
	return "{" + strings.Join(append(base, members...), ",") + "}\n"
}

func TestBodies(t *testing.T) {
	const revision = `{"apiVersion":"serving.knative.dev/v1","kind":"Revision","metadata":{"name":"rt"},"status":{"actualReplicas":1}}`
	const revisions, audited = `"resource":"revisions"`, "audit a revisions/rt "
	replace := func(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a write", request("update", `"requestObject":`+revision, `"responseObject":`+revision), []string{audited + "update dry=false",
			"object audit-request a  serving.knative.dev/Revision rt [{status.actualReplicas 1}]", "object audit-response a  serving.knative.dev/Revision rt [{status.actualReplicas 1}]"}},
		{"a read", request("get", `"responseObject":`+revision), []string{audited + "get dry=false", "object audit-response a  serving.knative.dev/Revision rt [{status.actualReplicas 1}]"}},
		{"a list", request("list", `"responseObject":{"kind":"RevisionList","apiVersion":"serving.knative.dev/v1","items":[`+revision+`]}`), []string{audited + "list dry=false"}},
		{"a list after all", request("get", `"responseObject":{"kind":"RevisionList","apiVersion":"serving.knative.dev/v1","items":[`+revision+`]}`), []string{audited + "get dry=false"}},
		{"a refusal", request("update", `"responseObject":{"kind":"Status","apiVersion":"v1","code":409}`), []string{audited + "update dry=false"}},
		{"a deletion", request("delete", `"requestObject":{"kind":"DeleteOptions","apiVersion":"v1"}`, `"responseObject":`+revision), []string{audited + "delete dry=false", "object audit-response a  serving.knative.dev/Revision rt [{status.actualReplicas 1}]"}},
		{"a deletion that is tried only", request("delete", `"requestObject":{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}`), []string{audited + "delete dry=true"}},
		{"a body that does not tell its type", request("create", `"requestObject":{"metadata":{"name":"rt"},"status":{"actualReplicas":2}}`), []string{audited + "create dry=false", "object audit-request a  serving.knative.dev/Revision rt [{status.actualReplicas 2}]"}},
		{"a generated name", replace(request("create", `"responseObject":`+replace(revision, `"rt"`, `"rt-x7k2p"`)), `,"name":"rt"}`, "}"), []string{"audit a revisions/rt-x7k2p create dry=false", "object audit-response a  serving.knative.dev/Revision rt-x7k2p [{status.actualReplicas 1}]"}},
		{"a merge patch", request("patch", `"requestObject":{"status":{"actualReplicas":3}}`), []string{audited + "patch dry=false", "object audit-request a merge serving.knative.dev/Revision  [{status.actualReplicas 3}]"}},
		{"a JSON patch", request("patch", `"requestObject":[{"op":"replace","path":"/status/actualReplicas","value":4}]`), []string{audited + "patch dry=false", "object audit-request a json serving.knative.dev/Revision  [{status.actualReplicas 4}]"}},
		{"a patch of something else", replace(request("patch", `"requestObject":[{"op":"add","path":"/data/a","value":"hunter2"}]`), revisions, `"resource":"secrets"`), []string{"audit a secrets/rt patch dry=false"}},
		{"a setting of Knative, patched", replace(request("patch", `"requestObject":{"data":{"initial-scale":"3"}}`), `"apiGroup":"serving.knative.dev",`, "", revisions, `"resource":"configmaps"`, `"rt"`, `"config-autoscaler"`),
			[]string{"audit a configmaps/config-autoscaler patch dry=false", "object audit-request a merge /ConfigMap  [{data.initial-scale 3}]"}},
		{"a subresource", replace(request("create", `"requestObject":{"kind":"Eviction","apiVersion":"policy/v1"}`), revisions, `"resource":"pods","subresource":"eviction"`), []string{"audit a pods/rt create dry=false"}},
		{"an Event", replace(request("create", `"requestObject":{"kind":"Event","apiVersion":"v1","message":"x"}`, `"responseObject":{"kind":"Event","apiVersion":"events.k8s.io/v1","note":"y"}`), revisions, `"resource":"events"`),
			[]string{"audit a events/rt create dry=false", `event audit-request a "x"`, `event audit-response a "y"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, rows := readText(t, tt.text)
			if !slices.Equal(rows, tt.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(rows, "\n  "), strings.Join(tt.want, "\n  "))
			}
			if f := c.Files[0]; f.Records != 1 || f.Format != coverage.Audit || f.Rejected != 0 {
				t.Errorf("coverage: %+v %v", f, c.Rejections)
			}
		})
	}
}

func TestSnapshots(t *testing.T) {
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`
	const podRow = "object snapshot   /Pod a []"
	for _, tt := range []struct {
		name, text string
		want       []string
		rejected   []string
	}{
		{"objects on lines", pod + "\n" + pod, []string{podRow, podRow}, nil},
		{"a list on a line", `{"kind":"List","apiVersion":"v1","items":[` + pod + `,` + pod + `]}` + "\n" + pod, []string{podRow, podRow, podRow}, nil},
		{"a list that does not say so", `{"items":[` + pod + `,{"a":1},{"items":[` + pod + `]}]}` + "\n" + pod, []string{podRow, podRow},
			[]string{"1: a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object", "1: a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object"}},
		{"an empty list", `{"kind":"List","apiVersion":"v1","items":[]}`, nil, nil},
		{"a list in a list", `{"kind":"List","apiVersion":"v1","items":[` + pod + `,{"kind":"List","apiVersion":"v1","items":[` + pod + `]}]}`, []string{podRow}, []string{"1: a list without items, or within a list"}},
		{"no items", `{"kind":"PodList","apiVersion":"v1"}`, nil, []string{"1: a list without items, or within a list"}},
		{"items that do not tell their type", `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`, []string{podRow}, nil},
		{"the same over lines", "{\n\"kind\":\"PodList\",\"apiVersion\":\"v1\",\n\"items\":[\n{\"metadata\":{\"name\":\"a\"}}]}", []string{podRow}, nil},
		{"the same in YAML", "kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: a}\n", []string{podRow}, nil},
		{"Events that do not tell their type", `{"kind":"EventList","apiVersion":"v1","items":[{"message":"x"}]}`, []string{`event snapshot  "x"`}, nil},
		{"audit events of an EventList that are none", `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{"message":"x"}]}`, nil, []string{"1: a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object"}},
		{"items of a plain List", `{"kind":"List","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`, nil, []string{"1: a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object"}},
		{"an array of anything", "[\n" + pod + ",\n1, [" + pod + "],\n{\"a\":}]", []string{podRow}, []string{"3: neither a JSON object nor a line of a known log", "3: neither a JSON object nor a line of a known log", "4: invalid JSON at byte 5: expected a value"}},
		{"cut", "{\n\"kind\":\"List\",\"items\":[\n" + pod + ",\n{\"kind\":", []string{podRow}, []string{"4: the text ends inside a JSON value"}},
		{"comments", "# x\n" + pod + "\n  # y\n", []string{podRow}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, rows := readText(t, tt.text)
			if !slices.Equal(rows, tt.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(rows, "\n  "), strings.Join(tt.want, "\n  "))
			}
			var rejected []string
			for _, r := range c.Rejections {
				rejected = append(rejected, fmt.Sprintf("%d: %s", r.Line, r.Reason))
			}
			if !slices.Equal(rejected, tt.rejected) {
				t.Errorf("rejected %q, want %q", rejected, tt.rejected)
			}
			if f := c.Files[0]; f.Records != int64(len(rows)) || f.Rejected != int64(len(tt.rejected)) || (f.Skipped == "") != (len(rows) > 0) {
				t.Errorf("coverage %+v", f)
			}
		})
	}
	if c, _ := readText(t, `{"kind":"List","apiVersion":"v1","items":[]}`); c.Files[0].Skipped != "it holds no records" {
		t.Errorf("an empty list is skipped with %q", c.Files[0].Skipped)
	}
}

func TestFormats(t *testing.T) {
	condition := `{"type":"Ready","severity":"Info","message":"x"}` + "\n"
	for _, tt := range []struct {
		name, text string
		want       coverage.Format
		records    int64
	}{
		{"klog alone", strings.Repeat(klogLine, 3), coverage.Klog, 3},
		{"klog and much text", klogLine + strings.Repeat("goroutine 1\n", 50) + klogLine, coverage.Klog, 52},
		{"klog and one zap line in hundreds", strings.Repeat(klogLine, 200) + zapLine(1), coverage.Klog, 201},
		{"zap and klog", strings.Repeat(klogLine, 20) + zapLine(1) + zapLine(2), coverage.ControllerLog, 22},
		{"zap and text", "a\nb\nc\n" + zapLine(1), coverage.ControllerLog, 4},
		{"console and text", "starting\n" + consoleEntry + "goodbye to all\n", coverage.ControllerLog, 3},
		{"zap over lines and text", laidOut(zapLine(1)) + "starting\n" + laidOut(zapLine(2)), coverage.ControllerLog, 3},
		{"console in a container log", "2026-03-02T09:00:00Z stdout F " + strings.ReplaceAll(strings.TrimSpace(consoleEntry), "\n", "\n2026-03-02T09:00:00Z stdout F "), coverage.ControllerLog, 3},
		{"mostly audit", auditLine(1) + auditLine(2) + zapLine(1), coverage.Audit, 3},
		{"other lines of a container", "2026-03-02T09:00:00.1Z stdout F hello\n", coverage.Unknown, 1},
		{"conditions", condition + condition, coverage.Unknown, 0},
	} {
		c, _ := readText(t, tt.text)
		if f := c.Files[0]; f.Format != tt.want || f.Records != tt.records {
			t.Errorf("%s: %s with %d records, want %s with %d", tt.name, f.Format, f.Records, tt.want, tt.records)
		} else if (f.Skipped != "") != (tt.want == coverage.Unknown) {
			t.Errorf("%s: skipped with %q", tt.name, f.Skipped)
		}
	}
}

func TestTruncated(t *testing.T) {
	c, _ := readText(t, auditLine(1, `"annotations":{"audit.k8s.io/truncated":"true"}`)+auditLine(2))
	if f := c.Files[0]; f.Records != 2 || f.Truncated != 1 || f.Rejected != 0 {
		t.Errorf("%+v", f)
	}
}
