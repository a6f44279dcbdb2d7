// Package document cuts a stream into records: lines, the values of a JSON
// text (the items of a list one by one), and the documents of a YAML stream.
// It knows how records are laid out, not what is in them.
package document

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/knforensics/knforensics/ingest/table"
)

// MaxRecord is the largest record that is read; what is longer is refused
// with ErrTooLong and passed over. The largest request that etcd takes is
// 1.5 MiB, but answers to list requests have been seen with many megabytes.
const MaxRecord = 256 << 20

// ErrTooLong says that a record is longer than MaxRecord.
var ErrTooLong = errors.New("record longer than 256 MiB")

// Block is a stretch of a stream that can be parsed on its own.
type Block struct {
	Data    []byte
	Line    int64    // of the first byte, from 1
	Offset  int64    // of the first byte, from 0
	Records []Record // where records are no lines: what the block consists of
	Err     error    // where the stream or a record is broken, after these records
	Rest    []byte   // what there is of a record that the text ends in
}

// spare are buffers of blocks of lines that nobody refers to any more.
var spare = sync.Pool{New: func() any { return new([blockSize]byte) }}

// Recycle has the memory of a block of lines used again. Nothing may refer to it.
func (b *Block) Recycle() {
	if cap(b.Data) == blockSize {
		spare.Put((*[blockSize]byte)(b.Data[:blockSize]))
	}
	b.Data = nil
}

// Record is one record and its place. JSON is its content, File is not set.
type Record struct {
	table.Location
	JSON    []byte
	List    List
	Columns []string // of a CSV file of which this is a row
	Err     error    // why there is no record here
}

// List is what a list says of its type before its items. Items need not
// repeat it.
type List struct {
	APIVersion, Kind string
	Array            bool   // it is a bare array
	Row              string // the text, where it is a row of a table as kubectl prints it
}

// Reader yields the blocks of a stream, io.EOF after the last.
type Reader interface{ Next() (*Block, error) }

const blockSize = 1 << 20

// Lines yields blocks of whole lines.
type Lines struct {
	r      io.Reader
	limit  int
	rest   []byte
	line   int64
	offset int64
	err    error // what ended the stream
}

// NewLines reads lines of any length up to MaxRecord from r.
func NewLines(r io.Reader) *Lines { return &Lines{r: r, limit: MaxRecord, line: 1} }

// Next returns the next block. The last line need not end in a newline. A
// read error ends the stream: the lines before it are yielded, the one it
// broke off is not, and the error is the Err of a block of its own.
func (l *Lines) Next() (*Block, error) {
	if l.err != nil && len(l.rest) == 0 {
		return l.end()
	}
	buf := append(l.buffer(), l.rest...)
	l.rest = l.rest[:0]
	for searched := 0; ; searched = len(buf) {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(2*cap(buf), l.limit+1)), buf...)
		}
		buf = l.fill(buf)
		if l.err == io.EOF && len(buf) > 0 {
			return l.block(buf), nil
		}
		if end := bytes.LastIndexByte(buf[searched:], '\n'); end >= 0 {
			end += searched + 1
			l.rest = append(l.rest, buf[end:]...)
			return l.block(buf[:end]), nil
		}
		if l.err != nil {
			return l.end()
		}
		if len(buf) > l.limit {
			return l.tooLong(buf), nil
		}
	}
}

// buffer returns an empty buffer with room for what is left over, and more.
func (l *Lines) buffer() []byte {
	if n := min(2*len(l.rest), l.limit+1); n > blockSize {
		return make([]byte, 0, n)
	}
	return spare.Get().(*[blockSize]byte)[:0]
}

// fill reads until buf is full or the stream ends.
func (l *Lines) fill(buf []byte) []byte {
	for len(buf) < cap(buf) && l.err == nil {
		var n int
		n, l.err = l.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
	}
	return buf
}

// end yields the error that broke the stream off, once.
func (l *Lines) end() (*Block, error) {
	if l.err == io.EOF {
		return nil, io.EOF
	}
	b := &Block{Line: l.line, Offset: l.offset, Err: l.err}
	l.err = io.EOF
	return b, nil
}

func (l *Lines) block(data []byte) *Block {
	b := &Block{Data: data, Line: l.line, Offset: l.offset}
	l.line += int64(bytes.Count(data, []byte{'\n'}))
	l.offset += int64(len(data))
	return b
}

// tooLong passes over the rest of the line that buf starts.
func (l *Lines) tooLong(buf []byte) *Block {
	b := &Block{Line: l.line, Offset: l.offset, Err: ErrTooLong}
	l.offset += int64(len(buf))
	l.rest = l.rest[:0]
	buf = make([]byte, 0, blockSize)
	for l.err == nil {
		buf = l.fill(buf[:0])
		if end := bytes.IndexByte(buf, '\n'); end >= 0 {
			l.offset += int64(end + 1)
			l.line++
			l.rest = append(l.rest, buf[end+1:]...)
			break
		}
		l.offset += int64(len(buf))
	}
	return b
}

// Split calls fn with each line of a block of lines, without its end. Blank
// lines are passed over.
func (b *Block) Split(fn func(line []byte, at table.Location)) {
	data, number, offset := b.Data, b.Line, b.Offset
	for len(data) > 0 {
		end, next := len(data), len(data)
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			end, next = i, i+1
		}
		record(data[:end], number, offset, fn)
		data, number, offset = data[next:], number+1, offset+int64(next)
	}
}

// Record calls fn as Split does, with one line of the block: from where it starts in
// Data to where it ends without its newline. Its number is that in the stream.
func (b *Block) Record(from, to int, number int64, fn func(line []byte, at table.Location)) {
	record(b.Data[from:to], number, b.Offset+int64(from), fn)
}

// record calls fn with a line, unless it is blank.
func record(line []byte, number, offset int64, fn func(line []byte, at table.Location)) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	text := bytes.TrimLeft(line, "\x00") // a hole left by copytruncate
	if len(bytes.TrimSpace(text)) > 0 {
		fn(text, table.Location{Line: number, Lines: 1, Offset: offset + int64(len(line)-len(text)), Length: int64(len(text))})
	}
}
