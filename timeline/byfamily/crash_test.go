package byfamily

import (
	"strings"
	"testing"

	"github.com/knforensics/knforensics/timeline"
)

// panicked returns what fn panics with as text.
func panicked(fn func()) (text string) {
	defer func() {
		if err, ok := recover().(error); ok {
			text = err.Error()
		}
	}()
	fn()
	return ""
}

// TestDetectorPanics holds that who asks for all families has the panic of one, and that
// the others are looked at all the same.
func TestDetectorPanics(t *testing.T) {
	r := sized(2, room, 1)
	defer r.Close()
	if _, err := r.Settle(read(t, 2, []string{"../../samples/held"}, r.Add)); err != nil {
		t.Fatal(err)
	}
	seen := make(chan int, 100)
	got := panicked(func() {
		_, _ = Each(r, 2, func(h *timeline.History) any {
			seen <- len(h.Families)
			panic("a mistake")
		})
	})
	if !strings.HasPrefix(got, "a mistake\n") || !strings.Contains(got, "TestDetectorPanics") {
		t.Errorf("it panics with %q", got)
	}
	if n := len(r.parts(r.families())); len(seen) != n || n < 2 {
		t.Errorf("%d of %d parts were looked at", len(seen), n)
	}
}

// TestKeeperPanics does the same for what is kept of a batch.
func TestKeeperPanics(t *testing.T) {
	r := New(2)
	for _, k := range r.keepers {
		k.spool = nil
	}
	reach := read(t, 2, []string{"../../samples/held"}, r.Add)
	if got := panicked(func() { _, _ = r.Settle(reach) }); !strings.Contains(got, "nil pointer") || !strings.Contains(got, "keeper") {
		t.Errorf("it panics with %q", got)
	}
}
