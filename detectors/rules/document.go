package rules

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// decode reads the document of a file, and one that follows it. Their kind is 0
// where there is none.
func decode(data []byte) (doc, more yaml.Node, err error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err = d.Decode(&doc); err == nil {
		err = d.Decode(&more)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return doc, more, err
}

var (
	// libraryLine is the line that the YAML library tells. It is that of what the
	// mistake is in, which can begin far above.
	libraryLine   = lazyregexp.New(`^yaml: (line \d+: )?`)
	unknownAnchor = lazyregexp.New(`unknown anchor '(.*)' referenced`)
	// halfQuoted is a key with a value of which YAML takes the beginning for all.
	halfQuoted = lazyregexp.New(`^[ -]*[a-z]+:\s+(\{[^}]*\}|"[^"]*"|'[^']*')\s*[^\s#]`)
)

// unreadable adds what the YAML library says of a file that it cannot read. The
// place is the end of the shortest beginning of the file that gives the same.
func (p *parser) unreadable(data []byte, err error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	line := 1 + sort.Search(len(lines)-1, func(i int) bool {
		_, _, other := decode(bytes.Join(lines[:i+1], nil))
		return other != nil && other.Error() == err.Error()
	})
	text := string(lines[line-1])
	said := err.Error()[len(libraryLine().FindString(err.Error())):]
	if halfQuoted().MatchString(text) || strings.HasPrefix(said, "mapping values are not allowed") {
		said += ": quote the whole value"
	}
	p.add(line, columnOf(text, said), "%s", said)
}

// columnOf returns the column, from 1, of what is said to be wrong with a line:
// that where its text starts, if nothing tells it better.
func columnOf(line, said string) int {
	at := strings.IndexFunc(line, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\u0085", r)
	})
	if m := unknownAnchor().FindStringSubmatch(said); m != nil {
		at = strings.Index(line, "*"+m[1])
	}
	if at < 0 {
		at = len(line) - len(strings.TrimLeft(line, " "))
	}
	return utf8.RuneCountInString(line[:at]) + 1
}
