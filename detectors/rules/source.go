package rules

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// source is the text of a file of rules, to find places in it again.
type source struct {
	text  []rune
	lines []int // where each starts
}

func newSource(data []byte) *source {
	s := &source{text: []rune(string(data)), lines: []int{0}}
	for i, r := range s.text {
		if r == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// offset returns where in the text a line and column are, both from 1.
func (s *source) offset(line, column int) int {
	line = min(max(line, 1), len(s.lines))
	return min(s.lines[line-1]+column-1, len(s.text))
}

// place returns the line and column of a character of the value of a scalar. The
// value is the text without quotes, escapes, indentation and folds, so it is
// followed from where the scalar starts, leaving out what is not of it.
func (s *source) place(n *yaml.Node, character int) (line, column int) {
	if n.Style&yaml.DoubleQuotedStyle != 0 && strings.ContainsAny(n.Value, "\n\t") {
		return n.Line, n.Column // breaks written as escapes cannot be told from those of the file
	}
	at := s.offset(n.Line, n.Column)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		at = s.offset(n.Line+1, 1)
	}
	for i, r := range []rune(n.Value) {
		for at < len(s.text) && s.text[at] != r && !(r == ' ' && s.text[at] == '\n') {
			at++
		}
		if at == len(s.text) {
			return n.Line, n.Column
		}
		if i == character {
			break
		}
		at++
	}
	index, found := slices.BinarySearch(s.lines, at)
	if !found {
		index--
	}
	return index + 1, at - s.lines[index] + 1
}

// excerpt returns a line of the file around a column, and a mark for the line
// below it.
func (s *source) excerpt(line, column int) (text, mark string) {
	const before, length = 60, 100
	start := s.offset(line, 1)
	end := start
	for end < len(s.text) && s.text[end] != '\n' && s.text[end] != '\r' {
		end++
	}
	from := start
	if column > before {
		from = min(start+column-before, end)
	}
	shown := strings.ReplaceAll(string(s.text[from:min(end, from+length)]), "\t", " ")
	return shown, strings.Repeat(" ", max(0, start+column-1-from)) + "^"
}
