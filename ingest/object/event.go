package object

import (
	"cmp"

	"github.com/knforensics/knforensics/ingest/table"
)

// Event fills e from a Kubernetes Event, core/v1 or events.k8s.io/v1, whose
// spellings differ: involvedObject or regarding, message or note, count or
// deprecatedCount. e.Location, e.Origin and e.AuditID are left alone.
func (d *Decoder) Event(data []byte, e *table.KubeEvent) error {
	*e = table.KubeEvent{Location: e.Location, Origin: e.Origin, AuditID: e.AuditID}
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		return ErrNoKind
	}
	for {
		key, ok := s.Member()
		if !ok {
			s.End()
			return s.Err()
		}
		switch string(key) {
		case "metadata":
			d.members(func(key string) *string {
				switch key {
				case "namespace":
					return &e.Namespace
				case "name":
					return &e.Name
				case "uid":
					return &e.UID
				}
				return nil
			})
		case "involvedObject", "regarding":
			d.members(func(key string) *string {
				switch key {
				case "kind":
					return &e.ObjectKind
				case "namespace":
					return &e.ObjectNamespace
				case "name":
					return &e.ObjectName
				case "uid":
					return &e.ObjectUID
				}
				return nil
			})
		case "source", "deprecatedSource":
			var component string
			d.members(func(key string) *string {
				if key == "component" {
					return &component
				}
				return nil
			})
			e.Component = cmp.Or(e.Component, component)
		case "reportingComponent", "reportingController":
			e.Component = cmp.Or(d.scalar(), e.Component)
		case "type":
			e.Type = d.scalar()
		case "reason":
			e.Reason = d.scalar()
		case "message", "note":
			e.Message = d.scalar()
		case "count", "deprecatedCount":
			e.Count = max(e.Count, number(d.scalar()))
		case "firstTimestamp", "deprecatedFirstTimestamp":
			e.FirstTime = instant(d.scalar())
		case "lastTimestamp", "deprecatedLastTimestamp":
			if t := instant(d.scalar()); e.LastTime.IsZero() {
				e.LastTime = t
			}
		case "eventTime":
			e.EventTime = instant(d.scalar())
		case "series":
			var count, last string
			d.members(func(key string) *string {
				switch key {
				case "count":
					return &count
				case "lastObservedTime":
					return &last
				}
				return nil
			})
			e.Count = max(e.Count, number(count))
			if t := instant(last); !t.IsZero() {
				e.LastTime = t
			}
		default:
			s.Pass()
		}
	}
}
