package table

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Batch is what one stretch of one input became: rows of the tables, in the
// order of the input. Its strings refer to memory that is used again once the
// batch was released: who keeps one clones it.
type Batch struct {
	audit   []AuditEvent
	logs    []ControllerLog
	events  []KubeEvent
	objects []Object
	records []Record // empty unless records are kept
	holders atomic.Int32
	spent   func()
}

// Retain keeps the batch for one more Release.
func (b *Batch) Retain() { b.holders.Add(1) }

// Release gives the memory of the batch back once nobody holds it.
func (b *Batch) Release() {
	if b.holders.Add(-1) > 0 {
		return
	}
	if b.spent != nil {
		b.spent()
	}
	*b = Batch{audit: b.audit[:0], logs: b.logs[:0], events: b.events[:0], objects: b.objects[:0], records: b.records[:0]}
	spare.Put(b)
}

// spare are batches that were released.
var spare = sync.Pool{New: func() any { return &Batch{} }}

// OnRelease has a function called when the batch was released by all who hold
// it, in place of the one before.
func (b *Batch) OnRelease(spent func()) { b.spent = spent }

// each calls fn with every row.
func each[Row any](rows []Row, fn func(*Row)) {
	for i := range rows {
		fn(&rows[i])
	}
}

// EachAuditEvent calls fn with every row of audit_events, in the order of the
// input. Rows are not to be changed.
func (b *Batch) EachAuditEvent(fn func(*AuditEvent)) { each(b.audit, fn) }

// EachLog does the same for controller_logs.
func (b *Batch) EachLog(fn func(*ControllerLog)) { each(b.logs, fn) }

// EachKubeEvent does the same for kube_events.
func (b *Batch) EachKubeEvent(fn func(*KubeEvent)) { each(b.events, fn) }

// EachObject does the same for objects.
func (b *Batch) EachObject(fn func(*Object)) { each(b.objects, fn) }

// EachRecord does the same for records.
func (b *Batch) EachRecord(fn func(*Record)) { each(b.records, fn) }

// EachLocation calls fn with the location of every row of every table.
func (b *Batch) EachLocation(fn func(*Location)) {
	b.EachAuditEvent(func(r *AuditEvent) { fn(&r.Location) })
	b.EachLog(func(r *ControllerLog) { fn(&r.Location) })
	b.EachKubeEvent(func(r *KubeEvent) { fn(&r.Location) })
	b.EachObject(func(r *Object) { fn(&r.Location) })
	b.EachRecord(func(r *Record) { fn(&r.Location) })
}

// Clusters returns the names of the clusters that the rows are of, sorted.
func (b *Batch) Clusters() (names []string) {
	last := ""
	b.EachLocation(func(l *Location) {
		if len(names) == 0 || l.Cluster != last {
			names, last = append(names, l.Cluster), l.Cluster
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// OfCluster returns the rows of one cluster, as long as the batch is held.
func (b *Batch) OfCluster(name string) *Batch {
	rest := &Batch{}
	rest.audit = of(b.audit, func(r *AuditEvent) bool { return r.Cluster == name })
	rest.logs = of(b.logs, func(r *ControllerLog) bool { return r.Cluster == name })
	rest.events = of(b.events, func(r *KubeEvent) bool { return r.Cluster == name })
	rest.objects = of(b.objects, func(r *Object) bool { return r.Cluster == name })
	rest.records = of(b.records, func(r *Record) bool { return r.Cluster == name })
	return rest
}

func of[Row any](rows []Row, wanted func(*Row) bool) (list []Row) {
	for i := range rows {
		if wanted(&rows[i]) {
			list = append(list, rows[i])
		}
	}
	return list
}

// Drop takes the records at the given places out of the batch, and tells dropped
// of their audit events.
func (b *Batch) Drop(places map[Place]bool, dropped func(*AuditEvent)) {
	b.EachAuditEvent(func(row *AuditEvent) {
		if places[row.Place()] {
			dropped(row)
		}
	})
	b.audit = slices.DeleteFunc(b.audit, func(r AuditEvent) bool { return places[r.Place()] })
	b.logs = slices.DeleteFunc(b.logs, func(r ControllerLog) bool { return places[r.Place()] })
	b.events = slices.DeleteFunc(b.events, func(r KubeEvent) bool { return places[r.Place()] })
	b.objects = slices.DeleteFunc(b.objects, func(r Object) bool { return places[r.Place()] })
	b.records = slices.DeleteFunc(b.records, func(r Record) bool { return places[r.Place()] })
}

// Builder collects rows for one Batch. The zero value is empty.
type Builder struct {
	ASCII bool // the texts of the rows to come are known to be
	batch *Batch
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return &Builder{} }

func (b *Builder) under() *Batch {
	if b.batch == nil {
		b.batch = spare.Get().(*Batch)
		b.batch.holders.Store(1)
	}
	return b.batch
}

// AuditEvent appends a row to audit_events.
func (b *Builder) AuditEvent(row *AuditEvent) {
	to := b.under()
	to.audit = add(to.audit, auditEvents, row, b.ASCII)
}

// LastAuditEvent returns the row of audit_events that was appended last.
func (b *Builder) LastAuditEvent() *AuditEvent { return &b.batch.audit[len(b.batch.audit)-1] }

// Log appends a row to controller_logs.
func (b *Builder) Log(row *ControllerLog) {
	to := b.under()
	to.logs = add(to.logs, controllerLogs, row, b.ASCII)
}

// KubeEvent appends a row to kube_events.
func (b *Builder) KubeEvent(row *KubeEvent) {
	to := b.under()
	to.events = add(to.events, kubeEvents, row, b.ASCII)
}

// Object appends a row to objects.
func (b *Builder) Object(row *Object) {
	to := b.under()
	to.objects = add(to.objects, objects, row, b.ASCII)
}

// Record appends a row to records.
func (b *Builder) Record(row *Record) {
	to := b.under()
	to.records = add(to.records, records, row, b.ASCII)
}

// add appends a row as it would come back from an Arrow table: what is no UTF-8
// becomes U+FFFD, since other readers of Arrow and Parquet refuse a table with
// anything else, and times that do not fit are left out.
func add[Row any](rows []Row, t *table[Row], row *Row, ascii bool) []Row {
	rows = append(rows, *row)
	kept := &rows[len(rows)-1]
	for _, fit := range t.fit {
		fit(kept)
	}
	if !ascii {
		for _, valid := range t.valid {
			valid(kept)
		}
	}
	return rows
}

// valid makes a text UTF-8.
func valid(text *string) {
	if !utf8.ValidString(*text) {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
}

// Batch returns what was appended and empties the Builder. The caller owns
// the batch and releases it.
func (b *Builder) Batch() *Batch {
	batch := b.under()
	b.batch = nil
	return batch
}
