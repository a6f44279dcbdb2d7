package table

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// column ties one Arrow column to one part of a row type: how it is declared,
// how the values of rows are collected, and how they are read back.
type column[Row any] struct {
	field   arrow.Field // as it is stored
	located bool        // it is of the Location
	joined  bool        // the audit event of the same record has the value, too
	valid   func(*Row)  // makes texts UTF-8; nil where there are none
	fit     func(*Row)  // leaves out times that do not fit; nil where there are none
	// fill adds the values of some rows.
	fill func(to cells, rows []Row, which []Pick)
	// reader returns a function that sets the value of a row as an array has it.
	reader func(arrow.Array) func(i int, row *Row)
	put    func(to []byte, row *Row) []byte // appends the value of a row, see Encoder
	get    func(from *encoded, row *Row)    // sets it as put has appended it
}

// table is an Arrow schema together with the row type it stands for.
type table[Row any] struct {
	name    string
	columns []column[Row]
	own     []column[Row] // those that are not of the location
	valid   []func(*Row)  // of the columns that have one
	fit     []func(*Row)
	schema  *arrow.Schema // in a file: with dictionaries
}

func newTable[Row any](name string, columns ...column[Row]) *table[Row] {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	meta := arrow.NewMetadata([]string{"table", "version"}, []string{name, Version})
	t := &table[Row]{name: name, columns: columns, schema: arrow.NewSchema(fields, &meta)}
	for _, c := range columns {
		if c.valid != nil {
			t.valid = append(t.valid, c.valid)
		}
		if c.fit != nil {
			t.fit = append(t.fit, c.fit)
		}
		if !c.located {
			t.own = append(t.own, c)
		}
	}
	return t
}

// fill adds rows to cells, those of the columns of the table first. What is joined
// is left empty for rows within an audit event that is stored itself.
func (t *table[Row]) fill(to []cells, rows []Row, which []Pick, within bool) {
	var none [1]Row
	var left []Pick
	if within {
		left = make([]Pick, len(which))
	}
	for i := range t.columns {
		if c := &t.columns[i]; within && c.joined {
			c.fill(to[i], none[:], left)
		} else {
			c.fill(to[i], rows, which)
		}
	}
}

// joined declares columns of which the audit event of the same record has the
// value, too, if there is one.
func joined[Row any](columns ...column[Row]) []column[Row] {
	for i := range columns {
		columns[i].joined = true
	}
	return columns
}

// reader returns a function that reads rows of a record batch. Their strings
// refer to the memory of the batch.
func (t *table[Row]) reader(rec arrow.Record) func(i int, row *Row) {
	readers := make([]func(int, *Row), len(t.columns))
	for c := range t.columns {
		readers[c] = t.columns[c].reader(rec.Column(c))
	}
	return func(i int, row *Row) {
		for _, read := range readers {
			read(i, row)
		}
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
		fill: func(to cells, rows []Row, which []Pick) {
			if coded, ok := to.(*codes); ok {
				fillCodes(coded, rows, which, at)
				return
			}
			texts := to.(adder)
			for _, pick := range which {
				texts.add(*at(&rows[pick.Row]))
			}
		},
		reader: func(a arrow.Array) func(int, *Row) {
			text := textsOf(a)
			return func(i int, r *Row) { *at(r) = text(i) }
		},
		put: func(to []byte, r *Row) []byte { return appendText(to, *at(r)) },
		get: func(from *encoded, r *Row) { *at(r) = from.text() },
	}
}

// fillCodes adds the codes of the values of some rows. Often a row has the value
// of the row before, and at the same address.
func fillCodes[Row any](to *codes, rows []Row, which []Pick, at func(*Row) *string) {
	before, code := "", int32(none)
	for _, pick := range which {
		if s := *at(&rows[pick.Row]); s != before {
			before, code = s, to.words.code(s)
		}
		to.values = append(to.values, code)
	}
}

// id declares a column of identifiers, which are stored as ids.
func id[Row any](name, doc string, at func(*Row) *string) column[Row] {
	c := text(name, doc, at)
	c.field = declare(name, doc, arrow.BinaryTypes.Binary, true)
	return c
}

// adder is what takes strings: texts, or codes.
type adder interface{ add(string) }

// word declares a string column whose values repeat: where the table is stored,
// it has a dictionary.
func word[Row any](name, doc string, at func(*Row) *string) column[Row] {
	c := text(name, doc, at)
	c.field.Type = codedType
	return c
}

var codedType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

// textsOf returns a function that reads strings, however they are stored.
func textsOf(a arrow.Array) func(i int) string {
	switch a := a.(type) {
	case *array.String:
		return a.Value
	case *array.Binary:
		return func(i int) string { return textOfID(a.Value(i)) }
	}
	values, codes := a.(*array.Dictionary).Dictionary().(*array.String), a.(*array.Dictionary).Indices().(*array.Int32)
	return func(i int) string {
		if codes.IsNull(i) {
			return ""
		}
		return values.Value(int(codes.Value(i)))
	}
}

