package render

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline/summary"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 412 * time.Microsecond: "0 ms", 999600 * time.Microsecond: "1.00 s", 99994 * time.Millisecond: "99.99 s", 99996 * time.Millisecond: "1m40s",
		59*time.Minute + 59600*time.Millisecond: "1h00m", 25*time.Hour + 90*time.Second: "25h02m",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// TestSeconds holds that a document has no more digits than a time.
func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", time.Microsecond: "1e-06", 3477911 * time.Microsecond: "3.477911", time.Hour + 999*time.Nanosecond: "3600"} {
		if got := fmt.Sprint(seconds(d)); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// TestSummaryOfMarkdownTellsOfUnfinishedRequests holds that no counts are shown without
// why there are none.
func TestSummaryOfMarkdownTellsOfUnfinishedRequests(t *testing.T) {
	s := &Summary{Summary: &summary.Summary{Unfinished: true}, Coverage: readWell(), Result: &detectors.Result{}}
	text := written(t, func(w io.Writer) error { return s.Markdown(w, Clock{}, false) })
	for _, want := range []string{"* " + unfinishedText, "### No finding: nothing in the inputs had the chance of one\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
