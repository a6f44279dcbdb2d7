package parquet

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/knforensics/knforensics/ingest/table"
)

// object is what is read back of a row of objects.
type object struct {
	Name       *string     `parquet:"name,optional"`
	Generation *int64      `parquet:"generation,optional"`
	Created    *int64      `parquet:"created,optional,timestamp(nanosecond)"`
	HasStatus  bool        `parquet:"has_status"`
	Conditions []condition `parquet:"conditions,optional,list"`
	Record     int64       `parquet:"record"`
}

type condition struct {
	Type   *string `parquet:"type,optional"`
	Status *string `parquet:"status,optional"`
	Reason *string `parquet:"reason,optional"`
}

func text(s string) *string { return &s }
func number(n int64) *int64 { return &n }

// write writes rows in batches of a size.
func write(t *testing.T, rows []table.Object, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, table.Objects.Exported())
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < len(rows); from += size {
		b := table.NewBuilder()
		packer := table.Objects.NewPacker(table.Objects.Exported())
		for i := from; i < min(len(rows), from+size); i++ {
			b.Object(&rows[i])
			packer.Note(table.Pick{Row: int32(i - from)}, table.Mark{Number: int64(i)})
		}
		packer.Take(b.Batch())
		if err := w.Write(packer.Record()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestValuesComeBack(t *testing.T) {
	at := time.Unix(7, 123456789).UTC()
	rows := []table.Object{
		{Location: table.Location{Offset: 1}, Name: "a", Generation: 3, Created: at, HasStatus: true,
			Conditions: []table.Condition{{Type: "Ready", Status: "True"}, {Type: "Active", Reason: "Queued"}}},
		{Location: table.Location{Offset: 2}},
		{Location: table.Location{Offset: 3}, Conditions: []table.Condition{{}}},
	}
	file := write(t, rows, 2)
	got, err := parquet.Read[object](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	want := []object{
		{Name: text("a"), Generation: number(3), Created: number(at.UnixNano()), HasStatus: true, Record: 0,
			Conditions: []condition{{Type: text("Ready"), Status: text("True")}, {Type: text("Active"), Reason: text("Queued")}}},
		{Record: 1},
		{Record: 2, Conditions: []condition{{}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
