package linemarks

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestEdges: nothing outside the buffer is read. Pages that must not be touched
// lie before and behind it.
func TestEdges(t *testing.T) {
	page := os.Getpagesize()
	data, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(data) }()
	inner := data[page : 2*page]
	copy(inner, bytes.Repeat([]byte("email-018\n"), page))
	for _, guard := range [][]byte{data[:page], data[2*page:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	for size := range 300 {
		for _, buf := range [][]byte{inner[page-size:], inner[:size]} {
			same(t, nil, buf, 0, 100, "email-018")
			same(t, nil, buf, 0, 100, "8", "il-018\te")
		}
	}
}
