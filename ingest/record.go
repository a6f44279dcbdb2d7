package ingest

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// record reads one record of any kind, an item of list if that says anything.
func (p *parser) record(data []byte, at table.Location, list document.List) {
	p.rows.ASCII = p.ascii && at.Part == 0
	if p.raw = data; list.Row != "" {
		p.raw = []byte(list.Row)
	}
	switch {
	case list.Array:
		p.wrapped("array")
	case list.Kind == "EventList" && audit.IsGroup(list.APIVersion):
		p.wrapped("eventlist")
	}
	trimmed := bytes.TrimLeft(data, " \t")
	if len(trimmed) == 0 {
		return // a blank line in a wrapper
	}
	if wrapper.IsParts(trimmed) && at.Part == 0 && p.unwrap(data, at) {
		return
	}
	if trimmed[0] != '{' {
		switch {
		case audit.IsLegacy(trimmed):
			p.legacy(trimmed, at)
		case controllerlog.IsConsole(trimmed):
			p.line.Location = at
			_ = p.log.Console(trimmed, &p.line) // it is one
			p.keepLine()
		case at.Part == 0 && p.text && p.unwrapKnown(data, at):
		case at.Part == 0 && !p.text && p.unwrap(data, at):
		case p.text || at.Part > 0:
			p.logLine(data, at)
		case trimmed[0] != '#': // a comment is no record
			p.reject(at, errNoObject)
		}
		return
	}
	suspect := audit.Suspect(data)
	if suspect && p.audited(data, at) {
		return
	}
	p.line.Location = at
	if p.log.Zap(data, &p.line) != nil {
		if suspect || at.Part > 0 || !p.several(data, at) {
			p.kubeObject(data, at, list)
		}
		return
	}
	if at.Part == 0 && wrapper.Suspect(p.line.Message) && p.unwrapKnown(data, at) {
		return
	}
	impacted := audit.Impacted(p.line.Message)
	p.keepLine()
	for i, event := range impacted {
		at.Part = int64(i + 1)
		p.legacy([]byte(event), at)
	}
}

// audited reads a text as an audit event, several objects in one line, or what is
// left of an event that was cut. It reports false if it is none of these.
func (p *parser) audited(data []byte, at table.Location) bool {
	p.event.Location = at
	bodies, err := p.audit.Decode(data, &p.event)
	switch {
	case err == nil:
		if p.audit.Forwarded {
			p.wrapped("viaq")
		}
		p.auditEvent(coverage.Audit, bodies)
	case at.Part == 0 && p.several(data, at):
	case p.salvage(data, err):
	case !errors.Is(err, audit.ErrNotAudit) && looksLikeAudit(data) && !bytes.Contains(data, []byte(`"items"`)):
		p.reject(at, audit.Reason(data, err))
	default:
		return false
	}
	return true
}

// keepLine keeps what zap logged.
func (p *parser) keepLine() {
	l := &p.line
	p.rows.Log(l)
	p.out.formats.add(coverage.ControllerLog, 1)
	p.span(l.Time)
	p.identity.begin(l.TraceID, l.Time, l.Message, l.Key, l.Controller, l.Pod, l.Error, l.Caller)
	p.remember(l.Location, coverage.ControllerLog, nil)
}

// several reads the records of a line that lost the break between them, and
// reports false if it is no such line.
func (p *parser) several(line []byte, at table.Location) bool {
	pos := 0
	list := unbroken(line)
	for _, data := range list {
		pos += bytes.Index(line[pos:], data)
		one := at
		one.Offset, one.Length = at.Offset+int64(pos), int64(len(data))
		p.record(data, one, document.List{})
		pos += len(data)
	}
	return list != nil
}

// unbroken returns the objects of a line that has several, with what follows
// them; nil if it has not.
func unbroken(line []byte) [][]byte {
	list, rest := jsonscan.Values(line)
	if len(rest) > 0 {
		list = append(list, rest)
	}
	if len(list) < 2 || list[1][0] != '{' {
		return nil
	}
	return list
}

