package ingest

import (
	"bytes"
	"errors"
	"hash/maphash"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/table"
)

type logRow = table.ControllerLog

// Why a record is rejected that is well-formed, or no JSON at all.
var (
	errNoObject = errors.New("neither a JSON object nor a line of a known log")
	errUnknown  = errors.New("a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object")
	errNested   = errors.New("a list without items, or within a list")
)

// parsed is what one block became.
type parsed struct {
	batch      *table.Batch
	formats    map[coverage.Format]int64
	plain      int64 // lines of text in a log, which say nothing about its format
	rejected   int64
	rejections []coverage.Rejection
	truncated  int64
	from, to   time.Time
	usage      *coverage.Usage
	seen       []fingerprint
}

// parser turns blocks into batches. Each worker has one.
type parser struct {
	audit  audit.Decoder
	log    controllerlog.Decoder
	object object.Decoder
	rows   *table.Builder
	out    *parsed
	text   bool
	inList bool
	sum    maphash.Hash // of the record under way

	event     table.AuditEvent
	line      table.ControllerLog
	kubeEvent table.KubeEvent
	obj       table.Object
}

func newParser(seed maphash.Seed) *parser {
	p := &parser{rows: table.NewBuilder(memory.NewGoAllocator())}
	p.sum.SetSeed(seed)
	return p
}

// parse reads the records of one block of the file at path. With text, lines
// that are not JSON are log lines.
func (p *parser) parse(path string, b *document.Block, text bool) *parsed {
	p.out = &parsed{formats: map[coverage.Format]int64{}, usage: coverage.NewUsage()}
	p.text = text
	b.Split(func(line []byte, at table.Location) {
		at.File = path
		p.record(line, at, document.List{})
	})
	for _, rec := range b.Records {
		rec.File = path
		p.record(rec.JSON, rec.Location, rec.List)
	}
	if b.Err != nil {
		if errors.Is(b.Err, document.ErrCut) {
			p.out.truncated++
		}
		p.reject(table.Location{File: path, Line: b.Line}, b.Err)
	}
	p.out.batch = p.rows.Batch()
	return p.out
}

func (p *parser) reject(at table.Location, err error) {
	p.out.rejected++
	if len(p.out.rejections) < coverage.MaxRejections {
		p.out.rejections = append(p.out.rejections, coverage.Rejection{File: at.File, Line: at.Line, Reason: err.Error()})
	}
}

func (p *parser) span(times ...time.Time) {
	for _, t := range times {
		if t.IsZero() {
			continue
		}
		if p.out.from.IsZero() || t.Before(p.out.from) {
			p.out.from = t
		}
		if t.After(p.out.to) {
			p.out.to = t
		}
	}
}

// record reads one record of any kind, an item of list if that says anything.
func (p *parser) record(data []byte, at table.Location, list document.List) {
	trimmed := bytes.TrimLeft(data, " \t")
	if trimmed[0] != '{' {
		switch {
		case p.text:
			p.logLine(data, at)
		case trimmed[0] != '#': // a comment is no record
			p.reject(at, errNoObject)
		}
		return
	}
	p.event.Location = at
	bodies, err := p.audit.Decode(data, &p.event)
	if err == nil {
		p.auditEvent(bodies)
		return
	}
	if !errors.Is(err, audit.ErrNotAudit) && looksLikeAudit(data) {
		p.reject(at, audit.Reason(data, err))
		return
	}
	p.line.Location = at
	if err := p.log.Zap(data, &p.line); err == nil {
		p.rows.Log(&p.line)
		p.out.formats[coverage.ControllerLog]++
		p.span(p.line.Time)
		p.identify(p.line.TraceID, p.line.Time, p.line.Message, p.line.Key, p.line.Controller, p.line.Pod, p.line.Error, p.line.Caller)
		p.remember(at)
		return
	}
	p.kubeObject(data, at, list)
}

func looksLikeAudit(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 256)], []byte(`"audit.k8s.io/`))
}

// logLine keeps a line of text in a log.
func (p *parser) logLine(line []byte, at table.Location) {
	p.line.Location = at
	controllerlog.Text(line, &p.line)
	p.rows.Log(&p.line)
	if p.line.Format == table.LogKlog {
		p.out.formats[coverage.Klog]++
	} else {
		p.out.plain++
	}
}

