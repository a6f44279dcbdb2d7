package object

import "unsafe"

// slab makes lists that share pieces of memory, so that not each costs an
// allocation. One list is made at a time: it is begun, appended to, and ended.
type slab[T any] struct{ free []T }

const slabSize = 256

func (s *slab[T]) begin() []T {
	const room = 16 // most lists are shorter
	if cap(s.free) < room {
		s.free = make([]T, 0, slabSize)
	}
	return s.free[:0]
}

// end returns the list, nil if it is empty. A list that outgrew the slab has memory
// of its own.
func (s *slab[T]) end(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if unsafe.SliceData(list) == unsafe.SliceData(s.free) {
		s.free = list[n:]
	}
	return list[:n:n]
}
