package redact

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/knforensics/knforensics/ingest/source"
)

// Leak is the error of a copy in which something is that was replaced elsewhere.
type Leak struct {
	File string
	Line int64
	Text string
}

func (e *Leak) Error() string {
	return fmt.Sprintf("%s:%d has %q, which was replaced elsewhere", e.File, e.Line, e.Text)
}

// Check reads the copies again and looks for what was replaced in any of them. It knows
// nothing of their formats: it looks at all that stands between other characters than
// letters and digits.
func (c *Copies) Check() error {
	for _, made := range c.Made {
		inputs, err := source.Find([]string{filepath.Join(c.folder.Path(), filepath.FromSlash(made.Name))}, nil)
		if err != nil {
			return err
		}
		err = inputs[0].Each(false, func(_ string, stream *source.Stream) error {
			return c.r.check(made.Name, stream.Reader)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// check looks for what was replaced in one text.
func (r *Redactor) check(file string, text io.Reader) error {
	in := bufio.NewReader(text)
	line := int64(1)
	var token []byte
	for {
		c, err := in.ReadByte()
		if err == nil && (isTokenByte(c) || c >= utf8.RuneSelf) && len(token) < bufio.MaxScanTokenSize {
			token = append(token, c)
			continue
		}
		if found := r.replaced(string(token)); found != "" {
			return &Leak{file, line, found}
		}
		if token = token[:0]; err == io.EOF {
			return nil
		}
		switch {
		case err != nil:
			return fmt.Errorf("check %s: %w", file, err)
		case c == '\n':
			line++
		case c == '\\':
			err = passEscape(in)
		case isTokenByte(c), c >= utf8.RuneSelf:
			token = append(token, c)
		}
		if err != nil {
			return fmt.Errorf("check %s: %w", file, err)
		}
	}
}

// passEscape passes over the character that a backslash stands before, however often it
// was escaped.
func passEscape(in *bufio.Reader) error {
	for {
		c, err := in.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if c != '\\' {
			if strings.IndexByte(`"/bfnrtu`, c) < 0 {
				return in.UnreadByte()
			}
			return nil
		}
	}
}

// replaced returns what of a token was replaced elsewhere.
func (r *Redactor) replaced(token string) string {
	if token == "" {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, made := range []*regexp.Regexp{anyUUID, special, dashed} {
		for _, text := range made.FindAllString(token, -1) {
			if r.hidden[text] {
				return text
			}
		}
	}
	token = anyTime.ReplaceAllString(anyUUID.ReplaceAllString(token, ""), "") // of which each part can be a word
	for word := range strings.FieldsFuncSeq(token, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != utf8.RuneError }) {
		if r.hidden[word] || r.tells(word) {
			return word
		}
	}
	return ""
}

var (
	anyUUID = regexp.MustCompile(`(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	anyTime = regexp.MustCompile(`\b` + day)
)

// tells reports whether a word was replaced, and is none that can be there anyway: a
// word of Kubernetes, a number, or a part of an identifier.
func (r *Redactor) tells(word string) bool {
	if _, replaced := r.pseudonyms[strings.ToLower(word)]; !replaced {
		return false
	}
	partOfID := strings.ContainsAny(word, digits) && strings.Trim(word, hexDigits) == ""
	return !known(word) && !partOfID && !quantity.MatchString(word) && !klog.MatchString(word)
}
