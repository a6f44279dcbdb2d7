package explore

import "github.com/knforensics/knforensics/render"

// newAbout shows what is known of the Revision that a timeline is of: its family, its
// target, how it stands at the end, what was found and what stayed undecided.
func newAbout(m *Model, s *story) screen {
	return &text{name: "About", look: m.look, make: func(width int) []string {
		return render.Lines(m.data.Clock, width, m.look.colored, func(p *render.Page) { p.About(s.Story) })
	}}
}
