package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special returns the offset of the first byte at i or after it that ends a
// string, starts an escape, or is a control character; the length of data if
// there is none.
func special(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if m := marks(binary.LittleEndian.Uint64(data[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= 0x20 {
		i++
	}
	return i
}

// marks has the high bit set in the first of the eight bytes of w that ends a
// string, starts an escape, or is a control character, and nothing before it. A
// quote with its second bit flipped is 0x20, which comes next after the control
// characters.
func marks(w uint64) uint64 {
	quote, slash := (w^lows*0x02)-lows*0x21, (w^lows*'\\')-lows
	return (quote | slash) &^ w & highs
}

// skipString consumes a string whose opening quote is next.
func (s *Scanner) skipString() {
	for i := s.pos + 1; ; {
		i = special(s.data, i)
		switch n := escapeLen(s.data[i:]); {
		case n > 0:
			i += n
		case i < len(s.data) && s.data[i] == '"':
			s.pos = i + 1
			return
		default:
			s.failString(i)
			return
		}
	}
}

// failString says why a string cannot go on at i.
func (s *Scanner) failString(i int) {
	switch {
	case i >= len(s.data):
		s.fail(NoEnd)
	case s.data[i] == '\\':
		s.pos = i
		s.fail("invalid escape in a string")
	default:
		s.pos = i
		s.fail("control character in a string")
	}
}

// head returns a string whose opening quote is next up to its first escape. If
// that is all of it, it is consumed.
func (s *Scanner) head() (text []byte, whole bool) {
	end := special(s.data, s.pos+1)
	text, whole = s.data[s.pos+1:end], end < len(s.data) && s.data[end] == '"'
	if whole {
		s.pos = end + 1
	}
	return text, whole
}

// unescape consumes a string of which head is no more than the start, and
// appends what it says to dst.
func (s *Scanner) unescape(dst, head []byte) []byte {
	dst = append(dst, head...)
	for i := s.pos + 1 + len(head); ; {
		dst, i = s.usual(dst, i)
		data := s.data[i:]
		switch n := escapeLen(data); {
		case n == 2:
			dst = append(dst, escapes[data[1]])
			i += 2
		case n == 6:
			r, size := unicodeEscape(data)
			dst = utf8.AppendRune(dst, r)
			i += size
		case len(data) == 0 || data[0] == '\\' || data[0] < 0x20:
			s.failString(i)
			return dst
		case data[0] == '"':
			s.pos = i + 1
			return dst
		default:
			dst = append(dst, data[0])
			i++
		}
	}
}

// usual appends what it can of a string, eight bytes at a time.
func (s *Scanner) usual(dst []byte, i int) ([]byte, int) {
	dst = slices.Grow(dst, 16)
	data, out, n := s.data, dst[len(dst):cap(dst)], 0
	for i+9 <= len(data) && n+8 <= len(out) {
		w := binary.LittleEndian.Uint64(data[i:])
		binary.LittleEndian.PutUint64(out[n:], w)
		m := marks(w)
		if m == 0 {
			i, n = i+8, n+8
			continue
		}
		run := bits.TrailingZeros64(m) / 8
		i, n = i+run, n+run
		c := escapes[data[i+1]]
		if data[i] != '\\' || c == 0 {
			break
		}
		out[n] = c
		i, n = i+2, n+1
	}
	return dst[:len(dst)+n], i
}

// escapes has what the letters after a backslash stand for, but for the u.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escapeLen returns the length of the escape b starts with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 || b[0] != '\\' {
		return 0
	}
	if escapes[b[1]] != 0 {
		return 2
	}
	if _, ok := hex4(b); ok && b[1] == 'u' {
		return 6
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

// unicodeEscape returns the character of the escape that b starts with, and its
// length, which is that of two escapes where these are a surrogate pair. Halves
// of such pairs that stand alone become U+FFFD, as in encoding/json.
func unicodeEscape(b []byte) (r rune, size int) {
	r, _ = hex4(b)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low := rune(utf8.RuneError)
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		low, _ = hex4(b[6:])
	}
	if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
		return r, 12
	}
	return r, 6
}

// String is Text as a string that shares its bytes with the text given to
// Reset, unless there was an escape. It stays right only as long as those
// bytes do.
func (s *Scanner) String() string {
	if !s.atString() {
		return ""
	}
	return s.string()
}

// string is String where the opening quote is next.
func (s *Scanner) string() string {
	text, whole := s.head()
	if !whole {
		text = s.resolve(text)
	}
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// resolve consumes a string of which head is no more than the start, and returns
// what it says, nil after an error. Many such strings share one allocation.
func (s *Scanner) resolve(head []byte) []byte {
	if cap(s.room) < 4<<10 {
		s.room = make([]byte, 0, 16<<10)
	}
	text := s.unescape(s.room, head)
	if s.err != nil {
		return nil
	}
	s.room = text[len(text):]
	return text
}

// Share makes a string of what Text, Member or Scalar returned last, as String does.
func (s *Scanner) Share(b []byte) string {
	if len(b) > 0 && &b[0] == unsafe.SliceData(s.scratch) {
		if cap(s.room) < len(b) {
			s.room = make([]byte, 0, max(16<<10, len(b)))
		}
		kept := append(s.room, b...)
		s.room = kept[len(kept):]
		b = kept
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}
