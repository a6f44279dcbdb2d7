package kubetable

import (
	"bytes"
	"errors"
	"io"

	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/table"
)

var errNoRow = errors.New("not a row of a table of Kubernetes objects or Events, or of a kind that its columns do not tell")

// Reader yields the rows of the tables in a text, as objects.
type Reader struct {
	lines *document.Lines
	table *Table // the table under way, nil between tables
}

// NewReader reads tables from r.
func NewReader(r io.Reader) *Reader { return &Reader{lines: document.NewLines(r)} }

// Next returns a block of rows. A line that is no row is an error of the block
// after the rows before it.
func (t *Reader) Next() (*document.Block, error) {
	lines, err := t.lines.Next()
	if err != nil {
		return nil, err
	}
	b := &document.Block{Line: lines.Line, Offset: lines.Offset, Err: lines.Err}
	last := lines.Line - 1
	lines.Split(func(line []byte, at table.Location) {
		if at.Line > last+1 {
			t.table = nil // a blank line ends a table
		}
		last = at.Line
		if header, ok := Header(line); ok {
			t.table = &header
			return
		}
		rec := document.Record{Location: at, List: document.List{Row: string(line)}}
		if t.table != nil {
			rec.JSON = t.table.Object(line)
		}
		if rec.JSON == nil {
			rec.Err = errNoRow
		}
		b.Records = append(b.Records, rec)
	})
	return b, nil
}

// Starts reports whether a line is the header of a table.
func Starts(line []byte) bool {
	_, ok := Header(bytes.TrimRight(line, "\r\n"))
	return ok
}