// legacy keeps an audit event in the text format.
func (p *parser) legacy(line []byte, at table.Location) {
	p.event.Location = at
	if err := audit.DecodeLegacy(line, &p.event); err != nil {
		p.reject(at, err)
		return
	}
	p.auditEvent(coverage.AuditLegacy, audit.Bodies{})
}

// looksLikeAudit reports whether a text starts as an audit event does, and not
// as a batch with one in a string.
func looksLikeAudit(data []byte) bool {
	i := bytes.Index(data[:min(len(data), 256)], []byte(`"audit.k8s.io/`))
	return i > 0 && data[i-1] != '\\'
}

// logLine keeps a line of text in a log.
func (p *parser) logLine(line []byte, at table.Location) {
	p.line.Location = at
	controllerlog.Text(line, &p.line)
	p.rows.Log(&p.line)
	if p.line.Format == table.LogKlog {
		p.out.formats.add(coverage.Klog, 1)
		p.remember(at, coverage.Klog, nil)
	} else {
		p.out.plain++
		p.remember(at, coverage.ControllerLog, nil)
	}
}

// kubeObject reads an object or Event of a snapshot. The items of a typed list
// need not say what they are.
func (p *parser) kubeObject(data []byte, at table.Location, list document.List) {
	header, err := object.Header{}, jsonscan.Check(data)
	if err == nil {
		header, err = p.object.Header(data)
	}
	if kind, ok := strings.CutSuffix(list.Kind, "List"); errors.Is(err, object.ErrNoKind) && ok && kind != "" && !audit.IsGroup(list.APIVersion) {
		header, err = object.Header{APIVersion: list.APIVersion, Kind: kind}, nil
	}
	switch {
	case err != nil && at.Part == 0 && p.unwrapTrusted(data, at):
	case errors.Is(err, object.ErrNoKind):
		p.listItems(data, at, errUnknown)
	case err != nil:
		p.listItems(data, at, err)
	case header.IsEvent():
		p.kubeEvent = table.KubeEvent{Location: at, Origin: table.OriginSnapshot}
		if err := p.object.Event(data, &p.kubeEvent); err != nil {
			p.reject(at, err)
			return
		}
		e := &p.kubeEvent
		p.rows.KubeEvent(e)
		p.out.formats.add(formatOf(coverage.Events, list), 1)
		p.span(e.FirstTime, e.LastTime, e.EventTime)
		if e.UID != "" {
			p.identity.begin(e.UID, e.LastTime, e.Message, e.Name)
		}
		p.remember(at, formatOf(coverage.Events, list), nil)
	case header.IsList():
		p.listItems(data, at, errNested)
	case header.Kind == "AdmissionReview" && header.Group() == "admission.k8s.io":
		p.admission(data, at, header)
	default:
		p.obj = table.Object{Location: at, Origin: table.OriginSnapshot}
		if err := p.object.Decode(data, header, &p.obj); err != nil {
			p.reject(at, err)
			return
		}
		p.rows.Object(&p.obj)
		p.out.formats.add(formatOf(coverage.Snapshot, list), 1)
		if p.obj.UID != "" && p.obj.ResourceVersion != "" {
			p.identity.begin(p.obj.UID, time.Time{}, p.obj.ResourceVersion, p.obj.Kind, p.obj.SpecDigest)
		}
		p.remember(at, formatOf(coverage.Snapshot, list), nil)
	}
}

// formatOf tells what kubectl printed for people from what it printed for
// programs.
func formatOf(format coverage.Format, list document.List) coverage.Format {
	if list.Row != "" {
		return coverage.SnapshotTable
	}
	return format
}

// listItems reads the items of a list that is one record, as on a line. What is
// no list is rejected, as is a list within one.
func (p *parser) listItems(data []byte, at table.Location, reason error) {
	if at.Part > 0 || !bytes.Contains(data, []byte(`"items"`)) {
		p.reject(at, reason)
		return
	}
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
			item.File, item.Cluster, item.Line, item.Offset = at.File, at.Cluster, at.Line+item.Line-1, at.Offset+item.Offset
			p.record(rec.JSON, item, rec.List)
		}
		if b.Err != nil {
			p.reject(at, b.Err)
		}
	}
}
