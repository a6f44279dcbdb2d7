package ingest

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// TestFetchGivesWhatWasRead reads each record again by its place and holds it
// against its row.
func TestFetchGivesWhatWasRead(t *testing.T) {
	files := map[string]string{
		"flow.yaml":  "kind: List\nitems: [{kind: Pod, apiVersion: v1, metadata: {name: f-1}}, {kind: Pod, apiVersion: v1, metadata: {name: 'f-2'}}]\n",
		"list.yaml":  "apiVersion: v1\r\nitems:\r\n- apiVersion: v1\r\n  kind: Pod\r\n  metadata:\r\n    name: y-1\r\n- {apiVersion: v1, kind: Pod, metadata: {name: y-2}}\r\nkind: List\r\n",
		"line.jsonl": `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"j-0"}}` + "\n" + `{"kind":"List","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"j-1"}}, {"kind":"Pod","apiVersion":"v1","metadata":{"name":"j-2"}}]}`,
	}
	for name, text := range mixed {
		files[name] = text
	}
	inputs := folder(t, files)
	type row struct {
		at     *table.Location
		member string // which member of the record holds the text
		text   string
	}
	var rows []row
	keep := func(at table.Location, member, text string) {
		for i := range inputs {
			if inputs[i].Path == at.File {
				rows = append(rows, row{&at, member, text})
			}
		}
	}
	if _, err := Read(t.Context(), inputs, Options{}, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) { keep(r.Location, "auditID", strings.Clone(r.AuditID)) })
		b.EachLog(func(r *table.ControllerLog) {
			member := map[string]string{table.LogZap: "message"}[r.Format]
			keep(r.Location, member, strings.Clone(r.Message))
		})
		b.EachKubeEvent(func(r *table.KubeEvent) { keep(r.Location, "message", strings.Clone(r.Message)) })
		b.EachObject(func(r *table.Object) { keep(r.Location, "metadata", strings.Clone(r.Name)) })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return int(a.at.Offset - b.at.Offset) })
	var places []*table.Location
	want := map[*table.Location]row{}
	for _, r := range rows {
		places = append(places, r.at)
		want[r.at] = r
	}
	var fetched int
	if err := Fetch(append(inputs, inputs...), places, func(at *table.Location, data []byte) {
		fetched++
		r := want[at]
		if r.member == "" {
			if !strings.HasSuffix(string(data), r.text) {
				t.Errorf("%s:%d is %q, the row says %q", at.File, at.Line, data, r.text)
			}
			return
		}
		var record map[string]any
		if err := json.Unmarshal(data, &record); err != nil {
			t.Errorf("%s:%d: %v: %q", at.File, at.Line, err, data)
			return
		}
		got := record[r.member]
		if meta, ok := got.(map[string]any); ok {
			got = meta["name"]
		}
		if fmt.Sprint(got) != r.text {
			t.Errorf("%s:%d: %s is %v, the row says %q", at.File, at.Line, r.member, got, r.text)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if fetched != len(rows) || fetched < 25 {
		t.Errorf("%d records of %d", fetched, len(rows))
	}
}

// TestFetchOpensABatchOnce: the answer to a query is one record with all that was
// found in it.
func TestFetchOpensABatchOnce(t *testing.T) {
	const n = 2000
	entries := make([]string, n)
	for i := range entries {
		entries[i] = `{"_source":` + strings.TrimSpace(zapLine(i)) + `}`
	}
	inputs := folder(t, map[string]string{"answer.json": `{"hits":{"hits":[` + strings.Join(entries, ",") + `]}}`})
	var places []*table.Location
	if _, err := Read(t.Context(), inputs, Options{}, func(b *table.Batch) error {
		b.EachLog(func(r *table.ControllerLog) { at := r.Location; places = append(places, &at) })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fetched := 0
	if err := Fetch(inputs, places, func(at *table.Location, data []byte) {
		if want := fmt.Sprintf(`shop/rt-%d"`, at.Part-1); !strings.Contains(string(data), want) {
			t.Errorf("part %d is %s", at.Part, data)
		}
		fetched++
	}); err != nil || fetched != n {
		t.Fatalf("%d of %d, %v", fetched, n, err)
	}
	runtime.ReadMemStats(&after)
	if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 50 {
		t.Errorf("%d MiB were allocated", spent)
	}
}

func TestFetchOfWhatIsGone(t *testing.T) {
	inputs := folder(t, map[string]string{"a.log": auditLine(1)})
	err := Fetch(inputs, []*table.Location{{File: "a.log", Offset: 10_000, Length: 5}}, func(*table.Location, []byte) { t.Error("something was found") })
	if err == nil || !strings.Contains(err.Error(), "a.log") {
		t.Errorf("got %v", err)
	}
	if err := Fetch([]source.Input{}, []*table.Location{{File: "a.log"}}, nil); err != nil {
		t.Errorf("no inputs: %v", err)
	}
}
