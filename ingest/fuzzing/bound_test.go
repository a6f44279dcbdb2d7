package fuzzing

import "testing"

// TestAllocated: what counts is what was allocated, whether it is in use or not.
func TestAllocated(t *testing.T) {
	before := allocated()
	for range 10 {
		sink = make([]byte, 1<<20)
	}
	if n := allocated() - before; n < 10<<20 || n > 11<<20 {
		t.Errorf("%d bytes, want 10 MiB", n)
	}
}

var sink []byte
