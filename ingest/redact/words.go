package redact

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	//go:embed words.txt
	wordsText string
	//go:embed names.txt
	namesText string

	wordList = listed(wordsText, namesText)
	nameList = listed(namesText)
)

// listed returns the lines of texts that are no comments.
func listed(texts ...string) map[string]bool {
	list := map[string]bool{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				list[line] = true
			}
		}
	}
	return list
}

// known reports whether a word is of the language of Kubernetes, or is put
// together of such words as reasons and names of fields are: MinimumReplicasAvailable,
// lastTransitionTime.
func known(word string) bool {
	if wordList[strings.ToLower(word)] {
		return true
	}
	parts := 0
	for rest := word; rest != ""; parts++ {
		part := hump(rest)
		if !isNumber(part) && !wordList[strings.ToLower(part)] {
			return false
		}
		rest = rest[len(part):]
	}
	return parts > 1 && strings.ToLower(word) != word
}

// hump returns the first word of those that are written as one: each starts with a
// capital, or is of capitals as UID and HTTP are, or is a number.
func hump(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	is := unicode.IsLower
	switch second, _ := utf8.DecodeRuneInString(text[size:]); {
	case unicode.IsDigit(first):
		is = unicode.IsDigit
	case unicode.IsUpper(first) && unicode.IsUpper(second):
		end := size + prefix(text[size:], unicode.IsUpper)
		if last := end - 1; end < len(text) && unicode.IsLower(rune(text[end])) && last > 0 {
			return text[:last] // the last capital starts the next word
		}
		return text[:end]
	}
	return text[:size+prefix(text[size:], is)]
}

// prefix returns the length of the characters at the start of a text for which is
// holds.
func prefix(text string, is func(rune) bool) int {
	if i := strings.IndexFunc(text, func(c rune) bool { return !is(c) }); i >= 0 {
		return i
	}
	return len(text)
}
