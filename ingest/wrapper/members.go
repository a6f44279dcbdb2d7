package wrapper

import (
	"bytes"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// maxMembers bounds the members of an envelope; none has so many.
const maxMembers = 256

// read takes the members of an object apart. Where the text is cut or broken, the
// last one is all that is left, and o is partial.
func (o *Opener) read(data []byte) bool {
	if o.members == nil {
		o.members = map[string][]byte{}
	}
	clear(o.members)
	o.data = data
	s := &o.scan
	s.Reset(data)
	if !s.BeginObject() {
		return false
	}
	for {
		key, ok := s.Member()
		if !ok {
			o.partial = s.Err() != nil
			return o.partial || s.End()
		}
		name, from := string(key), s.Pos()
		if o.members[name] = s.Raw(); s.Err() != nil {
			o.members[name] = bytes.TrimSpace(data[from:])
			o.partial = true
			return true
		}
		if len(o.members) > maxMembers {
			return false
		}
	}
}

// has reports whether the object has all of some members.
func (o *Opener) has(names ...string) bool {
	for _, name := range names {
		if _, ok := o.members[name]; !ok {
			return false
		}
	}
	return true
}

// text returns the content of a string member; ok is false if it is none.
func (o *Opener) text(name string) (text []byte, ok bool) { return content(o.members[name]) }

// content returns the content of a JSON string, without line ends at its end.
func content(raw []byte) (text []byte, ok bool) {
	text = bytes.TrimRight(stringOf(raw), "\r\n")
	return text, len(bytes.TrimSpace(text)) > 0
}

// stringOf returns the content of a JSON string, nil if raw is none.
func stringOf(raw []byte) []byte {
	if len(raw) == 0 || raw[0] != '"' {
		return nil
	}
	var s jsonscan.Scanner
	s.Reset(raw)
	text := s.Text()
	if s.Err() != nil {
		return nil
	}
	return text
}

// record returns a value as a record: the content of a string, or an object as
// it is.
func record(raw []byte) []Inner {
	if text, ok := content(raw); ok {
		return []Inner{{Data: text}}
	}
	if len(raw) > 0 && raw[0] == '{' {
		return []Inner{{Data: raw}}
	}
	return nil
}

// line returns the line in an element of a batch, or the element itself, so that
// what is not understood is counted. A blank line counts for nothing.
func line(raw, element []byte) []Inner {
	if text := stringOf(raw); text != nil && len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	return recordOr(record(raw), element)
}

// recordOr returns what was found in an element of a batch, or the element itself.
func recordOr(found []Inner, element []byte) []Inner {
	if found == nil {
		return []Inner{{Data: element}}
	}
	return found
}

// object returns the members of an object, nil if raw is none.
func object(raw []byte) map[string][]byte {
	var o Opener
	if members := o.object(raw); !o.partial {
		return members
	}
	return nil
}

// object returns the members of an object of a batch; where that is cut, those
// before the cut and what there is of the last one.
func (o *Opener) object(raw []byte) map[string][]byte {
	var inner Opener
	if len(raw) == 0 || raw[0] != '{' || !inner.read(raw) {
		return nil
	}
	if inner.partial {
		o.partial, o.passed = true, false
	}
	return inner.members
}

// elements returns the elements of an array, nil if raw is none.
func elements(raw []byte) [][]byte {
	var o Opener
	if list := o.elements(raw); !o.partial {
		return list
	}
	return nil
}

// elements returns the elements of a batch; where that is cut or broken, those
// before, and what there is of the last one.
func (o *Opener) elements(raw []byte) (list [][]byte) {
	s := &o.scan
	s.Reset(raw)
	if !s.BeginArray() {
		return nil
	}
	from := s.Pos()
	for s.Element() {
		e := s.Raw()
		if s.Err() != nil {
			break
		}
		list, from = append(list, e), s.Pos()
	}
	if s.Err() == nil {
		return list
	}
	rest := bytes.TrimLeft(raw[from:], ", \t\r\n")
	o.partial, o.passed = true, len(rest) > 0
	if o.passed {
		list = append(list, rest)
	}
	return list
}

// isRecord reports whether a text looks like a record of its own rather than a
// message for people: an object in JSON, or a line that some wrapper holds.
func isRecord(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	return len(text) > 1 && text[0] == '{' && (text[1] == '"' || text[1] == ' ' || text[1] == '\n')
}
