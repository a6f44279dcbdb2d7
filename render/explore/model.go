package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Model is the state of the browser.
type Model struct {
	data          Data
	look          look
	all           bool
	width, height int
	pages         []*page // that were opened; the last is shown
	prompt        *prompt // nil if nothing is being typed
	note          string  // said in place of the hints, until the next key
	ctx           context.Context
	asked         int                // counts what was asked for
	stop          context.CancelFunc // of what is under way, nil if nothing is
}

func newModel(ctx context.Context, data Data, look look, all bool) *Model {
	m := &Model{data: data, look: look, all: all, width: 80, height: 24, ctx: ctx}
	if m.open(newRevisions(m)); len(data.Revisions) == 0 {
		m.note = "no Revision in the inputs; C says what is in them"
	}
	return m
}

// Init does nothing: all is there.
func (m *Model) Init() tea.Cmd { return nil }

// screen is what a page lists: items, which are known by their number.
type screen interface {
	title() string
	// resize is called first of all, and whenever the terminal has another size.
	resize(width int)
	length() int
	heading(width int) string // the titles of columns, "" if there are none
	row(item, width int) string
	words(item int) words
	// detail says in full what the selected item is, what matters most first; nil if
	// a row says all. It is wrapped to a width and made safe by who shows it.
	detail(item, width int) []string
	// key does what a key means for this screen only; known is false if nothing.
	key(m *Model, key string) (cmd tea.Cmd, known bool)
}

// proven is a screen whose items have records that prove them.
type proven interface {
	proof(item int) (p Proof, ok bool)
}

// timed is a screen whose items lie in time.
type timed interface {
	when(item, width int) string
}

// scrolling is a screen of text that is read, with nothing to be selected.
type scrolling interface{ scrolls() }

// page is a screen with the place in it.
type page struct {
	screen
	list
	filtered string // what the filter is, as it was typed
	sought   string // what was searched for, in lower case
}

// here returns the page that is shown.
func (m *Model) here() *page { return m.pages[len(m.pages)-1] }

// open shows a screen.
func (m *Model) open(s screen) *page {
	p := &page{screen: s}
	_, p.scrolls = s.(scrolling)
	m.pages = append(m.pages, p)
	m.fit(p)
	p.refresh(func(int) bool { return false })
	return p
}

// back shows the page before.
func (m *Model) back() {
	m.pages = m.pages[:len(m.pages)-1]
	m.fit(m.here())
}

// fit gives a page the size of the terminal. Where its text has then other lines, it
// stays at about the same place.
func (m *Model) fit(p *page) {
	before := p.length()
	p.resize(m.width)
	p.height = max(1, m.height-m.around(p))
	if now := p.length(); now != before {
		share := float64(p.cursor) / float64(max(1, len(p.shown)))
		p.refresh(func(int) bool { return false })
		p.to(int(share * float64(len(p.shown))))
	}
	p.settle()
}

// refresh lists what passes the filter. What same knows stays selected.
func (p *page) refresh(same func(item int) bool) {
	f := parseFilter(p.filtered)
	p.keep(p.length(), func(item int) bool { return len(f) == 0 || f.matches(p.words(item)) }, same)
}

// selected returns a function that knows the selected item.
func (p *page) selected() func(item int) bool {
	current := p.item()
	return func(item int) bool { return item == current }
}

// answer is what was asked for and took its time.
type answer struct {
	number int
	show   func()
	err    error
}

// ask gets something beside the keys, and shows it unless something else was asked
// for, or it was given up, in between.
func (m *Model) ask(note string, get func(context.Context) (show func(), err error)) tea.Cmd {
	m.give()
	ctx, stop := context.WithCancel(m.ctx)
	m.asked++
	m.stop, m.note = stop, note
	number := m.asked
	return func() tea.Msg {
		show, err := get(ctx)
		return answer{number, show, err}
	}
}

// give gives up what is under way. It reports whether anything was.
func (m *Model) give() bool {
	if m.stop == nil {
		return false
	}
	m.stop()
	m.stop, m.note = nil, ""
	m.asked++
	return true
}
