package wrapper

import (
	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// pairStart is how a line begins that is one event of fluentd's.
var pairStart = lazyregexp.New(`^\[\s*(?:"[^"]*"\s*,\s*)?(?:[\d.eE+]+|"[^"]*"|\[\s*[\d.eE+]+\s*,\s*\{[^{}]*\}\s*\])\s*,\s*\{`)

// StartsPair reports whether a line begins as an event of fluentd's does.
func StartsPair(line []byte) bool { return pairStart().Match(line) }

// pairs are events as fluentd and fluent-bit pass them on (Forward Protocol
// Specification v1): [time, record], [tag, time, record], several in an array,
// or [tag, [[time, record], …]].
func pairs(data []byte) (inner []Inner) {
	var s jsonscan.Scanner
	s.Reset(data)
	if s.Skip(); !s.End() {
		return nil
	}
	list := elements(data)
	if rec := pair(list); rec != nil {
		return []Inner{{Data: rec}}
	}
	if len(list) > 1 && list[0][0] == '"' {
		list = elements(list[1])
	}
	found := false
	for _, e := range list {
		rec := pair(elements(e))
		found = found || rec != nil
		if rec == nil {
			rec = e
		}
		inner = append(inner, Inner{Data: rec})
	}
	if !found {
		return nil
	}
	return inner
}

// pair returns the record of [time, record] or [tag, time, record]; nil if it is
// none. A time is a number or text, or, in the events of fluent-bit, one with
// metadata.
func pair(list [][]byte) []byte {
	if len(list) > 2 && list[0][0] == '"' && list[2][0] == '{' {
		list = list[1:]
	}
	if len(list) < 2 || list[1][0] != '{' || list[0][0] == '{' {
		return nil
	}
	at := list[0]
	if stamped := elements(at); stamped != nil {
		at = stamped[0]
	}
	if at[0] == '"' || at[0] >= '0' && at[0] <= '9' {
		return list[1]
	}
	return nil
}
