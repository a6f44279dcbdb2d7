package table

import (
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Pick names a row of a batch.
type Pick struct {
	Row int32
	// Within says that the row is of an audit event, to which it can leave what
	// that has, too.
	Within bool
}

// Packer makes an Arrow table of rows of batches. Its dictionaries have the values
// in the order in which they came.
type Packer struct {
	kind   Kind
	schema *arrow.Schema
	cells  []cells // by column
	rows   int
	fresh  []Pick // rows of the batch under way, not taken over yet
	marks  []Mark // of those
}

// NewPacker returns an empty Packer for a schema, Stored or Exported.
func (k Kind) NewPacker(schema *arrow.Schema) *Packer {
	return &Packer{kind: k, schema: schema, cells: cellsOf(schema)}
}

func cellsOf(schema *arrow.Schema) (list []cells) {
	for _, f := range schema.Fields() {
		list = append(list, newCells(f))
	}
	return list
}

// Note picks a row of the batch under way, with what is stored of its record.
func (p *Packer) Note(row Pick, of Mark) {
	p.fresh, p.marks = append(p.fresh, row), append(p.marks, of)
}

// Noted returns how many rows were picked and not taken over.
func (p *Packer) Noted() int { return len(p.fresh) }

// Take takes over the rows that were picked of a batch.
func (p *Packer) Take(from *Batch) {
	which := p.fresh
	for begin, end := 0, 0; begin < len(which); begin = end {
		for end < len(which) && which[end].Within == which[begin].Within {
			end++
		}
		stores[p.kind].pack(p.cells, from, which[begin:end], which[begin].Within)
	}
	columns := p.schema.NumFields() - stores[p.kind].arrowSchema().NumFields()
	to := p.cells[len(p.cells)-columns:]
	every := upTo(len(which))
	for i, c := range marks.columns[len(marks.columns)-columns:] {
		c.fill(to[i], p.marks, every)
	}
	p.rows += len(which)
	p.fresh, p.marks = p.fresh[:0], p.marks[:0]
}

// upTo picks the rows up to n, without it.
func upTo(n int) []Pick {
	list := make([]Pick, n)
	for i := range list {
		list[i].Row = int32(i) //nolint:gosec // there are fewer
	}
	return list
}

// Rows returns how many rows there are.
func (p *Packer) Rows() int { return p.rows }

// Sort puts the rows in an order.
func (p *Packer) Sort(order []int32) {
	where := rooms.Get().(*room)
	for _, c := range p.cells {
		c.sort(order, where)
	}
	rooms.Put(where)
}

var rooms = sync.Pool{New: func() any { return &room{} }}

// Record returns the rows. It is good until Sort or Reset.
func (p *Packer) Record() arrow.Record { return recordOf(p.schema, p.cells, p.rows) }

// few is how many values a column has at most of which those that are equal are to
// lie together.
const few = 256

// Alike returns an order in which rows lie together that have the same values in all
// columns of few values, and else follow each other as they came. The columns become
// runs then, of which nearly nothing is left when they are compressed.
func (p *Packer) Alike() []int32 {
	const mix = 0x9e3779b97f4a7c15 // any large odd number: at worst some rows lie elsewhere
	keys := make([]uint64, p.rows)
	for _, c := range p.cells {
		if c, ok := c.(*codes); ok && c.words.values.len() <= few {
			for i, code := range c.values {
				keys[i] = (keys[i] ^ uint64(code+1)) * mix //nolint:gosec // not negative
			}
		}
	}
	groups, number := map[uint64]int32{}, make([]int32, p.rows)
	var next []int32 // by group, first how many rows it has, then where its next one goes
	for i, key := range keys {
		n, ok := groups[key]
		if !ok {
			n = int32(len(next)) //nolint:gosec // rows of a segment
			groups[key] = n
			next = append(next, 0)
		}
		number[i] = n
		next[n]++
	}
	at := int32(0)
	for n, rows := range next {
		next[n], at = at, at+rows
	}
	order := make([]int32, p.rows)
	for i, n := range number {
		order[next[n]] = int32(i) //nolint:gosec // rows of a segment
		next[n]++
	}
	return order
}

// recordOf makes a record of columns.
func recordOf(schema *arrow.Schema, columns []cells, rows int) arrow.Record {
	arrays := make([]arrow.Array, len(columns))
	for i, c := range columns {
		arrays[i] = array.MakeFromData(c.data())
	}
	return array.NewRecord(schema, arrays, int64(rows))
}

// Reset empties the Packer.
func (p *Packer) Reset() {
	for _, c := range p.cells {
		c.reset()
	}
	p.rows = 0
}
