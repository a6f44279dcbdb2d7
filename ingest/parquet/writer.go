package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// A row group is written when it has as many rows or bytes, which is looked at
// every checkRows.
const (
	groupRows  = 128 << 10
	groupBytes = 32 << 20
	checkRows  = 1 << 10
)

// Writer writes one table as a Parquet file, zstd-compressed.
type Writer struct {
	out    *parquet.GenericWriter[any]
	rows   int64
	start  int64 // size of the file where the row group under way begins
	values []parquet.Value
}

// NewWriter starts a file with the columns and the metadata of a schema.
func NewWriter(w io.Writer, schema *arrow.Schema) (*Writer, error) {
	root, err := groupOf(schema.Fields())
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{parquet.NewSchema("schema", root), parquet.Compression(&zstd.Codec{}), parquet.DataPageStatistics(false), parquet.CreatedBy("knforensics", "", "")}
	for _, name := range []string{"raw", "message", "error", "request_uri"} { // the bounds of long texts are as long as they are
		options = append(options, parquet.SkipPageBounds(name))
	}
	meta := schema.Metadata()
	for i, key := range meta.Keys() {
		options = append(options, parquet.KeyValueMetadata(key, meta.Values()[i]))
	}
	return &Writer{out: parquet.NewGenericWriter[any](w, options...)}, nil
}

// Write appends the rows of a record batch of the schema. Where pages and row
// groups end follows from the rows alone, not from the batches they come in.
func (w *Writer) Write(rec arrow.Record) error {
	for from := int64(0); from < rec.NumRows(); {
		to := min(rec.NumRows(), from+checkRows-w.rows%checkRows)
		if err := w.write(rec, int(from), int(to)); err != nil {
			return err
		}
		w.rows += to - from
		from = to
		if w.rows%checkRows == 0 && (w.rows >= groupRows || w.out.Size()-w.start >= groupBytes) {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) write(rec arrow.Record, from, to int) error {
	leaf := 0
	for i, f := range rec.Schema().Fields() {
		for _, column := range columnsOf(rec.Column(i), f.Nullable) {
			for row := from; row < to; row++ {
				w.values = column(w.values[:0], row, leaf)
				if _, err := w.out.ColumnWriters()[leaf].WriteRowValues(w.values); err != nil {
					return fmt.Errorf("column %s: %w", f.Name, err)
				}
			}
			leaf++
		}
	}
	return nil
}

func (w *Writer) flush() error {
	w.rows = 0
	err := w.out.Flush()
	w.start = w.out.Size()
	return err
}

// Close writes what is left, and the end of the file.
func (w *Writer) Close() error { return w.out.Close() }

// leafColumn appends the values of one row in one leaf column.
type leafColumn func(values []parquet.Value, row, leaf int) []parquet.Value

// columnsOf returns the leaf columns that an array becomes: one, or of a list of
// structs one for each member.
func columnsOf(a arrow.Array, nullable bool) (columns []leafColumn) {
	list, ok := a.(*array.List)
	if !ok {
		defined := 0
		if nullable {
			defined = 1
		}
		return []leafColumn{func(values []parquet.Value, row, leaf int) []parquet.Value {
			if a.IsNull(row) {
				return append(values, parquet.NullValue().Level(0, 0, leaf))
			}
			return append(values, valueOf(a, row).Level(0, defined, leaf))
		}}
	}
	elements := list.ListValues().(*array.Struct)
	for m := range elements.NumField() {
		member := elements.Field(m)
		columns = append(columns, func(values []parquet.Value, row, leaf int) []parquet.Value {
			return appendMembers(values, list, member, row, leaf)
		})
	}
	return columns
}

// appendMembers appends one member of all structs in a list. The definition
// level counts what is there: the list, an element, the member.
func appendMembers(values []parquet.Value, list *array.List, member arrow.Array, row, leaf int) []parquet.Value {
	from, to := list.ValueOffsets(row)
	switch {
	case list.IsNull(row):
		return append(values, parquet.NullValue().Level(0, 0, leaf))
	case from == to:
		return append(values, parquet.NullValue().Level(0, 1, leaf))
	}
	for i := from; i < to; i++ {
		repeated := 1
		if i == from {
			repeated = 0
		}
		if member.IsNull(int(i)) {
			values = append(values, parquet.NullValue().Level(repeated, 2, leaf))
		} else {
			values = append(values, valueOf(member, int(i)).Level(repeated, 3, leaf))
		}
	}
	return values
}

func valueOf(a arrow.Array, i int) parquet.Value {
	switch a := a.(type) {
	case *array.String:
		return parquet.ValueOf(a.Value(i))
	case *array.Int64:
		return parquet.ValueOf(a.Value(i))
	case *array.Boolean:
		return parquet.ValueOf(a.Value(i))
	case *array.Timestamp:
		return parquet.ValueOf(int64(a.Value(i)))
	}
	panic(fmt.Sprintf("parquet: a schema was accepted that has %s", a.DataType())) // see nodeOf
}
