package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mistakes are all that is wrong with a file of rules, in its order.
type Mistakes struct {
	List []Mistake
	file string
	text *source
	said map[Mistake]bool
}

// Mistake is one of them. Line and column count from 1, the column in characters.
type Mistake struct {
	Line, Column int
	Text         string
}

// Error lists the mistakes, each with the line that it is in and a mark below it.
func (m *Mistakes) Error() string {
	const listed = 50
	var b strings.Builder
	for i, one := range m.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == listed {
			fmt.Fprintf(&b, "and %d more mistakes", len(m.List)-listed)
			break
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s", m.file, one.Line, one.Column, one.Text)
		if line, mark := m.text.excerpt(one.Line, one.Column); strings.TrimSpace(line) != "" {
			fmt.Fprintf(&b, "\n  %s\n  %s", line, mark)
		}
	}
	return b.String()
}

func (m *Mistakes) add(line, column int, format string, args ...any) {
	line = min(max(line, 1), len(m.text.lines)) // the YAML library can tell one past the end
	mistake := Mistake{line, max(column, 1), fmt.Sprintf(format, args...)}
	if !m.said[mistake] { // what an alias stands for is read again
		m.said[mistake] = true
		m.List = append(m.List, mistake)
	}
}

// at adds a mistake about a node of the file.
func (m *Mistakes) at(n *yaml.Node, format string, args ...any) {
	m.add(n.Line, n.Column, format, args...)
}

func (m *Mistakes) sort() {
	slices.SortStableFunc(m.List, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