// integer declares an int64 column; zero is stored as null.
func integer[Row any](name, doc string, at func(*Row) *int64) column[Row] {
	c := number(name, doc, at)
	c.field.Nullable = true
	return c
}

// number declares an int64 column without nulls.
func number[Row any](name, doc string, at func(*Row) *int64) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.PrimitiveTypes.Int64, false),
		fill: func(to cells, rows []Row, which []Pick) {
			c := to.(*numbers)
			for _, pick := range which {
				c.values = append(c.values, *at(&rows[pick.Row]))
			}
		},
		reader: func(a arrow.Array) func(int, *Row) {
			values := a.(*array.Int64)
			return func(i int, r *Row) {
				if *at(r) = 0; !values.IsNull(i) {
					*at(r) = values.Value(i)
				}
			}
		},
		put: func(to []byte, r *Row) []byte { return binary.AppendVarint(to, *at(r)) },
		get: func(from *encoded, r *Row) { *at(r) = from.number() },
	}
}

// flag declares a boolean column.
func flag[Row any](name, doc string, at func(*Row) *bool) column[Row] {
	return column[Row]{
		field: declare(name, doc, arrow.FixedWidthTypes.Boolean, false),
		fill: func(to cells, rows []Row, which []Pick) {
			c := to.(*flags)
			for _, pick := range which {
				c.values = append(c.values, *at(&rows[pick.Row]))
			}
		},
		reader: func(a arrow.Array) func(int, *Row) {
			values := a.(*array.Boolean)
			return func(i int, r *Row) { *at(r) = values.Value(i) }
		},
		put: func(to []byte, r *Row) []byte { return appendFlag(to, *at(r)) },
		get: func(from *encoded, r *Row) { *at(r) = from.flag() },
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
		fill: func(to cells, rows []Row, which []Pick) {
			c := to.(*numbers)
			for _, pick := range which {
				nanos := c.null
				if t := at(&rows[pick.Row]); !t.IsZero() {
					nanos = t.UnixNano()
				}
				c.values = append(c.values, nanos)
			}
		},
		reader: func(a arrow.Array) func(int, *Row) {
			values := a.(*array.Timestamp)
			return func(i int, r *Row) {
				if *at(r) = (time.Time{}); !values.IsNull(i) {
					*at(r) = time.Unix(0, int64(values.Value(i))).UTC()
				}
			}
		},
		put: func(to []byte, r *Row) []byte { return appendTime(to, *at(r)) },
		get: func(from *encoded, r *Row) { *at(r) = from.time() },
	}
}

var first, last = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

// Fits reports whether a time can be kept: one in the years 1678 to 2262.
func Fits(t time.Time) bool { return !t.IsZero() && t.After(first) && t.Before(last) }

// structs declares a column of lists of structs whose members are strings: those
// at the addresses that parts give, in the order of names. Where the table is
// stored, each member has a dictionary.
func structs[Row, Elem any](name, doc, names string, at func(*Row) *[]Elem, parts ...func(*Elem) *string) column[Row] {
	var members []arrow.Field
	for member := range strings.FieldsSeq(names) {
		members = append(members, arrow.Field{Name: member, Type: codedType, Nullable: true})
	}
	return column[Row]{
		field: declare(name, doc, arrow.ListOf(arrow.StructOf(members...)), true),
		valid: func(r *Row) {
			elems := *at(r)
			for i := range elems {
				for _, part := range parts {
					valid(part(&elems[i]))
				}
			}
		},
		fill: func(to cells, rows []Row, which []Pick) {
			c := to.(*lists)
			for _, pick := range which {
				elems := *at(&rows[pick.Row])
				c.add(len(elems))
				for e := range elems {
					for m, part := range parts {
						c.members[m].(adder).add(*part(&elems[e]))
					}
				}
			}
		},
		reader: func(a arrow.Array) func(int, *Row) {
			list := a.(*array.List)
			values := list.ListValues().(*array.Struct)
			texts := make([]func(int) string, len(parts))
			for m := range parts {
				texts[m] = textsOf(values.Field(m))
			}
			return func(i int, r *Row) {
				*at(r) = nil
				from, to := list.ValueOffsets(i)
				if list.IsNull(i) || from == to {
					return
				}
				elems := make([]Elem, to-from)
				for e := range elems {
					for m, part := range parts {
						*part(&elems[e]) = texts[m](int(from) + e)
					}
				}
				*at(r) = elems
			}
		},
		put: func(to []byte, r *Row) []byte {
			to = binary.AppendUvarint(to, uint64(len(*at(r))))
			for _, text := range textsIn(*at(r)) {
				to = appendText(to, text)
			}
			return to
		},
		get: func(from *encoded, r *Row) {
			n := from.count()
			elems := slices.Grow((*at(r))[:0], n)[:n] // in the memory of the row that was here before
			texts := textsIn(elems)
			for i := range texts {
				texts[i] = from.text()
			}
			*at(r) = elems
		},
	}
}
