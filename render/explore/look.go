package explore

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// look is how text looks. Nothing is said by colour alone.
type look struct {
	colored, ascii                                   bool
	plain, title, faint, bad, warn, accent, selected lipgloss.Style
}

func newLook(colored, ascii bool) look {
	r := render.Renderer(colored)
	color := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return look{colored: colored, ascii: ascii, plain: r.NewStyle(), title: r.NewStyle().Bold(true), faint: r.NewStyle().Faint(true),
		bad: color("1"), warn: color("3"), accent: color("6"), selected: r.NewStyle().Reverse(true)}
}

// kind returns the style of a kind of rows of a timeline.
func (l look) kind(k timeline.EntryKind) lipgloss.Style {
	switch k {
	case timeline.EntryError, timeline.EntryFinding:
		return l.bad
	case timeline.EntryGap:
		return l.warn
	}
	return l.plain
}

func (l look) severity(s detectors.Severity) lipgloss.Style {
	switch s {
	case detectors.Critical, detectors.High:
		return l.bad
	case detectors.Medium:
		return l.warn
	}
	return l.plain
}

// inASCII has what this program writes itself beyond ASCII.
var inASCII = map[rune]string{'✗': "x", '⇒': ">", '±': "+", '●': "*", '·': ".", '‹': "<", '○': "o", '□': "#", '▲': "!", '░': "?",
	'→': "->", '…': "~", '×': "x", '—': "-", '─': "-", '›': ">", '↑': "^", '↓': "v"}

// spell writes text in the characters that the terminal has.
func (l look) spell(text string) string {
	if !l.ascii {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch own, known := inASCII[r]; {
		case r < 0x80:
			b.WriteRune(r)
		case known:
			b.WriteString(own)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// fit makes text exactly width columns wide: what is longer ends with an ellipsis.
func (l look) fit(text string, width int) string {
	text = l.spell(text)
	if width <= 0 {
		return ""
	}
	if w := ansi.StringWidth(text); w <= width {
		return text + strings.Repeat(" ", width-w)
	}
	return ansi.Truncate(text, width, l.spell("…"))
}

// columns makes text of cells that are as wide as told, with a blank between them.
func (l look) columns(cells []string, widths []int) string {
	var line []string
	for i, c := range cells {
		if widths[i] > 0 {
			line = append(line, l.fit(c, widths[i]))
		}
	}
	return strings.Join(line, " ")
}

// fold breaks lines that are wider than width. What goes on has the style with which
// the line begins.
func (l look) fold(lines []string, width int) (folded []string) {
	for _, line := range lines {
		line = l.spell(line)
		if width <= 0 || ansi.StringWidth(line) <= width {
			folded = append(folded, line)
			continue
		}
		style := ""
		if strings.HasPrefix(line, "\x1b[") {
			style = line[:strings.IndexByte(line, 'm')+1]
		}
		for i, part := range strings.Split(ansi.Hardwrap(line, width, true), "\n") {
			if i > 0 {
				part = style + part
			}
			if style != "" {
				part += "\x1b[m"
			}
			folded = append(folded, part)
		}
	}
	return folded
}
