package timeline

import "time"

// Names finds objects of a family by name.
type Names map[Ref][]*Object

// Names returns the objects of the family by name.
func (f *Family) Names() Names {
	names := Names{}
	for _, o := range f.objects {
		names[o.Ref] = append(names[o.Ref], o)
	}
	return names
}

// Life returns which object of a name something is about that happened at t: the one
// of that uid, else the last that was made by then; nil if the family has none of that
// name.
func (n Names) Life(ref Ref, uid string, t time.Time) (found *Object) {
	for _, o := range n[ref] {
		if uid != "" && o.UID == uid {
			return o
		}
		if found == nil || !o.Born.After(t) {
			found = o
		}
	}
	return found
}
