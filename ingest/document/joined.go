package document

import (
	"bytes"
	"io"

	"github.com/knforensics/knforensics/ingest/table"
)

// Joined yields lines, of which some are parts of one record: container
// runtimes cut lines that are longer than 16 KiB. The record of several parts
// is their lines as they stand, one below the other.
type Joined struct {
	lines *Lines
	// part tells the stream a line belongs to and whether the next line of the
	// stream goes on with the same record; stream is empty for other lines.
	part    func(line []byte) (stream string, more bool)
	pending map[string]*Record
	order   []string // streams with pending records, the oldest first
	done    bool
}

// NewJoined reads lines from r and joins those that part calls parts.
func NewJoined(r io.Reader, part func([]byte) (stream string, more bool)) *Joined {
	return &Joined{lines: NewLines(r), part: part, pending: map[string]*Record{}}
}

// Next returns the records of the next stretch of lines. Of a record whose end
// does not come, what there is is yielded at the end of the stream.
func (j *Joined) Next() (*Block, error) {
	if j.done {
		return nil, io.EOF
	}
	lines, err := j.lines.Next()
	if err == io.EOF {
		j.done = true
		b := &Block{}
		for _, stream := range j.order {
			b.Records = append(b.Records, *j.pending[stream])
		}
		if len(b.Records) == 0 {
			return nil, io.EOF
		}
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b := &Block{Line: lines.Line, Offset: lines.Offset, Err: lines.Err}
	lines.Split(func(line []byte, at table.Location) {
		if rec := j.add(line, at); rec != nil {
			b.Records = append(b.Records, *rec)
		}
	})
	return b, nil
}

// add takes a line and returns the record that it completes.
func (j *Joined) add(line []byte, at table.Location) *Record {
	stream, more := j.part(line)
	rec := j.pending[stream]
	switch {
	case stream == "", rec == nil && !more:
		return &Record{Location: at, JSON: line}
	case rec == nil:
		rec = &Record{Location: at, JSON: bytes.Clone(line)}
		j.pending[stream] = rec
		j.order = append(j.order, stream)
	case rec.Err != nil:
	case len(rec.JSON)+len(line) >= j.lines.limit:
		rec.JSON, rec.Err = nil, ErrTooLong
	default:
		rec.JSON = append(append(rec.JSON, '\n'), line...)
	}
	rec.Lines = at.Line + at.Lines - rec.Line
	rec.Length = at.Offset + at.Length - rec.Offset
	if more {
		return nil
	}
	delete(j.pending, stream)
	for i, name := range j.order {
		if name == stream {
			j.order = append(j.order[:i], j.order[i+1:]...)
			break
		}
	}
	return rec
}
