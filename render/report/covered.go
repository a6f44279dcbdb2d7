package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
)

// coverage tells what was read, and what is missing.
func (p *page) coverage() g.Node {
	return h.Section(h.Aria("labelledby", "coverage"),
		h.H2(h.ID("coverage"), g.Text("What was read")),
		scrolling("What was read", h.Table(h.Class("files"),
			heads("file", "format", "records", "lost", "from", "to"),
			h.TBody(g.Map(p.Coverage.Files, p.file)),
		)),
		p.missing(),
	)
}

// scrolling is what may be wider than the page.
func scrolling(label string, node g.Node) g.Node {
	return h.Div(h.Class("scroll"), h.TabIndex("0"), h.Role("region"), h.Aria("label", label), node)
}

func heads(names ...string) g.Node {
	return h.THead(h.Tr(g.Map(names, func(name string) g.Node {
		return h.Th(h.Scope("col"), g.If(name == "records" || name == "lost", h.Class("number")), g.Text(name))
	})))
}

func (p *page) file(f coverage.File) g.Node {
	format := string(f.Format)
	if f.Skipped != "" {
		format += ": " + f.Skipped
	}
	return h.Tr(h.Td(text(f.Path)), h.Td(text(format)), h.Td(h.Class("number"), textf("%d", f.Records)), h.Td(h.Class("number"), textf("%d", f.Rejected+f.Truncated)),
		h.Td(text(stamp(p.Clock, f.From))), h.Td(text(stamp(p.Clock, f.To))))
}

// missing lists what the inputs lack.
func (p *page) missing() g.Node {
	var items []g.Node
	add := func(what, format string, args ...any) {
		items = append(items, h.Li(h.Strong(g.Text(what)), g.Text(" "), textf(format, args...)))
	}
	for _, gap := range p.Coverage.Gaps {
		add("gap", "%s to %s: %s", stamp(p.Clock, gap.From), stamp(p.Clock, gap.To), gap.Text())
	}
	for _, s := range p.Skew {
		add("clocks", "%s", render.SkewText(s))
	}
	for _, text := range render.BlindTexts(p.Blind) {
		add("blind", "%s", text)
	}
	return g.If(len(items) > 0, h.Ul(g.Group(items)))
}
