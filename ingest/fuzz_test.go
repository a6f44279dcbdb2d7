package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// FuzzRead takes any bytes the whole way into the tables and back to the places
// the rows name.
func FuzzRead(f *testing.F) {
	for _, text := range mixed {
		f.Add([]byte(text))
	}
	zap := strings.TrimSpace(zapLine(1))
	for _, text := range []string{
		request("patch", `"requestObject":[{"op":"replace","path":"/status/actualReplicas","value":4}]`),
		request("deletecollection", `"responseObject":{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}`),
		auditLine(1) + auditLine(1)[:200] + "\n" + strings.TrimSpace(auditLine(2)) + zapLine(2),
		`2026-03-02T09:00:00Z AUDIT: id="c" stage="RequestReceived" uri="/api/v1/pods"` + "\n",
		"2026-03-02T09:00:00.1Z stdout P " + zap[:40] + "\n2026-03-02T09:00:00.1Z stderr F x\n2026-03-02T09:00:00.1Z stdout F " + zap[40:] + "\n",
		`{"log":` + quote(zap+"\n") + `,"stream":"stdout","time":"2026-03-02T14:02:31.5Z"}` + "\n",
		`{"records":[{"category":"kube-audit","properties":{"log":` + quote(auditLine(1)) + `}},{"category":"kube-audit","properties":{"log":` + quote(zap) + `}}]}`,
		`{"insertId":"1","logName":"l","timestamp":"2026-03-02T09:00:01.5Z","protoPayload":{"methodName":"io.k8s.a.update","resourceName":"apps/v1/namespaces/n/deployments/d","request":{"@type":"x","spec":{"replicas":1}}}}` + "\n",
		"NAME   READY   REASON   URL\nrt     True             http://x\n\nwords\nLAST SEEN   TYPE      REASON          OBJECT      MESSAGE\n5s   Normal   Scheduled   pod/x   m\n",
		`{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}},{"a":1}]}` + "\n" + `{"items":[]}` + "\n",
		"@timestamp,@message\n2026-03-02 09:00:00.000," + `"` + strings.ReplaceAll(zap, `"`, `""`) + `"` + "\n\"x\n",
		"2026-03-02T09:00:00.491Z\tERROR\tcontroller\tc/c.go:566\tReconcile error\t{\"knative.dev/key\": \"a/b\", \"error\": \"x\"}\nmain.run\n\t/x/y.go:1\n" + klogLine,
		laidOut(zapLine(1)) + laidOut(zapLine(2)),
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}}` + "\n",
		`["2026-03-02T09:00:00Z",{"log":` + quote(zap) + `}]` + "\n",
		"items:\n- &a {kind: Pod, apiVersion: v1, metadata: {name: a}}\n- *a\n",
	} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.BoundedBy(t, len(data), func() int64 {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			inputs := []source.Input{{Path: path, Size: int64(len(data))}}
			texts, spent := textsOf(t, inputs[0])
			cov, rows := readRows(t, inputs, 1)
			again, more := readRows(t, inputs, 3)
			if !reflect.DeepEqual(cov, again) || !reflect.DeepEqual(rows, more) {
				t.Fatalf("with 3 workers\n%+v %+v\nwith one\n%+v %+v", again, more, cov, rows)
			}
			if sum := sha256.Sum256(data); cov.Files[len(cov.Files)-1].SHA256 != hex.EncodeToString(sum[:]) {
				t.Fatal("the sum is not that of the input")
			}
			checkAccount(t, cov, rows, texts)
			checkPlaces(t, rows, texts)
			checkFetched(t, inputs, rows)
			return spent
		})
	})
}

func quote(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// unpacked is a text, up to where what it is packed in is damaged.
type unpacked struct {
	text  string
	whole bool
}

// textsOf returns the texts that an input unpacks to, by path, and what may be
// allocated to read them five times.
func textsOf(t *testing.T, in source.Input) (texts map[string]unpacked, cost int64) {
	t.Helper()
	const most = 1 << 20
	texts = map[string]unpacked{}
	if err := in.Each(false, func(path string, s *source.Stream) error {
		cost += int64(len(s.Wrappers)+1) * 5 * (320 << 20) // windows
		if s.Archive {
			return nil
		}
		text, err := io.ReadAll(io.LimitReader(s, most+1))
		if len(text) > most {
			t.Skip("unpacks to more than 1 MiB")
		}
		texts[path], cost = unpacked{string(text), err == nil}, cost+8<<10*int64(len(text)+64<<10)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return texts, cost
}

// row is a row of a table as far as it concerns where it was read.
type row struct {
	table.Location
	table   string
	carried bool   // it came in the body of an audit event
	text    string // what tells it apart
	full    string // all of it
}

func readRows(t *testing.T, inputs []source.Input, jobs int) (*coverage.Coverage, []row) {
	t.Helper()
	var rows []row
	cov, err := Read(t.Context(), inputs, Options{Jobs: jobs, Hash: true}, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) {
			rows = append(rows, row{r.Location, "audit", false, strings.Clone(r.AuditID), fmt.Sprintf("%+v", *r)})
		})
		b.EachLog(func(r *table.ControllerLog) {
			rows = append(rows, row{r.Location, strings.Clone(r.Format), false, strings.Clone(r.Message), fmt.Sprintf("%+v", *r)})
		})
		b.EachKubeEvent(func(r *table.KubeEvent) {
			rows = append(rows, row{r.Location, "event", r.Origin != table.OriginSnapshot, strings.Clone(r.Message), fmt.Sprintf("%+v", *r)})
		})
		b.EachObject(func(r *table.Object) {
			rows = append(rows, row{r.Location, "object", r.Origin != table.OriginSnapshot && r.Origin != table.OriginReview, strings.Clone(r.Name), fmt.Sprintf("%+v", *r)})
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		rows[i].File = strings.Clone(rows[i].File)
	}
	return cov, rows
}

// checkAccount: each record that was counted has a row, unless it was given
// before, and what is in the texts was counted, read or rejected.
func checkAccount(t *testing.T, cov *coverage.Coverage, rows []row, texts map[string]unpacked) {
	t.Helper()
	counted, kept := map[string]int64{}, map[string]int64{}
	for _, r := range rows {
		if !r.carried {
			counted[r.File]++
		}
	}
	for _, r := range cov.Rejections {
		kept[r.File]++
	}
	for _, f := range cov.Files {
		if f.Records-f.Duplicates != counted[f.Path] {
			t.Fatalf("%d rows, but %+v", counted[f.Path], f)
		}
		if min(f.Rejected, coverage.MaxRejections) != kept[f.Path] && f.Format != coverage.Archive {
			t.Fatalf("%d rejections, but %+v", kept[f.Path], f)
		}
		if unknown := f.Format == coverage.Unknown; f.Format != coverage.Archive && (unknown != (f.Skipped != "") || f.Records == 0 && !unknown) {
			t.Fatalf("a file is read or the reason is told: %+v", f)
		}
		if least := atLeast(texts[f.Path].text); texts[f.Path].whole && f.Records+f.Rejected < least {
			t.Fatalf("of at least %d records: %+v", least, f)
		}
	}
}

// atLeast counts the records of a text that are sure to be counted: neither
// comments, nor wrappers, nor lists, for those can hold nothing.
func atLeast(text string) (n int64) {
	const headSize = 64 << 10
	how := recognise([]byte(text)[:min(len(text), headSize)], len(text) < headSize)
	if how.reader == nil {
		return 0
	}
	var opener wrapper.Opener
	count := func(record []byte) {
		record = bytes.TrimLeft(record, " \t")
		if len(record) > 0 && record[0] != '#' && !bytes.Contains(record, []byte("items")) && opener.Leaves(record) == nil {
			n++
		}
	}
	for blocks := how.reader(strings.NewReader(text)); ; {
		b, err := blocks.Next()
		if err != nil {
			return n
		}
		b.Split(func(line []byte, _ table.Location) { count(line) })
		for _, rec := range b.Records {
			if rec.Err == nil {
				count(rec.JSON)
			} else {
				n++
			}
		}
		if b.Err != nil {
			n++
		}
	}
}

// checkPlaces: each row lies in the text, on the line it is said to be on.
func checkPlaces(t *testing.T, rows []row, texts map[string]unpacked) {
	t.Helper()
	for _, r := range rows {
		text := texts[r.File].text
		if r.Offset < 0 || r.Length < 1 || r.Offset+r.Length > int64(len(text)) || r.Lines < 1 {
			t.Fatalf("a row lies at %+v, the text has %d bytes", r.Location, len(text))
		}
		if line := 1 + int64(strings.Count(text[:r.Offset], "\n")); r.Line != line {
			t.Fatalf("a row is said to be on line %d, it is on %d: %q", r.Line, line, text)
		}
	}
}

// checkFetched reads all rows again by their places.
func checkFetched(t *testing.T, inputs []source.Input, rows []row) {
	t.Helper()
	slices.SortStableFunc(rows, func(a, b row) int { return int(a.Offset - b.Offset) })
	var places []*table.Location
	at := map[*table.Location]*row{}
	for i := range rows {
		places = append(places, &rows[i].Location)
		at[places[i]] = &rows[i]
	}
	fetched := 0
	if err := Fetch(inputs, places, func(l *table.Location, data []byte) {
		fetched++
		checkAgain(t, at[l], data)
	}); err != nil {
		t.Fatal(err)
	}
	if fetched != len(rows) {
		t.Fatalf("%d of %d rows were read again", fetched, len(rows))
	}
}

// checkAgain decodes what was fetched, if it is what a decoder reads by itself,
// and holds it against the row.
func checkAgain(t *testing.T, r *row, data []byte) {
	t.Helper()
	if len(data) == 0 {
		t.Fatalf("nothing was read again of %s", r.full)
	}
	var got string
	switch r.table {
	case table.LogKlog, table.LogPlain:
		var line table.ControllerLog
		controllerlog.Text(data, &line)
		got = line.Message
	case table.LogZap:
		var line table.ControllerLog
		err := new(controllerlog.Decoder).Zap(data, &line)
		if controllerlog.IsConsole(data) {
			err = new(controllerlog.Decoder).Console(data, &line)
		}
		if err != nil {
			t.Fatalf("%v: %q, read again of %s", err, data, r.full)
		}
		got = line.Message
	case "audit":
		var ev table.AuditEvent
		if _, err := new(audit.Decoder).Decode(data, &ev); err != nil && !audit.IsLegacy(data) {
			return // salvaged, or in the terms of a cloud
		} else if err != nil {
			_ = audit.DecodeLegacy(data, &ev)
		}
		got = ev.AuditID
	default:
		var o table.Object
		var e table.KubeEvent
		switch {
		case r.carried || new(object.Decoder).Decode(data, object.Header{Kind: "Pod"}, &o) != nil:
			return
		case r.table == "object" && o.Kind == "AdmissionReview":
			return
		case r.table == "object":
			got = o.Name
		case new(object.Decoder).Event(data, &e) == nil:
			got = e.Message
		}
	}
	if got = coverage.Text(got); got != r.text {
		t.Fatalf("%q, read again of %s, gives %q", data, r.full, got)
	}
}
