package render

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// unsafe reports whether a character could act on a terminal or change how the
// text around it reads: controls of C0 and C1, marks of direction, invisible
// separators, and what is no character at all.
func unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r >= 0x200b && r <= 0x200d, r >= 0x2060 && r <= 0x2064: // invisible
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r == 0xfffe, r == 0xffff:
		return true
	}
	return r == unicode.ReplacementChar || r >= 0xe0000 && r <= 0xe0fff
}

// Safe makes text from a cluster fit for a terminal and for one line: what is
// unsafe is shown as an escape. It is the only way such text gets onto a
// terminal.
func Safe(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafe(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// escape returns the escape of a character, as Go and YAML have it.
func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// calm are words that mean nothing to Markdown, be it that of GitHub or of GitLab: no
// emphasis, link, HTML, mention or reference can come of them.
var calm = regexp.MustCompile(`^[\pL\pN\-./:;,()'"%+=?→⇒×·…]*$`)

// address are words that Markdown makes links of.
var address = regexp.MustCompile(`(?i)://|www\.`)

// safeMarkdown makes text fit for a line of Markdown that does not begin with it: words
// that could mean something are code.
func safeMarkdown(s string) string {
	words := strings.Split(Safe(s), " ")
	for i, word := range words {
		if !calm.MatchString(word) || address.MatchString(word) {
			words[i] = markdownCode(word)
		}
	}
	return strings.Join(words, " ")
}

var backquotes = regexp.MustCompile("`+")

// markdownCode makes text code, fit for a line of Markdown.
func markdownCode(s string) string {
	if s = Safe(s); s == "" {
		return ""
	}
	fence := "`"
	for _, run := range backquotes.FindAllString(s, -1) {
		fence = strings.Repeat("`", max(len(fence), len(run)+1))
	}
	if len(fence) > 1 || strings.TrimSpace(s) != s {
		s = " " + s + " "
	}
	return fence + s + fence
}

// formula finds where a spreadsheet could take text for a formula: at the start of
// a cell, or after a semicolon, which separates cells in many languages
// (OWASP, CSV Injection). The wide forms are of East Asian keyboards.
var formula = regexp.MustCompile(`(^|;)([-=+@＝＋－＠])`)

// safeCell makes text fit for a cell of a spreadsheet: one line, and no formula.
func safeCell(s string) string { return formula.ReplaceAllString(Safe(s), "$1'$2") }
