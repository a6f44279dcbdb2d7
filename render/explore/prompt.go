package explore

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/knforensics/knforensics/render"
)

// prompt is a line that is being typed.
type prompt struct {
	mark string // what stands before it, and tells what it is for
	text []rune
}

// key takes a key. It reports whether the line is finished, or given up.
func (p *prompt) key(k tea.KeyPressMsg) (finished, abandoned bool) {
	switch k.String() {
	case "enter":
		return true, false
	case "esc", "ctrl+g":
		return false, true
	case "backspace", "ctrl+h":
		if len(p.text) == 0 {
			return false, true
		}
		p.text = p.text[:len(p.text)-1]
	case "ctrl+u":
		p.text = nil
	case "ctrl+w":
		p.text = []rune(strings.TrimRightFunc(strings.TrimRightFunc(string(p.text), unicode.IsSpace), func(r rune) bool { return !unicode.IsSpace(r) }))
	default:
		p.add(k.Key().Text)
	}
	return false, false
}

// add appends text, up to its first line end.
func (p *prompt) add(text string) {
	const most = 1000
	text, _, _ = strings.Cut(text, "\n")
	for _, r := range text {
		if unicode.IsPrint(r) && len(p.text) < most {
			p.text = append(p.text, r)
		}
	}
}

func (p *prompt) view() string { return p.mark + render.Safe(string(p.text)) }
