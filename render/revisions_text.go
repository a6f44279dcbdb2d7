package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Revisions writes the table of Revisions.
func (p *Page) Revisions(list *Revisions) {
	if len(list.Rows) == 0 {
		p.line("no Revision in the inputs")
		return
	}
	table := [][]string{revisionHead}
	for _, row := range list.Rows {
		table = append(table, revisionCells(p.clock, row))
	}
	widths := make([]int, len(table[0]))
	for _, cells := range table {
		for i, c := range cells {
			widths[i] = max(widths[i], lipgloss.Width(c))
		}
	}
	p.rows(table, widths)
	for i, n := range list.Window.narrowing(list.Outside) {
		if i == 0 {
			p.line()
		}
		p.paragraph(p.look.warn.Render(n.lead+": "), n.text, p.plain())
	}
}

var revisionHead = []string{"NAMESPACE", "REVISION", "READY", "REPLICAS", "TRAFFIC", "CREATED", "FINDINGS"}

// revisionCells are what the table tells of a Revision.
func revisionCells(clock Clock, row RevisionRow) []string {
	r, v := row.Revision, EndOf(row.Revision)
	ready := v.Ready
	if v.Reason != "" {
		ready += "/" + v.Reason
	}
	traffic := ""
	if v.Traffic != nil {
		traffic = fmt.Sprintf("%d %%", *v.Traffic)
	}
	created := ""
	if !r.Born.IsZero() {
		created = clock.Stamp(r.Born)
	}
	var found []string
	for _, f := range row.Findings {
		found = append(found, fmt.Sprintf("%s %s", f.Severity, f.Detector))
	}
	for _, detector := range row.Undecided {
		found = append(found, "undecided "+detector)
	}
	if !r.Gone.IsZero() {
		found = append(found, "deleted "+clock.Stamp(r.Gone))
	}
	return []string{Safe(r.Family.InCluster(r.Namespace)), Safe(r.Name), orUnknown(Safe(ready)), Ratio(v.Replicas, v.Want), traffic, created, strings.Join(found, ", ")}
}

// rows writes a table. Where it is wider than the page, its last two columns,
// when a Revision was made and what was found, go below the others.
func (p *Page) rows(table [][]string, widths []int) {
	total, beside := 0, len(widths)
	for _, w := range widths {
		total += w + 2
	}
	if total-2 > p.width {
		beside -= 2
	}
	for n, cells := range table {
		var line strings.Builder
		for i, c := range cells[:beside] {
			line.WriteString(pad(c, widths[i]+2))
		}
		style := p.look.title.UnsetBold()
		if n == 0 {
			style = p.look.title
		}
		p.line(style.Render(strings.TrimRight(line.String(), " ")))
		if below := strings.TrimSpace(strings.Join(cells[beside:], "  ")); n > 0 && below != "" {
			p.paragraph("    ", below, p.look.faint)
		}
	}
}
