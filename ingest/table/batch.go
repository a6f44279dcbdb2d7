package table

import (
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Batch is what one stretch of one input became: up to one record batch for
// each table, nil where the stretch held no such rows.
type Batch struct {
	Audit   arrow.Record
	Logs    arrow.Record
	Events  arrow.Record
	Objects arrow.Record
	Records arrow.Record // nil unless records are kept
}

// Retain keeps the batch for one more Release.
func (b *Batch) Retain() {
	for _, rec := range b.records() {
		rec.Retain()
	}
}

// Release gives the memory of the batch back.
func (b *Batch) Release() {
	for _, rec := range b.records() {
		rec.Release()
	}
}

func (b *Batch) records() (list []arrow.Record) {
	for _, rec := range []arrow.Record{b.Audit, b.Logs, b.Events, b.Objects, b.Records} {
		if rec != nil {
			list = append(list, rec)
		}
	}
	return list
}

// EachAuditEvent calls fn with every row of audit_events, in the order of the
// input. The row is reused; its strings refer to the memory of the batch.
func (b *Batch) EachAuditEvent(fn func(*AuditEvent)) { auditEvents.each(b.Audit, fn) }

// EachLog does the same for controller_logs.
func (b *Batch) EachLog(fn func(*ControllerLog)) { controllerLogs.each(b.Logs, fn) }

// EachKubeEvent does the same for kube_events.
func (b *Batch) EachKubeEvent(fn func(*KubeEvent)) { kubeEvents.each(b.Events, fn) }

// EachObject does the same for objects.
func (b *Batch) EachObject(fn func(*Object)) { objects.each(b.Objects, fn) }

// EachRecord does the same for records.
func (b *Batch) EachRecord(fn func(*Record)) { records.each(b.Records, fn) }

// EachPlace calls fn with the place of every row of a table, and with its times.
func (b *Batch) EachPlace(k Kind, fn func(at Place, times ...time.Time)) {
	switch k {
	case AuditEvents:
		b.EachAuditEvent(func(r *AuditEvent) { fn(r.Place(), r.StageTime) })
	case ControllerLogs:
		b.EachLog(func(r *ControllerLog) { fn(r.Place(), r.Time) })
	case KubeEvents:
		b.EachKubeEvent(func(r *KubeEvent) { fn(r.Place(), r.FirstTime, r.LastTime, r.EventTime) })
	case Objects:
		b.EachObject(func(r *Object) { fn(r.Place()) })
	case Records:
		b.EachRecord(func(r *Record) { fn(r.Place()) })
	}
}

// Clusters returns the names of the clusters that the rows are of, sorted.
func (b *Batch) Clusters() (names []string) {
	for _, rec := range b.records() {
		column, last := rec.Column(clusterColumn), ""
		for i := range column.Len() {
			if name := textAt(column, i); i == 0 || name != last {
				names, last = append(names, name), name
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Relabel returns the batch as of another cluster. It releases the batch.
func (b *Batch) Relabel(cluster string) *Batch {
	defer b.Release()
	relabel := func(rec arrow.Record) arrow.Record {
		if rec == nil {
			return nil
		}
		names := array.NewStringBuilder(memory.NewGoAllocator())
		defer names.Release()
		for range rec.NumRows() {
			appendText(names, cluster)
		}
		column := names.NewArray()
		defer column.Release()
		columns := slices.Clone(rec.Columns())
		columns[clusterColumn] = column
		return array.NewRecord(rec.Schema(), columns, rec.NumRows())
	}
	return &Batch{Audit: relabel(b.Audit), Logs: relabel(b.Logs), Events: relabel(b.Events), Objects: relabel(b.Objects), Records: relabel(b.Records)}
}

// OfCluster returns the rows of one cluster. The caller releases them.
func (b *Batch) OfCluster(name string) *Batch {
	rest := NewBuilder(memory.NewGoAllocator())
	for k := range Kinds {
		rec := k.Of(b)
		if rec == nil {
			continue
		}
		for i := range int(rec.NumRows()) {
			if textAt(rec.Column(clusterColumn), i) == name {
				rest.Copy(k, rec, i)
			}
		}
	}
	return rest.Batch()
}

// Builder collects rows for one Batch.
type Builder struct {
	mem     memory.Allocator
	audit   *rows[AuditEvent]
	logs    *rows[ControllerLog]
	events  *rows[KubeEvent]
	objects *rows[Object]
	records *rows[Record]
}

// NewBuilder returns an empty Builder that takes its memory from mem.
func NewBuilder(mem memory.Allocator) *Builder { return &Builder{mem: mem} }

// AuditEvent appends a row to audit_events.
func (b *Builder) AuditEvent(row *AuditEvent) { add(b.mem, auditEvents, &b.audit, row) }

// Log appends a row to controller_logs.
func (b *Builder) Log(row *ControllerLog) { add(b.mem, controllerLogs, &b.logs, row) }

// KubeEvent appends a row to kube_events.
func (b *Builder) KubeEvent(row *KubeEvent) { add(b.mem, kubeEvents, &b.events, row) }

// Object appends a row to objects.
func (b *Builder) Object(row *Object) { add(b.mem, objects, &b.objects, row) }

// Record appends a row to records.
func (b *Builder) Record(row *Record) { add(b.mem, records, &b.records, row) }

func add[Row any](mem memory.Allocator, t *table[Row], to **rows[Row], row *Row) {
	if *to == nil {
		*to = t.newRows(mem)
	}
	(*to).append(row)
}

// Batch returns what was appended and empties the Builder. The caller owns
// the batch and releases it.
func (b *Builder) Batch() *Batch {
	batch := &Batch{Audit: b.audit.record(), Logs: b.logs.record(), Events: b.events.record(), Objects: b.objects.record(), Records: b.records.record()}
	*b = Builder{mem: b.mem}
	return batch
}

// Schemas returns the schemas of all tables by name, as they are stored.
func Schemas() map[string]*arrow.Schema {
	schemas := map[string]*arrow.Schema{index.name: index.stored, families.name: families.stored}
	for k := range Kinds {
		schemas[k.String()] = k.Stored()
	}
	return schemas
}

// Without returns the batch without the records at the given places, and tells
// dropped of the audit events left out. It releases the batch.
func (b *Batch) Without(places map[Place]bool, dropped func(*AuditEvent)) *Batch {
	defer b.Release()
	rest := NewBuilder(memory.NewGoAllocator())
	b.EachAuditEvent(func(row *AuditEvent) {
		if places[row.Place()] {
			dropped(row)
		} else {
			rest.AuditEvent(row)
		}
	})
	b.EachLog(keep(places, rest.Log, func(row *ControllerLog) Place { return row.Place() }))
	b.EachKubeEvent(keep(places, rest.KubeEvent, func(row *KubeEvent) Place { return row.Place() }))
	b.EachObject(keep(places, rest.Object, func(row *Object) Place { return row.Place() }))
	b.EachRecord(keep(places, rest.Record, func(row *Record) Place { return row.Place() }))
	return rest.Batch()
}

func keep[Row any](drop map[Place]bool, add func(*Row), place func(*Row) Place) func(*Row) {
	return func(row *Row) {
		if !drop[place(row)] {
			add(row)
		}
	}
}
