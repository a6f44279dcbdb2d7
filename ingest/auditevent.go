package ingest

import (
	"bytes"
	"errors"
	"strings"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/table"
)

// auditEvent keeps an audit event and what its bodies hold.
func (p *parser) auditEvent(format coverage.Format, bodies audit.Bodies) {
	e := &p.event
	if !table.Fits(e.StageTime) {
		p.reject(e.Location, errTime)
		return
	}
	p.dateCut()
	p.out.formats.add(format, 1)
	p.span(e.StageTime)
	if e.Truncated {
		p.out.truncated++
	}
	if p.want != nil && !p.want(e, bodies) {
		p.unwanted(e.AuditID, e.RequestURI, e.Verb, sightOf(e))
		return
	}
	if e.AuditID != "" {
		p.identity.begin(e.AuditID, e.StageTime, e.Stage, e.RequestURI, e.User, e.Name, e.Verb, e.Level)
		p.identity.body(bodies.Request, p.oneLine)
		p.identity.body(bodies.Response, p.oneLine)
	}
	p.open(bodies)
	p.rows.AuditEvent(e)
	sight := sightOf(e)
	p.count(&sight)
	p.remember(e.Location, format, e)
}

// unwanted counts an audit event that has no rows.
func (p *parser) unwanted(auditID, uri, verb string, sight coverage.Sight) {
	p.out.unwanted = append(p.out.unwanted, sight)
	last := len(p.out.unwanted) - 1
	p.count(&p.out.unwanted[last])
	if auditID != "" {
		p.identity.beginUnwanted(auditID, uri, verb, &sight)
		p.fingerprint(table.Place{}, last)
	}
}

// open keeps what the bodies of the event under way hold.
func (p *parser) open(bodies audit.Bodies) {
	e := &p.event
	header := object.Header{Kind: object.Kind(e.Group, e.Resource), APIVersion: strings.TrimPrefix(e.Group+"/"+e.Version, "/")}
	if keepsBodies(e) && !p.answered(bodies, header) {
		if e.Verb == "patch" || e.Verb == "apply" {
			p.patch(bodies.Request, header)
		} else {
			p.body(bodies.Request, header, table.OriginRequest)
		}
		p.body(bodies.Response, header, table.OriginResponse)
	}
	if e.Verb == "deletecollection" {
		p.deleted(bodies.Response, header)
	}
}

// answered keeps the object in an answer that leaves nothing to be learnt from what was
// sent, and reports whether it is one.
func (p *parser) answered(bodies audit.Bodies, header object.Header) bool {
	if p.told == nil || bodies.Request == nil || bodies.Response == nil || !p.told(header.Group(), header.Kind) {
		return false
	}
	said, err := p.object.Header(bodies.Response)
	return err == nil && said == header && p.whole(header, table.OriginResponse)
}

// deleted reads the list that answers the deletion of a collection: only there
// do the deleted objects have names. Items of built-in lists carry no kind.
func (p *parser) deleted(list []byte, header object.Header) {
	items := document.NewJSON(bytes.NewReader(list))
	for b, err := items.Next(); err == nil; b, err = items.Next() {
		for _, rec := range b.Records {
			p.obj = table.Object{Location: p.event.Location, Origin: table.OriginResponse, AuditID: p.event.AuditID}
			if p.object.Decode(rec.JSON, header, &p.obj) == nil && p.obj.Name != "" {
				p.rows.Object(&p.obj)
			}
		}
	}
}

// keepsBodies tells whether the bodies of an event are objects whose state is
// worth a row: those of writes, and of reads of one object.
func keepsBodies(e *table.AuditEvent) bool {
	switch e.Verb {
	case "create", "update", "patch", "apply", "delete":
		return e.Subresource == "" || e.Subresource == "status" || e.Subresource == "scale"
	case "get":
		return e.Subresource == "" || e.Subresource == "status"
	}
	return false
}

func (p *parser) patch(data []byte, header object.Header) {
	if data == nil || header.Kind == "" {
		return
	}
	p.obj = table.Object{Location: p.event.Location, Origin: table.OriginRequest, AuditID: p.event.AuditID}
	if p.object.Patch(data, header, p.event.Name, &p.obj) == nil {
		p.obj.Kind = header.Kind
		p.rows.Object(&p.obj)
	}
}

func (p *parser) body(data []byte, header object.Header, origin string) {
	if data == nil {
		return
	}
	said, err := p.object.Header(data)
	switch {
	case err == nil:
		header = said
	case !errors.Is(err, object.ErrNoKind):
		return
	}
	switch {
	case header.Kind == "" || header.Kind == "Status" || header.Kind == "DeleteOptions" || header.IsList():
	case header.IsEvent():
		p.kubeEvent = table.KubeEvent{Location: p.event.Location, Origin: origin, AuditID: p.event.AuditID}
		if p.object.Event(data, &p.kubeEvent) == nil {
			p.rows.KubeEvent(&p.kubeEvent)
		}
	default:
		p.whole(header, origin)
	}
}

// whole keeps the object of which the type was read, and reports whether it can be read.
func (p *parser) whole(header object.Header, origin string) bool {
	p.obj = table.Object{Location: p.event.Location, Origin: origin, AuditID: p.event.AuditID}
	if p.object.Object(header, &p.obj) != nil {
		return false
	}
	if p.event.Name == "" {
		p.event.Name = p.obj.Name
	}
	p.rows.Object(&p.obj)
	return true
}
