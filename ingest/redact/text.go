package redact

import (
	"net/netip"
	"regexp"
	"strings"
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
		case isTokenByte(c):
			p.token()
		default:
			p.out.WriteByte(c)
			p.i++
		}
	}
	return p.out.String()
}

// startsJSON reports whether JSON starts in a text that holds names or values.
func startsJSON(s string) bool { return jsonStart.MatchString(s) }

var jsonStart = regexp.MustCompile(`^(\[\s{0,99}){0,4}(\{\s{0,99}("|\}|$)|\[\s{0,99}("|\]|$))`)

// isTokenByte reports whether a character is of names, numbers, times and addresses.
func isTokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf || strings.IndexByte("_.:-", c) >= 0
}

// prose is a text on its way.
type prose struct {
	r        *Redactor
	s        string
	i        int
	sentence bool // there is more than one word
	out      strings.Builder
}

// token redacts the token that is next.
func (p *prose) token() {
	end := p.i
	for end < len(p.s) && isTokenByte(p.s[end]) {
		end++
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
	p.out.WriteString(p.r.token(token, p.judge(from, to)))
	p.out.WriteString(whole[lead+len(token):])
}

// judge tells how the words of a token are judged: as those of a sentence, if it
// stands alone in one.
func (p *prose) judge(from, to int) judge {
	const joins = "\"'`/@=\\$%&#+~*"
	if !p.sentence || from > 0 && strings.IndexByte(joins, p.s[from-1]) >= 0 || to < len(p.s) && strings.IndexByte(joins, p.s[to]) >= 0 ||
		strings.ContainsAny(p.s[from:to], "-_.:") {
		return inNames
	}
	return known
}

var (
	instant = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(T\d{2}[:-]\d{2}[:-]\d{2}([.,]\d+)?(Z|[-+]\d{2}:?\d{2})?)?\b`)
	uuid    = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	klog    = regexp.MustCompile(`^[IWEF]\d{4}$`)
	// upstream matches the groups of APIs, the packages and the files of Kubernetes,
	// Knative and KServe.
	upstream = regexp.MustCompile(`(^|\.)(knative\.dev|k8s\.io|kubernetes\.io|kserve\.io|cncf\.io)(\.|$)|\.go(:\d+)?$|^[a-z]+\.(apps|batch|autoscaling|policy)$`)
)

// token redacts a token: a time, a number, an address, a name, or several of these
// with dots and colons between them.
func (r *Redactor) token(s string, stays judge) string {
	switch {
	case s == "", isNumber(s), klog.MatchString(s):
		return s
	case uuid.MatchString(s):
		r.hide(strings.ToLower(s))
		return r.scramble(strings.ToLower(s), hexDigits)
	}
	if at := instant.FindStringIndex(s); at != nil {
		return r.token(s[:at[0]], stays) + s[at[0]:at[1]] + r.token(s[at[1]:], stays)
	}
	if out, ok := r.address(s); ok {
		return out
	}
	if upstream.MatchString(s) {
		stays = known
	}
	return r.pieces(s, func(piece string) string {
		if isIdentifier(piece) {
			return r.label(piece, known)
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

// address redacts an IP address, with a port or without.
func (r *Redactor) address(s string) (string, bool) {
	if strings.Count(s, ".") != 3 && strings.Count(s, ":") < 2 {
		return "", false
	}
	host, port := s, ""
	addr, err := netip.ParseAddr(host)
	if i := strings.LastIndexByte(s, ':'); err != nil && i > 0 {
		host, port = s[:i], s[i:]
		if addr, err = netip.ParseAddr(host); !isNumber(port[1:]) {
			return "", false
		}
	}
	if err != nil || addr.Zone() != "" {
		return "", false
	}
	if addr.IsLoopback() || addr.IsUnspecified() {
		return s, true
	}
	r.hide(addr.String())
	return r.ip(addr).String() + port, true
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
