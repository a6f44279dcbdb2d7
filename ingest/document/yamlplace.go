package document

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// places tells where in the text of a document its records lie. A yaml.Node
// knows where it starts, by line and character, and not where it ends.
type places struct {
	text   []byte
	starts []int // of the records and of what follows them
}

// newPlaces finds the places of nodes; after follows them, if it is not nil.
func newPlaces(text []byte, nodes []*yaml.Node, after *yaml.Node) *places {
	p := &places{text: text}
	lines := yamlLines(text)
	if after != nil {
		nodes = append(slices.Clip(nodes), after)
	}
	var at, column, pos int // a line, and a character of it and where that is
	for _, node := range nodes {
		if line := lines[min(max(node.Line, 1), len(lines))-1]; column == 0 || line != at || node.Column < column {
			at, column, pos = line, 1, line
		}
		for ; column < node.Column; column++ {
			_, size := utf8.DecodeRune(text[pos:])
			pos += size
		}
		start, dashes := pos, text[at:pos]
		alone := len(p.starts) == 0 || p.starts[len(p.starts)-1] < at
		if alone && len(bytes.Trim(dashes, " -")) == 0 && !marker(dashes, "---") {
			start = at
		}
		p.starts = append(p.starts, start)
	}
	p.starts = append(p.starts, len(text))
	return p
}

// of returns where the i-th record begins and ends.
func (p *places) of(i int) (from, to int) {
	from, to = p.starts[i], max(p.starts[i], p.starts[i+1])
	record := p.text[from:to]
	if len(record) > 0 && record[0] == '{' {
		return from, from + flowEnd(record)
	}
	record = bytes.TrimRight(record, " \t\r\n")
	if last := bytes.LastIndexByte(record, '\n') + 1; marker(record[last:], "...") {
		record = bytes.TrimRight(record[:last], " \t\r\n")
	}
	return from, from + len(record)
}

// yamlLines returns the offsets at which lines start, for all that YAML takes
// for a line break.
func yamlLines(text []byte) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case rest[0] == '\n', rest[0] == '\r' && !bytes.HasPrefix(rest, []byte("\r\n")):
		case bytes.HasPrefix(rest, []byte("\u0085")):
			i++
		case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
			i += 2
		default:
			continue
		}
		starts = append(starts, i+1)
	}
	return starts
}

// flowEnd returns the length of the mapping in braces that text starts with.
func flowEnd(text []byte) int {
	depth, quote, before := 0, byte(0), byte('{')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '"' && c == '\\', quote == '\'' && bytes.HasPrefix(text[i:], []byte("''")):
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if bytes.IndexByte([]byte("{[,:"), before) >= 0 { // elsewhere it is part of a plain scalar
				quote = c
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			before = c
		}
	}
	return len(bytes.TrimRight(text, " \t\r\n"))
}
