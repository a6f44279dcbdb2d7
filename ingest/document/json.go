package document

import (
	"bytes"
	"errors"
	"io"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
)

// ErrCut says that the text ends inside a value.
var ErrCut = errors.New("the text ends inside a JSON value")

// JSON yields the values of a JSON text that does not keep to lines. Of an
// object with a member "items" that is an array, as kubectl prints lists, and
// of an array at the top, the elements are yielded one by one, so that no
// more than one of them is in memory.
type JSON struct {
	r       io.Reader
	buf     []byte
	pos     int   // next byte to look at
	line    int64 // of buf[0]
	offset  int64 // of buf[0]
	readErr error
	inside  []byte // what closes the containers that are being unrolled: ']' and '}'
	done    bool
}

// NewJSON reads JSON values from r.
func NewJSON(r io.Reader) *JSON { return &JSON{r: r, line: 1} }

// Next returns a block of some records, or of none and an Err.
func (j *JSON) Next() (*Block, error) {
	b := &Block{}
	size := 0
	for size < blockSize && len(b.Records) < 4096 && !j.done {
		rec, err := j.record()
		switch {
		case err == io.EOF:
			j.done = true
		case err != nil:
			at := j.at(j.pos)
			b.Line, b.Offset, b.Err = at.Line, at.Offset, err
			j.resync()
			return b, nil
		case rec != nil:
			b.Records = append(b.Records, *rec)
			size += len(rec.JSON)
		}
		j.forget()
	}
	if len(b.Records) == 0 && j.done {
		return nil, io.EOF
	}
	return b, nil
}

// record reads one value, or opens or closes a list and returns nil.
func (j *JSON) record() (*Record, error) {
	c, err := j.peek()
	if err != nil {
		if err == io.EOF && len(j.inside) > 0 {
			j.inside = nil
			return nil, ErrCut
		}
		return nil, err
	}
	top := byte(0)
	if n := len(j.inside); n > 0 {
		top = j.inside[n-1]
	}
	switch {
	case c == ',' && top != 0:
		j.pos++
		return nil, nil
	case c == top:
		j.pos++
		j.inside = j.inside[:len(j.inside)-1]
		if n := len(j.inside); n > 0 && j.inside[n-1] == '}' {
			return nil, j.restOfList()
		}
		return nil, nil
	case c == '[' && top == 0:
		j.pos++
		j.inside = append(j.inside, ']')
		return nil, nil
	}
	start := j.pos
	if c == '{' && top == 0 {
		if found, err := j.items(); err != nil || found {
			return nil, err
		}
		j.pos = start
	}
	if err := j.skip(); err != nil {
		return nil, err
	}
	data := bytes.Clone(j.buf[start:j.pos])
	at := j.at(start)
	at.Length = int64(len(data))
	at.Lines = 1 + int64(bytes.Count(data, []byte{'\n'}))
	return &Record{Location: at, JSON: data}, nil
}

// items looks for a member "items" of the object that is next. When it finds
// an array there, the elements are next and the object is left open.
func (j *JSON) items() (bool, error) {
	j.pos++
	for {
		c, err := j.peek()
		switch {
		case err != nil:
			return false, cut(err)
		case c == '}':
			return false, nil
		case c == ',':
			j.pos++
			continue
		case c != '"':
			return false, j.syntax("expected a member name")
		}
		start := j.pos
		if err := j.skip(); err != nil {
			return false, err
		}
		key := string(j.buf[start:j.pos])
		if c, err = j.peek(); err != nil || c != ':' {
			return false, j.syntax("expected a colon after a member name")
		}
		j.pos++
		if c, err = j.peek(); err != nil {
			return false, cut(err)
		}
		if key == `"items"` && c == '[' {
			j.pos++
			j.inside = append(j.inside, '}', ']')
			return true, nil
		}
		if err := j.skip(); err != nil {
			return false, err
		}
	}
}

// restOfList passes over what follows the items of a list.
func (j *JSON) restOfList() error {
	for {
		c, err := j.peek()
		if err != nil {
			j.inside = nil
			return cut(err)
		}
		if c == '}' {
			j.pos++
			j.inside = j.inside[:len(j.inside)-1]
			return nil
		}
		if c == ',' || c == ':' {
			j.pos++
			continue
		}
		if err := j.skip(); err != nil {
			return err
		}
	}
}

