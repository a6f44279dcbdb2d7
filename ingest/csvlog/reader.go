package csvlog

import (
	"bytes"
	"io"

	"github.com/knforensics/knforensics/ingest/document"
)

// Reader yields the rows below a header, as they are written.
type Reader struct {
	rows   *document.Joined
	first  []byte // the header as written: files that were put together repeat it
	header Header
}

// NewReader reads rows from r.
func NewReader(r io.Reader) *Reader {
	return &Reader{rows: document.NewJoined(r, (&quotes{}).part)}
}

// Next returns the next rows.
func (r *Reader) Next() (*document.Block, error) {
	b, err := r.rows.Next()
	if err != nil {
		return nil, err
	}
	rows := b.Records[:0]
	for _, rec := range b.Records {
		switch {
		case rec.Err != nil:
			rows = append(rows, rec)
		case r.first == nil && rec.JSON[0] == '#': // a comment
		case r.first == nil:
			r.first = bytes.Clone(rec.JSON)
			r.header, _ = ReadHeader(rec.JSON) // without names, rows are told by their cells
		case bytes.Equal(rec.JSON, r.first):
		default:
			rec.Columns = r.header
			rows = append(rows, rec)
		}
	}
	b.Records = rows
	return b, nil
}

// quotes tells whether a quoted cell goes on with the next line: as long as the
// number of quotes so far is odd.
type quotes struct{ open bool }

func (q *quotes) part(line []byte) (stream string, more bool) {
	if bytes.Count(line, []byte{'"'})%2 == 1 {
		q.open = !q.open
	}
	return "row", q.open
}
