package ingest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/duplicate"
	"github.com/knforensics/knforensics/ingest/table"
)

// origin tells which record a print is of.
type origin struct {
	place table.Place
	sight int // which of the unwanted it is, -1 for what has rows
}

// identity is what makes a record itself: equal for what was given twice.
type identity struct {
	text  []byte
	from  int64 // when it is from, in nanoseconds; 0 where that is not known
	begun bool
}

// begin starts that of a record: its ID, its time and its text.
func (i *identity) begin(id string, t time.Time, texts ...string) {
	i.begun, i.from = true, 0
	i.text = append(i.text[:0], id...)
	if !t.IsZero() {
		i.text = binary.LittleEndian.AppendUint64(i.text, uint64(t.UnixNano()))
	}
	if table.Fits(t) {
		i.from = t.UnixNano()
	}
	for _, text := range texts {
		i.text = append(append(i.text, 0), text...)
	}
}

// body adds a body, as if it were on one line: a copy may be laid out for people. A
// filter that changed a body made another record, no copy.
func (i *identity) body(body []byte, oneLine bool) {
	var line bytes.Buffer
	if !oneLine && bytes.IndexByte(body, '\n') >= 0 && json.Compact(&line, body) == nil {
		body = line.Bytes()
	}
	i.text = binary.LittleEndian.AppendUint64(append(i.text, 0), xxh3.Hash(body))
}

// beginUnwanted starts that of an audit event without rows, of which less is known
// than of one with rows. Of the URI it takes the path: the query may be written with
// escapes.
func (i *identity) beginUnwanted(auditID, uri, verb string, sight *coverage.Sight) {
	path, _, _ := strings.Cut(uri, "?")
	i.begin(auditID, sight.At, sight.Stage, path, verb, sight.Level)
}

func (i *identity) print() duplicate.Print {
	return duplicate.Print{Hash: xxh3.Hash(i.text), At: i.from}
}

// fingerprint keeps that of the record under way, if it was identified.
func (p *parser) fingerprint(at table.Place, sight int) (identity uint64) {
	if p.identity.begun {
		print := p.identity.print()
		identity = print.Hash
		p.out.prints = append(p.out.prints, print)
		p.out.origins = append(p.out.origins, origin{at, sight})
	}
	p.identity.begun = false
	return identity
}

// remember keeps the record under way: its fingerprint, if it was identified,
// and its text where records are kept. e is nil for what is no audit event.
func (p *parser) remember(at table.Location, format coverage.Format, e *table.AuditEvent) {
	identity := p.fingerprint(at.Place(), -1)
	if p.keep == nil {
		return
	}
	row := table.Record{Location: at, Format: string(format), Identity: int64(identity)} //nolint:gosec // the same 64 bits
	if p.keep(p.raw, format, e) {
		row.Raw = string(p.raw)
	}
	p.rows.Record(&row)
}
