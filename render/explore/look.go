package explore

import (
	"fmt"
	"strings"
	"unicode/utf8"

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

// fold breaks lines that are wider than width. Where all of one has a style, so have
// its parts; other styles are lost.
func (l look) fold(lines []string, width int) (folded []string) {
	for _, line := range lines {
		if line = l.spell(line); ansi.StringWidth(line) <= width {
			folded = append(folded, line)
			continue
		}
		style, reset := "", ""
		if strings.HasPrefix(line, "\x1b[") && strings.Count(line, "\x1b") == 2 && strings.HasSuffix(line, "m") {
			style, reset = line[:strings.IndexByte(line, 'm')+1], "\x1b[m"
		}
		for _, part := range parts(ansi.Strip(line), width) {
			folded = append(folded, style+part+reset)
		}
	}
	return folded
}

// wrap breaks text into safe lines of a width.
func (l look) wrap(text string, width int) []string {
	return parts(l.spell(render.Safe(strings.Join(strings.Fields(text), " "))), width)
}

// parts breaks plain text at blanks into lines of a width, and anywhere where there is
// none in the second half of a line.
func parts(text string, width int) (lines []string) {
	width = max(1, width)
	for {
		end := min(len(text), 16*width) // more than a line, so that long text takes no longer a line
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		near := text[:end]
		head := ansi.Truncate(near, width, "")
		if len(head) == len(text) {
			return append(lines, text)
		}
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && text[len(head)] != ' ' {
			head = head[:i]
		}
		if head == "" { // a character is wider than the line
			return lines
		}
		lines = append(lines, head)
		text = strings.TrimPrefix(text[len(head):], " ")
	}
}
