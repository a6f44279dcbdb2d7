package render

import (
	"fmt"
	"strings"
	"unicode"
)

// unsafe reports whether a character could act on a terminal or change how the
// text around it reads: controls of C0 and C1, marks of direction, invisible
// separators, and what is no character at all.
func unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r >= 0x200b && r <= 0x200d, r >= 0x2060 && r <= 0x2064: // invisible
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return r == unicode.ReplacementChar || r >= 0xe0000 && r <= 0xe0fff
}

// Safe makes text from a cluster fit for a terminal and for one line: what is
// unsafe is shown as an escape. It is the only way such text gets onto a
// terminal.
func Safe(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafe(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
