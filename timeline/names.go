package timeline

import "time"

// Names finds objects of a family by name.
type Names struct {
	byUID  map[uidOf]*Object
	byName map[Ref]*namesakes
}

// namesakes are the objects of one name.
type namesakes struct {
	objects []*Object
	born    latest // places, by when they were made
}

// Names returns the objects of the family by name.
func (f *Family) Names() Names {
	names := Names{map[uidOf]*Object{}, map[Ref]*namesakes{}}
	for _, o := range f.objects {
		same := names.byName[o.Ref]
		if same == nil {
			same = &namesakes{}
			names.byName[o.Ref] = same
		}
		same.born.add(o.Born, len(same.objects))
		same.objects = append(same.objects, o)
		if of := (uidOf{o.Ref, o.UID}); names.byUID[of] == nil {
			names.byUID[of] = o
		}
	}
	for _, same := range names.byName {
		same.born.sort()
	}
	return names
}

// Life returns which object of a name something is about that happened at t: the one
// of that uid, else the last that was made by then; nil if the family has none of that
// name.
func (n Names) Life(ref Ref, uid string, t time.Time) *Object {
	if o := n.byUID[uidOf{ref, uid}]; o != nil && uid != "" {
		return o
	}
	same := n.byName[ref]
	if same == nil {
		return nil
	}
	return same.objects[max(same.born.upTo(t), 0)]
}
