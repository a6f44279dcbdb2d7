package explore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// story shows the timeline of an object and its family, folded as text is.
type story struct {
	*render.Story
	look   look
	clock  render.Clock
	all    bool
	rows   []render.Row
	hidden int
	begin  time.Time // of the first row
}

func newStory(m *Model, told *render.Story) *story {
	s := &story{Story: told, look: m.look, clock: m.data.Clock, all: m.all}
	s.choose()
	return s
}

func (s *story) choose() {
	s.rows, s.hidden = s.Rows(s.all)
	if len(s.rows) > 0 {
		s.begin = s.rows[0].Time
	}
}

func (s *story) title() string {
	title := render.Safe(s.Object.Namespace + "/" + s.Object.Name)
	if s.hidden > 0 {
		title += fmt.Sprintf(" (v: %d more)", s.hidden)
	}
	return title
}

func (s *story) resize(int)  {}
func (s *story) length() int { return len(s.rows) }
func (s *story) heading(width int) string {
	return s.look.columns([]string{"TIME", "", "OBJECT", "WHAT HAPPENED", "READY"}, s.widths(width))
}

// widths returns those of time, mark, object, what happened, and ready replicas.
func (s *story) widths(width int) []int {
	const clock, mark, ratio = 12, 2, 5
	if width < 60 {
		rest := width - clock - mark - 3
		return []int{clock, mark, rest / 2, rest - rest/2, 0}
	}
	rest := width - clock - mark - ratio - 4
	object := min(34, max(20, rest*2/5))
	return []int{clock, mark, object, rest - object, ratio}
}

func (s *story) row(item, width int) string {
	r := &s.rows[item]
	w := s.widths(width)
	beside := " "
	if r.Together {
		beside = "~"
	}
	style := s.look.kind(r.Kind)
	text := s.clock.Time(r.Time)[:w[0]] // to the millisecond
	return text + " " + style.Render(s.look.fit(beside+render.Mark(r.Kind), w[1])) + " " +
		s.look.accent.Render(s.look.fit(render.Safe(label(r.Object)), w[2])) + " " +
		style.Render(s.look.columns([]string{r.What(s.clock), render.Ratio(r.Ready, r.Want)}, w[3:]))
}

// label names an object in little room.
func label(r timeline.Ref) string {
	if r.Kind == "" {
		return ""
	}
	return render.ShortKind(r.Kind) + "/" + r.Name
}

func objectOf(r timeline.Ref) string { return strings.ToLower(r.Kind + "/" + r.Name) }

func (s *story) words(item int) words {
	r := &s.rows[item]
	return words{kind: string(r.Kind), object: objectOf(r.Object), actor: strings.ToLower(r.Actor.Component + " " + r.Actor.User + " " + r.Actor.UserAgent),
		text: strings.ToLower(r.Summary + " " + label(r.Object) + " " + r.Verb + " " + r.Sub + " " + strconv.Itoa(r.Code) + " " + placeOf(r.Source) + " " + idOf(r.Source))}
}

func (s *story) proof(item int) (Proof, bool) {
	r := &s.rows[item]
	return Proof{r.Source, r.Object.Name}, true
}

// when tells the time of a row, and how long after the first that is.
func (s *story) when(item, width int) string {
	t := s.rows[item].Time
	if t.IsZero() {
		return "no time"
	}
	text := *s.clock.Full(t) + fmt.Sprintf(" (%+.3f s)", t.Sub(s.begin).Seconds())
	if len(text) > width {
		return s.clock.Time(t)
	}
	return text
}

// detail tells where the proof is, what happened, and what was asked and by whom. The
// place gives way where it has no room beside the ID.
func (s *story) detail(item, width int) []string {
	r := &s.rows[item]
	what := r.Summary
	if f := s.Finding(r.Entry); f != nil {
		what = f.Summary
	}
	id, place := idOf(r.Source), placeOf(r.Source)
	proof := strings.TrimSpace(id + "  " + place)
	lines := []string{what, request(r)}
	switch {
	case proof == "":
		return lines
	case id == "" || ansi.StringWidth(proof) <= width:
		return append([]string{proof}, lines...)
	}
	return []string{id, what, place, request(r)}
}

// request tells what was asked and by whom.
func request(r *render.Row) string {
	text := r.Object.String()
	if r.Verb != "" {
		text += ": " + strings.TrimSpace(r.Verb+" "+r.Sub)
		if r.Code != 0 {
			text += fmt.Sprintf(" answered %d", r.Code)
		}
	}
	if by := strings.TrimSpace(r.Actor.Component + " " + r.Actor.User); by != "" {
		text += ", by " + by
	}
	return text + " (" + string(r.Kind) + ", " + string(r.Grade) + ")"
}

func (s *story) key(m *Model, key string) (tea.Cmd, bool) {
	p := m.here()
	item := p.item()
	switch {
	case key == "v":
		s.turn(p)
		return nil, true
	case key == "i":
		m.open(newAbout(m, s))
		return nil, true
	case item < 0:
		return nil, false
	}
	r := &s.rows[item]
	switch key {
	case "enter":
		if f := s.Finding(r.Entry); f != nil {
			m.open(newFinding(m, f))
			return nil, true
		}
	case "o":
		m.only(p, "object:"+objectOf(r.Object))
		return nil, true
	case "a":
		if r.Actor.Component != "" {
			m.only(p, `actor:"`+r.Actor.Component+`"`)
		}
		return nil, true
	case "t":
		m.only(p, "kind:"+string(r.Kind))
		return nil, true
	}
	return nil, false
}

// turn shows rows that matter less, or hides them again.
func (s *story) turn(p *page) {
	var current timeline.Entry
	if item := p.item(); item >= 0 {
		current = s.rows[item].Entry
	}
	s.all = !s.all
	s.choose()
	p.refresh(func(item int) bool { return s.rows[item].Same(current) })
}

// tell opens the timeline of an object, at the row that at knows if there is one.
func (m *Model) tell(cluster string, object timeline.Ref, uid string, at func(timeline.Entry) bool) tea.Cmd {
	return m.ask("telling what happened to "+render.Safe(object.String()), func(context.Context) (func(), error) {
		told, err := m.data.Story(cluster, object, uid)
		return func() {
			s := newStory(m, told)
			m.open(s).refresh(func(item int) bool { return at(s.rows[item].Entry) })
		}, err
	})
}

// only adds a term to the filter, or takes it off again.
func (m *Model) only(p *page, term string) {
	text := strings.TrimSpace(strings.Replace(p.filtered, term, "", 1))
	if text == p.filtered {
		text = strings.TrimSpace(text + " " + term)
	}
	m.filter(p, text)
}
