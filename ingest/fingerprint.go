package ingest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"time"

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
	p.sum.Reset()
	_, _ = p.sum.WriteString(id)
	if !t.IsZero() {
		_, _ = p.sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(t.UnixNano())))
	}
	for _, text := range texts {
		_ = p.sum.WriteByte(0)
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
	_ = p.sum.WriteByte(0)
	_, _ = p.sum.Write(body)
}

// remember keeps the fingerprint of the record at a place.
func (p *parser) remember(at table.Location) {
	p.out.seen = append(p.out.seen, fingerprint{p.sum.Sum64(), at.Place()})
}
