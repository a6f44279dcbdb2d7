package table

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Pile is one of the two parts of a table that is stored.
type Pile uint8

// The piles, in the order in which they lie in a file.
const (
	Bulk    Pile = iota // rows that are only read one after the other
	Indexed             // rows that are looked up
	Piles               // how many there are
)

// Pick names a row of a batch, and the pile that it is for.
type Pick struct {
	Row  int32
	Pile Pile
	// Within says that the row is of an audit event, to which it can leave what
	// that has, too.
	Within bool
}

// Packer makes an Arrow table of rows of batches, in two piles that share their
// dictionaries. These have the values in the order in which they came, whatever
// batches and piles they came in.
type Packer struct {
	kind   Kind
	schema *arrow.Schema
	cells  [Piles][]cells // by column
	rows   [Piles]int
}

// NewPacker returns an empty Packer for a schema, Stored or Exported.
func (k Kind) NewPacker(schema *arrow.Schema) *Packer {
	return &Packer{kind: k, schema: schema, cells: pilesOf(schema)}
}

func pilesOf(schema *arrow.Schema) (piles [Piles][]cells) {
	for _, f := range schema.Fields() {
		bulk := newCells(f, nil)
		piles[Bulk] = append(piles[Bulk], bulk)
		piles[Indexed] = append(piles[Indexed], newCells(f, bulk))
	}
	return piles
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
	to := p.cells
	for pile := range to {
		to[pile] = to[pile][len(to[pile])-columns:]
	}
	every := make([]Pick, len(which))
	for i, pick := range which {
		every[i] = Pick{Row: int32(i), Pile: pick.Pile} //nolint:gosec // rows of a batch
		p.rows[pick.Pile]++
	}
	for i, c := range marks.columns[len(marks.columns)-columns:] {
		c.fill([Piles]cells{to[Bulk][i], to[Indexed][i]}, of, every)
	}
}

// Rows returns how many rows there are in a pile.
func (p *Packer) Rows(pile Pile) int { return p.rows[pile] }

// Record returns the rows of a pile in an order, nil for the one in which they
// came. It is good until Reset.
func (p *Packer) Record(pile Pile, order []int32) arrow.Record {
	return recordOf(p.schema, p.cells[pile], order, p.rows[pile])
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
	for _, columns := range p.cells {
		for _, c := range columns {
			c.reset()
		}
	}
	p.rows = [Piles]int{}
}
