package document

import (
	"bytes"
	"io"

	"github.com/knforensics/knforensics/ingest/table"
)

// Entries yields lines, each with those below it that belong to it. The record
// of several lines is these lines as they stand, one below the other.
type Entries struct {
	lines     *Lines
	continues func(entry, line []byte) bool
	pending   *Record
}

// NewEntries reads lines from r and joins each with those that continue it.
func NewEntries(r io.Reader, continues func(entry, line []byte) bool) *Entries {
	return &Entries{lines: NewLines(r), continues: continues}
}

// Next returns the entries that end in the next stretch of lines.
func (e *Entries) Next() (*Block, error) {
	lines, err := e.lines.Next()
	if err == io.EOF && e.pending != nil {
		b := &Block{Records: []Record{*e.pending}}
		e.pending = nil
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b := &Block{Line: lines.Line, Offset: lines.Offset, Err: lines.Err}
	lines.Split(func(line []byte, at table.Location) {
		if e.joins(line, at) {
			return
		}
		if e.pending != nil {
			b.Records = append(b.Records, *e.pending)
		}
		e.pending = &Record{Location: at, JSON: bytes.Clone(line)}
	})
	if lines.Err != nil && e.pending != nil {
		b.Records = append(b.Records, *e.pending)
		e.pending = nil
	}
	return b, nil
}

// joins adds a line to the entry before it, if it belongs there.
func (e *Entries) joins(line []byte, at table.Location) bool {
	rec := e.pending
	if rec == nil || rec.Err != nil || !e.continues(rec.JSON, line) {
		return false
	}
	rec.Lines = at.Line + at.Lines - rec.Line
	rec.Length = at.Offset + at.Length - rec.Offset
	if len(rec.JSON)+len(line) >= e.lines.limit {
		rec.JSON, rec.Err = nil, ErrTooLong
		return true
	}
	rec.JSON = append(append(rec.JSON, '\n'), line...)
	return true
}
