package table

import (
	"math"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// column ties one Arrow column to one part of a row type: how it is declared,
// how a row is appended to a builder, and how it is read back.
type column[Row any] struct {
	field arrow.Field
	coded bool       // stored with a dictionary
	valid func(*Row) // makes texts UTF-8; nil where there are none
	fit   func(*Row) // leaves out times that do not fit; nil where there are none
	write func(array.Builder, *Row)
	read  func(arrow.Array, int, *Row)
}

// table is an Arrow schema together with the row type it stands for.
type table[Row any] struct {
	name    string
	columns []column[Row]
	valid   []func(*Row) // of the columns that have one
	fit     []func(*Row)
	stored  *arrow.Schema // in a file: with dictionaries
}

func newTable[Row any](name string, columns ...column[Row]) *table[Row] {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		if fields[i] = c.field; c.coded {
			fields[i].Type = codedType
		}
	}
	meta := arrow.NewMetadata([]string{"table", "version"}, []string{name, Version})
	t := &table[Row]{name: name, columns: columns, stored: arrow.NewSchema(fields, &meta)}
	for _, c := range columns {
		if c.valid != nil {
			t.valid = append(t.valid, c.valid)
		}
		if c.fit != nil {
			t.fit = append(t.fit, c.fit)
		}
	}
	return t
}

// append appends a row to the builder of a record that has the columns of the
// table first.
func (t *table[Row]) append(b *array.RecordBuilder, row *Row) {
	for i := range t.columns {
		t.columns[i].write(b.Field(i), row)
	}
}

// at reads one row of a record batch of the table. Its strings refer to the
// memory of the batch.
func (t *table[Row]) at(rec arrow.Record, i int, row *Row) {
	for c := range t.columns {
		t.columns[c].read(rec.Column(c), i, row)
	}
}

func declare(name, doc string, typ arrow.DataType, null bool) arrow.Field {
	return arrow.Field{Name: name, Type: typ, Nullable: null,
		Metadata: arrow.NewMetadata([]string{"doc"}, []string{doc})}
}

// text declares a string column; the empty string is stored as null.
func text[Row any](name, doc string, at func(*Row) *string) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.BinaryTypes.String, true),
		valid: func(r *Row) { valid(at(r)) },
		write: func(b array.Builder, r *Row) { appendText(b, *at(r)) },
		read:  func(a arrow.Array, i int, r *Row) { *at(r) = textAt(a, i) },
	}
}

// word declares a string column whose values repeat: where the table is stored,
// it has a dictionary.
func word[Row any](name, doc string, at func(*Row) *string) column[Row] {
	c := text(name, doc, at)
	c.coded = true
	return c
}

var codedType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

func appendText(b array.Builder, s string) {
	switch b := b.(type) {
	case *array.StringBuilder:
		if s != "" {
			b.Append(s)
			return
		}
	case *array.BinaryDictionaryBuilder:
		if s != "" && b.AppendString(s) == nil { // it fails for other types than strings only
			return
		}
	}
	b.AppendNull()
}

func textAt(a arrow.Array, i int) string {
	switch a := a.(type) {
	case *array.String:
		return a.Value(i)
	case *array.Dictionary:
		if a.IsValid(i) {
			return a.Dictionary().(*array.String).Value(a.GetValueIndex(i))
		}
	}
	return ""
}

// integer declares an int64 column; zero is stored as null.
func integer[Row any](name, doc string, at func(*Row) *int64) column[Row] {
	c := number(name, doc, at)
	c.field.Nullable = true
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
		field: declare(name, doc, arrow.PrimitiveTypes.Int64, false),
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
		field: declare(name, doc, arrow.FixedWidthTypes.Boolean, false),
		write: func(b array.Builder, r *Row) { b.(*array.BooleanBuilder).Append(*at(r)) },
		read:  func(a arrow.Array, i int, r *Row) { *at(r) = a.(*array.Boolean).Value(i) },
	}
}

// instant declares a column of points in time, UTC, in nanoseconds; the zero
// time is stored as null. Times outside the years 1678 to 2262 do not fit and
// are stored as null too.
func instant[Row any](name, doc string, at func(*Row) *time.Time) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.FixedWidthTypes.Timestamp_ns, true),
		fit: func(r *Row) {
			if t := at(r); Fits(*t) {
				*t = t.UTC()
			} else {
				*t = time.Time{}
			}
		},
		write: func(b array.Builder, r *Row) {
			if t := *at(r); t.IsZero() {
				b.AppendNull()
			} else {
				b.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixNano()))
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

// Fits reports whether a time can be kept: one in the years 1678 to 2262.
func Fits(t time.Time) bool { return !t.IsZero() && t.After(first) && t.Before(last) }

// structs declares a column of lists of structs whose members are strings.
// parts gives the addresses of the members of an element, in the order of
// names.
func structs[Row, Elem any](name, doc, names string, at func(*Row) *[]Elem, parts func(*Elem) []*string) column[Row] {
	var members []arrow.Field
	for member := range strings.FieldsSeq(names) {
		members = append(members, arrow.Field{Name: member, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	return column[Row]{
		field: declare(name, doc, arrow.ListOf(arrow.StructOf(members...)), true),
		valid: func(r *Row) {
			elems := *at(r)
			for i := range elems {
				for _, part := range parts(&elems[i]) {
					valid(part)
				}
			}
		},
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
					appendText(elem.FieldBuilder(j), *part)
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
