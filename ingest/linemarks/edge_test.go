//go:build unix

package linemarks

import (
	"bytes"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// TestEdges: nothing outside the buffer is read. Pages that must not be touched
// lie before and behind it.
func TestEdges(t *testing.T) {
	page := fuzzing.Page(t)
	copy(page, bytes.Repeat([]byte("email-018\n"), len(page)))
	for size := range 300 {
		for _, buf := range [][]byte{page[len(page)-size:], page[:size]} {
			same(t, nil, buf, 0, 100, "email-018")
			same(t, nil, buf, 0, 100, "8", "il-018\te")
		}
	}
}
