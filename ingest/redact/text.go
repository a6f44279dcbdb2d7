package redact

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxQuotes is how deep JSON is looked for in strings of JSON.
const maxQuotes = 8

// Line returns a line of a log, or any other text, as it may be shared.
func (r *Redactor) Line(text string) string { return r.text(text, 0) }

// text redacts a text for people, with the JSON in it.
func (r *Redactor) text(s string, depth int) string {
	if depth > maxQuotes {
		return r.opaque(s)
	}
	p := prose{r: r, s: s, sentence: strings.ContainsAny(s, " \t")}
	for p.i < len(s) {
		switch c := s[p.i]; {
		case (c == '{' || c == '[') && startsJSON(s[p.i:]):
			out, n := r.json(s[p.i:], depth)
			p.out.WriteString(out)
			p.i += n
		case c == '/' && strings.HasPrefix(s[p.i:], "/api"):
			p.uri()
		default:
			p.token()
		}
	}
	return p.out.String()
}

// startsJSON reports whether JSON starts in a text that holds names or values.
func startsJSON(s string) bool { return jsonStart.MatchString(s) }

var jsonStart = regexp.MustCompile(`^(\[\s{0,99}){0,4}(\{\s{0,99}("|\}|$)|\[\s{0,99}("|\]|$))`)

// tokenLength returns how much of a text is a token: of names, numbers, times and
// addresses. What is no text is one too.
func tokenLength(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !isTokenByte(c) {
				return i
			}
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) && c != utf8.RuneError {
			return i
		}
		i += size
	}
	return len(s)
}

func isTokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || strings.IndexByte("_.:-", c) >= 0
}

// prose is a text on its way.
type prose struct {
	r        *Redactor
	s        string
	i        int
	sentence bool // there is more than one word
	out      strings.Builder
}

// token redacts the token that is next, or copies what is none.
func (p *prose) token() {
	end := p.i + tokenLength(p.s[p.i:])
	if end == p.i {
		_, size := utf8.DecodeRuneInString(p.s[p.i:])
		p.out.WriteString(p.s[p.i : p.i+size])
		p.i += size
		return
	}
	whole := p.s[p.i:end]
	token := strings.Trim(whole, ".:-_")
	lead := strings.Index(whole, token)
	from, to := p.i+lead, p.i+lead+len(token)
	p.i = end
	if token == "" {
		p.out.WriteString(whole)
		return
	}
	p.out.WriteString(whole[:lead])
	if isNumber(token) && (p.slash(from-1) || p.slash(to)) {
		p.out.WriteString(p.r.account(token))
	} else {
		p.out.WriteString(p.r.token(token, p.judge(from, to)))
	}
	p.out.WriteString(whole[lead+len(token):])
}

// judge tells how the words of a token are judged: as those of a sentence, if it
// stands alone in one.
func (p *prose) judge(from, to int) judge {
	if p.names(to) || p.says(from, to) {
		return asWords
	}
	if !p.sentence || p.joins(from-1) || p.joins(to) || strings.ContainsAny(p.s[from:to], "-_.:") {
		return inNames
	}
	return asWords
}

// joins reports whether a character joins words to what is more than these, and is no
// apostrophe.
func (p *prose) joins(at int) bool {
	if at < 0 || at >= len(p.s) || strings.IndexByte("\"'`/@=\\$%&#+~*", p.s[at]) < 0 {
		return false
	}
	return p.s[at] != '\'' || at == 0 || at+1 == len(p.s) || !isTokenByte(p.s[at-1]) || !isTokenByte(p.s[at+1])
}

// slash reports whether a character is between the steps of a path.
func (p *prose) slash(at int) bool { return at >= 0 && at < len(p.s) && p.s[at] == '/' }

