package explore

import "github.com/knforensics/knforensics/render"

// newCoverage shows what the inputs can and cannot prove.
func newCoverage(m *Model) screen {
	d := m.data
	return &text{name: "Coverage", look: m.look, make: func(width int) []string {
		return render.Lines(d.Clock, width, m.look.colored, func(p *render.Page) { p.Coverage(d.Coverage, d.Result.Blind, m.all) })
	}}
}