// kubeObject reads an object or Event of a snapshot. The items of a typed list
// need not say what they are.
func (p *parser) kubeObject(data []byte, at table.Location, list document.List) {
	header, err := p.object.Header(data)
	if kind, ok := strings.CutSuffix(list.Kind, "List"); errors.Is(err, object.ErrNoKind) && ok && kind != "" && !audit.IsGroup(list.APIVersion) {
		header, err = object.Header{APIVersion: list.APIVersion, Kind: kind}, nil
	}
	switch {
	case errors.Is(err, object.ErrNoKind):
		p.listItems(data, at, errUnknown)
	case err != nil:
		p.reject(at, err)
	case header.IsEvent():
		p.kubeEvent = table.KubeEvent{Location: at, Origin: table.OriginSnapshot}
		if err := p.object.Event(data, &p.kubeEvent); err != nil {
			p.reject(at, err)
			return
		}
		e := &p.kubeEvent
		p.rows.KubeEvent(e)
		p.out.formats[coverage.Events]++
		p.span(e.FirstTime, e.LastTime, e.EventTime)
		if e.UID != "" {
			p.identify(e.UID, e.LastTime, e.Message, e.Name)
			p.remember(at)
		}
	case header.IsList():
		p.listItems(data, at, errNested)
	default:
		p.obj = table.Object{Location: at, Origin: table.OriginSnapshot}
		if err := p.object.Decode(data, header, &p.obj); err != nil {
			p.reject(at, err)
			return
		}
		p.rows.Object(&p.obj)
		p.out.formats[coverage.Snapshot]++
		if p.obj.UID != "" && p.obj.ResourceVersion != "" {
			p.identify(p.obj.UID, time.Time{}, p.obj.ResourceVersion, p.obj.Kind, p.obj.SpecDigest)
			p.remember(at)
		}
	}
}

// listItems reads the items of a list that is one record, as on a line. What is
// no list is rejected, as is a list within one.
func (p *parser) listItems(data []byte, at table.Location, reason error) {
	items := document.NewJSON(bytes.NewReader(data))
	b, err := items.Next()
	if err == nil && (p.inList || len(b.Records) == 1 && b.Records[0].Offset == 0) {
		p.reject(at, reason)
		return
	}
	p.inList = true
	defer func() { p.inList = false }()
	for ; err == nil; b, err = items.Next() {
		for _, rec := range b.Records {
			item := rec.Location
			item.File, item.Line, item.Offset = at.File, at.Line+item.Line-1, at.Offset+item.Offset
			p.record(rec.JSON, item, rec.List)
		}
		if b.Err != nil {
			p.reject(at, b.Err)
		}
	}
}

// auditEvent keeps an audit event and what its bodies hold.
func (p *parser) auditEvent(bodies audit.Bodies) {
	e := &p.event
	p.out.formats[coverage.Audit]++
	p.span(e.StageTime)
	if e.Truncated {
		p.out.truncated++
	}
	header := object.Header{Kind: object.Kind(e.Group, e.Resource), APIVersion: strings.TrimPrefix(e.Group+"/"+e.Version, "/")}
	if keepsBodies(e) {
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
	p.rows.AuditEvent(e)
	p.out.usage.Add(coverage.ResourceKey{Group: e.Group, Resource: e.Resource, Subresource: e.Subresource}, e.Level, e.Stage, e.StageTime, 1)
	if e.AuditID != "" {
		p.identify(e.AuditID, e.StageTime, e.Stage, e.RequestURI, e.User, e.Name, e.Verb, e.Level)
		p.identifyBody(bodies.Request)
		p.identifyBody(bodies.Response)
		p.remember(e.Location)
	}
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
	if err == nil {
		header = said
	}
	switch {
	case header.Kind == "" || header.Kind == "Status" || header.Kind == "DeleteOptions" || header.IsList():
	case header.IsEvent():
		p.kubeEvent = table.KubeEvent{Location: p.event.Location, Origin: origin, AuditID: p.event.AuditID}
		if p.object.Event(data, &p.kubeEvent) == nil {
			p.rows.KubeEvent(&p.kubeEvent)
		}
	default:
		p.obj = table.Object{Location: p.event.Location, Origin: origin, AuditID: p.event.AuditID}
		if p.object.Decode(data, header, &p.obj) != nil {
			return
		}
		if p.event.Name == "" {
			p.event.Name = p.obj.Name
		}
		p.rows.Object(&p.obj)
	}
}