// names reports whether what ends there is the name of a field, of which the value stands
// behind it in quotes: stage="ResponseComplete".
func (p *prose) names(end int) bool {
	return strings.HasPrefix(p.s[end:], "=") && strings.HasPrefix(strings.TrimLeft(p.s[end+1:], `\`), `"`)
}

// says reports whether what is in quotes there is the value of a field that holds words of
// the API: method="update".
func (p *prose) says(from, to int) bool {
	before, ok := strings.CutSuffix(p.s[:from], `"`)
	if !ok || to == len(p.s) || p.s[to] != '"' && p.s[to] != '\\' {
		return false
	}
	before, ok = strings.CutSuffix(strings.TrimRight(before, `\`), "=")
	return ok && wordFields[before[strings.LastIndexByte(before, ' ')+1:]]
}

const day = `\d{4}-\d{2}-\d{2}(T\d{2}[:-]\d{2}[:-]\d{2}([.,]\d+)?(Z|[-+]\d{2}:?\d{2})?)?`

var (
	instant = regexp.MustCompile(`^` + day)
	// special matches a time, and what can be an IPv4 or an IPv6 address.
	special = regexp.MustCompile(`\b(` + day + `|\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{0,4}){2,7})\b`)
	uuid    = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	klog    = regexp.MustCompile(`^[IWEF]\d{4}$`)
	// upstream matches the groups of APIs, the packages and the files of Kubernetes,
	// Knative and KServe.
	upstream = regexp.MustCompile(`(^|\.)(knative\.dev|k8s\.io|kubernetes\.io|kserve\.io|cncf\.io)(\.|$)|\.go(:\d+)?$|^[a-z]+\.(apps|batch|autoscaling|policy)$`)
)

// accountDigits is how long the number of an AWS account is. No Unix time is, whatever it
// counts.
const accountDigits = 12

// token redacts a token: a time, a number, an address, a name, or several of these
// with dots and colons between them.
func (r *Redactor) token(s string, stays judge) string {
	switch {
	case s == "":
		return s
	case isNumber(s):
		if len(s) == accountDigits {
			return r.account(s)
		}
		return s
	}
	return r.memo.once(memoKey{s, stays}, func() string { return r.judged(s, stays) })
}

// judged redacts a token that was not seen lately.
func (r *Redactor) judged(s string, stays judge) string {
	if klog.MatchString(s) {
		return s
	}
	if upstream.MatchString(s) {
		stays = asWords
	}
	var out strings.Builder
	from := 0
	for _, at := range special.FindAllStringIndex(s, -1) {
		if text, ok := r.special(s[at[0]:at[1]]); ok {
			out.WriteString(r.names(s[from:at[0]], stays) + text)
			from = at[1]
		}
	}
	out.WriteString(r.names(s[from:], stays))
	return out.String()
}

// special redacts what has dots and colons of its own: a time, or an address; ok is
// false if it is neither.
func (r *Redactor) special(s string) (text string, ok bool) {
	if s[0] != ':' && instant.MatchString(s) {
		return s, true
	}
	addr, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return "", false
	case addr.IsLoopback(), addr.IsUnspecified():
		return s, true
	}
	r.hide(addr.String())
	return r.ip(addr).String(), true
}

// dashed matches an IPv4 address as it stands in a label of a DNS name: those of Pods, and of
// nodes in clouds (ip-10-0-1-2.eu-central-1.compute.internal).
var dashed = regexp.MustCompile(`\b` + octet + `(-` + octet + `){3}\b`)

const octet = `(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`

// dashed redacts an address that is written with dashes, to that which it becomes with dots.
func (r *Redactor) dashed(s string) string {
	text, _ := r.special(strings.ReplaceAll(s, "-", "."))
	text = strings.ReplaceAll(text, ".", "-")
	if text != s {
		r.hide(s)
	}
	return text
}

// names redacts names with dots, colons and underscores between them.
func (r *Redactor) names(s string, stays judge) string {
	letters := strings.ContainsFunc(s, unicode.IsLetter) // else it is a time or a number
	return r.pieces(s, func(piece string) string {
		switch {
		case letters && isNumber(piece):
			return r.account(piece)
		case uuid.MatchString(piece):
			r.hide(piece)
			return r.scramble(strings.ToLower(piece), hexDigits)
		case isIdentifier(piece):
			return r.label(piece, asWords)
		}
		return r.label(piece, stays)
	})
}

// pieces redacts what stands between dots, colons and underscores.
func (r *Redactor) pieces(s string, one func(string) string) string {
	var out strings.Builder
	for len(s) > 0 {
		end := strings.IndexAny(s, ".:_")
		if end < 0 {
			end = len(s)
		}
		out.WriteString(one(s[:end]))
		if end < len(s) {
			out.WriteByte(s[end])
			end++
		}
		s = s[end:]
	}
	return out.String()
}

// ip returns another address of the same family. Addresses that differ have ones that
// differ.
func (r *Redactor) ip(addr netip.Addr) netip.Addr {
	const octets = 16
	raw := addr.AsSlice()
	nibbles := make([]byte, 0, 2*octets)
	for _, b := range raw {
		nibbles = append(nibbles, hexDigits[b>>4], hexDigits[b&15])
	}
	mixed := r.scramble(string(nibbles), hexDigits)
	for i := range raw {
		raw[i] = byte(strings.IndexByte(hexDigits, mixed[2*i])<<4 | strings.IndexByte(hexDigits, mixed[2*i+1]))
	}
	out, _ := netip.AddrFromSlice(raw)
	return out
}
