package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// Page is text for people: laid out for a width, in colour if wanted. Nothing
// is said by colour alone.
type Page struct {
	// Program is how people call the program, where the text names a command.
	Program string

	w     io.Writer
	buf   bytes.Buffer
	clock Clock
	width int
	look  look
}

// look are the styles of a Page.
type look struct {
	title, faint, bad, warn, good, accent lipgloss.Style
}

// plainWidth is the width of text that goes to a file or a pipe.
const plainWidth = 100

// NewPage returns a Page that is written to w by Flush. A width of 0 is that
// of plain text.
func NewPage(w io.Writer, clock Clock, width int, colored bool) *Page {
	if width <= 0 {
		width = plainWidth
	}
	r := Renderer(colored)
	color := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return &Page{Program: "knforensics", w: w, clock: clock, width: max(width, 60), look: look{
		title: r.NewStyle().Bold(true), faint: r.NewStyle().Faint(true),
		bad: color("1").Bold(true), warn: color("3"), good: color("2"), accent: color("6"),
	}}
}

// Renderer returns what makes styles, which are all plain if not colored.
func Renderer(colored bool) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	if colored {
		r.SetColorProfile(termenv.ANSI)
	}
	r.SetHasDarkBackground(true)
	return r
}

// Lines returns what fn writes on a page of a width, however narrow, line by line.
func Lines(clock Clock, width int, colored bool, fn func(*Page)) []string {
	p := NewPage(nil, clock, width, colored)
	p.width = width
	fn(p)
	return strings.Split(strings.TrimSuffix(p.buf.String(), "\n"), "\n")
}

// Flush writes the page.
func (p *Page) Flush() error {
	_, err := p.w.Write(p.buf.Bytes())
	return err
}

func (p *Page) line(parts ...string) {
	p.buf.WriteString(strings.TrimRight(strings.Join(parts, ""), " "))
	p.buf.WriteByte('\n')
}

// paragraph writes text wrapped to the page, its first line after lead and the
// others below it.
func (p *Page) paragraph(lead, text string, style lipgloss.Style) {
	indent := lipgloss.Width(lead)
	for i, l := range wrap(text, p.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		p.line(lead, style.Render(l))
	}
}

// wrap breaks text at blanks into lines of at most width columns. A word that
// is longer has a line of its own, unbroken, so that it can be copied.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case lipgloss.Width(line)+1+lipgloss.Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// pad fills s with blanks up to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

func (p *Page) severity(s detectors.Severity) string {
	text := strings.ToUpper(string(s))
	switch s {
	case detectors.Critical, detectors.High:
		return p.look.bad.Render(text)
	case detectors.Medium:
		return p.look.warn.Render(text)
	}
	return p.look.title.Render(text)
}

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// objectText names an object, with its cluster where that is known.
func objectText(cluster string, r timeline.Ref) string {
	if cluster == "" {
		return Safe(r.String())
	}
	return Safe(cluster + ": " + r.String())
}

// Ratio shows ready and wanted replicas, ? where unknown, and nothing if neither is
// known.
func Ratio(ready, want *int) string {
	if ready == nil && want == nil {
		return ""
	}
	text := func(n *int) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	return text(ready) + "/" + text(want)
}
