package timeline

import "time"

// Mixed are two objects of one name that lived at the same time: the inputs are
// of two clusters.
type Mixed struct {
	Ref
	UIDs  [2]string
	Proof [2]Source // of each a write that the other outlived
	write *Write    // the second of Proof
}

// overlap is how long two lives of one name have to go on beside each other, so
// that clocks that disagree cannot have made it up.
const overlap = 30 * time.Second

// mix notes what proves that the inputs are of two clusters, if anything does. The
// first such write counts.
func (c *Cluster) mix(m *Mixed) {
	c.mixing.Lock()
	defer c.mixing.Unlock()
	if m != nil && (c.Mixed == nil || byTime(m.write, c.Mixed.write) < 0) {
		c.Mixed = m
	}
}

// doubt looks for a write that took effect on an object although a younger one
// of its name had been there for a while.
func (b *Builder) doubt(lives []*Object, o *Object, r *request) {
	youngest := lives[len(lives)-1]
	if b.mixed != nil || o == youngest || r.uid == "" || youngest.UID == "" || len(youngest.Writes) == 0 || !r.Took() {
		return
	}
	if first := youngest.Writes[0]; first.Took() && r.Began().Sub(first.Time) > overlap {
		b.mixed = &Mixed{r.Ref, [2]string{youngest.UID, o.UID}, [2]Source{first.Source, r.Source}, r.Write}
	}
}
