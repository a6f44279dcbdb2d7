package object

import "github.com/knforensics/knforensics/ingest/table"

// status reads what every status has, and keeps the selected scalars of it.
func (d *Decoder) status(tree *node, o *table.Object) {
	const name = "status"
	at, _ := tree.member(name)
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
			d.path = append(d.path[:0], name...)
			d.follow(at, key, o)
		}
	}
}

func (d *Decoder) conditions() []table.Condition {
	s := &d.scan
	if !s.BeginArray() {
		s.Pass()
		return nil
	}
	list := d.conditionLists.begin()
	for s.Element() {
		list = append(list, table.Condition{})
		d.condition(&list[len(list)-1])
	}
	return d.conditionLists.end(list)
}

func (d *Decoder) condition(c *table.Condition) {
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
}
