package export_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/knforensics/knforensics/ingest/table"
)

// TestArrowReadBack holds that an Arrow file has every row, with the columns and the
// metadata that docs/tables.md promises.
func TestArrowReadBack(t *testing.T) {
	rows := make([]table.Object, 3000)
	for i := range rows {
		rows[i] = table.Object{Location: table.Location{File: "audit.log", Offset: int64(i)}, Name: "n"}
	}
	r, err := ipc.NewFileReader(bytes.NewReader(exported(t, "arrow", rows, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if i := r.Schema().Metadata().FindKey("table"); i < 0 || r.Schema().Metadata().Values()[i] != "objects" {
		t.Errorf("metadata %v", r.Schema().Metadata())
	}
	column := func(name string) int { return r.Schema().FieldIndices(name)[0] }
	next := int64(0)
	for i := range r.NumRecords() {
		batch, err := r.Record(i)
		if err != nil {
			t.Fatal(err)
		}
		offsets, numbers := batch.Column(column("offset")).(*array.Int64), batch.Column(column("record")).(*array.Int64)
		for row := range int(batch.NumRows()) {
			if offsets.Value(row) != next || numbers.Value(row) != next || batch.Column(column("name")).ValueStr(row) != "n" {
				t.Fatalf("row %d has offset %d, record %d", next, offsets.Value(row), numbers.Value(row))
			}
			next++
		}
	}
	if next != int64(len(rows)) {
		t.Errorf("%d rows, want %d", next, len(rows))
	}
}
