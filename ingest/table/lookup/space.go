package lookup

// space is memory that is handed out piece by piece, and used again after reuse.
type space struct {
	chunks [][]byte
	used   int    // of the chunks
	free   []byte // what is left of the one used last
}

// chunkSize is what chunks have a multiple of.
const chunkSize = 256 << 10

func (s *space) reuse() { s.used, s.free = 0, nil }

// take returns size bytes, which may have been used before.
func (s *space) take(size int) []byte {
	for size > len(s.free) {
		if s.used == len(s.chunks) {
			s.chunks = append(s.chunks, make([]byte, (size+chunkSize-1)/chunkSize*chunkSize))
		}
		s.free = s.chunks[s.used]
		s.used++
	}
	const word = 8 // numbers are read in place
	b := s.free[:size:size]
	s.free = s.free[min(len(s.free), (size+word-1)/word*word):]
	return b
}
