package lookup

// space is memory that is handed out piece by piece, and used again after reuse.
type space struct{ all, free []byte }

// leastMemory is how much is taken at least.
const leastMemory = 1 << 20

func (s *space) reuse() { s.free = s.all }

// take returns size bytes, which may have been used before.
func (s *space) take(size int) []byte {
	if size > len(s.free) {
		s.all = make([]byte, max(size, 2*len(s.all), leastMemory))
		s.free = s.all
	}
	const word = 8 // numbers are read in place
	b := s.free[:size:size]
	s.free = s.free[min(len(s.free), (size+word-1)/word*word):]
	return b
}
