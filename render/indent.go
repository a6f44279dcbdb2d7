package render

import (
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// writeIndented writes JSON text without white space, as encoding/json makes it, with
// each member and element on a line of its own. What is unsafe in its strings it
// writes as JSON escapes: the document says the same, and printing it does nothing
// to a terminal.
func writeIndented(w io.Writer, text []byte) error {
	const full = 32 << 10
	out := make([]byte, 0, full+4<<10)
	for depth := 0; len(text) > 0; {
		n := 1
		switch c := text[0]; {
		case c == '"':
			out, n = appendString(out, text)
		case c == '{' || c == '[':
			if out = append(out, c); text[1] == c+2 { // it is empty
				out, n = append(out, c+2), 2
				break
			}
			depth++
			out = newLine(out, depth)
		case c == '}' || c == ']':
			depth--
			out = append(newLine(out, depth), c)
		case c == ',':
			out = newLine(append(out, c), depth)
		case c == ':':
			out = append(out, ": "...)
		default:
			out = append(out, c)
		}
		text = text[n:]
		if len(out) >= full {
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	_, err := w.Write(out)
	return err
}

func newLine(out []byte, depth int) []byte {
	out = append(out, '\n')
	for range depth {
		out = append(out, "  "...)
	}
	return out
}

// appendString appends the string that JSON text begins with, and returns its length
// in the text.
func appendString(out, text []byte) ([]byte, int) {
	from := 0 // what is not appended yet
	for i := 1; ; {
		switch c := text[i]; {
		case c == '"':
			return append(out, text[from:i+1]...), i + 1
		case c == '\\':
			i += 2
		case c < 0x7f:
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			if unsafe(r) && r != unicode.ReplacementChar {
				out = appendEscape(append(out, text[from:i]...), r)
				from = i + n
			}
			i += n
		}
	}
}

// appendEscape appends a character as JSON escapes it: in UTF-16.
func appendEscape(out []byte, r rune) []byte {
	for _, unit := range utf16.AppendRune(nil, r) {
		out = append(out, '\\', 'u')
		for shift := 12; shift >= 0; shift -= 4 {
			out = append(out, "0123456789abcdef"[unit>>shift&15])
		}
	}
	return out
}
