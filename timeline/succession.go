package timeline

import "time"

// succession is what is known of objects of one name, one after the other.
type succession struct {
	objects []*Object
	seen    latest      // places of those of which something is known, by since when
	gone    []time.Time // when the last of those up to each went, far off if one did not
}

func newSuccession(objects []*Object) succession {
	s := succession{objects: objects}
	var last time.Time
	for i, o := range objects {
		if len(o.Writes) > 0 {
			s.seen.add(o.index().first, i)
		}
		switch {
		case o.Gone.IsZero():
			last = Never
		case o.Gone.After(last):
			last = o.Gone
		}
		s.gone = append(s.gone, last)
	}
	s.seen.sort()
	return s
}

// Never is later than any time that a record tells.
var Never = time.Unix(1<<40, 0)

// at returns the last of the objects that existed at t, nil if none did.
func (s *succession) at(t time.Time) *Object {
	for i := s.seen.upTo(t); i >= 0 && s.gone[i].After(t); i-- {
		if s.objects[i].Exists(t) {
			return s.objects[i]
		}
	}
	return nil
}
