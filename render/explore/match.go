package explore

import (
	"strings"
	"unicode"
)

// words are what an item says, for search and filter, in lower case.
type words struct{ kind, object, actor, text string }

// holds reports whether a text is in what the item says.
func (w words) holds(text string) bool {
	return strings.Contains(w.text, text) || strings.Contains(w.object, text) || strings.Contains(w.kind, text) || strings.Contains(w.actor, text)
}

// filter is a list of terms that all have to hold: WORD, kind:WORD, object:WORD,
// actor:WORD, each with ! in front if it must not.
type filter []term

type term struct {
	not         bool
	field, text string // field is empty for any
}

// parseFilter reads terms with blanks between them. Blanks inside double quotes
// are part of a term.
func parseFilter(text string) (f filter) {
	quoted := false
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return unicode.IsSpace(r) && !quoted
	}) {
		var t term
		word, t.not = strings.CutPrefix(strings.ReplaceAll(word, `"`, ""), "!")
		t.text = word
		if field, rest, ok := strings.Cut(word, ":"); ok && (field == "kind" || field == "object" || field == "actor") {
			t.field, t.text = field, rest
		}
		f = append(f, t)
	}
	return f
}

// matches reports whether an item passes.
func (f filter) matches(w words) bool {
	for _, t := range f {
		if t.holds(w) == t.not {
			return false
		}
	}
	return true
}

func (t term) holds(w words) bool {
	switch t.field {
	case "kind":
		return strings.Contains(w.kind, t.text)
	case "object":
		return strings.Contains(w.object, t.text)
	case "actor":
		return strings.Contains(w.actor, t.text)
	}
	return w.holds(t.text)
}
