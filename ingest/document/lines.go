// Package document cuts a stream into records: lines, the values of a JSON
// text (the items of a list one by one), and the documents of a YAML stream.
// It knows how records are laid out, not what is in them.
package document

import (
	"bytes"
	"errors"
	"io"

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
}

// Record is one record and its place. JSON is its content, File is not set.
type Record struct {
	table.Location
	JSON []byte
}

// Reader yields the blocks of a stream, io.EOF after the last.
type Reader interface{ Next() (*Block, error) }

const blockSize = 1 << 20

// Lines yields blocks of whole lines.
type Lines struct {
	r      io.Reader
	rest   []byte
	line   int64
	offset int64
	err    error
	skip   bool // inside a line that is too long
}

// NewLines reads lines of any length up to MaxRecord from r.
func NewLines(r io.Reader) *Lines { return &Lines{r: r, line: 1} }

// Next returns the next block. The last line need not end in a newline. A
// read error ends the stream: it is the Err of the last block.
func (l *Lines) Next() (*Block, error) {
	if l.err != nil {
		return nil, io.EOF
	}
	buf := make([]byte, len(l.rest), max(blockSize, 2*len(l.rest)))
	copy(buf, l.rest)
	for {
		n, err := io.ReadFull(l.r, buf[len(buf):cap(buf)])
		searched := len(buf)
		buf = buf[:len(buf)+n]
		if err != nil {
			l.err = err
			l.rest = nil
			block := l.block(buf)
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				block.Err = err
			}
			if len(block.Data) == 0 && block.Err == nil {
				return nil, io.EOF
			}
			return block, nil
		}
		if end := bytes.LastIndexByte(buf[searched:], '\n'); end >= 0 {
			end += searched + 1
			l.rest = append(l.rest[:0], buf[end:]...)
			return l.block(buf[:end]), nil
		}
		if len(buf) >= MaxRecord {
			return l.tooLong(buf)
		}
		buf = append(make([]byte, 0, 2*cap(buf)), buf...)
	}
}

func (l *Lines) block(data []byte) *Block {
	b := &Block{Data: data, Line: l.line, Offset: l.offset}
	l.line += int64(bytes.Count(data, []byte{'\n'}))
	l.offset += int64(len(data))
	return b
}

// tooLong passes over the rest of the line that buf starts.
func (l *Lines) tooLong(buf []byte) (*Block, error) {
	b := &Block{Line: l.line, Offset: l.offset, Err: ErrTooLong}
	l.offset += int64(len(buf))
	l.rest = l.rest[:0]
	buf = buf[:blockSize]
	for {
		n, err := io.ReadFull(l.r, buf)
		if end := bytes.IndexByte(buf[:n], '\n'); end >= 0 {
			l.offset += int64(end + 1)
			l.line++
			l.rest = append(l.rest, buf[end+1:n]...)
			return b, nil
		}
		if l.offset += int64(n); err != nil {
			l.err = err
			return b, nil
		}
	}
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
		line := bytes.TrimSuffix(data[:end], []byte{'\r'})
		if len(bytes.TrimSpace(line)) > 0 {
			fn(line, table.Location{Line: number, Lines: 1, Offset: offset, Length: int64(len(line))})
		}
		data, number, offset = data[next:], number+1, offset+int64(next)
	}
}
