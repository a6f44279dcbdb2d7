package table

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// cells are the values of one column on their way into an Arrow array. They hold
// no memory of a batch.
type cells interface {
	// data returns the array of the values in some order, nil for the one in which
	// they came. It refers to the memory of the cells where it can: it is done
	// with before these are reset.
	data(order []int32) arrow.ArrayData
	reset()
}

// numbers are int64 or timestamps, which are null where they are null says so.
type numbers struct {
	values   []int64
	typ      arrow.DataType
	nullable bool
	null     int64 // the value that stands for null
}

func (c *numbers) reset() { c.values = c.values[:0] }

func (c *numbers) data(order []int32) arrow.ArrayData {
	values := pick(c.values, order)
	var valid *memory.Buffer
	nulls := 0
	if c.nullable {
		valid, nulls = validity(values, c.null)
	}
	return array.NewData(c.typ, len(values), []*memory.Buffer{valid, buffer(arrow.Int64Traits.CastToBytes(values))}, nil, nulls, 0)
}

// flags are bools.
type flags struct{ values []bool }

func (c *flags) reset() { c.values = c.values[:0] }

func (c *flags) data(order []int32) arrow.ArrayData {
	values := pick(c.values, order)
	bits, _ := validity(values, false)
	return array.NewData(arrow.FixedWidthTypes.Boolean, len(values), []*memory.Buffer{nil, bits}, nil, 0, 0)
}

// texts are strings; the empty one is null.
type texts struct {
	offsets
	text []byte
}

func (c *texts) add(s string) {
	c.text = append(c.text, s...)
	c.end(len(c.text))
}

func (c *texts) at(i int) []byte {
	from, to := c.span(i)
	return c.text[from:to]
}

func (c *texts) reset() { c.offsets, c.text = c.offsets[:0], c.text[:0] }

func (c *texts) data(order []int32) arrow.ArrayData { return c.bytes(arrow.BinaryTypes.String, order) }

func (c *texts) bytes(typ arrow.DataType, order []int32) arrow.ArrayData {
	from := c
	if order != nil {
		from = &texts{offsets: make(offsets, 0, len(order)+1), text: make([]byte, 0, c.size(order))}
		for _, i := range order {
			from.text = append(from.text, c.at(int(i))...)
			from.end(len(from.text))
		}
	}
	valid, nulls := from.validity()
	return array.NewData(typ, from.len(), []*memory.Buffer{valid, from.buffer(), buffer(from.text)}, nil, nulls, 0)
}

// codes are strings by their codes in a dictionary.
type codes struct {
	values []int32
	words  words
}

func (c *codes) add(s string) { c.values = append(c.values, c.words.code(s)) }

func (c *codes) reset() {
	c.values = c.values[:0]
	c.words.reset()
}

func (c *codes) data(order []int32) arrow.ArrayData {
	values := pick(c.values, order)
	valid, nulls := validity(values, none)
	buffers := []*memory.Buffer{valid, buffer(arrow.Int32Traits.CastToBytes(values))}
	return array.NewDataWithDictionary(codedType, len(values), buffers, nulls, 0, c.words.dictionary().Data().(*array.Data))
}

// lists are lists of structs of strings; the empty one is null.
type lists struct {
	offsets
	typ     arrow.DataType
	members []cells
}

// add adds a list of some elements, whose values are for the members.
func (c *lists) add(n int) {
	before := 0
	if len(c.offsets) > 0 {
		before = int(c.offsets[len(c.offsets)-1])
	}
	c.end(before + n)
}

func (c *lists) reset() {
	c.offsets = c.offsets[:0]
	for _, m := range c.members {
		m.reset()
	}
}

func (c *lists) data(order []int32) arrow.ArrayData {
	ends, elems := c.offsets, order
	if order != nil {
		ends, elems = make(offsets, 0, len(order)+1), make([]int32, 0, c.size(order))
		for _, i := range order {
			from, to := c.span(int(i))
			for ; from < to; from++ {
				elems = append(elems, from)
			}
			ends.end(len(elems))
		}
	}
	members := make([]arrow.ArrayData, len(c.members))
	n := 0
	for i, m := range c.members {
		members[i] = m.data(elems)
		n = members[i].Len()
	}
	valid, nulls := ends.validity()
	elem := array.NewData(c.typ.(*arrow.ListType).Elem(), n, []*memory.Buffer{nil}, members, 0, 0)
	return array.NewData(c.typ, ends.len(), []*memory.Buffer{valid, ends.buffer()}, []arrow.ArrayData{elem}, nulls, 0)
}

// offsets tell where values of several parts begin and end: that of a number i
// at offsets[i] and offsets[i+1].
type offsets []int32

func (o *offsets) end(at int) {
	if len(*o) == 0 {
		*o = append(*o, 0)
	}
	*o = append(*o, int32(at)) //nolint:gosec // a segment has fewer bytes
}

func (o offsets) len() int { return max(0, len(o)-1) }

func (o offsets) span(i int) (from, to int32) { return o[i], o[i+1] }

// size returns how long some values are together.
func (o offsets) size(which []int32) (n int) {
	for _, i := range which {
		n += int(o[i+1] - o[i])
	}
	return n
}

func (o offsets) buffer() *memory.Buffer {
	if len(o) == 0 {
		o = offsets{0}
	}
	return buffer(arrow.Int32Traits.CastToBytes(o))
}

// validity tells which values are not empty.
func (o offsets) validity() (*memory.Buffer, int) {
	bits, nulls := make([]byte, (o.len()+7)/8), 0
	for i := range o.len() {
		if o[i] < o[i+1] {
			bits[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
	}
	return buffer(bits), nulls
}

// validity tells which values are not null.
func validity[T comparable](values []T, null T) (*memory.Buffer, int) {
	bits, nulls := make([]byte, (len(values)+7)/8), 0
	for i := range values {
		if values[i] != null {
			bits[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
	}
	return buffer(bits), nulls
}

func buffer(data []byte) *memory.Buffer { return memory.NewBufferBytes(data) }

// pick returns values in an order, nil for the one that they have.
func pick[T any](values []T, order []int32) []T {
	if order == nil {
		return values
	}
	picked := make([]T, len(order))
	for to, from := range order {
		picked[to] = values[from]
	}
	return picked
}

// newCells returns empty cells for a column.
func newCells(f arrow.Field) cells {
	switch typ := f.Type.(type) {
	case *arrow.BooleanType:
		return &flags{}
	case *arrow.StringType:
		return &texts{}
	case *arrow.BinaryType:
		return &ids{}
	case *arrow.DictionaryType:
		return &codes{}
	case *arrow.ListType:
		c := &lists{typ: typ}
		for _, member := range typ.Elem().(*arrow.StructType).Fields() {
			c.members = append(c.members, newCells(member))
		}
		return c
	case *arrow.TimestampType:
		return &numbers{typ: typ, nullable: f.Nullable, null: math.MinInt64}
	}
	return &numbers{typ: f.Type, nullable: f.Nullable}
}
