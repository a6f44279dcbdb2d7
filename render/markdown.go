package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// mostMarkdown is the size that GitHub takes as the summary of a step of a workflow, less
// room for the last line: of a larger one it shows nothing
// (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
const mostMarkdown = 1<<20 - 200

// markdown is a page of Markdown with tables, as GitHub and GitLab show them. What it is
// given has been made safe with safeMarkdown or markdownCode.
type markdown struct {
	buf     bytes.Buffer
	full    bool
	leftOut []string // what did not fit, in order
	number  map[string]int
}

// add writes text, unless the page is full: then it counts what is left out, if that
// has a name.
func (m *markdown) add(what, text string) {
	if m.full = m.full || m.buf.Len()+len(text) > mostMarkdown; !m.full {
		m.buf.WriteString(text)
		return
	}
	if what == "" {
		return
	}
	if m.number == nil {
		m.number = map[string]int{}
	}
	if m.number[what]++; m.number[what] == 1 {
		m.leftOut = append(m.leftOut, what)
	}
}

// writeTo writes the page, and at its end what was left out.
func (m *markdown) writeTo(w io.Writer) error {
	var parts []string
	for _, what := range m.leftOut {
		parts = append(parts, fmt.Sprintf("%d %s", m.number[what], what))
	}
	if len(parts) > 0 {
		fmt.Fprintf(&m.buf, "\n**Left out**, since GitHub takes 1 MiB: %s.\n", strings.Join(parts, ", "))
	}
	_, err := w.Write(m.buf.Bytes())
	return err
}

// head returns the head of a table.
func head(cells ...string) string {
	return "\n" + row(cells...) + "|" + strings.Repeat(" --- |", len(cells)) + "\n"
}

// row returns a row of a table. A bar would end a cell, even in code, but for one with a
// backslash before it (https://github.github.com/gfm/#tables-extension-). Readers differ
// on what two backslashes are there.
func row(cells ...string) string {
	bars := strings.NewReplacer(`\|`, `\\x7c`, "|", `\|`)
	for i, c := range cells {
		cells[i] = bars.Replace(c)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// items writes a list below a heading, nothing if it is empty.
func (m *markdown) items(heading, what string, texts []string) {
	for i, text := range texts {
		item := "* " + safeMarkdown(text) + "\n"
		if i == 0 {
			item = "\n" + heading + "\n\n" + item
		}
		m.add(what, item)
	}
}
