// Package jsonscan walks JSON text (RFC 8259) in one pass and without
// allocating. It is the decoder behind every JSON record this program reads:
// callers name the members they want and skip the rest, so that the cost of a
// record is one look at each of its bytes.
//
// A Scanner checks the grammar of everything it passes over, skipped values
// included, but for what Pass and Container are asked to jump over. It is more lenient than the RFC in one point only: bytes that are
// not UTF-8 are passed through as they are, since logs hold what programs
// wrote.
package jsonscan

import (
	"errors"
	"fmt"
)

// MaxDepth is how deeply arrays and objects may nest; it is the limit of
// encoding/json too. Deeper text is refused with ErrDepth.
const MaxDepth = 10000

// ErrDepth says that a value nests deeper than MaxDepth.
var ErrDepth = errors.New("nested deeper than 10000 levels")

// NoEnd is the reason of a SyntaxError about a string that the text ends in.
const NoEnd = "string without end"

// TextAfterEnd is the reason of a SyntaxError about a value that something
// follows.
const TextAfterEnd = "text after the end of the value"

// SyntaxError says what is wrong with the text, and where.
type SyntaxError struct {
	Offset int    // bytes from the start of the text given to Reset
	Reason string // what was expected or found
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Reason)
}

// Cut reports whether an error says that a text of some length ends inside a
// value.
func Cut(err error, length int) bool {
	var syntax *SyntaxError
	return errors.As(err, &syntax) && (syntax.Offset >= length || syntax.Reason == NoEnd)
}

// Scanner is a cursor over one JSON text. The zero value is empty; Reset
// gives it text. After the first error all methods do nothing and report
// false or nil, and Err tells what happened.
type Scanner struct {
	data    []byte
	pos     int
	first   bool // no member or element of the innermost container was read yet
	depth   int
	err     error
	stack   []byte
	scratch []byte
	room    []byte // empty, for the content of strings that String resolves; no byte is used twice
}

// Reset starts over with another text. The Scanner keeps data and hands out
// slices of it.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{data: data, stack: s.stack[:0], scratch: s.scratch, room: s.room}
}

// Err returns the first error met.
func (s *Scanner) Err() error { return s.err }

// Pos returns the offset of the next byte to be read.
func (s *Scanner) Pos() int { return s.pos }

func (s *Scanner) fail(reason string) {
	if s.err == nil {
		s.err = &SyntaxError{Offset: s.pos, Reason: reason}
	}
}

// Peek skips white space and returns the first byte of the next value or
// token without consuming it; 0 at the end of the text.
func (s *Scanner) Peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// End consumes trailing white space and fails unless the text ends there.
func (s *Scanner) End() bool {
	if s.Peek(); s.err == nil && s.pos < len(s.data) {
		s.fail(TextAfterEnd)
	}
	return s.err == nil
}

// BeginObject consumes the opening brace of an object. It reports false, and
// consumes nothing, when the next value is something else.
func (s *Scanner) BeginObject() bool { return s.begin('{') }

// BeginArray consumes the opening bracket of an array. It reports false, and
// consumes nothing, when the next value is something else.
func (s *Scanner) BeginArray() bool { return s.begin('[') }

func (s *Scanner) begin(open byte) bool {
	if s.err != nil || s.Peek() != open {
		return false
	}
	if s.depth++; s.depth > MaxDepth {
		s.err = ErrDepth
		return false
	}
	s.pos++
	s.first = true
	return true
}

// Member moves to the value of the next member of the object begun last and
// returns its key. It reports false at the end of the object, which it
// consumes.
func (s *Scanner) Member() (key []byte, ok bool) {
	if key := s.plainName(); key != nil {
		return key, true
	}
	if !s.next('}') {
		return nil, false
	}
	if s.Peek() != '"' {
		s.fail("expected a member name")
		return nil, false
	}
	key = s.Text()
	if s.err == nil && s.Peek() != ':' {
		s.fail("expected a colon after a member name")
	}
	if s.err != nil {
		return nil, false
	}
	s.pos++
	return key, true
}

// Element moves to the next element of the array begun last. It reports false
// at the end of the array, which it consumes.
func (s *Scanner) Element() bool { return s.next(']') }

func (s *Scanner) next(end byte) bool {
	if s.err != nil {
		return false
	}
	c := s.Peek()
	if c == end {
		s.pos++
		s.depth--
		s.first = false
		return false
	}
	if !s.first {
		if c != ',' {
			s.fail("expected a comma or the end of the container")
			return false
		}
		s.pos++
		if s.Peek() == end {
			s.fail("comma before the end of the container")
			return false
		}
	}
	s.first = false
	return true
}

