package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestColored(t *testing.T) {
	for text, want := range map[string]string{
		"plain <b>":               "plain &lt;b&gt;",
		"\x1b[1;31mbad\x1b[0m ok": `<span class="sgr1 sgr31">bad</span> ok`,
		"\x1b[2mleft open":        `<span class="sgr2">left open</span>`,
		"\x1b[1ma\x1b[31mb\x1b[m": `<span class="sgr1">a<span class="sgr31">b</span></span>`,
	} {
		if got := colored(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestTarget(t *testing.T) {
	for _, c := range []struct{ from, link, want string }{
		{"README.md", "docs/ci.md", "ci.html"},
		{"docs/ci.md", "exit-codes.md#x", "exit-codes.html#x"},
		{"docs/ci.md", "../README.md", "index.html"},
		{"docs/ci.md", "../samples", repository + "samples"},
		{"README.md", "LICENSE", repository + "LICENSE"},
		{"docs/ci.md", "#here", "#here"},
		{"docs/ci.md", "https://example.test/a.md", "https://example.test/a.md"},
	} {
		if got := target(c.from, c.link); got != c.want {
			t.Errorf("%s in %s: got %s, want %s", c.link, c.from, got, c.want)
		}
	}
}

var (
	href = regexp.MustCompile(`href="([^"]*)"`)
	id   = regexp.MustCompile(`id="([^"]*)"`)
)

// The links of the documentation lead somewhere: on the site to pages and headings, and
// in the repository to files.
func TestLinks(t *testing.T) {
	out := t.TempDir()
	program := func(args ...string) ([]byte, error) {
		return []byte("Available Commands:\n  detect      which\n\nFlags:\n  -h, --help   help\n\nAdditional help topics:\n  knforensics exit-codes  what\n"), nil
	}
	if err := write("../..", out, program); err != nil {
		t.Fatal(err)
	}
	pages, ids := map[string]string{}, map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(out, "*.html"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		pages[name] = string(text)
		for _, m := range id.FindAllStringSubmatch(string(text), -1) {
			ids[name+"#"+m[1]] = true
		}
	}
	if !ids["commands.html#help-detect"] || !ids["commands.html#help-exit-codes"] {
		t.Error("no help of what --help lists")
	}
	for name, text := range pages {
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			file, fragment, _ := strings.Cut(m[1], "#")
			switch {
			case strings.HasPrefix(file, repository):
				if _, err := os.Stat(filepath.Join("../..", strings.TrimPrefix(file, repository))); err != nil {
					t.Errorf("%s: %s", name, err)
				}
				continue
			case strings.Contains(file, "://"):
				continue
			case file == "":
				file = name
			}
			if pages[file] == "" || fragment != "" && !ids[file+"#"+fragment] {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			}
		}
	}
}
