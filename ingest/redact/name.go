package redact

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/knforensics/knforensics/ingest/naming"
)

const (
	digits    = "0123456789"
	hexDigits = "0123456789abcdef"
)

// judge tells how a word is judged: in names little stays, in field names, reasons and
// sentences all words that are known.
type judge bool

const (
	inNames judge = false
	asWords judge = true
)

func (j judge) keeps(word string) bool { return nameList[word] || j == asWords && known(word) }

// quantity matches numbers with a unit, and versions of an API.
var quantity = regexp.MustCompile(`^(v?\d+((alpha|beta|rc)\d+)?|\d+([kKMGTPE]i?|[munµ]|B|[KMG]B|ms|[muµn]?s|min|h|d)(\d+(m|s|ms|µs|ns|h))*|0x[0-9a-f]{1,2})$`)

func isNumber(s string) bool { return s != "" && strings.Trim(s, digits) == "" }

// identifies reports whether a part of a name is a number that can tell whose it is. That
// of a Revision has five digits, and as many zeros before it as that takes.
func identifies(part string) bool {
	const generation = 5
	return isNumber(part) && (len(part) > generation || len(part) == generation && part[0] != '0')
}

// account returns a number that is a name, or between dots, colons or slashes of one, as
// those of AWS accounts and Google Cloud projects are. What can be a port stays.
func (r *Redactor) account(number string) string {
	const port = 5 // digits
	if len(number) <= port {
		return number
	}
	return r.scramble(number, digits)
}

// word returns a word as it may be shared.
func (r *Redactor) word(word string, stays judge) string {
	switch {
	case word == "", stays.keeps(word), quantity.MatchString(word):
		return word
	case len(word) >= 12 && strings.ContainsAny(word, digits) && strings.Trim(word, hexDigits) == "":
		r.hide(word)
		return r.scramble(word, hexDigits)
	}
	return r.pseudonym(word)
}

// label returns a name, or what is of one between dots. Each part of it is replaced by
// itself; what Knative and Kubernetes put behind a name, they put behind its pseudonym
// as they would have done: by a hash where that gets too long.
func (r *Redactor) label(name string, stays judge) string {
	if nameList[name] {
		return name
	}
	if parent, suffix, ok := r.parents.of(name); ok {
		return naming.Child(r.label(parent, stays), r.suffix(suffix, stays))
	}
	if base, ok := r.parents.cut(name); ok {
		return generated(r.label(base, stays)+"-", r.made(name[naming.LongestPrefix:]))
	}
	if at := dashed.FindStringIndex(name); at != nil {
		return r.label(name[:at[0]], stays) + r.dashed(name[at[0]:at[1]]) + r.label(name[at[1]:], stays)
	}
	parts := strings.Split(name, "-")
	out := r.word(parts[0], stays)
	if len(parts) > 1 && identifies(parts[0]) {
		out = r.scramble(parts[0], digits)
	}
	for i, part := range parts[1:] {
		last := i == len(parts)-2
		switch {
		case part == "deployment" || part == "cache" || part == "private" || naming.Generation(part) && part[0] == '0':
			out = naming.Child(out, "-"+part)
		case i > 0 && last && naming.MadeUp(part, 5, 5) && !stays.keeps(part):
			out = generated(out+"-", r.made(part))
		default:
			out += "-" + r.part(part, stays)
		}
	}
	return out
}

// part returns a part of a name that is not its first.
func (r *Redactor) part(part string, stays judge) string {
	switch {
	case stays.keeps(part):
		return part
	case naming.MadeUp(part, 5, 5), naming.MadeUp(part, 8, 10):
		return r.made(part)
	case identifies(part):
		return r.scramble(part, digits)
	}
	return r.word(part, stays)
}

// suffix returns what stands behind a parent's name.
func (r *Redactor) suffix(suffix string, stays judge) string {
	parts := strings.Split(suffix, "-")
	for i := 1; i < len(parts); i++ {
		if !naming.Generation(parts[i]) {
			parts[i] = r.part(parts[i], stays)
		}
	}
	return strings.Join(parts, "-")
}

func (r *Redactor) made(part string) string { return r.scramble(part, naming.Alphabet) }

// generated returns the name that the API server makes of a generateName.
func generated(base, made string) string {
	return base[:min(len(base), naming.LongestPrefix)] + made
}

// isIdentifier reports whether a text has a capital: names of objects have none, but
// kinds, reasons and fields do.
func isIdentifier(text string) bool { return strings.IndexFunc(text, unicode.IsUpper) >= 0 }
