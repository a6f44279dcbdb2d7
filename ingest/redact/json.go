package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// rewriter is a text in JSON on its way. What is no JSON in it is redacted as text,
// so that what is cut or broken is as safe as anything else.
type rewriter struct {
	r     *Redactor
	s     string
	i     int
	depth int // of strings that hold JSON
	open  []container
	key   string // of the member under way, empty in an array
	out   strings.Builder
}

// container is an object or an array that is open.
type container struct {
	start  int
	array  bool
	named  bool   // its next string is a key
	key    string // of the member that it is the value of
	sealed bool   // values in it are replaced as a whole

	// What a look into the whole object told.
	looked, plain, patches bool
}

// json redacts the JSON value that a text starts with, and returns how much of the text
// that is.
func (r *Redactor) json(s string, depth int) (string, int) {
	d := rewriter{r: r, s: s, depth: depth}
	for first := true; d.i < len(s) && (first || len(d.open) > 0); first = false {
		d.next()
	}
	return d.out.String(), d.i
}

// feed redacts a text that goes on where the one before ended.
func (d *rewriter) feed(s string) {
	for i := range d.open {
		d.open[i].looked, d.open[i].start = true, 0 // its text is gone
	}
	for d.s, d.i = s, 0; d.i < len(s); {
		d.next()
	}
}

// take returns what was redacted since it was called last.
func (d *rewriter) take() string {
	text := d.out.String()
	d.out.Reset()
	return text
}

// next redacts the next token.
func (d *rewriter) next() {
	switch c := d.s[d.i]; c {
	case '{', '[':
		d.begin(c == '[')
	case '}', ']':
		d.end()
	case '"':
		d.quoted()
	case ',', ':':
		d.separator(c)
	case ' ', '\t', '\r', '\n':
		d.copy(1)
	default:
		d.bare()
	}
}

func (d *rewriter) copy(n int) {
	d.out.WriteString(d.s[d.i : d.i+n])
	d.i += n
}

// top returns the container under way.
func (d *rewriter) top() *container {
	if len(d.open) == 0 {
		return &container{}
	}
	return &d.open[len(d.open)-1]
}

func (d *rewriter) begin(array bool) {
	if d.key == "managedFields" && d.passOver() {
		return
	}
	up := d.top()
	key := d.key
	if up.array {
		key = up.key
	}
	c := container{start: d.i, array: array, named: !array, key: key, sealed: up.sealed || emptied[key] || d.seals(key)}
	d.open = append(d.open, c)
	d.key = ""
	d.copy(1)
}

// passOver leaves out what is in a container that nothing needs.
func (d *rewriter) passOver() bool {
	var s jsonscan.Scanner
	s.Reset([]byte(d.s[d.i:]))
	whole := s.Container()
	if whole == nil {
		return false
	}
	d.out.WriteString("[]")
	d.i += len(whole)
	return true
}

func (d *rewriter) end() {
	if len(d.open) > 0 {
		d.open = d.open[:len(d.open)-1]
	}
	d.key = ""
	d.copy(1)
}

func (d *rewriter) separator(c byte) {
	if up := d.top(); c == ',' {
		up.named, d.key = !up.array, ""
	}
	d.copy(1)
}

// quoted redacts a string. Of one that is cut nothing is left.
func (d *rewriter) quoted() {
	n := quotedLength(d.s[d.i:])
	if n < 0 {
		d.out.WriteByte('"')
		d.i = len(d.s)
		return
	}
	raw := d.s[d.i : d.i+n]
	d.i += n
	text, whole := unquoted(raw)
	up := d.top()
	switch {
	case up.named:
		up.named, d.key = false, text
		d.write(text, d.r.field(text), raw)
	case !whole:
		d.write("", d.r.opaque(text), raw)
	default:
		d.write(text, d.value(text), raw)
	}
}

// unquoted returns the content of a string; whole is false if it has an escape that is
// none.
func unquoted(raw string) (text string, whole bool) {
	text = raw[1 : len(raw)-1]
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	var plain string
	if json.Unmarshal([]byte(raw), &plain) != nil {
		return text, false
	}
	return plain, true
}

// quotedLength returns the length of a string with its quotes, -1 if it does not end.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// write writes a string: as it was written before, if it stays.
func (d *rewriter) write(text, redacted, raw string) {
	if text == redacted {
		d.out.WriteString(raw)
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(redacted) // a string is always written
	d.out.Write(bytes.TrimSuffix(b.Bytes(), []byte{'\n'}))
}

// bare redacts what stands without quotes: a number, a word of JSON, or what is no
// JSON.
func (d *rewriter) bare() {
	n := strings.IndexAny(d.s[d.i:], "{}[]\",: \t\r\n")
	if n < 0 {
		n = len(d.s) - d.i
	}
	word := d.s[d.i : d.i+n]
	switch {
	case word == "true", word == "false", word == "null", number.MatchString(word) && !d.sealed():
		d.copy(n)
		return
	case number.MatchString(word):
		d.out.WriteByte('0')
	default:
		d.out.WriteString(d.r.token(word, inNames))
	}
	d.i += n
}

func (d *rewriter) sealed() bool { return d.top().sealed || emptied[d.key] || d.seals(d.key) }
