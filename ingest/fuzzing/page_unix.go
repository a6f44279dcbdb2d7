//go:build unix

package fuzzing

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Page returns a page of memory between two that must not be touched: who reads or
// writes beyond it kills the process.
func Page(t testing.TB) []byte {
	t.Helper()
	size := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 3*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(memory) })
	for _, guard := range [][]byte{memory[:size], memory[2*size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return memory[size : 2*size : 2*size]
}
