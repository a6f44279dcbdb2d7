package explore

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Update takes a key, a new size or an answer.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.fit(m.here()) // the others follow when they are shown
	case tea.PasteMsg:
		if m.prompt != nil {
			m.prompt.add(msg.Content)
		}
	case answer:
		m.answered(msg)
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

func (m *Model) answered(a answer) {
	if a.number != m.asked {
		return
	}
	m.give()
	if a.err != nil {
		m.note = render.Safe(a.err.Error())
		return
	}
	a.show()
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "ctrl+c" {
		return tea.Interrupt
	}
	if m.prompt != nil {
		return m.typed(k)
	}
	if m.stop == nil {
		m.note = ""
	}
	p := m.here()
	if cmd, known := p.key(m, k.String()); known {
		return cmd
	}
	if m.moved(p, k.String()) {
		return nil
	}
	return m.shared(p, k.String())
}

// moved does what keys do that move, as in less and k9s.
func (m *Model) moved(p *page, key string) bool {
	switch key {
	case "j", "down", "ctrl+n", "ctrl+e", "ctrl+j":
		p.move(1)
	case "k", "up", "ctrl+p", "ctrl+y", "ctrl+k":
		p.move(-1)
	case "space", "ctrl+f", "pgdown", "ctrl+v":
		p.turn(p.height)
	case "b", "ctrl+b", "pgup":
		p.turn(-p.height)
	case "ctrl+d":
		p.turn(p.height / 2)
	case "ctrl+u":
		p.turn(-p.height / 2)
	case "g", "home", "<":
		p.to(0)
	case "G", "end", ">":
		p.to(len(p.shown) - 1)
	default:
		return false
	}
	return true
}

// shared does what keys do on all screens.
func (m *Model) shared(p *page, key string) tea.Cmd {
	switch key {
	case "n":
		m.find(1)
	case "N":
		m.find(-1)
	case "/", "&", ":":
		m.prompt = &prompt{mark: key}
		if key == "&" {
			m.prompt.text = []rune(p.filtered)
		}
	case "?", "h":
		m.open(newHelp(m))
	case "F":
		m.openFindings()
	case "C":
		m.open(newCoverage(m))
	case "c":
		return m.copy(p)
	case "enter", "y", "d", "r":
		return m.records(p, viewOf(key))
	case "q", "esc":
		return m.leave(key)
	case "Q":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	}
	return nil
}

// leave goes one step back: gives up what is under way, takes the filter off, or
// shows the page before. From the first, q leaves.
func (m *Model) leave(key string) tea.Cmd {
	p := m.here()
	switch {
	case m.give():
	case key == "esc" && p.filtered != "":
		m.filter(p, "")
	case len(m.pages) > 1:
		m.back()
	case key == "q":
		return tea.Quit
	}
	return nil
}

// typed takes a key for the line that is being typed, and does what it says once it
// is finished.
func (m *Model) typed(k tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	finished, abandoned := p.key(k)
	if finished || abandoned {
		m.prompt = nil
	}
	if !finished {
		return nil
	}
	text := strings.TrimSpace(string(p.text))
	switch p.mark {
	case "&":
		m.filter(m.here(), text)
	case "/":
		if text != "" {
			m.here().sought = strings.ToLower(text)
		}
		m.find(1)
	case ":":
		return m.command(text)
	}
	return nil
}

// command does what was typed behind a colon.
func (m *Model) command(text string) tea.Cmd {
	if line, err := strconv.Atoi(text); err == nil {
		m.here().to(line - 1)
		return nil
	}
	switch strings.ToLower(text) {
	case "q", "q!", "quit", "exit":
		return tea.Quit
	case "rev", "revision", "revisions":
		m.pages = m.pages[:1]
		m.fit(m.here())
	case "findings":
		m.openFindings()
	case "coverage":
		m.open(newCoverage(m))
	case "help":
		m.open(newHelp(m))
	case "":
	default:
		m.note = "no such command: " + render.Safe(text) + " (q, revisions, findings, coverage, help or a line)"
	}
	return nil
}

// filter lists what matches only.
func (m *Model) filter(p *page, text string) {
	same := p.selected()
	p.filtered = text
	p.refresh(same)
	if len(p.shown) == 0 {
		m.note = "nothing matches; esc takes the filter off"
	}
}

// find goes to the next item that says what was searched for. Before anything was,
// it goes to the next finding.
func (m *Model) find(step int) {
	p := m.here()
	if len(p.shown) == 0 {
		return
	}
	what, ok := "no other finding here", func(item int) bool { return p.words(item).kind == string(timeline.EntryFinding) }
	if p.sought != "" {
		what, ok = "not found: "+render.Safe(p.sought), func(item int) bool { return p.words(item).holds(p.sought) }
	}
	from := p.cursor
	place, found := p.next(step, ok)
	switch {
	case !found, p.sought == "" && place == from:
		m.note = what
	default:
		p.to(place)
		if (place-from)*step < 0 {
			m.note = "went round"
		}
	}
}

// behind returns the record behind the selected item.
func (p *page) behind() (proof Proof, ok bool) {
	of, is := p.screen.(proven)
	if item := p.item(); is && item >= 0 {
		return of.proof(item)
	}
	return proof, false
}

// copy puts the ID of the selected record into the clipboard of the terminal. As
// nothing tells whether the terminal has taken it, it is shown too.
func (m *Model) copy(p *page) tea.Cmd {
	proof, ok := p.behind()
	id := render.Safe(idOf(proof.Source)) // what is pasted must do no harm either
	if !ok || id == "" {
		m.note = "there is no ID here"
		return nil
	}
	m.note = id + " copied, if the terminal lets it (OSC 52)"
	return tea.SetClipboard(id)
}

func idOf(s timeline.Source) string {
	for _, id := range []string{s.AuditID, s.TraceID, s.EventID} {
		if id != "" {
			return id
		}
	}
	return ""
}

// placeOf returns where a record is, "" if nothing tells.
func placeOf(s timeline.Source) string {
	if s.File == "" {
		return ""
	}
	return s.File + ":" + strconv.FormatInt(s.Line, 10)
}

// records reads the record behind the selected item and shows it.
func (m *Model) records(p *page, v view) tea.Cmd {
	proof, ok := p.behind()
	if !ok || proof.File == "" {
		return nil
	}
	return m.ask("reading "+render.Safe(placeOf(proof.Source))+" (esc gives up)", func(ctx context.Context) (func(), error) {
		list, err := m.data.Records(ctx, proof)
		return func() { m.open(newRecord(m, proof, list, v)) }, err
	})
}
