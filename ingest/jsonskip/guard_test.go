//go:build unix

package jsonskip

import (
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// TestReadsNothingBehind has text of all lengths end where memory that may not
// be read begins. To read it kills the process.
func TestReadsNothingBehind(t *testing.T) {
	page := fuzzing.Page(t)
	for n := range 4 * blockSize {
		data := page[len(page)-n:]
		copy(data, "{"+strings.Repeat(" ", n))
		check(t, data, -1)
		if n > 1 {
			data[n-1] = '}'
			check(t, data, n)
		}
	}
}
