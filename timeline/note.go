package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// Origin tells by which way a Kubernetes Event is known.
type Origin int

// The ways, best first: an audit event has the time to the microsecond, the
// log of the component too, a snapshot to the second and only the newest.
const (
	FromAudit Origin = iota
	FromLog
	FromSnapshot
)

// Note is a Kubernetes Event about an object of the family.
type Note struct {
	Object      Ref
	UID         string // of the object
	Time        time.Time
	First       time.Time
	Count       int // how often it happened up to Time
	Type        string
	Reason      string
	Message     string
	Component   string
	Source      Source
	Origin      Origin
	fromRequest bool
}

// kubeEvent keeps an Event. One in an audit event is as of when it was recorded:
// its own times are to the second.
func (b *Builder) kubeEvent(row *table.KubeEvent, recorded time.Time) {
	if !isOfFamily(row.ObjectKind) || row.Reason == "" {
		return
	}
	n := &Note{Object: Ref{b.keep(row.ObjectKind), b.keep(row.ObjectNamespace), b.keep(row.ObjectName)}, UID: b.keep(row.ObjectUID),
		First: row.FirstTime, Time: row.LastTime, Count: int(max(1, row.Count)), Type: b.keep(row.Type), Reason: b.keep(row.Reason),
		Message: b.keep(row.Message), Component: b.keep(row.Component), Origin: FromSnapshot,
		Source: Source{File: b.keep(row.File), Line: row.Line, AuditID: b.keep(row.AuditID), EventID: b.keep(row.UID)}}
	if n.Time.IsZero() {
		n.Time = row.EventTime
	}
	if n.First.IsZero() {
		n.First = row.EventTime
	}
	if row.Origin != table.OriginSnapshot {
		n.Origin = FromAudit
		n.Time = recorded
		n.fromRequest = row.Origin == table.OriginRequest
	}
	b.notes = append(b.notes, n)
}

// noteKey identifies what an Event says, by whatever way it came.
type noteKey struct {
	object          Ref
	reason, message string
}

// distinctNotes keeps, of the Events that say the same, those known by the
// best way: an Event is logged, sent to the API server and shown in a snapshot,
// and is one Event. Of a request to write one, the answer is as good as the
// body that was sent.
func distinctNotes(notes []*Note) []*Note {
	best := map[noteKey]Origin{}
	answered := map[string]bool{}
	for _, n := range notes {
		key := noteKey{n.Object, n.Reason, n.Message}
		if o, ok := best[key]; !ok || n.Origin < o {
			best[key] = n.Origin
		}
		if n.Origin == FromAudit && !n.fromRequest {
			answered[n.Source.AuditID] = true
		}
	}
	var kept []*Note
	for _, n := range notes {
		if best[noteKey{n.Object, n.Reason, n.Message}] != n.Origin || n.fromRequest && answered[n.Source.AuditID] {
			continue
		}
		kept = append(kept, n)
	}
	slices.SortStableFunc(kept, func(a, b *Note) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
	})
	return kept
}
