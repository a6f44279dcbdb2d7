package explore

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// text is a screen of lines that are made for a width.
type text struct {
	name  string
	look  look
	lines []string
	make  func(width int) []string
}

func (t *text) scrolls()                           {}
func (t *text) title() string                      { return t.name }
func (t *text) resize(width int)                   { t.lines = t.look.fold(t.make(width-1), width-1) }
func (t *text) length() int                        { return len(t.lines) }
func (t *text) heading(int) string                 { return "" }
func (t *text) row(item, width int) string         { return t.look.fit(t.lines[item], width) }
func (t *text) detail(int, int) []string           { return nil }
func (t *text) key(*Model, string) (tea.Cmd, bool) { return nil, false }
func (t *text) words(item int) words {
	return words{text: strings.ToLower(ansi.Strip(t.lines[item]))}
}
