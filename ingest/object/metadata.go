package object

import "github.com/knforensics/knforensics/ingest/table"

func (d *Decoder) metadata(o *table.Object) error {
	s := &d.scan
	s.Reset(d.parts.metadata)
	if !s.BeginObject() {
		return nil
	}
	for {
		key, ok := s.Member()
		if !ok {
			return s.Err()
		}
		switch string(key) {
		case "name":
			o.Name = d.scalar()
		case "namespace":
			o.Namespace = d.scalar()
		case "uid":
			o.UID = d.scalar()
		case "resourceVersion":
			o.ResourceVersion = d.scalar()
		case "generation":
			o.Generation = number(d.scalar())
		case "creationTimestamp":
			o.Created = instant(d.scalar())
		case "deletionTimestamp":
			o.Deleted = instant(d.scalar())
		case "labels":
			d.removeNull("metadata.labels", o)
			o.Labels = d.pairs(func(string) bool { return true })
		case "annotations":
			d.removeNull("metadata.annotations", o)
			o.Annotations = d.pairs(keepAnnotation)
		case "ownerReferences":
			o.Owners = d.owners()
		default:
			s.Pass()
		}
	}
}

// removeNull notes that a patch removes all labels or annotations.
func (d *Decoder) removeNull(path string, o *table.Object) {
	if o.Patch != "" && d.scan.Peek() == 'n' {
		d.path = append(d.path[:0], path...)
		d.remove(o)
	}
}

func (d *Decoder) pairs(keep func(string) bool) []table.Pair {
	s := &d.scan
	if !s.BeginObject() {
		s.Pass()
		return nil
	}
	list := d.pairLists.begin()
	for {
		key, ok := s.Member()
		if !ok {
			return d.pairLists.end(list)
		}
		name := s.Share(key)
		if !keep(name) {
			s.Pass()
			continue
		}
		list = append(list, table.Pair{Key: name, Value: d.scalar()})
	}
}

func (d *Decoder) owners() []table.Owner {
	s := &d.scan
	if !s.BeginArray() {
		s.Pass()
		return nil
	}
	list := d.ownerLists.begin()
	for s.Element() {
		list = append(list, table.Owner{})
		d.owner(&list[len(list)-1])
	}
	return d.ownerLists.end(list)
}

func (d *Decoder) owner(o *table.Owner) {
	d.members(func(key string) *string {
		switch key {
		case "kind":
			return &o.Kind
		case "name":
			return &o.Name
		case "uid":
			return &o.UID
		case "controller":
			return &o.Controller
		}
		return nil
	})
}

// members reads an object and puts its scalars where at tells, nil for those
// to be skipped.
func (d *Decoder) members(at func(key string) *string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Pass()
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		if to := at(s.Share(key)); to != nil {
			*to = d.scalar()
		} else {
			s.Pass()
		}
	}
}
