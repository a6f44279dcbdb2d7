package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/knforensics/knforensics/ingest/jsonskip"
)

// What stands in a text that a program wrote, member after member in an order
// that is known and without white space, is read faster by expecting it: a
// comparison instead of a scan for each name. Next and Rest do that. They fail by
// returning false, and leave no error: who calls them starts over with the other
// methods, which take any JSON.

// Next consumes the bytes of text if they are next, just as they stand.
func (s *Scanner) Next(text string) bool {
	if rest := s.data[s.pos:]; len(rest) < len(text) || string(rest[:len(text)]) != text {
		return false
	}
	s.pos += len(text)
	return true
}

// Rest consumes what is left of a string whose opening quote was consumed. What it
// returns is as of String.
func (s *Scanner) Rest() (string, bool) {
	data := s.data
	for i := s.pos; i+8 <= len(data); i += 8 {
		if m := marks(binary.LittleEndian.Uint64(data[i:])); m != 0 {
			if i += bits.TrailingZeros64(m) / 8; data[i] != '"' {
				break
			}
			text := data[s.pos:i]
			s.pos = i + 1
			return unsafe.String(unsafe.SliceData(text), len(text)), true
		}
	}
	s.pos--
	text := s.string()
	return text, s.err == nil
}

// Back returns to a position that Pos told.
func (s *Scanner) Back(pos int) { s.pos = pos }

// Container consumes an object or array and returns its bytes as written, nil if
// there is none. What is in it may be no JSON: only its end was looked for.
func (s *Scanner) Container() []byte {
	left := s.data[s.pos:]
	if len(left) == 0 || left[0] != '{' && left[0] != '[' {
		return nil
	}
	length := jsonskip.End(left)
	if length < 0 {
		return nil
	}
	s.pos += length
	return left[:length]
}

// Pass is Skip for what need not be checked: of a container it looks for the end
// only.
func (s *Scanner) Pass() {
	if c := s.Peek(); s.err != nil || c != '{' && c != '[' {
		s.Skip()
		return
	}
	if s.Container() == nil {
		s.pos = len(s.data)
		s.fail(NoEnd)
		return
	}
	s.first = false
}

// Passed is Raw for what need not be checked.
func (s *Scanner) Passed() []byte {
	s.Peek()
	start := s.pos
	if s.Pass(); s.err != nil {
		return nil
	}
	return s.data[start:s.pos]
}

// plainName consumes what Member does where there is neither white space nor an
// escape, nil where there is, or no member, or an error.
func (s *Scanner) plainName() []byte {
	data, i := s.data, s.pos
	if !s.first && i < len(data) && data[i] == ',' {
		i++
	} else if !s.first {
		return nil
	}
	if s.err != nil || i >= len(data) || data[i] != '"' {
		return nil
	}
	end := special(data, i+1)
	if end+1 >= len(data) || data[end] != '"' || data[end+1] != ':' {
		return nil
	}
	s.pos, s.first = end+2, false
	return data[i+1 : end : end]
}

// Plain consumes a string without escapes if that is next, and returns it as String
// does.
func (s *Scanner) Plain() (text string, ok bool) {
	data, i := s.data, s.pos
	if s.err != nil || i >= len(data) || data[i] != '"' {
		return "", false
	}
	end := special(data, i+1)
	if end >= len(data) || data[end] != '"' {
		return "", false
	}
	s.pos = end + 1
	return unsafe.String(&data[i], end-i)[1:], true
}

// StringMember consumes the next member of the object begun last if it starts
// with start, which is its key and the quote that its value begins with, and
// returns what String would. It reports false, and consumes nothing, where
// something else is next, be it white space. It is Member and String in one, at
// less cost, for who can tell what comes next.
func (s *Scanner) StringMember(start string) (text string, ok bool) {
	rest := s.data[s.pos:]
	if !s.first {
		if len(rest) == 0 || rest[0] != ',' {
			return "", false
		}
		rest = rest[1:]
	}
	if s.err != nil || len(rest) < len(start) || string(rest[:len(start)]) != start {
		return "", false
	}
	s.pos, s.first = len(s.data)-len(rest)+len(start)-1, false
	return s.string(), true
}
