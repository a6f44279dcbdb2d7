package timeline

import "time"

// Mixed are two objects of one name that lived at the same time: the inputs are
// of two clusters.
type Mixed struct {
	Ref
	UIDs  [2]string
	Proof [2]Source // of each a write that the other outlived
}

// overlap is how long two lives of one name have to go on beside each other, so
// that clocks that disagree cannot have made it up.
const overlap = 30 * time.Second

// doubt looks for a write that took effect on an object although a younger one
// of its name had been there for a while.
func (b *Builder) doubt(lives []*Object, o *Object, r *request) {
	youngest := lives[len(lives)-1]
	if b.mixed != nil || o == youngest || r.uid == "" || youngest.UID == "" || len(youngest.Writes) == 0 || !r.Took() {
		return
	}
	if first := youngest.Writes[0]; first.Took() && r.Began().Sub(first.Time) > overlap {
		b.mixed = &Mixed{r.Ref, [2]string{youngest.UID, o.UID}, [2]Source{first.Source, r.Source}}
	}
}
