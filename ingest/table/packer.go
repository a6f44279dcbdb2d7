package table

import (
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

// Append takes over some rows of a batch, with what is stored of their records.
func (p *Packer) Append(from *Batch, which []Pick, of []Mark) {
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
		c.fill(to[i], of, every)
	}
	p.rows += len(which)
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

// Record returns the rows in an order, nil for the one in which they came. It is
// good until Reset.
func (p *Packer) Record(order []int32) arrow.Record {
	return recordOf(p.schema, p.cells, order, p.rows)
}

// recordOf makes a record of columns, in some order of the rows.
func recordOf(schema *arrow.Schema, columns []cells, order []int32, rows int) arrow.Record {
	arrays := make([]arrow.Array, len(columns))
	for i, c := range columns {
		arrays[i] = array.MakeFromData(c.data(order))
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
