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

// identify starts the fingerprint of a record: its identity, its time and its
// text. That of an audit event without rows has less than that of one with rows, of
// which more is known.
func (p *parser) identify(id string, t time.Time, texts ...string) {
	p.identified, p.from = true, 0
	p.identity = append(p.identity[:0], id...)
	if !t.IsZero() {
		p.identity = binary.LittleEndian.AppendUint64(p.identity, uint64(t.UnixNano()))
	}
	if table.Fits(t) {
		p.from = t.UnixNano()
	}
	for _, text := range texts {
		p.identity = append(append(p.identity, 0), text...)
	}
}

// identifyBody adds a body, as if it were on one line: a copy may be laid out
// for people. A filter that changed a body made another record, no copy.
func (p *parser) identifyBody(body []byte) {
	var line bytes.Buffer
	if !p.oneLine && bytes.IndexByte(body, '\n') >= 0 && json.Compact(&line, body) == nil {
		body = line.Bytes()
	}
	p.identity = binary.LittleEndian.AppendUint64(append(p.identity, 0), xxh3.Hash(body))
}

// fingerprint keeps that of the record under way, if it was identified.
func (p *parser) fingerprint(at table.Place, sight int) (identity uint64) {
	if p.identified {
		identity = xxh3.Hash(p.identity)
		p.out.prints = append(p.out.prints, duplicate.Print{Hash: identity, At: p.from})
		p.out.origins = append(p.out.origins, origin{at, sight})
	}
	p.identified = false
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

// identifyUnwanted starts that of an audit event without rows. Of the URI it takes
// the path: the query may be written with escapes.
func (p *parser) identifyUnwanted(auditID, uri, verb string, sight *coverage.Sight) {
	path, _, _ := strings.Cut(uri, "?")
	p.identify(auditID, sight.At, sight.Stage, path, verb, sight.Level)
}

// unwantedPrint returns the print that an audit event has where it has no rows.
func (p *parser) unwantedPrint(e *table.AuditEvent) duplicate.Print {
	sight := sightOf(e)
	p.identifyUnwanted(e.AuditID, e.RequestURI, e.Verb, &sight)
	return duplicate.Print{Hash: xxh3.Hash(p.identity), At: p.from}
}
