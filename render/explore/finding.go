package explore

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

// finding shows a finding: what it says, how it came about, the records that prove
// it, and what it cannot prove.
type finding struct {
	of     *detectors.Finding
	look   look
	clock  render.Clock
	manual string
	said   []said
}

// said is a line, with the record that it is about if there is one.
type said struct {
	text  string
	proof *detectors.Evidence
}

func newFinding(m *Model, f *detectors.Finding) screen {
	return &finding{of: f, look: m.look, clock: m.data.Clock, manual: m.data.Manual(f.Detector)}
}

func (s *finding) title() string { return render.Safe(s.of.Detector) }

// resize writes all for a width.
func (s *finding) resize(width int) {
	s.said = nil
	width--
	s.lines(width, nil, render.Lines(s.clock, width, s.look.colored, func(p *render.Page) { p.Claim(s.of) })...)
	s.part(width, "Evidence", len(s.of.Evidence))
	for i := range s.of.Evidence {
		e := &s.of.Evidence[i]
		s.lines(width, e, fmt.Sprintf("  %s %-14s %s", s.clock.Time(e.Time), e.Role, s.look.faint.Render(render.Safe(fmt.Sprintf("%s:%d", e.File, e.Line)))))
	}
	s.part(width, "How it came about", len(s.of.Chain))
	for i := range s.of.Chain {
		step := &s.of.Chain[i]
		s.lines(width, &step.Evidence, fmt.Sprintf("  %s %s", s.clock.Time(step.Time), s.look.accent.Render(step.Role)))
		for _, l := range s.look.wrap(step.What, width-4) {
			s.lines(width, &step.Evidence, "    "+l)
		}
	}
	limits := paragraphs(s.manual, "What it cannot see")
	s.part(width, "What it cannot prove", len(limits))
	for _, paragraph := range limits {
		for _, l := range s.look.wrap(paragraph, width-2) {
			s.lines(width, nil, "  "+l)
		}
	}
}

// part begins a part of the page, if it has anything in it.
func (s *finding) part(width int, title string, items int) {
	if items > 0 {
		s.lines(width, nil, "", s.look.title.Render(title))
	}
}

func (s *finding) lines(width int, proof *detectors.Evidence, lines ...string) {
	for _, l := range s.look.fold(lines, width) {
		s.said = append(s.said, said{l, proof})
	}
}

// paragraphs returns those of a part of a manual.
func paragraphs(manual, part string) []string {
	_, rest, found := strings.Cut(manual, "# "+part+"\n")
	if !found {
		return nil
	}
	rest, _, _ = strings.Cut(rest, "\n# ")
	return strings.Split(strings.TrimSpace(rest), "\n\n")
}

func (s *finding) length() int                { return len(s.said) }
func (s *finding) heading(int) string         { return "" }
func (s *finding) row(item, width int) string { return s.look.fit(s.said[item].text, width) }
func (s *finding) words(item int) words {
	return words{text: strings.ToLower(ansi.Strip(s.said[item].text))}
}

func (s *finding) proof(item int) (p Proof, ok bool) {
	if e := s.said[item].proof; e != nil {
		return Proof{Source: e.Source}, true
	}
	return p, false
}

func (s *finding) detail(item, _ int) []string {
	e := s.said[item].proof
	if e == nil {
		return nil
	}
	return []string{idOf(e.Source), placeOf(e.Source)}
}

func (s *finding) key(m *Model, key string) (tea.Cmd, bool) {
	if key != "t" {
		return nil, false
	}
	own := render.FindingEntry(s.of)
	return m.tell(s.of.Cluster, s.of.Object, s.of.UID, own.Same), true
}
