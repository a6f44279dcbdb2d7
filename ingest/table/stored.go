package table

import (
	"slices"

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
	rec(*Batch) arrow.Record
	pack(b *array.RecordBuilder, from arrow.Record, i int)
	copyTo(b *Builder, from arrow.Record, i int)
}

type storeOf[Row any] struct {
	*table[Row]
	of  func(*Batch) arrow.Record
	add func(*Builder, *Row)
}

var stores = [Kinds]store{
	storeOf[AuditEvent]{auditEvents, func(b *Batch) arrow.Record { return b.Audit }, (*Builder).AuditEvent},
	storeOf[ControllerLog]{controllerLogs, func(b *Batch) arrow.Record { return b.Logs }, (*Builder).Log},
	storeOf[KubeEvent]{kubeEvents, func(b *Batch) arrow.Record { return b.Events }, (*Builder).KubeEvent},
	storeOf[Object]{objects, func(b *Batch) arrow.Record { return b.Objects }, (*Builder).Object},
	storeOf[Record]{records, func(b *Batch) arrow.Record { return b.Records }, (*Builder).Record},
}

func (s storeOf[Row]) title() string { return s.name }
func (s storeOf[Row]) storedSchema() *arrow.Schema {
	meta := s.stored.Metadata()
	return arrow.NewSchema(append(slices.Clone(s.stored.Fields()), recordField), &meta)
}
func (s storeOf[Row]) rec(b *Batch) arrow.Record { return s.of(b) }

func (s storeOf[Row]) pack(b *array.RecordBuilder, from arrow.Record, i int) {
	var row Row
	s.at(from, i, &row)
	for c := range s.columns {
		s.columns[c].write(b.Field(c), &row)
	}
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

// Of returns the rows of the table in a batch, nil if there are none.
func (k Kind) Of(b *Batch) arrow.Record { return stores[k].rec(b) }

// Packer makes the stored form of a table, row by row.
type Packer struct {
	kind    Kind
	builder *array.RecordBuilder
}

// NewPacker returns an empty Packer.
func (k Kind) NewPacker(mem memory.Allocator) *Packer {
	return &Packer{k, array.NewRecordBuilder(mem, k.Stored())}
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
func (p *Packer) Append(from arrow.Record, i int, number int64) {
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
