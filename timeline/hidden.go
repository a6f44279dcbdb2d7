package timeline

import (
	"slices"
	"time"
)

// hidden tells of which objects the status was written last in a way that does not show
// what was written.
type hidden struct {
	pods    []count   // Pods that exist
	all     []count   // Pods and what counts them
	crossed []*Object // those of which steps do not tell
}

func newHidden(pods, all []*Object) (h hidden) {
	hides := func(o *Object) bool { return o.HiddenStatus() != nil }
	var plain []*Object
	for _, o := range all {
		switch {
		case !hides(o):
		case o.index().crossed:
			h.crossed = append(h.crossed, o)
		default:
			plain = append(plain, o)
		}
	}
	if len(plain)+len(h.crossed) == 0 {
		return h
	}
	h.all = countAll(plain, (*Object).hiddenAt)
	h.pods = countAll(slices.DeleteFunc(slices.Clone(pods), func(o *Object) bool { return !hides(o) }), func(o *Object, t time.Time) (s says) {
		if o.Exists(t) && o.blindSince(time.Time{}, t) {
			s.status = o.Writes[0] // whichever
		}
		return s
	})
	return h
}

// hiddenAt tells the last write of a status that came in up to t, if it is Hidden.
func (o *Object) hiddenAt(t time.Time) (s says) {
	if i := o.index().touching.upTo(t); i >= 0 && o.Writes[i].Hidden() {
		s.status = o.Writes[i]
	}
	return s
}

// since reports whether, of objects whose statuses were written between two moments, the
// last write of one is Hidden.
func (h *hidden) since(from, to time.Time) bool {
	if newest := countAt(h.all, to).newest; newest != nil && newest.Time.After(from) {
		return true
	}
	return slices.ContainsFunc(h.crossed, func(o *Object) bool { return o.blindSince(from, to) })
}
