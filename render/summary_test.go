package render

import (
	"testing"
	"time"
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
