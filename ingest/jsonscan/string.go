package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special returns a word in which the high bit is set of the first of the eight
// bytes of w that ends a string, starts an escape or is a control character, and
// perhaps of bytes behind it; 0 if there is none.
func special(w uint64) uint64 {
	quote := w ^ (lows * '"')
	slash := w ^ (lows * '\\')
	return ((quote-lows)&^quote | (slash-lows)&^slash | (w-lows*0x20)&^w) & highs
}

// ahead returns the offset of the first byte from i on that is special, the end
// of data if there is none.
func ahead(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if found := special(binary.LittleEndian.Uint64(data[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= 0x20 {
		i++
	}
	return i
}

// skipString consumes a string whose opening quote is next. It returns the
// offset of the closing quote and whether there was an escape.
func (s *Scanner) skipString() (end int, escaped bool) {
	data, i := s.data, s.pos+1
	for {
		if i = ahead(data, i); i >= len(data) {
			s.fail(NoEnd)
			return 0, false
		}
		switch data[i] {
		case '"':
			s.pos = i + 1
			return i, escaped
		case '\\':
			escaped = true
			n := escapeLen(data[i:])
			if n == 0 {
				s.pos = i
				s.fail("invalid escape in a string")
				return 0, false
			}
			i += n
		default:
			s.pos = i
			s.fail("control character in a string")
			return 0, false
		}
	}
}

// escapeLen returns the length of the escape b starts with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b); ok {
			return 6
		}
	}
	return 0
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 6 {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescape appends the content of a valid string to dst. Halves of surrogate
// pairs that stand alone become U+FFFD, as in encoding/json.
func unescape(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		c := src[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		switch e := src[i+1]; e {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hex4(src[i:])
			i += 6
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if i+6 <= len(src) && src[i] == '\\' && src[i+1] == 'u' {
					low, _ = hex4(src[i:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		default:
			dst = append(dst, e)
		}
		i += 2
	}
	return dst
}
