package table

import (
	"math"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// column ties one Arrow column to one part of a row type: how it is declared,
// how a row is appended to a builder, and how it is read back.
type column[Row any] struct {
	field arrow.Field
	write func(array.Builder, *Row)
	read  func(arrow.Array, int, *Row)
}

// table is an Arrow schema together with the row type it stands for.
type table[Row any] struct {
	name    string
	columns []column[Row]
	schema  *arrow.Schema
}

func newTable[Row any](name string, columns ...column[Row]) *table[Row] {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	meta := arrow.NewMetadata([]string{"table"}, []string{name})
	return &table[Row]{name: name, columns: columns, schema: arrow.NewSchema(fields, &meta)}
}

// rows builds one record batch of a table.
type rows[Row any] struct {
	table   *table[Row]
	builder *array.RecordBuilder
	n       int
}

func (t *table[Row]) newRows(mem memory.Allocator) *rows[Row] {
	return &rows[Row]{table: t, builder: array.NewRecordBuilder(mem, t.schema)}
}

func (r *rows[Row]) append(row *Row) {
	for i, c := range r.table.columns {
		c.write(r.builder.Field(i), row)
	}
	r.n++
}

// record returns what was appended, nil if there was nothing, and releases
// the builder.
func (r *rows[Row]) record() arrow.Record {
	if r == nil {
		return nil
	}
	defer r.builder.Release()
	if r.n == 0 {
		return nil
	}
	return r.builder.NewRecord()
}

// each calls fn with every row of a record batch of the table; the row is
// reused. Its strings point into the batch: they live as long as anything
// refers to them, and hold its memory that long.
func (t *table[Row]) each(rec arrow.Record, fn func(*Row)) {
	if rec == nil {
		return
	}
	var row Row
	for i := range int(rec.NumRows()) {
		for c := range t.columns {
			t.columns[c].read(rec.Column(c), i, &row)
		}
		fn(&row)
	}
}

func declare(name, doc string, typ arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: typ, Nullable: true,
		Metadata: arrow.NewMetadata([]string{"doc"}, []string{doc})}
}

// text declares a string column; the empty string is stored as null.
func text[Row any](name, doc string, at func(*Row) *string) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.BinaryTypes.String),
		write: func(b array.Builder, r *Row) { appendText(b.(*array.StringBuilder), *at(r)) },
		read:  func(a arrow.Array, i int, r *Row) { *at(r) = a.(*array.String).Value(i) },
	}
}

func appendText(b *array.StringBuilder, s string) {
	if s == "" {
		b.AppendNull()
		return
	}
	b.Append(s)
}

// integer declares an int64 column; zero is stored as null.
func integer[Row any](name, doc string, at func(*Row) *int64) column[Row] {
	c := number(name, doc, at)
	always := c.write
	c.write = func(b array.Builder, r *Row) {
		if *at(r) == 0 {
			b.AppendNull()
			return
		}
		always(b, r)
	}
	return c
}

// number declares an int64 column without nulls.
func number[Row any](name, doc string, at func(*Row) *int64) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.PrimitiveTypes.Int64),
		write: func(b array.Builder, r *Row) { b.(*array.Int64Builder).Append(*at(r)) },
		read: func(a arrow.Array, i int, r *Row) {
			if *at(r) = 0; !a.IsNull(i) {
				*at(r) = a.(*array.Int64).Value(i)
			}
		},
	}
}

// flag declares a boolean column.
func flag[Row any](name, doc string, at func(*Row) *bool) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.FixedWidthTypes.Boolean),
		write: func(b array.Builder, r *Row) { b.(*array.BooleanBuilder).Append(*at(r)) },
		read:  func(a arrow.Array, i int, r *Row) { *at(r) = a.(*array.Boolean).Value(i) },
	}
}

// instant declares a column of points in time, UTC, in nanoseconds; the zero
// time is stored as null. Times outside the years 1678 to 2262 do not fit and
// are stored as null too.
func instant[Row any](name, doc string, at func(*Row) *time.Time) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.FixedWidthTypes.Timestamp_ns),
		write: func(b array.Builder, r *Row) {
			if t := *at(r); fits(t) {
				b.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixNano()))
			} else {
				b.AppendNull()
			}
		},
		read: func(a arrow.Array, i int, r *Row) {
			if *at(r) = (time.Time{}); !a.IsNull(i) {
				*at(r) = time.Unix(0, int64(a.(*array.Timestamp).Value(i))).UTC()
			}
		},
	}
}

var first, last = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

func fits(t time.Time) bool { return !t.IsZero() && t.After(first) && t.Before(last) }

// structs declares a column of lists of structs whose members are strings.
// parts gives the addresses of the members of an element, in the order of
// names.
func structs[Row, Elem any](name, doc, names string, at func(*Row) *[]Elem, parts func(*Elem) []*string) column[Row] {
	var members []arrow.Field
	for member := range strings.FieldsSeq(names) {
		members = append(members, arrow.Field{Name: member, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	return column[Row]{
		field: declare(name, doc, arrow.ListOf(arrow.StructOf(members...))),
		write: func(b array.Builder, r *Row) {
			list := b.(*array.ListBuilder)
			elems := *at(r)
			if len(elems) == 0 {
				list.AppendNull()
				return
			}
			list.Append(true)
			elem := list.ValueBuilder().(*array.StructBuilder)
			for i := range elems {
				elem.Append(true)
				for j, part := range parts(&elems[i]) {
					appendText(elem.FieldBuilder(j).(*array.StringBuilder), *part)
				}
			}
		},
		read: func(a arrow.Array, i int, r *Row) {
			*at(r) = nil
			list := a.(*array.List)
			if list.IsNull(i) {
				return
			}
			from, to := list.ValueOffsets(i)
			values := list.ListValues().(*array.Struct)
			elems := make([]Elem, to-from)
			for k := range elems {
				for j, part := range parts(&elems[k]) {
					*part = values.Field(j).(*array.String).Value(int(from) + k)
				}
			}
			*at(r) = elems
		},
	}
}
