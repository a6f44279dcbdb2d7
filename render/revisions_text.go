package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Revisions writes the table of Revisions.
func (p *Page) Revisions(rows []RevisionRow) {
	if len(rows) == 0 {
		p.line("no Revision in the inputs")
		return
	}
	table := [][]string{{"NAMESPACE", "REVISION", "READY", "REPLICAS", "TRAFFIC", "CREATED", "FINDINGS"}}
	for _, row := range rows {
		r, v := row.Revision, viewOf(row.Revision)
		ready := v.ready
		if v.reason != "" {
			ready += "/" + v.reason
		}
		traffic := ""
		if v.traffic != nil {
			traffic = fmt.Sprintf("%d %%", *v.traffic)
		}
		created := ""
		if !r.Born.IsZero() {
			created = p.clock.Stamp(r.Born)
		}
		var found []string
		for _, f := range row.Findings {
			found = append(found, fmt.Sprintf("%s %s", f.Severity, f.Detector))
		}
		if !r.Gone.IsZero() {
			found = append(found, "deleted "+p.clock.Stamp(r.Gone))
		}
		table = append(table, []string{Safe(r.Namespace), Safe(r.Name), orUnknown(Safe(ready)), ratio(v.replicas, v.want), traffic, created, strings.Join(found, ", ")})
	}
	widths := make([]int, len(table[0]))
	for _, cells := range table {
		for i, c := range cells {
			widths[i] = max(widths[i], lipgloss.Width(c))
		}
	}
	for n, cells := range table {
		var line strings.Builder
		for i, c := range cells {
			line.WriteString(pad(c, widths[i]+2))
		}
		if n == 0 {
			p.line(p.look.title.Render(strings.TrimRight(line.String(), " ")))
			continue
		}
		p.line(line.String())
	}
}
