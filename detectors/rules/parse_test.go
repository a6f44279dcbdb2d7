package rules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakes reads a file in which each mistake is told by a comment, as
// "# COLUMN: TEXT", on its line or, where the line cannot hold one, on the line
// above, as "#below COLUMN: TEXT". TEXT is the beginning of what is said.
func TestMistakes(t *testing.T) {
	paths, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%q: %v", paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(path, data, []string{"latest-ready-latch"})
		var got *Mistakes
		if !errors.As(err, &got) {
			t.Fatalf("%s: %v", path, err)
		}
		wanted := announced(string(data))
		for i, m := range got.List {
			said := fmt.Sprintf("%d:%d: %s", m.Line, m.Column, m.Text)
			if i >= len(wanted) || !strings.HasPrefix(said, wanted[i]) {
				t.Errorf("%s:%s\nannounced: %q", path, said, wanted[min(i, len(wanted)-1)])
				break
			}
		}
		if len(got.List) < len(wanted) {
			t.Errorf("%s: %d mistakes, announced are %d", path, len(got.List), len(wanted))
		}
	}
}

func announced(text string) (list []string) {
	for i, line := range strings.Split(text, "\n") {
		if _, said, ok := strings.Cut(line, "#below "); ok {
			list = append(list, fmt.Sprintf("%d:%s", i+2, said))
		} else if _, said, ok := strings.Cut(line, " # "); ok {
			list = append(list, fmt.Sprintf("%d:%s", i+1, said))
		}
	}
	return list
}

func TestNoFileOfRules(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "f:1:1: no rules",
		"# nothing\n":                           "f:1:1: no rules",
		"rules: []\n":                           "f:1:1: no rules\n  rules: []\n  ^",
		"{}":                                    "f:1:1: no rules",
		"a list":                                "f:1:1: expected a mapping with rules",
		"rules: 3":                              "f:1:8: rules is a list",
		"rules:\n  - id: \"x\n":                 "f:2:3: found unexpected end of stream",
		"rules: [\x00]":                         "f:1:9: control characters are not allowed",
		"# ü\nrules: [ü\xff]":                   "f:2:10: invalid leading UTF-8 octet",
		one() + "---\n" + one():                 "f:6:1: a second document",
		"rules: *x":                             "f:1:8: unknown anchor 'x' referenced",
		"\ufeff" + flow("wrong"):                "f:1:47: undeclared reference to 'wrong'",
		flow("wrong"):                           "f:1:47: undeclared reference to 'wrong'",
		"\ufeffrules: *x":                       "f:1:8: unknown anchor 'x' referenced",
		"rules:\n\n  - id: *ten":                "f:3:9: unknown anchor 'ten' referenced",
		one() + one("by: \"ns \" + pod"):        "f:9:5: did not find expected key: quote the whole value\n      by:",
		one("message: {count} failed"):          "f:4:5: did not find expected key: quote the whole value",
		one("message: {count}"):                 "f:4:14: message is text, not a list or mapping; one that starts with { or [ is quoted",
		one("message: it: failed"):              "f:4:5: mapping values are not allowed in this context: quote the whole value",
		one() + "  - id: a\n   severity: low\n": "f:7:4: did not find expected '-' indicator",
		one() + one("description: |", "\ttab")[len("rules:\n"):]: "f:9:5: found a tab character",

		strings.Repeat("#", largest+1): "f:1:1: larger than",
	} {
		_, err := Parse("f", []byte(text), nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
	if _, err := Read([]string{filepath.Join(t.TempDir(), "none.yaml")}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// flow is a file on one line.
func flow(when string) string {
	return "{rules: [{id: a, severity: low, when: true || " + when + ", message: m}]}"
}

// TestPlaces puts a mistake behind every way to write a scalar.
func TestPlaces(t *testing.T) {
	for name, text := range map[string]string{
		"plain":              "when: 1 == 1 && wrong",
		"plain, folded":      "when: 1 == 1 &&\n      wrong",
		"double quotes":      `when: "'a' == \"a\" && wrong"`,
		"double, folded":     "when: \"1 == 1 &&\n      wrong\"",
		"single quotes":      "when: 'verb == ''a'' && wrong'",
		"literal":            "when: |\n      1 == 1 &&\n        'é' == 'é' && wrong",
		"literal, stripped":  "when: |-\n      -1 == 1 && wrong",
		"literal, indented":  "when: |2\n        1 == 1 && wrong",
		"folded":             "when: >-\n      1 == 1 &&\n      2 == 2 &&\n\n      3 == 3 && wrong",
		"tag":                "when: !!str 1 == 1 && wrong",
		"anchor":             "when: &w 1 == 1 && wrong",
		"comment in CEL":     "when: |\n      1 == 1 && // wrong is here\n      wrong",
		"message":            `message: "ü {verb} {wrong}"`,
		"message, folded":    "message: >-\n      {verb} and\n      {verb + wrong}",
		"by":                 `by: "verb + wrong"`,
		"carriage return":    "when: |\r\n      1 == 1 &&\r\n      wrong\r",
		"other line endings": "when: \"1 == 1 &&\r\n      wrong\"\r",
	} {
		file := one(text)
		_, err := Parse("f", []byte(file), nil)
		var got *Mistakes
		if !errors.As(err, &got) || len(got.List) != 1 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at := strings.LastIndex(file, "wrong")
		line := strings.Count(file[:at], "\n") + 1
		column := len([]rune(file[strings.LastIndex(file[:at], "\n")+1:at])) + 1
		if m := got.List[0]; m.Line != line || m.Column != column {
			t.Errorf("%s: at %d:%d, want %d:%d\n%s", name, m.Line, m.Column, line, column, err)
		}
	}
}

func TestExcerpt(t *testing.T) {
	_, err := Parse("f", []byte(one("when: \""+strings.Repeat("true || ", 30)+"wrong || true\"")), nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || len(lines[1]) > 110 {
		t.Fatal(err)
	}
	if column := strings.Index(lines[2], "^"); !strings.HasPrefix(lines[1][column:], "wrong") {
		t.Errorf("the mark is elsewhere:\n%s", err)
	}
	tabs := newSource([]byte("\ta\tb\n"))
	if text, mark := tabs.excerpt(1, 4); text != " a b" || mark != "   ^" {
		t.Errorf("%q %q", text, mark)
	}
}

func TestManyMistakes(t *testing.T) {
	_, err := Parse("f", []byte("rules:\n"+strings.Repeat("  - no rule\n", 1000)), nil)
	if text := err.Error(); !strings.HasSuffix(text, "\nand 950 more mistakes") {
		t.Errorf("ends with %q", text[len(text)-60:])
	}
}
