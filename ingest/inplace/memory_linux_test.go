package inplace

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// resident is how much of files this process has in memory, in bytes.
func resident(t *testing.T) (n int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "RssFile: %d kB", &n); err == nil {
			return n << 10
		}
	}
	t.Skip("the kernel does not tell")
	return 0
}

// TestMemory: of a mapped file of 32 chunks, two are held; the limits leave room
// for the pages of the test itself.
func TestMemory(t *testing.T) {
	f := open(t, bytes.Repeat([]byte("0123456789abcde\n"), 64<<20/16), false)
	f.chunk = chunk
	before, most := resident(t), int64(0)
	if err := f.Each(f.Size()/4, f.Size(), func(w Window) error {
		bytes.Count(w.Data, []byte{'x'})
		most = max(most, resident(t)-before)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if left := resident(t) - before; most < chunk || most > 4*chunk || left > 2*chunk {
		t.Errorf("%d bytes were held, and %d are left", most, left)
	}
}

// TestOtherFaults: a fault outside the file is not the file's.
func TestOtherFaults(t *testing.T) {
	f := open(t, lines(), false)
	other, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(other) }()
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "unexpected fault address") && !strings.Contains(fmt.Sprint(p), "invalid memory address") {
			t.Errorf("recovered %v", p)
		}
		if debug.SetPanicOnFault(false) {
			t.Error("faults still panic")
		}
	}()
	_ = f.Each(0, f.Size(), func(Window) error { return fmt.Errorf("read %d", other[0]) })
}
