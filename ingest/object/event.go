package object

import "github.com/knforensics/knforensics/ingest/table"

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
				return map[string]*string{"namespace": &e.Namespace, "name": &e.Name, "uid": &e.UID}[key]
			})
		case "involvedObject", "regarding":
			d.members(func(key string) *string {
				return map[string]*string{"kind": &e.ObjectKind, "namespace": &e.ObjectNamespace,
					"name": &e.ObjectName, "uid": &e.ObjectUID}[key]
			})
		case "source", "deprecatedSource":
			var component string
			d.members(func(key string) *string { return map[string]*string{"component": &component}[key] })
			e.Component = firstOf(e.Component, component)
		case "reportingComponent", "reportingController":
			e.Component = firstOf(d.scalar(), e.Component)
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
			d.members(func(key string) *string { return map[string]*string{"count": &count, "lastObservedTime": &last}[key] })
			e.Count = max(e.Count, number(count))
			if t := instant(last); !t.IsZero() {
				e.LastTime = t
			}
		default:
			s.Skip()
		}
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
