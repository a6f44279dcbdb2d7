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
	// sort puts the values in an order.
	sort(order []int32, room *room)
	// data returns the array of the values. It refers to the memory of the cells: it
	// is done with before these are sorted or reset.
	data() arrow.ArrayData
	reset()
}

// room is where the values of columns are while these are sorted, one after the
// other.
type room struct {
	numbers []int64
	flags   []bool
	codes   []int32
	offsets offsets
	text    []byte
}

// put puts values in an order.
func put[T any](values []T, order []int32, room *[]T) {
	*room = append((*room)[:0], values...)
	for to, from := range order {
		values[to] = (*room)[from]
	}
}

// numbers are int64 or timestamps, which are null where they are null says so.
type numbers struct {
	values   []int64
	typ      arrow.DataType
	nullable bool
	null     int64 // the value that stands for null
}

func (c *numbers) reset() { c.values = c.values[:0] }

func (c *numbers) sort(order []int32, room *room) { put(c.values, order, &room.numbers) }

func (c *numbers) data() arrow.ArrayData {
	var valid *memory.Buffer
	nulls := 0
	if c.nullable {
		valid, nulls = validity(c.values, c.null)
	}
	return array.NewData(c.typ, len(c.values), []*memory.Buffer{valid, buffer(arrow.Int64Traits.CastToBytes(c.values))}, nil, nulls, 0)
}

// flags are bools.
type flags struct{ values []bool }

func (c *flags) reset() { c.values = c.values[:0] }

func (c *flags) sort(order []int32, room *room) { put(c.values, order, &room.flags) }

func (c *flags) data() arrow.ArrayData {
	bits, _ := validity(c.values, false)
	return array.NewData(arrow.FixedWidthTypes.Boolean, len(c.values), []*memory.Buffer{nil, bits}, nil, 0, 0)
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

func (c *texts) sort(order []int32, room *room) {
	room.offsets, room.text = append(room.offsets[:0], c.offsets...), append(room.text[:0], c.text...)
	c.reset()
	for _, i := range order {
		from, to := room.offsets.span(int(i))
		c.text = append(c.text, room.text[from:to]...)
		c.end(len(c.text))
	}
}

func (c *texts) data() arrow.ArrayData { return c.bytes(arrow.BinaryTypes.String) }

func (c *texts) bytes(typ arrow.DataType) arrow.ArrayData {
	valid, nulls := c.validity()
	return array.NewData(typ, c.len(), []*memory.Buffer{valid, c.buffer(), buffer(c.text)}, nil, nulls, 0)
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

func (c *codes) sort(order []int32, room *room) { put(c.values, order, &room.codes) }

func (c *codes) data() arrow.ArrayData {
	valid, nulls := validity(c.values, none)
	buffers := []*memory.Buffer{valid, buffer(arrow.Int32Traits.CastToBytes(c.values))}
	return array.NewDataWithDictionary(codedType, len(c.values), buffers, nulls, 0, c.words.dictionary().Data().(*array.Data))
}

// lists are lists of structs of strings; the empty one is null.
type lists struct {
	offsets
	typ     arrow.DataType
	members []cells
}

// add adds a list of some elements, whose values are for the members.
func (c *lists) add(n int) { c.end(c.total() + n) }

func (c *lists) reset() {
	c.offsets = c.offsets[:0]
	for _, m := range c.members {
		m.reset()
	}
}

func (c *lists) sort(order []int32, room *room) {
	room.offsets = append(room.offsets[:0], c.offsets...)
	c.offsets = c.offsets[:0]
	elems := make([]int32, 0, room.offsets.total())
	for _, i := range order {
		from, to := room.offsets.span(int(i))
		for ; from < to; from++ {
			elems = append(elems, from)
		}
		c.end(len(elems))
	}
	for _, m := range c.members {
		m.sort(elems, room)
	}
}

func (c *lists) data() arrow.ArrayData {
	members := make([]arrow.ArrayData, len(c.members))
	for i, m := range c.members {
		members[i] = m.data()
	}
	valid, nulls := c.validity()
	elem := array.NewData(c.typ.(*arrow.ListType).Elem(), c.total(), []*memory.Buffer{nil}, members, 0, 0)
	return array.NewData(c.typ, c.len(), []*memory.Buffer{valid, c.buffer()}, []arrow.ArrayData{elem}, nulls, 0)
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

// total returns where the last value ends.
func (o offsets) total() int {
	if len(o) == 0 {
		return 0
	}
	return int(o[len(o)-1])
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
