// Package kubetable reads what "kubectl get" prints for people: tables of
// objects in columns. A row becomes the JSON of an object, or of an Event, that
// says what the row says and nothing else: no times, for ages count back from
// an unknown moment, and no namespace where no column has one.
package kubetable

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Table is a table whose header was read.
type Table struct{ columns []column }

type column struct {
	name  string
	start int // in characters, as kubectl aligns
}

// known are the names of columns of which a table has at least two.
var known = map[string]bool{
	"NAMESPACE": true, "NAME": true, "READY": true, "REASON": true, "STATUS": true, "AGE": true, "URL": true, "DOMAIN": true,
	"LATESTCREATED": true, "LATESTREADY": true, "CONFIG NAME": true, "K8S SERVICE NAME": true, "GENERATION": true, "ACTUAL REPLICAS": true, "DESIRED REPLICAS": true,
	"DESIREDSCALE": true, "ACTUALSCALE": true, "IMAGE": true, "UP-TO-DATE": true, "AVAILABLE": true, "RESTARTS": true,
	"LAST SEEN": true, "FIRST SEEN": true, "TYPE": true, "OBJECT": true, "MESSAGE": true, "MODE": true, "ACTIVATORS": true, "SERVICENAME": true, "PRIVATESERVICENAME": true,
	"DESIRED": true, "CURRENT": true, "CONTAINERS": true, "IMAGES": true, "SELECTOR": true, "IP": true, "NODE": true,
	"REFERENCE": true, "TARGETS": true, "SCHEDULE": true, "COMPLETIONS": true, "ROLES": true, "DATA": true,
}

// Header reads the header of a table; ok is false if the line is none. Names
// of columns are in capitals and stand at least two blanks apart.
func Header(line []byte) (t Table, ok bool) {
	if len(line) == 0 || line[0] < 'A' || line[0] > 'Z' || !utf8.Valid(line) {
		return t, false
	}
	hits := 0
	for start, name := range cells(string(line)) {
		if strings.ToUpper(name) != name {
			return t, false
		}
		if known[name] {
			hits++
		}
		t.columns = append(t.columns, column{name, start})
	}
	has := func(name string) bool { return t.index(name) >= 0 }
	return t, hits >= 2 && (has("NAME") || has("LAST SEEN") && has("OBJECT"))
}

// Names returns the names of the columns, in their order.
func (t Table) Names() (names []string) {
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return names
}

func (t Table) index(name string) int {
	for i, c := range t.columns {
		if c.name == name {
			return i
		}
	}
	return -1
}

// cells yields the words of a line, by the place of their first character;
// single blanks are part of a word.
func cells(line string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		runes := []rune(line)
		for i := 0; i < len(runes); {
			if runes[i] == ' ' {
				i++
				continue
			}
			end := i
			for end < len(runes) && !(runes[end] == ' ' && (end+1 == len(runes) || runes[end+1] == ' ')) {
				end++
			}
			if !yield(i, string(runes[i:end])) {
				return
			}
			i = end
		}
	}
}

// Row reads a line of the table: the values by column. A value that is wider
// than its column pushes those after it to the right, so a value belongs to the
// last column that starts at or before it, or to a later one if that is taken.
// Where even two values run into each other, at one blank, the column's start
// tells where to cut. The last column takes all the rest.
func (t Table) Row(line []byte) map[string]string {
	values := map[string]string{}
	next := 0 // first column that is free
	runes := []rune(string(line))
	for start, word := range t.words(runes) {
		at := next
		for at+1 < len(t.columns) && t.columns[at+1].start <= start {
			at++
		}
		if at >= len(t.columns) {
			last := t.columns[len(t.columns)-1].name
			values[last] = strings.TrimSpace(values[last] + "  " + word)
			continue
		}
		if at == len(t.columns)-1 {
			word = strings.TrimRight(string(runes[start:]), " ")
			values[t.columns[at].name] = word
			break
		}
		values[t.columns[at].name] = word
		next = at + 1
	}
	return values
}

// words yields the words of a row; a word is cut where a column starts after a
// single blank.
func (t Table) words(runes []rune) func(func(int, string) bool) {
	starts := map[int]bool{}
	for _, c := range t.columns {
		starts[c.start] = true
	}
	return func(yield func(int, string) bool) {
		for start, word := range cells(string(runes)) {
			letters := []rune(word)
			from := 0
			for i := 1; i < len(letters); i++ {
				if letters[i-1] == ' ' && starts[start+i] {
					if !yield(start+from, strings.TrimRight(string(letters[from:i]), " ")) {
						return
					}
					from = i
				}
			}
			if !yield(start+from, string(letters[from:])) {
				return
			}
		}
	}
}

// Blank reports whether a line ends a table.
func Blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
