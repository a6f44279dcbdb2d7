package table

import (
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Version is that of the stored tables, in the metadata of their schemas. It
// changes when a column changes its type or meaning, or goes; not when one is
// added.
const Version = "1"

// A stored table has the columns of the table and one more, and dictionaries
// for the columns whose values repeat. Rows of one record, in whatever table,
// have the same number; numbers follow the order of the inputs.
var recordField = arrow.Field{Name: "record", Type: arrow.PrimitiveTypes.Int64,
	Metadata: arrow.NewMetadata([]string{"doc"}, []string{"number of the record, in the order of the inputs: joins the tables"})}

// Kind is one of the tables.
type Kind int

// The tables, in the order in which the rows of one record are read.
const (
	AuditEvents Kind = iota
	ControllerLogs
	KubeEvents
	Objects
	Records
	Kinds // how many there are
)

// store is a table whatever its rows.
type store interface {
	title() string
	storedSchema() *arrow.Schema
	rows(*Batch) int
	pack(b *array.RecordBuilder, from *Batch, i int)
	copyTo(b *Builder, from arrow.Record, i int)
}

type storeOf[Row any] struct {
	*table[Row]
	of  func(*Batch) []Row
	add func(*Builder, *Row)
}

var stores = [Kinds]store{
	storeOf[AuditEvent]{auditEvents, func(b *Batch) []AuditEvent { return b.audit }, (*Builder).AuditEvent},
	storeOf[ControllerLog]{controllerLogs, func(b *Batch) []ControllerLog { return b.logs }, (*Builder).Log},
	storeOf[KubeEvent]{kubeEvents, func(b *Batch) []KubeEvent { return b.events }, (*Builder).KubeEvent},
	storeOf[Object]{objects, func(b *Batch) []Object { return b.objects }, (*Builder).Object},
	storeOf[Record]{records, func(b *Batch) []Record { return b.records }, (*Builder).Record},
}

func (s storeOf[Row]) title() string { return s.name }
func (s storeOf[Row]) storedSchema() *arrow.Schema {
	meta := s.stored.Metadata()
	return arrow.NewSchema(append(slices.Clone(s.stored.Fields()), recordField), &meta)
}
func (s storeOf[Row]) rows(b *Batch) int { return len(s.of(b)) }

func (s storeOf[Row]) pack(b *array.RecordBuilder, from *Batch, i int) {
	s.append(b, &s.of(from)[i])
}

func (s storeOf[Row]) copyTo(b *Builder, from arrow.Record, i int) {
	var row Row
	s.at(from, i, &row)
	s.add(b, &row)
}

// String returns the name of the table.
func (k Kind) String() string { return stores[k].title() }

// Stored returns the schema of the stored table.
func (k Kind) Stored() *arrow.Schema { return stores[k].storedSchema() }

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

// Rows returns how many rows of the table are in a batch.
func (k Kind) Rows(b *Batch) int { return stores[k].rows(b) }

// Packer makes an Arrow table, row by row.
type Packer struct {
	kind    Kind
	builder *array.RecordBuilder
}

// NewPacker returns an empty Packer for a schema, Stored or Exported.
func (k Kind) NewPacker(mem memory.Allocator, schema *arrow.Schema) *Packer {
	return &Packer{k, array.NewRecordBuilder(mem, schema)}
}

// Reserve makes room for rows that are to come, and for the text of records.
func (p *Packer) Reserve(rows int, text int64) {
	p.builder.Reserve(rows)
	if p.kind == Records {
		fields := p.builder.Fields()
		fields[len(fields)-2].(*array.StringBuilder).ReserveData(int(text))
	}
}

// Append takes over a row of a batch, as of the record of a number.
func (p *Packer) Append(from *Batch, i int, number int64) {
	stores[p.kind].pack(p.builder, from, i)
	fields := p.builder.Fields()
	fields[len(fields)-1].(*array.Int64Builder).Append(number)
}

// Record returns the rows, with their dictionaries, and empties the Packer. The
// caller releases them.
func (p *Packer) Record() arrow.Record {
	defer p.builder.Release()
	return p.builder.NewRecord()
}

// Numbered returns the rows of the table in a batch as they are exported, with the
// numbers of their records, by place; nil if there are none. The caller releases
// it.
func (k Kind) Numbered(b *Batch, numbers map[Place]int64) arrow.Record {
	if k.Rows(b) == 0 {
		return nil
	}
	p, i := k.NewPacker(memory.NewGoAllocator(), k.Exported()), 0
	b.EachPlace(k, func(at Place, _ ...time.Time) {
		p.Append(b, i, numbers[at])
		i++
	})
	return p.Record()
}

// Numbers returns the numbers of the records of stored rows.
func Numbers(stored arrow.Record) []int64 {
	return stored.Column(int(stored.NumCols()) - 1).(*array.Int64).Int64Values()
}

// Copy appends a stored row.
func (b *Builder) Copy(k Kind, stored arrow.Record, i int) { stores[k].copyTo(b, stored, i) }

// At returns the file and the place of a stored row.
func At(stored arrow.Record, i int) (file string, at Place) {
	var l Location
	for c := range locations { // they are the first columns of every table
		locations[c].read(stored.Column(c), i, &l)
	}
	return l.File, l.Place()
}

var locations = location(func(l *Location) *Location { return l })

// Schemas returns the schemas of all tables by name, as they are stored.
func Schemas() map[string]*arrow.Schema {
	schemas := map[string]*arrow.Schema{index.name: index.stored, families.name: families.stored}
	for k := range Kinds {
		schemas[k.String()] = k.Stored()
	}
	return schemas
}
