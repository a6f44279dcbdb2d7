package document

import (
	"bytes"
	"io"

	"github.com/knforensics/knforensics/ingest/table"
)

// maxMargin is how far from the margin a record can begin and be known to.
const maxMargin = 256

// window is the part of a stream that is in memory: from the record under way
// to what was read last.
type window struct {
	r        io.Reader
	limit    int // of the record under way
	buf      []byte
	pos      int   // next byte to look at
	held     int   // where the record under way begins, -1 between records
	offset   int64 // of buf[0]
	mark     int   // a place in buf
	markLine int64 // and its line
	err      error // what ended the stream
}

// next returns the next byte.
func (w *window) next() (byte, error) {
	if w.pos < len(w.buf) {
		return w.buf[w.pos], nil
	}
	if err := w.fill(); err != nil {
		return 0, err
	}
	return w.buf[w.pos], nil
}

// peek returns the next byte that is no white space.
func (w *window) peek() (byte, error) {
	for {
		c, err := w.next()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, err
		}
		w.pos++
	}
}

// ahead returns the next n bytes, less at the end of the stream.
func (w *window) ahead(n int) []byte {
	for len(w.buf)-w.pos < n && w.fill() == nil {
	}
	return w.buf[w.pos:min(w.pos+n, len(w.buf))]
}

// skipTo moves to the next byte c.
func (w *window) skipTo(c byte) error {
	for {
		if i := bytes.IndexByte(w.buf[w.pos:], c); i >= 0 {
			w.pos += i
			return nil
		}
		w.pos = len(w.buf)
		if err := w.fill(); err != nil {
			return err
		}
	}
}

// fill reads on. Between records it drops what was passed over, which moves
// pos.
func (w *window) fill() error {
	switch {
	case w.err != nil:
		return w.err
	case w.held < 0:
		w.drop(w.pos)
	case len(w.buf)-w.held >= w.limit:
		return ErrTooLong
	}
	if len(w.buf) == cap(w.buf) {
		w.buf = append(make([]byte, 0, max(room(w.r), 2*cap(w.buf))), w.buf...)
	}
	var n int
	for n == 0 && w.err == nil {
		n, w.err = w.r.Read(w.buf[len(w.buf):cap(w.buf)])
	}
	w.buf = w.buf[:len(w.buf)+n]
	if n > 0 {
		return nil
	}
	return w.err
}

// room returns how much to read at once: a block, or all of what is in memory
// already, such as a list on one line.
func room(r io.Reader) int {
	if text, ok := r.(*bytes.Reader); ok {
		return min(text.Len()+1, blockSize)
	}
	return blockSize
}

// forget drops what was passed over once there is much of it.
func (w *window) forget() {
	if w.pos >= blockSize {
		w.drop(w.pos)
	}
}

// drop gives up the first n bytes, but keeps the margin of the line that the
// next one stands on.
func (w *window) drop(n int) {
	if start := bytes.LastIndexByte(w.buf[:n], '\n'); start >= 0 && n-start < maxMargin {
		n = start
	}
	w.at(n)
	w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	w.pos, w.mark, w.offset = w.pos-n, 0, w.offset+int64(n)
}

// at returns the place of a byte in the window.
func (w *window) at(pos int) table.Location {
	if pos >= w.mark {
		w.markLine += int64(bytes.Count(w.buf[w.mark:pos], []byte{'\n'}))
	} else {
		w.markLine -= int64(bytes.Count(w.buf[pos:w.mark], []byte{'\n'}))
	}
	w.mark = pos
	return table.Location{Line: w.markLine, Lines: 1, Offset: w.offset + int64(pos)}
}

// margin returns the white space between the start of the line and pos, and
// whether there is nothing else.
func (w *window) margin(pos int) ([]byte, bool) {
	start := bytes.LastIndexByte(w.buf[:pos], '\n') + 1
	if start == 0 && w.offset > 0 {
		return nil, false
	}
	text := w.buf[start:pos]
	return text, len(bytes.Trim(text, " \t")) == 0
}
