package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

var tags = regexp.MustCompile(`</?([a-z0-9]+)[^>]*>`)

// asHTML renders Markdown of GitHub, with the HTML in it, and returns that with the
// names of its elements.
func asHTML(t testing.TB, text string) (page string, names map[string]int) {
	t.Helper()
	var buf bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(text), &buf); err != nil {
		t.Fatal(err)
	}
	names = map[string]int{}
	for _, m := range tags.FindAllStringSubmatch(buf.String(), -1) {
		names[m[1]]++
	}
	return buf.String(), names
}

// TestMarkdownOfTheClusterIsText holds that nothing of the cluster becomes an element, and
// that no table is torn.
func TestMarkdownOfTheClusterIsText(t *testing.T) {
	for name, text := range hostileForms(t) {
		if !strings.HasSuffix(name, "markdown") {
			continue
		}
		page, names := asHTML(t, text)
		for tag := range names {
			switch tag {
			case "h2", "h3", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "br":
			default:
				t.Errorf("%s: <%s> in %s", name, tag, page)
			}
		}
		for table := range strings.SplitSeq(text, "\n\n") {
			if rows := strings.Split(strings.TrimSpace(table), "\n"); strings.HasPrefix(rows[0], "| ") {
				for _, r := range rows {
					if cells := strings.Count(strings.ReplaceAll(r, `\|`, ""), "|") - 1; cells != strings.Count(rows[0], "|")-1 {
						t.Errorf("%s: a row of %d cells: %s", name, cells, r)
					}
				}
			}
		}
	}
}

// A bar in a name is shown as one, and ends no cell, whatever is before it.
func TestMarkdownShowsBars(t *testing.T) {
	for name, want := range map[string]string{"a|b": "a|b", "|": "|", "`|": "`|", `a\|b`: `a\\x7cb`, `\\|`: `\\\x7c`, `|\`: `|\`} {
		page, names := asHTML(t, head("a", "b")+row(markdownCode(name), safeMarkdown("x "+name)))
		if !strings.Contains(page, "<td><code>"+want+"</code></td>") || names["td"] != 4 {
			t.Errorf("%q is shown in %s", name, page)
		}
	}
}

func TestMarkdownLeavesWordsAlone(t *testing.T) {
	for text, want := range map[string]string{
		"rt-00002 was written Ready=True with 1 of 6 replicas ready (100 % of traffic)": "rt-00002 was written Ready=True with 1 of 6 replicas ready (100 % of traffic)",
		"see http://x.example and @admin":                                               "see `http://x.example` and `@admin`",
		"a_b *c* <d>":                                                                   "`a_b` `*c*` `<d>`",
		"two  blanks":                                                                   "two  blanks",
		"back`quote":                                                                    "`` back`quote ``",
	} {
		if got := safeMarkdown(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// checkMarkdown holds that text is text wherever in a page it stands.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	for _, made := range []string{safeMarkdown(text), markdownCode(text)} {
		page, names := asHTML(t, "### 1. "+made+"\n\n* a "+made+"\n"+head("a", "b")+row(made, "b "+made))
		for tag, n := range names {
			switch tag {
			case "h3", "ul", "li", "table", "thead", "tbody", "tr", "th", "td":
				if n%2 != 0 || tag == "td" && n != 4 {
					t.Fatalf("%q makes %d <%s>: %s", text, n, tag, page)
				}
			case "code":
			default:
				t.Fatalf("%q makes <%s>: %s", text, tag, page)
			}
		}
	}
}