// skip moves past the next value. Its grammar is not checked here, beyond
// brackets and strings; who reads the record does that.
func (j *JSON) skip() error {
	if _, err := j.peek(); err != nil {
		return cut(err)
	}
	depth, start := 0, j.pos
	for {
		if j.pos >= len(j.buf) {
			if len(j.buf)-start > MaxRecord {
				return ErrTooLong
			}
			if err := j.fill(); err != nil {
				if err == io.EOF && depth == 0 && j.pos > start {
					return nil
				}
				return cut(err)
			}
			continue
		}
		switch c := j.buf[j.pos]; c {
		case '"':
			if err := j.skipString(); err != nil {
				return err
			}
			if depth == 0 {
				return nil
			}
			continue
		case '{', '[':
			if depth++; depth > jsonscan.MaxDepth {
				return jsonscan.ErrDepth
			}
		case '}', ']':
			if depth == 0 {
				if j.pos == start {
					return j.syntax("unexpected end of a container")
				}
				return nil
			}
			if depth--; depth == 0 {
				j.pos++
				return nil
			}
		case ',', ' ', '\n', '\r', '\t', ':':
			if depth == 0 {
				if j.pos == start {
					return j.syntax("expected a value")
				}
				return nil
			}
		}
		j.pos++
	}
}

func (j *JSON) skipString() error {
	j.pos++
	for {
		i := bytes.IndexAny(j.buf[j.pos:], `"\`)
		if i < 0 {
			j.pos = len(j.buf)
		} else if j.pos += i; j.buf[j.pos] == '"' {
			j.pos++
			return nil
		} else if j.pos+1 < len(j.buf) {
			j.pos += 2
			continue
		}
		if err := j.fill(); err != nil {
			return cut(err)
		}
	}
}

func (j *JSON) syntax(reason string) error {
	return &jsonscan.SyntaxError{Offset: int(j.offset) + j.pos, Reason: reason}
}

func cut(err error) error {
	if err == io.EOF {
		return ErrCut
	}
	return err
}

// resync gives up the list being read and goes on with the next line.
func (j *JSON) resync() {
	j.inside = nil
	for {
		if i := bytes.IndexByte(j.buf[j.pos:], '\n'); i >= 0 {
			j.pos += i + 1
			j.forget()
			return
		}
		j.pos = len(j.buf)
		j.forget()
		if j.fill() != nil {
			j.done = true
			return
		}
	}
}

// peek returns the next byte that is no white space.
func (j *JSON) peek() (byte, error) {
	for {
		for j.pos < len(j.buf) {
			switch c := j.buf[j.pos]; c {
			case ' ', '\t', '\r', '\n':
				j.pos++
			default:
				return c, nil
			}
		}
		if err := j.fill(); err != nil {
			return 0, err
		}
	}
}

func (j *JSON) fill() error {
	if j.readErr != nil {
		return j.readErr
	}
	if cap(j.buf)-len(j.buf) < blockSize/4 {
		j.buf = append(make([]byte, 0, max(blockSize, 2*cap(j.buf))), j.buf...)
	}
	n, err := j.r.Read(j.buf[len(j.buf):cap(j.buf)])
	j.buf = j.buf[:len(j.buf)+n]
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	j.readErr = err
	if n > 0 {
		return nil
	}
	return err
}

// at returns the place of a byte of the buffer.
func (j *JSON) at(pos int) table.Location {
	return table.Location{Lines: 1, Offset: j.offset + int64(pos),
		Line: j.line + int64(bytes.Count(j.buf[:pos], []byte{'\n'}))}
}

// forget drops what was read from the buffer.
func (j *JSON) forget() {
	if j.pos < blockSize && j.pos < len(j.buf) {
		return
	}
	at := j.at(j.pos)
	j.line, j.offset = at.Line, at.Offset
	j.buf = j.buf[:copy(j.buf, j.buf[j.pos:])]
	j.pos = 0
}
