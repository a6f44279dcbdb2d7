package object

import "github.com/knforensics/knforensics/ingest/table"

func (d *Decoder) status(o *table.Object) {
	s := &d.scan
	s.Reset(d.parts.status)
	if !s.BeginObject() {
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		switch string(key) {
		case "observedGeneration":
			o.Observed = number(d.scalar())
		case "conditions":
			o.Conditions = d.conditions()
		default:
			s.Pass()
		}
	}
}

func (d *Decoder) conditions() (list []table.Condition) {
	s := &d.scan
	if !s.BeginArray() {
		s.Pass()
		return nil
	}
	for s.Element() {
		var c table.Condition
		d.members(func(key string) *string {
			switch key {
			case "type":
				return &c.Type
			case "status":
				return &c.Status
			case "reason":
				return &c.Reason
			case "message":
				return &c.Message
			case "severity":
				return &c.Severity
			case "lastTransitionTime":
				return &c.Transition
			}
			return nil
		})
		list = append(list, c)
	}
	return list
}
