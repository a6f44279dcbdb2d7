package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		done, total int64
		took        time.Duration
		width       int
		want        string
	}{
		{0, 0, 0, 0, "reading 0 MB"},
		{45e6, 0, 500 * time.Millisecond, 0, "reading 45 MB"},
		{450e6, 0, 3 * time.Second, 0, "reading 450 MB, 150 MB/s"},
		{450e6, 1200e6, 3 * time.Second, 0, "reading  37 % of 1.2 GB, 150 MB/s, 5s left"},
		{450e6, 80e9, 3 * time.Second, 80, "reading   0 % of 80 GB, 150 MB/s, 8m50s left"},
		{450e6, 1200e6, 3 * time.Second, 43, "reading  37 % of 1.2 GB, 150 MB/s, 5s left"},
		{450e6, 1200e6, 3 * time.Second, 42, "reading  37 % of 1.2 GB, 150 MB/s"},
		{450e6, 1200e6, 3 * time.Second, 30, "reading  37 % of 1.2 GB"},
		{450e6, 1200e6, 3 * time.Second, 14, "reading  37 %"},
		{450e6, 1200e6, 3 * time.Second, 13, ""},
		{1300e6, 1200e6, 3 * time.Second, 0, "reading 100 % of 1.2 GB, 433 MB/s"}, // it grew meanwhile
		{0, 1200e6, 3 * time.Second, 0, "reading   0 % of 1.2 GB"},
	} {
		if got := progressText(tt.done, tt.total, tt.took, tt.width); got != tt.want {
			t.Errorf("%d of %d after %s, width %d: %q, want %q", tt.done, tt.total, tt.took, tt.width, got, tt.want)
		}
	}
}

// TestProgressStaysOnItsLine: whatever is shown, in a terminal that gets
// narrower, the last column stays empty, and at the end nothing is left.
func TestProgressStaysOnItsLine(t *testing.T) {
	var out bytes.Buffer
	width := 60
	m := &meter{err: &out, width: func() int { return width }, begun: time.Now().Add(-10 * time.Second)}
	line := bytes.Repeat([]byte(" "), width)
	for ; width > 0; width-- {
		out.Reset()
		m.last = time.Time{}
		m.show(int64(60-width)*1e7, 6e8)
		shown := out.String()
		if len(shown) > width || !strings.HasPrefix(shown, "\r") || strings.ContainsAny(shown[1:], "\r\n") {
			t.Fatalf("width %d: %q", width, shown)
		}
		copy(line, shown[1:])
		if text := string(bytes.TrimRight(line[:width-1], " ")); text != strings.TrimRight(shown[1:], " ") {
			t.Errorf("width %d: %q is left", width, text)
		}
	}
	width = 60
	m.show(1, 2)
	m.wipe()
	if out.Len() > 200 {
		t.Errorf("shown again at once: %q", out.String())
	}
	out.Reset()
	m.last = time.Time{}
	m.show(1e8, 6e8)
	shown := out.Len() - 1
	out.Reset()
	m.wipe()
	if out.String() != "\r"+strings.Repeat(" ", shown)+"\r" {
		t.Errorf("wiped with %q, %d were shown", out.String(), shown)
	}
}
