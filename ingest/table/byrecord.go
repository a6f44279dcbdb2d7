package table

import (
	"errors"
	"math"
	"time"
)

// Rows are the rows of one record in a batch.
type Rows struct {
	Record  *Record      // nil where the batch has not the table records
	Audit   []AuditEvent // one at most
	Logs    []ControllerLog
	Events  []KubeEvent
	Objects []Object
	First   [Kinds]int // where they begin in the batch
}

// Count returns how many rows of a table there are.
func (r *Rows) Count(k Kind) int {
	return [Kinds]int{len(r.Audit), len(r.Logs), len(r.Events), len(r.Objects), 1}[k]
}

var errOrphan = errors.New("a row stands apart from its record")

// ByRecord calls fn with the rows of each record, in the order of the input. The
// batch has to have the table records. Rows come in the order of the records that
// they are of, and have their places.
func (b *Batch) ByRecord(fn func(*Rows) error) error {
	var at [Kinds]int
	for i := range b.records {
		r := Rows{Record: &b.records[i], First: at}
		place := r.Record.Place()
		r.First[Records] = i
		r.Audit = next(b.audit, &at[AuditEvents], place)
		r.Logs = next(b.logs, &at[ControllerLogs], place)
		r.Events = next(b.events, &at[KubeEvents], place)
		r.Objects = next(b.objects, &at[Objects], place)
		if err := fn(&r); err != nil {
			return err
		}
	}
	for k := range Records {
		if at[k] < k.Rows(b) {
			return errOrphan
		}
	}
	return nil
}

// EachRows calls fn with the rows of each record that has any but one of the table
// records, in the order of the input. fn must not keep them.
func (b *Batch) EachRows(fn func(*Rows)) {
	var at [Kinds]int
	for {
		none := Place{math.MaxInt64, math.MaxInt64}
		place := earlier(none, b.audit, at[AuditEvents])
		place = earlier(place, b.logs, at[ControllerLogs])
		place = earlier(place, b.events, at[KubeEvents])
		place = earlier(place, b.objects, at[Objects])
		if place == none {
			return
		}
		fn(&Rows{Audit: next(b.audit, &at[AuditEvents], place), Logs: next(b.logs, &at[ControllerLogs], place),
			Events: next(b.events, &at[KubeEvents], place), Objects: next(b.objects, &at[Objects], place)})
	}
}

// earlier returns the place of a row, if there is one and it comes before another.
func earlier[Row any, R interface {
	*Row
	Place() Place
}](than Place, rows []Row, at int) Place {
	if at < len(rows) {
		if p := R(&rows[at]).Place(); p.Before(than) {
			return p
		}
	}
	return than
}

// next returns the rows from a number on that have a place, and moves past them.
func next[Row any, R interface {
	*Row
	Place() Place
}](rows []Row, at *int, place Place) []Row {
	from := *at
	for *at < len(rows) && R(&rows[*at]).Place() == place {
		*at++
	}
	return rows[from:*at]
}

// Span returns the first and the last time that the rows tell, zero if none.
func (r *Rows) Span() (from, to time.Time) {
	widen := func(t time.Time) {
		if !t.IsZero() && (from.IsZero() || t.Before(from)) {
			from = t
		}
		if t.After(to) {
			to = t
		}
	}
	for i := range r.Audit {
		widen(r.Audit[i].StageTime)
	}
	for i := range r.Logs {
		widen(r.Logs[i].Time)
	}
	for i := range r.Events {
		widen(r.Events[i].FirstTime)
		widen(r.Events[i].LastTime)
		widen(r.Events[i].EventTime)
	}
	return from, to
}

// Weight returns about how many bytes the rows take.
func (r *Rows) Weight() int64 {
	const row, elem = 256, 16
	n := len(r.Record.Raw) + row*(len(r.Audit)+len(r.Logs)+len(r.Events)+len(r.Objects))
	for i := range r.Logs {
		n += len(r.Logs[i].Message) + len(r.Logs[i].Error)
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		n += elem * (len(o.Labels) + len(o.Annotations) + len(o.Owners) + len(o.Conditions) + len(o.Fields) + len(o.Removed))
	}
	return int64(n)
}
