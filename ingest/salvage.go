package ingest

import (
	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// cutEvent is an audit event that its carrier cut before its times, and that no
// other event of the block stands before. It gets the time of the next one.
type cutEvent struct {
	event table.AuditEvent
	raw   []byte
	err   error
}

// salvage keeps the event that was decoded last, and failed with err, if its
// carrier cut it.
func (p *parser) salvage(data []byte, err error) bool {
	if !looksLikeAudit(data) || !audit.Salvage(data, err, &p.event) {
		return false
	}
	p.salvaged(err)
	return true
}

// salvaged keeps a cut event as far as it goes. If its times were cut off, it gets that of the event before it.
func (p *parser) salvaged(err error) {
	if p.event.StageTime.IsZero() {
		p.event.StageTime = p.before
	}
	if p.event.StageTime.IsZero() {
		p.cut = append(p.cut, cutEvent{p.event, p.raw, err})
		return
	}
	p.auditEvent(coverage.Audit, audit.Bodies{})
}

// dateCut keeps the cut events at the start of a block, now that an event with a
// time was decoded, and leaves that as it is.
func (p *parser) dateCut() {
	if p.before = p.event.StageTime; len(p.cut) == 0 {
		return
	}
	cut, now, raw := p.cut, p.event, p.raw
	p.cut = nil
	for _, c := range cut {
		p.event, p.raw = c.event, c.raw
		p.salvaged(c.err)
	}
	p.event, p.raw = now, raw
}

// rejectCut counts the cut events of a block in which no event has a time.
func (p *parser) rejectCut() {
	for _, c := range p.cut {
		p.reject(c.event.Location, c.err)
	}
	p.cut = nil
}
