package ingest

import (
	"bytes"
	"slices"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
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

func (p *parser) leaves(leaves []wrapper.Leaf, at table.Location) bool {
	for i, leaf := range leaves {
		for _, name := range leaf.Wrappers {
			p.wrapped(name)
		}
		inner := at
		inner.Part = int64(i + 1)
		if leaf.Audit == nil {
			p.record(leaf.Data, inner, document.List{})
			continue
		}
		p.event.Location = inner
		bodies, err := p.audit.Decode(leaf.Audit, &p.event)
		if err != nil {
			p.reject(inner, err)
			continue
		}
		p.event.RequestOffset, p.event.ResponseOffset = 0, 0 // the bodies are not where Audit has them
		p.auditEvent(coverage.Audit, bodies)
	}
	return leaves != nil
}

// known reports whether what a wrapper holds is a record of a known kind.
func (p *parser) known(leaf wrapper.Leaf) bool {
	inner := bytes.TrimLeft(leaf.Data, " \t")
	has := func(name string) bool { return bytes.Contains(inner, []byte(name)) }
	switch {
	case leaf.Audit != nil, controllerlog.IsKlog(inner), audit.IsLegacy(inner), leaf.Wrappers[0] == "cri":
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
