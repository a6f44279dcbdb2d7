package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// A row group is written when it has as many rows or bytes.
const (
	groupRows  = 128 << 10
	groupBytes = 32 << 20
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
	options := []parquet.WriterOption{parquet.NewSchema("schema", root), parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}), parquet.DataPageStatistics(false), parquet.CreatedBy("knforensics", "", "")}
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
// groups end follows from the batches.
func (w *Writer) Write(rec arrow.Record) error {
	leaf := 0
	for i, f := range rec.Schema().Fields() {
		for _, column := range columnsOf(rec.Column(i), f.Nullable) {
			if err := w.write(column, leaf, int(rec.NumRows())); err != nil {
				return fmt.Errorf("column %s: %w", f.Name, err)
			}
			leaf++
		}
	}
	w.rows += rec.NumRows()
	if w.rows < groupRows && w.out.Size()-w.start < groupBytes {
		return nil
	}
	return w.flush()
}

// write writes a leaf column. After some rows the library looks whether they are
// enough for a page.
func (w *Writer) write(column leafColumn, leaf, rows int) error {
	const some = 64
	for row := 0; row < rows; {
		w.values = w.values[:0]
		for end := min(rows, row+some); row < end; row++ {
			w.values = column(w.values, row, leaf)
		}
		if _, err := w.out.ColumnWriters()[leaf].WriteRowValues(w.values); err != nil {
			return err
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
		value := valuesOf(a)
		return []leafColumn{func(values []parquet.Value, row, leaf int) []parquet.Value {
			if a.IsNull(row) {
				return append(values, parquet.Value{}.Level(0, 0, leaf))
			}
			return append(values, value(row).Level(0, defined, leaf))
		}}
	}
	elements := list.ListValues().(*array.Struct)
	for m := range elements.NumField() {
		member := elements.Field(m)
		value := valuesOf(member)
		columns = append(columns, func(values []parquet.Value, row, leaf int) []parquet.Value {
			return appendMembers(values, list, member, value, row, leaf)
		})
	}
	return columns
}

// appendMembers appends one member of all structs in a list. The definition
// level counts what is there: the list, an element, the member.
func appendMembers(values []parquet.Value, list *array.List, member arrow.Array, value func(int) parquet.Value, row, leaf int) []parquet.Value {
	from, to := list.ValueOffsets(row)
	switch {
	case list.IsNull(row):
		return append(values, parquet.Value{}.Level(0, 0, leaf))
	case from == to:
		return append(values, parquet.Value{}.Level(0, 1, leaf))
	}
	for i := from; i < to; i++ {
		repeated := 1
		if i == from {
			repeated = 0
		}
		if member.IsNull(int(i)) {
			values = append(values, parquet.Value{}.Level(repeated, 2, leaf))
		} else {
			values = append(values, value(int(i)).Level(repeated, 3, leaf))
		}
	}
	return values
}

// valuesOf returns a function that gives the values of an array. They refer to its
// memory.
func valuesOf(a arrow.Array) func(i int) parquet.Value {
	switch a := a.(type) {
	case *array.String:
		text, first := a.ValueBytes(), a.ValueOffset(0)
		return func(i int) parquet.Value {
			return parquet.ByteArrayValue(text[a.ValueOffset(i)-first : a.ValueOffset(i+1)-first])
		}
	case *array.Int64:
		return func(i int) parquet.Value { return parquet.Int64Value(a.Value(i)) }
	case *array.Boolean:
		return func(i int) parquet.Value { return parquet.BooleanValue(a.Value(i)) }
	case *array.Timestamp:
		return func(i int) parquet.Value { return parquet.Int64Value(int64(a.Value(i))) }
	}
	panic(fmt.Sprintf("parquet: a schema was accepted that has %s", a.DataType())) // see nodeOf
}
