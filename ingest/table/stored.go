package table

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Version is that of the stored tables, in the metadata of their schemas. It
// changes when a column changes its type or meaning, or goes; not when one is
// added.
const Version = "2"

// Mark is what a stored row tells of its record. Rows of one record, in whatever
// table, have the same number; numbers follow the order of the inputs. What the
// record was read as, and its identity, only the first of them tells.
type Mark struct {
	Number   int64
	Format   string
	Identity int64
}

// marks are the columns of a Mark. The number comes last in all tables.
var marks = newTable("",
	word("record_format", formatDoc+"; null but for the first row of a record", func(m *Mark) *string { return &m.Format }),
	integer("record_identity", identityDoc+"; null but for the first row of a record", func(m *Mark) *int64 { return &m.Identity }),
	number("record", "number of the record, in the order of the inputs: joins the tables", func(m *Mark) *int64 { return &m.Number }),
)

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
	arrowSchema() *arrow.Schema
	rows(*Batch) int
	pack(to []cells, from *Batch, which []Pick, within bool)
	copier(from arrow.Record) func(to *Builder, i int, of *AuditEvent)
}

type storeOf[Row any] struct {
	*table[Row]
	of   func(*Batch) []Row
	add  func(*Builder, *Row)
	join func(*Row, *AuditEvent) // sets what is joined; nil where nothing is
}

var stores = [Kinds]store{
	storeOf[AuditEvent]{auditEvents, func(b *Batch) []AuditEvent { return b.audit }, (*Builder).AuditEvent, nil},
	storeOf[ControllerLog]{controllerLogs, func(b *Batch) []ControllerLog { return b.logs }, (*Builder).Log, nil},
	storeOf[KubeEvent]{kubeEvents, func(b *Batch) []KubeEvent { return b.events }, (*Builder).KubeEvent,
		func(r *KubeEvent, of *AuditEvent) { r.Location, r.AuditID = of.Location, of.AuditID }},
	storeOf[Object]{objects, func(b *Batch) []Object { return b.objects }, (*Builder).Object,
		func(r *Object, of *AuditEvent) { r.Location, r.AuditID = of.Location, of.AuditID }},
	storeOf[Record]{records, func(b *Batch) []Record { return b.records }, (*Builder).Record, nil},
}

func (s storeOf[Row]) title() string              { return s.name }
func (s storeOf[Row]) arrowSchema() *arrow.Schema { return s.schema }
func (s storeOf[Row]) rows(b *Batch) int          { return len(s.of(b)) }

func (s storeOf[Row]) pack(to []cells, from *Batch, which []Pick, within bool) {
	s.fill(to, s.of(from), which, within)
}

func (s storeOf[Row]) copier(from arrow.Record) func(*Builder, int, *AuditEvent) {
	read := s.reader(from)
	var row Row
	return func(to *Builder, i int, of *AuditEvent) {
		read(i, &row)
		if of != nil && s.join != nil {
			s.join(&row, of)
		}
		s.add(to, &row)
	}
}

// String returns the name of the table.
func (k Kind) String() string { return stores[k].title() }

// Rows returns how many rows of the table are in a batch.
func (k Kind) Rows(b *Batch) int { return stores[k].rows(b) }

// with returns the schema of a table with columns of marks.
func (k Kind) with(fields []arrow.Field) *arrow.Schema {
	schema := stores[k].arrowSchema()
	meta := schema.Metadata()
	return arrow.NewSchema(append(slices.Clone(schema.Fields()), fields...), &meta)
}

// Stored returns the schema of the stored table: the columns of the table and
// those of its record.
func (k Kind) Stored() *arrow.Schema {
	if k == Records { // which has the others itself
		return k.with(marks.schema.Fields()[2:])
	}
	return k.with(marks.schema.Fields())
}

// Exported returns the schema of the table as other tools get it: without
// dictionaries, and of the record only the number.
func (k Kind) Exported() *arrow.Schema {
	schema := k.with(marks.schema.Fields()[2:])
	fields := schema.Fields()
	for i := range fields {
		fields[i].Type = plain(fields[i].Type)
	}
	meta := schema.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// plain returns a type without dictionaries.
func plain(typ arrow.DataType) arrow.DataType {
	switch typ := typ.(type) {
	case *arrow.DictionaryType:
		return typ.ValueType
	case *arrow.BinaryType:
		return arrow.BinaryTypes.String
	case *arrow.ListType:
		members := slices.Clone(typ.Elem().(*arrow.StructType).Fields())
		for i := range members {
			members[i].Type = plain(members[i].Type)
		}
		return arrow.ListOf(arrow.StructOf(members...))
	}
	return typ
}

// StoredRows reads the rows of a record batch of a stored table.
type StoredRows struct {
	Kind     Kind
	numbers  []int64
	copy     func(*Builder, int, *AuditEvent)
	location []func(int, *Location)
	mark     []func(int, *Mark)
}

// Read returns what reads a record batch of the stored table.
func (k Kind) Read(rec arrow.Record) *StoredRows {
	columns := int(rec.NumCols())
	s := &StoredRows{Kind: k, copy: stores[k].copier(rec), numbers: rec.Column(columns - 1).(*array.Int64).Int64Values()}
	for c := range locations { // they are the first columns of every table
		s.location = append(s.location, locations[c].reader(rec.Column(c)))
	}
	if k == Records {
		return s
	}
	for c := range marks.columns {
		s.mark = append(s.mark, marks.columns[c].reader(rec.Column(columns-len(marks.columns)+c)))
	}
	return s
}

var locations = location(func(l *Location) *Location { return l })

// Number returns the number of the record of a row.
func (s *StoredRows) Number(i int) int64 { return s.numbers[i] }

// Copy appends a row to a batch. of is the audit event of its record, nil if there is
// none.
func (s *StoredRows) Copy(to *Builder, i int, of *AuditEvent) { s.copy(to, i, of) }

// Location returns where the record of a row lies.
func (s *StoredRows) Location(i int) (l Location) {
	for _, read := range s.location {
		read(i, &l)
	}
	return l
}

// Bare returns the row of records of which the text was not kept, as the first row
// of its record tells.
func (s *StoredRows) Bare(i int) *Record {
	var m Mark
	for _, read := range s.mark {
		read(i, &m)
	}
	return &Record{Location: s.Location(i), Format: m.Format, Identity: m.Identity}
}

// Schemas returns the schemas of all tables by name, as they are stored.
func Schemas() map[string]*arrow.Schema {
	schemas := map[string]*arrow.Schema{index.name: index.schema, families.name: families.schema}
	for k := range Kinds {
		schemas[k.String()] = k.Stored()
	}
	return schemas
}
