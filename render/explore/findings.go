package explore

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// findings lists all findings, and after them what the inputs cannot tell.
type findings struct {
	look   look
	clock  render.Clock
	list   []*detectors.Finding
	doubts []string
}

func newFindings(m *Model) screen {
	return &findings{m.look, m.data.Clock, m.data.Result.Findings, m.data.Doubts()}
}

// openFindings shows them; if there is none, it says how far that goes.
func (m *Model) openFindings() {
	if m.open(newFindings(m)); len(m.data.Result.Findings) == 0 {
		m.note = m.data.Nothing()
	}
}

func (s *findings) title() string { return "Findings" }
func (s *findings) resize(int)    {}
func (s *findings) length() int   { return len(s.list) + len(s.doubts) }

// doubt returns what an item says that the inputs cannot tell, "" if it is a finding.
func (s *findings) doubt(item int) string {
	if item < len(s.list) {
		return ""
	}
	return s.doubts[item-len(s.list)]
}

func (s *findings) heading(width int) string {
	return s.look.columns([]string{"TIME", "SEVERITY", "OBJECT", "DETECTOR"}, s.widths(width))
}

func (s *findings) widths(width int) []int {
	if width < 60 {
		return []int{0, 8, (width - 10) / 2, width - 10 - (width-10)/2}
	}
	rest := width - 15 - 8 - 3
	return []int{15, 8, rest / 2, rest - rest/2}
}

func (s *findings) row(item, width int) string {
	if text := s.doubt(item); text != "" {
		return s.look.warn.Render(s.look.fit("? "+render.Safe(text), width))
	}
	f := s.list[item]
	cells := []string{s.clock.Time(f.Time), strings.ToUpper(string(f.Severity)), render.Safe(label(f.Object)), render.Safe(f.Detector)}
	return s.look.severity(f.Severity).Render(s.look.columns(cells, s.widths(width)))
}

func (s *findings) words(item int) words {
	if text := s.doubt(item); text != "" {
		return words{text: strings.ToLower(text)}
	}
	f := s.list[item]
	return words{kind: string(timeline.EntryFinding), object: objectOf(f.Object), text: strings.ToLower(string(f.Severity) + " " + f.Detector + " " + f.Summary)}
}

func (s *findings) detail(item, _ int) []string {
	if text := s.doubt(item); text != "" {
		return []string{"What the inputs cannot tell:", text}
	}
	f := s.list[item]
	return []string{f.Object.String() + ": " + string(f.Confidence), f.Summary}
}

func (s *findings) key(m *Model, key string) (tea.Cmd, bool) {
	switch key {
	case "enter":
		if item := m.here().item(); item >= 0 && item < len(s.list) {
			m.open(newFinding(m, s.list[item]))
		}
		return nil, true
	}
	return nil, false
}
