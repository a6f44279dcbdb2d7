package explore

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// View draws the page that is shown.
func (m *Model) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen = true
	return v
}

// lines are those of the terminal: where one is, the items, the selected one in
// full, and what can be done.
func (m *Model) lines() []string {
	p := m.here()
	lines := []string{m.where()}
	if h := p.heading(m.width - 1); h != "" {
		lines = append(lines, m.look.title.Render(m.look.fit(" "+h, m.width)))
	}
	from, to := p.window()
	for place := from; place < to; place++ {
		lines = append(lines, m.line(p, place))
	}
	for range p.height - (to - from) {
		lines = append(lines, "")
	}
	lines = append(lines, m.rule(p))
	lines = append(lines, m.inFull(p)...)
	lines = append(lines, m.status(p))
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], m.width, "")
	}
	return lines[:min(len(lines), m.height)]
}

// around returns how many lines of the terminal are not for items.
func (m *Model) around(p *page) int {
	lines := 3 // where, rule, status
	if p.heading(m.width-1) != "" {
		lines++
	}
	return lines + m.room(p)
}

// room returns how many lines the selected item has to be told in full.
func (m *Model) room(p *page) int {
	if p.scrolls {
		return 0
	}
	return min(4, m.height/4)
}

// line writes the item at a place of the list. In text, only what was found is marked.
func (m *Model) line(p *page, place int) string {
	item := p.shown[place]
	text := p.row(item, m.width-1)
	if place != p.cursor || p.scrolls && p.sought == "" {
		return " " + text
	}
	return m.look.selected.Render(m.look.fit(">"+ansi.Strip(text), m.width))
}

// where names the pages that were opened, and the filter.
func (m *Model) where() string {
	var titles []string
	for _, p := range m.pages {
		titles = append(titles, p.title())
	}
	for len(titles) > 1 && ansi.StringWidth(strings.Join(titles, " › ")) > m.width*2/3 {
		titles = titles[1:]
	}
	left := " " + strings.Join(titles, " › ")
	p := m.here()
	if p.filtered == "" {
		return m.look.title.Render(m.look.fit(left, m.width))
	}
	right := (&prompt{mark: " & ", text: []rune(p.filtered)}).view() + " "
	room := min(ansi.StringWidth(m.look.spell(right)), m.width*2/3)
	return m.look.title.Render(m.look.fit(left, m.width-room)) + m.look.warn.Render(m.look.fit(right, room))
}

// rule parts the items from what is below, and tells the place among them and in time.
func (m *Model) rule(p *page) string {
	last := p.cursor
	if p.scrolls {
		last = p.top + p.height - 1
	}
	last = min(last, len(p.shown)-1)
	place := fmt.Sprintf(" %d/%d ", last+1, len(p.shown))
	if n := len(p.shown); n > 0 {
		place += fmt.Sprintf("%d%% ", 100*(last+1)/n)
	}
	if all := p.length(); all > len(p.shown) {
		place += fmt.Sprintf("of %d ", all)
	}
	line := func(n int) string { return strings.Repeat(m.look.spell("─"), max(0, n)) }
	when := line(2)
	if t, ok := p.screen.(timed); ok && p.item() >= 0 {
		when += " " + t.when(p.item(), m.width-len(place)-6) + " "
	}
	return m.look.faint.Render(m.look.fit(when+line(m.width-ansi.StringWidth(when)-len(place)-2)+place+line(2), m.width))
}

// inFull tells the selected item, as far as there is room.
func (m *Model) inFull(p *page) []string {
	room := m.room(p)
	if room == 0 {
		return nil
	}
	lines := make([]string, 0, room)
	if item := p.item(); item >= 0 {
		for _, paragraph := range p.detail(item, m.width-2) {
			lines = append(lines, m.look.wrap(paragraph[:min(len(paragraph), 8*room*m.width)], m.width-2)...)
		}
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	if len(lines) > room {
		lines = lines[:room]
		lines[room-1] = strings.TrimRight(ansi.Truncate(lines[room-1], m.width-2, ""), " …~") + m.look.spell("…")
	}
	for len(lines) < room {
		lines = append(lines, "")
	}
	return lines
}

// status is the last line: what is being typed, what there is to say, or what can be
// done.
func (m *Model) status(p *page) string {
	switch {
	case m.prompt != nil:
		text := m.look.spell(m.prompt.view())
		if over := ansi.StringWidth(text) + 1 - m.width; over > 0 { // the end is what is typed
			text = ansi.TruncateLeft(text, over, "")
		}
		return text + m.cursor()
	case m.note != "":
		return m.look.warn.Render(m.look.fit(" "+m.note, m.width))
	}
	return m.look.faint.Render(m.look.fit(" "+hints(p), m.width))
}

// cursor shows where the typed text ends.
func (m *Model) cursor() string {
	if m.look.colored {
		return m.look.selected.Render(" ")
	}
	return "_"
}