// Text consumes a string and returns its content, escapes resolved. The slice
// is valid until the next call of Text. A null is consumed and gives nil;
// for any other value the error is set.
func (s *Scanner) Text() []byte {
	if !s.atString() {
		return nil
	}
	text, whole := s.head()
	if !whole {
		s.scratch = s.unescape(s.scratch[:0], text)
		text = s.scratch
	}
	if s.err != nil {
		return nil
	}
	return text
}

// atString reports whether a string is next. A null is consumed, and anything
// else is an error.
func (s *Scanner) atString() bool {
	switch c := s.Peek(); {
	case s.err != nil:
	case c == '"':
		return true
	case c == 'n':
		s.literal("null")
	default:
		s.fail("expected a string")
	}
	return false
}

// Scalar consumes a string, number, true or false and returns its text:
// strings without quotes and escapes, the others as written. A null gives
// nil, a container is skipped and gives nil; ok tells whether there was a
// scalar.
func (s *Scanner) Scalar() (text []byte, ok bool) {
	switch s.Peek() {
	case '"':
		text = s.Text()
		return text, s.err == nil
	case '{', '[', 'n':
		s.Skip()
		return nil, false
	default:
		text = s.Raw()
		return text, s.err == nil
	}
}

// Raw consumes one value of any kind and returns its bytes as written.
func (s *Scanner) Raw() []byte {
	s.Peek()
	start := s.pos
	s.Skip()
	if s.err != nil {
		return nil
	}
	return s.data[start:s.pos]
}

// Skip consumes one value of any kind.
func (s *Scanner) Skip() {
	if s.err != nil {
		return
	}
	base := len(s.stack)
	for {
		if !s.skipToken() {
			break
		}
		// After a value: close containers until another value must follow.
		for s.err == nil && len(s.stack) > base {
			c := s.Peek()
			top := s.stack[len(s.stack)-1]
			if c == top {
				s.pos++
				s.stack = s.stack[:len(s.stack)-1]
				continue
			}
			if c != ',' {
				s.fail("expected a comma or the end of the container")
				break
			}
			s.pos++
			if top == '}' {
				s.memberName()
			}
			break
		}
		if s.err != nil || len(s.stack) == base {
			break
		}
	}
	s.stack = s.stack[:base]
	s.first = false
}

// skipToken consumes a scalar, or opens containers down to the first scalar
// or empty container. It reports false on an error.
func (s *Scanner) skipToken() bool {
	for s.err == nil {
		switch c := s.Peek(); c {
		case '{', '[':
			if s.depth+len(s.stack) >= MaxDepth {
				s.err = ErrDepth
				return false
			}
			s.pos++
			end := c + 2 // '{'+2 == '}', '['+2 == ']'
			if s.Peek() == end {
				s.pos++
				return true
			}
			s.stack = append(s.stack, end)
			if c == '{' {
				s.memberName()
			}
			continue
		case '"':
			s.skipString()
		case 't':
			s.literal("true")
		case 'f':
			s.literal("false")
		case 'n':
			s.literal("null")
		default:
			s.number()
		}
		return s.err == nil
	}
	return false
}

func (s *Scanner) memberName() {
	if s.Peek() != '"' {
		s.fail("expected a member name")
		return
	}
	if s.skipString(); s.err != nil {
		return
	}
	if s.Peek() != ':' {
		s.fail("expected a colon after a member name")
		return
	}
	s.pos++
}

func (s *Scanner) literal(word string) {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		s.fail("expected a value")
		return
	}
	s.pos += len(word)
}

func (s *Scanner) number() {
	start := s.pos
	if s.at() == '-' {
		s.pos++
	}
	if s.at() == '0' {
		s.pos++
	} else if !s.digits() {
		s.pos = start
		s.fail("expected a value")
		return
	}
	if s.at() == '.' {
		s.pos++
		if !s.digits() {
			s.fail("expected a digit")
			return
		}
	}
	if c := s.at(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.at(); c == '+' || c == '-' {
			s.pos++
		}
		if !s.digits() {
			s.fail("expected a digit")
		}
	}
}

func (s *Scanner) at() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *Scanner) digits() bool {
	start := s.pos
	for c := s.at(); c >= '0' && c <= '9'; c = s.at() {
		s.pos++
	}
	return s.pos > start
}
