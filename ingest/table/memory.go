package table

// Memory is what files are read into one after another. It is an allocator of
// Arrow; the zero value is ready for use.
type Memory struct{ all, free []byte }

// leastMemory is what a Memory takes at least.
const leastMemory = 1 << 20

// Reuse has what was read so far be written over by what is read next.
func (m *Memory) Reuse() { m.free = m.all }

// Allocate returns size bytes, which may have been used before.
func (m *Memory) Allocate(size int) []byte {
	if size > len(m.free) {
		m.all = make([]byte, max(size, 2*len(m.all), leastMemory))
		m.free = m.all
	}
	b := m.free[:size:size]
	m.free = m.free[size:]
	return b
}

// Reallocate returns size bytes that begin like b.
func (m *Memory) Reallocate(size int, b []byte) []byte {
	if size <= len(b) {
		return b[:size]
	}
	larger := m.Allocate(size)
	copy(larger, b)
	return larger
}

// Free does nothing: memory is used again after Reuse.
func (m *Memory) Free([]byte) {}
