package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// meter shows on standard error how much of the inputs was read.
type meter struct {
	err    io.Writer
	width  func() int // of the terminal, 0 if not known
	begun  time.Time
	last   time.Time // when it was shown last
	length int       // of what is shown
}

// meter returns a function that shows how much was read on standard error, and
// one that wipes it off.
func (o *options) meter() (show func(done, total int64), wipe func()) {
	f, isFile := o.err.(*os.File)
	tty := isFile && term.IsTerminal(int(f.Fd()))
	if o.quiet || o.progress == "never" || o.progress == "auto" && !tty {
		return nil, func() {}
	}
	m := &meter{err: o.err, begun: time.Now(), width: func() int {
		if !tty {
			return 0
		}
		width, _, _ := term.GetSize(int(f.Fd()))
		return width
	}}
	return m.show, m.wipe
}

// show is called for every block that was read, and mostly returns at once.
func (m *meter) show(done, total int64) {
	now := time.Now()
	if now.Sub(m.last) < 100*time.Millisecond {
		return
	}
	m.last = now
	m.write(progressText(done, total, now.Sub(m.begun), m.width()))
}

func (m *meter) wipe() {
	if m.length > 0 {
		m.write("")
		_, _ = fmt.Fprint(m.err, "\r")
	}
}

// write puts a text in the place of the one before.
func (m *meter) write(text string) {
	over := m.length
	if width := m.width(); width > 0 {
		over = min(over, width-1) // it may be narrower now
	}
	_, _ = fmt.Fprintf(m.err, "\r%-*s", over, text)
	m.length = len(text)
}

// progressText says how much was read of what there is, 0 if that is not known,
// how fast, and how long it will go on like that. It says less where the
// terminal is narrower, and never fills the last column: the cursor would go to
// the next line, and each text stand below the one before.
func progressText(done, total int64, took time.Duration, width int) string {
	rate := int64(float64(done) / max(took.Seconds(), 0.001))
	parts := []string{"reading " + size(done)}
	if total > 0 {
		parts[0] = fmt.Sprintf("reading %3d %%", min(100, 100*done/total))
		parts = append(parts, " of "+size(total))
	}
	if took >= time.Second && rate > 0 {
		parts = append(parts, ", "+size(rate)+"/s")
		if total > done {
			left := time.Duration(float64(total-done) / float64(rate) * float64(time.Second))
			parts = append(parts, fmt.Sprintf(", %s left", left.Round(time.Second)))
		}
	}
	text := ""
	for _, part := range parts {
		if width > 0 && len(text)+len(part) >= width {
			break
		}
		text += part
	}
	return text
}

// size says how many bytes there are, as knforensics is given sizes.
func size(n int64) string {
	switch {
	case n >= 10e9:
		return fmt.Sprintf("%d GB", n/1e9)
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%d MB", n/1e6)
}
