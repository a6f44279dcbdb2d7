package table

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Exported returns the schema of the table as other tools get it: as it is
// stored, without dictionaries.
func (k Kind) Exported() *arrow.Schema {
	schema := k.Stored()
	fields := schema.Fields()
	for i := range fields {
		if fields[i].Type.ID() == arrow.DICTIONARY {
			fields[i].Type = arrow.BinaryTypes.String
		}
	}
	meta := schema.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// Numbered returns the rows of the table in a batch with the numbers of their
// records, by place; nil if there are none. The caller releases it.
func (k Kind) Numbered(b *Batch, numbers map[Place]int64) arrow.Record {
	rec := k.Of(b)
	if rec == nil {
		return nil
	}
	builder := array.NewInt64Builder(memory.NewGoAllocator())
	defer builder.Release()
	b.EachPlace(k, func(at Place, _ ...time.Time) { builder.Append(numbers[at]) })
	column := builder.NewArray()
	defer column.Release()
	columns := append(append([]arrow.Array{}, rec.Columns()...), column)
	return array.NewRecord(k.Exported(), columns, rec.NumRows())
}
