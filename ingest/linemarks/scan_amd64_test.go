//go:build !purego

package linemarks

import "testing"

// TestScan: all but the end of a buffer is left to the assembly, where there is
// AVX2.
func TestScan(t *testing.T) {
	if !vectors {
		t.Skip("no AVX2")
	}
	f, err := New(nil, "email-018")
	if err != nil {
		t.Fatal(err)
	}
	buf, dst := log(), make([]Mark, 4096)
	if n, next := f.scan(dst, buf, 0); n < 500 || next <= len(buf)-2*block-f.reach {
		t.Errorf("%d marks up to %d of %d", n, next, len(buf))
	}
}
