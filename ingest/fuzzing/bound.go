// Package fuzzing bounds what reading one input of a fuzz target may cost.
package fuzzing

import (
	"fmt"
	"runtime/metrics"
	"testing"
	"time"
)

const (
	maxInput = 1 << 20     // bytes; longer inputs are passed over
	base     = 64 << 20    // bytes that may be allocated for any input: buffers
	perByte  = 2 << 10     // and for each of its bytes: rows, and what tests them
	maxTime  = time.Minute // for what takes milliseconds
)

// Bounded runs fn, which reads an input of size bytes, and fails t if that
// allocates too much. What has not come to an end after a minute ends the
// process: nothing else ends a hang.
func Bounded(t *testing.T, size int, fn func()) {
	t.Helper()
	BoundedBy(t, size, func() int64 {
		fn()
		return perByte * int64(size)
	})
}

// BoundedBy is Bounded for inputs that are unpacked: fn returns how many bytes
// may have been allocated for what it met.
func BoundedBy(t *testing.T, size int, fn func() int64) {
	t.Helper()
	if size > maxInput {
		t.Skip("longer than 1 MiB")
	}
	hang := time.AfterFunc(maxTime, func() { panic(fmt.Sprintf("no end after %v", maxTime)) })
	defer hang.Stop()
	before := allocated()
	limit := base + fn()
	if n := allocated() - before; n > limit {
		t.Fatalf("%d bytes were allocated for an input of %d bytes, more than %d", n, size, limit)
	}
}

func allocated() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
