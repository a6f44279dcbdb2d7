package redact

import (
	"net/url"
	"strings"
)

// uri redacts the path and the query of a request to the API server that is next.
func (p *prose) uri() {
	end := len(p.s)
	if i := strings.IndexAny(p.s[p.i:], " \t\n\r\"'\\,"); i >= 0 {
		end = p.i + i
	}
	p.out.WriteString(p.r.uri(p.s[p.i:end]))
	p.i = end
}

func (r *Redactor) uri(uri string) string {
	path, query, has := strings.Cut(uri, "?")
	steps := strings.Split(path, "/")
	for i, role := range roles(steps) {
		stays := asWords
		if role == aName {
			stays = inNames
		}
		if step, err := url.PathUnescape(steps[i]); err == nil {
			steps[i] = r.token(step, stays)
		} else {
			steps[i] = r.opaque(steps[i])
		}
	}
	path = strings.Join(steps, "/")
	if !has {
		return path
	}
	return path + "?" + r.query(query)
}

// role tells what a step of a path is.
type role bool

// Steps are words of the API, or names.
const (
	aWord role = false
	aName role = true
)

// roles tells the steps of a path such as
// /apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE, and of the same
// without its first two.
func roles(steps []string) []role {
	list := make([]role, len(steps))
	at := 2 // behind /api
	switch {
	case len(steps) > 1 && steps[1] == "apis":
		at = 4
	case len(steps) > 1 && steps[1] == "api":
		at = 3
	}
	if at < len(steps) && steps[at] == "watch" {
		at++
	}
	if at+1 < len(steps) && steps[at] == "namespaces" {
		list[at+1] = aName
		if at+2 < len(steps) && steps[at+2] != "status" && steps[at+2] != "finalize" {
			at += 2
		}
	}
	if at+1 < len(steps) {
		list[at+1] = aName
	}
	for i := at + 3; i < len(steps); i++ {
		list[i] = aName // of whatever is behind a proxy
	}
	return list
}

// query redacts the parameters of a request.
func (r *Redactor) query(query string) string {
	list := strings.Split(query, "&")
	for i, parameter := range list {
		name, value, has := strings.Cut(parameter, "=")
		text, err := url.QueryUnescape(value)
		switch {
		case err != nil:
			text = r.opaque(value)
		case name == "continue":
			text = r.opaque(text)
		default:
			text = r.text(text, maxQuotes)
		}
		list[i] = r.pieces(name, func(piece string) string { return r.word(piece, asWords) })
		if has {
			list[i] += "=" + url.QueryEscape(text)
		}
	}
	return strings.Join(list, "&")
}
