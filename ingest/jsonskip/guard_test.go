//go:build unix

package jsonskip

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestReadsNothingBehind has text of all lengths end where memory that may not
// be read begins. To read it kills the process.
func TestReadsNothingBehind(t *testing.T) {
	page := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := unix.Mprotect(memory[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	for n := range 4 * blockSize {
		data := memory[page-n : page]
		copy(data, "{"+strings.Repeat(" ", n))
		check(t, data, -1)
		if n > 1 {
			data[n-1] = '}'
			check(t, data, n)
		}
	}
}
