package ingest

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/csvlog"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// unwrap reads the records in the wrappers around one; it reports false if
// there is no wrapper.
func (p *parser) unwrap(data []byte, at table.Location) bool {
	return p.leaves(p.opener.Leaves(data), at)
}

// unwrapKnown is unwrap for what could be a log line that quotes some JSON: it
// reports false, too, if nothing known is inside.
func (p *parser) unwrapKnown(data []byte, at table.Location) bool {
	leaves := p.opener.Leaves(data)
	return slices.ContainsFunc(leaves, p.known) && p.leaves(leaves, at)
}

// unwrapTrusted is unwrap for any JSON object: where one of its members merely
// looks like a record, something known has to be inside.
func (p *parser) unwrapTrusted(data []byte, at table.Location) bool {
	leaves := p.opener.Leaves(data)
	if len(leaves) > 0 && (leaves[0].Wrappers[0] == "fluent" || leaves[0].Wrappers[0] == "") && !slices.ContainsFunc(leaves, p.known) {
		return false
	}
	return p.leaves(leaves, at)
}

func (p *parser) leaves(leaves []wrapper.Leaf, at table.Location) bool {
	if p.opener.Cut && leaves != nil {
		p.reject(at, document.ErrCut)
	}
	for i, leaf := range leaves {
		for _, name := range leaf.Wrappers {
			p.wrapped(name)
		}
		inner := at
		inner.Part, inner.Cluster = int64(i+1), cmp.Or(at.Cluster, leaf.Cluster)
		if leaf.Audit == nil {
			p.record(leaf.Data, inner, document.List{})
		} else {
			p.translated(leaf, inner)
		}
	}
	return leaves != nil
}

// translated reads an audit event that was put into the terms of Kubernetes.
func (p *parser) translated(leaf wrapper.Leaf, at table.Location) {
	p.raw, p.event.Location = leaf.Data, at
	bodies, err := p.audit.Decode(leaf.Audit, &p.event)
	if err != nil {
		p.reject(at, err)
		return
	}
	p.event.RequestOffset, p.event.ResponseOffset = 0, 0 // the bodies are not where the translation has them
	p.auditEvent(coverage.Audit, bodies)
}

// row reads a row of a CSV file: the record in one of its cells, or the event
// that its cells are the members of.
func (p *parser) row(data []byte, at table.Location, header csvlog.Header) {
	cells, err := csvlog.Cells(data)
	if err != nil {
		p.reject(at, err)
		return
	}
	p.wrapped(header.Wrapper())
	if header.IsAKS() {
		if leaves := p.opener.Leaves(header.Object(cells)); leaves != nil {
			leaves[0].Data = data
			p.translated(leaves[0], at)
			return
		}
	} else if p.unwrap(data, at) {
		return
	}
	text, ok := header.Message(cells)
	if !ok {
		p.reject(at, errNoRecord)
		return
	}
	p.raw = data
	p.logLine([]byte(text), at)
}

// known reports whether what a wrapper holds is a record of a known kind.
func (p *parser) known(leaf wrapper.Leaf) bool {
	inner := bytes.TrimLeft(leaf.Data, " \t")
	has := func(name string) bool { return bytes.Contains(inner, []byte(name)) }
	switch {
	case leaf.Audit != nil, controllerlog.IsKlog(inner), controllerlog.IsConsole(inner), audit.IsLegacy(inner), leaf.Wrappers[0] == "cri":
		return true
	case len(inner) == 0 || inner[0] != '{':
		return false
	}
	var line table.ControllerLog
	return looksLikeAudit(inner) || has(`"apiVersion"`) && has(`"kind"`) || p.log.Zap(inner, &line) == nil
}

// wrapped notes the name of a wrapper that was met.
func (p *parser) wrapped(name string) {
	if name != "" && !slices.Contains(p.out.wrappers, name) {
		p.out.wrappers = append(p.out.wrappers, name)
	}
}

// unwrapped returns the part of a record that a location names.
func unwrapped(data []byte, part int64) []byte {
	if part == 0 {
		return data
	}
	var o wrapper.Opener
	if leaves := o.Leaves(data); int(part) <= len(leaves) {
		return leaves[part-1].Data
	}
	return data
}
