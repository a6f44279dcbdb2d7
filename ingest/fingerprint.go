package ingest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// fingerprint identifies the content of the record at a place, to tell what
// was given twice.
type fingerprint struct {
	hash  uint64
	place table.Place
}

// identify starts the fingerprint of a record: its identity, its time and its
// text.
func (p *parser) identify(id string, t time.Time, texts ...string) {
	p.identified = true
	p.sum.Reset()
	_, _ = p.sum.WriteString(id)
	if !t.IsZero() {
		_, _ = p.sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(t.UnixNano())))
	}
	for _, text := range texts {
		_, _ = p.sum.WriteString("\x00")
		_, _ = p.sum.WriteString(text)
	}
}

// identifyBody adds a body, as if it were on one line: a copy may be laid out
// for people. A filter that changed a body made another record, no copy.
func (p *parser) identifyBody(body []byte) {
	var line bytes.Buffer
	if bytes.IndexByte(body, '\n') >= 0 && json.Compact(&line, body) == nil {
		body = line.Bytes()
	}
	_, _ = p.sum.WriteString("\x00")
	_, _ = p.sum.Write(body)
}

// remember keeps the record under way: its fingerprint, if it was identified,
// and its text where records are kept. e is nil for what is no audit event.
func (p *parser) remember(at table.Location, format coverage.Format, e *table.AuditEvent) {
	var identity uint64
	if p.identified {
		identity = p.sum.Sum64()
		p.out.seen = append(p.out.seen, fingerprint{identity, at.Place()})
	}
	p.identified = false
	if p.keep == nil {
		return
	}
	row := table.Record{Location: at, Format: string(format), Identity: int64(identity)} //nolint:gosec // the same 64 bits
	if p.keep(p.raw, format, e) {
		row.Raw = string(p.raw)
	}
	p.rows.Record(&row)
}
