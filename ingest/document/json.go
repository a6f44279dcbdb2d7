package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// ErrCut says that the text ends inside a value.
var ErrCut = errors.New("the text ends inside a JSON value")

// JSON yields the values of a JSON text that does not keep to lines. Of an
// object with a member "items" that is an array, as kubectl prints lists, and
// of an array at the top, the elements are yielded one by one, so that no
// more than one of them is in memory.
//
// Values are told apart by brackets and strings alone; who reads a record
// checks the rest of its grammar.
type JSON struct {
	window
	inside  []byte // what closes the containers that are being unrolled: ']' and '}'
	list    List   // the innermost of them
	rescans int
	done    bool
}

// NewJSON reads JSON values from r.
func NewJSON(r io.Reader) *JSON {
	return &JSON{window: window{r: r, limit: MaxRecord, held: -1, markLine: 1}}
}

// Next returns a block of some records, with an Err where the next record is
// broken. The line of such a block is that of the broken record.
func (j *JSON) Next() (*Block, error) {
	b := &Block{}
	for size := 0; size < blockSize && len(b.Records) < 4096 && !j.done; {
		rec, err := j.record()
		switch {
		case err == io.EOF:
			j.done = true
		case err != nil:
			at := j.at(j.failed())
			b.Line, b.Offset, b.Err = at.Line, at.Offset, err
			if err == ErrCut && j.held >= 0 {
				b.Rest = bytes.TrimRight(bytes.Clone(j.buf[j.held:]), " \t\r\n")
			}
			if j.done = err == j.err; !j.done {
				j.resync(err)
			}
			j.held = -1
			return b, nil
		case rec != nil:
			b.Records = append(b.Records, *rec)
			size += len(rec.JSON)
		}
		j.held = -1
		j.forget()
	}
	if len(b.Records) == 0 {
		return nil, io.EOF
	}
	return b, nil
}

// record reads one value, or opens or closes a list and returns nil.
func (j *JSON) record() (*Record, error) {
	c, err := j.peek()
	if err != nil {
		if err == io.EOF && len(j.inside) > 0 {
			return nil, ErrCut
		}
		return nil, err
	}
	if len(j.inside) > 0 {
		switch c {
		case ',':
			j.pos++
			return nil, nil
		case ']':
			return nil, j.closeList()
		}
		j.held = j.pos
		if err := j.skip(); err != nil {
			return nil, err
		}
		return j.take()
	}
	switch c {
	case '[':
		j.pos++
		j.inside, j.list = append(j.inside, ']'), List{Array: true}
		return nil, nil
	case '{':
		j.held = j.pos
		if found, err := j.object(); err != nil || found {
			return nil, err
		}
		return j.take()
	case '#': // a comment, as in a file of JSON lines
		if err := j.skipTo('\n'); err != io.EOF {
			return nil, err
		}
		return nil, nil
	}
	return nil, errSyntax("neither an object nor a list")
}

// take returns the record that was passed over last.
func (j *JSON) take() (*Record, error) {
	if j.pos-j.held > j.limit {
		return nil, ErrTooLong
	}
	data := bytes.Clone(j.buf[j.held:j.pos])
	at := j.at(j.held)
	at.Length = int64(len(data))
	at.Lines = 1 + int64(bytes.Count(data, []byte{'\n'}))
	return &Record{Location: at, JSON: data, List: j.list}, nil
}

// object passes over an object, or opens it where it has an array "items":
// the elements are next then.
func (j *JSON) object() (found bool, err error) {
	j.pos++
	j.list = List{}
	for {
		c, err := j.peek()
		switch {
		case err != nil:
			return false, cut(err)
		case c == '}':
			j.pos++
			j.list = List{}
			return false, nil
		case c == ',':
			j.pos++
			continue
		case c != '"':
			return false, errSyntax("no member name where one is expected")
		}
		key, err := j.value()
		if err != nil {
			return false, err
		}
		name := string(key)
		if c, err = j.peek(); err != nil {
			return false, cut(err)
		}
		if c != ':' {
			return false, errSyntax("no colon after a member name")
		}
		j.pos++
		if c, err = j.peek(); err != nil {
			return false, cut(err)
		}
		if name == `"items"` && c == '[' {
			j.pos++
			j.inside = append(j.inside, '}', ']')
			return true, nil
		}
		value, err := j.value()
		if err != nil {
			return false, err
		}
		switch name {
		case `"kind"`:
			j.list.Kind = unquote(value)
		case `"apiVersion"`:
			j.list.APIVersion = unquote(value)
		}
	}
}

// closeList passes over the end of an array, and of the object it stands in.
func (j *JSON) closeList() error {
	j.pos++
	j.inside = j.inside[:len(j.inside)-1]
	if len(j.inside) == 0 {
		return nil
	}
	for {
		c, err := j.peek()
		if err != nil {
			return cut(err)
		}
		switch c {
		case '}':
			j.pos++
			j.inside = j.inside[:0]
			return nil
		case ',', ':':
			j.pos++
		default:
			if err := j.skip(); err != nil {
				return err
			}
		}
	}
}

// value passes over the next value and returns its text.
func (j *JSON) value() ([]byte, error) {
	if _, err := j.peek(); err != nil {
		return nil, cut(err)
	}
	start := j.pos
	if err := j.skip(); err != nil {
		return nil, err
	}
	return j.buf[start:j.pos], nil
}

// skip moves past the value that is next.
func (j *JSON) skip() error {
	depth, empty := 0, true
	for ; ; empty = false {
		c, err := j.next()
		if err != nil {
			if err == io.EOF && depth == 0 && !empty {
				return nil
			}
			return cut(err)
		}
		switch c {
		case '"':
			if err := j.skipString(); err != nil || depth == 0 {
				return err
			}
			continue
		case '{', '[':
			if depth++; depth > jsonscan.MaxDepth {
				return jsonscan.ErrDepth
			}
		case '}', ']':
			if depth--; depth == 0 {
				j.pos++
				return nil
			}
		}
		if depth <= 0 && bytes.IndexByte([]byte("}],: \t\r\n"), c) >= 0 {
			if empty {
				return errSyntax(fmt.Sprintf("%q where a value is expected", c))
			}
			return nil
		}
		j.pos++
	}
}

// skipString moves past the string that is next.
func (j *JSON) skipString() error {
	for j.pos++; ; {
		i := bytes.IndexAny(j.buf[j.pos:], "\"\\\n")
		if i < 0 {
			j.pos = len(j.buf)
			if err := j.fill(); err != nil {
				return cut(err)
			}
			continue
		}
		j.pos += i
		switch j.buf[j.pos] {
		case '"':
			j.pos++
			return nil
		case '\n':
			return errSyntax("line break within a string")
		}
		j.pos++
		if c, err := j.next(); err != nil {
			return cut(err)
		} else if c != '\n' {
			j.pos++
		}
	}
}

func errSyntax(reason string) error { return fmt.Errorf("invalid JSON: %s", reason) }

func cut(err error) error {
	if err == io.EOF {
		return ErrCut
	}
	return err
}

func unquote(text []byte) string { return string(bytes.Trim(text, `"`)) }
