package linemarks

import (
	"bytes"
	"slices"
)

// maxSample is how much of the start of a log is looked at, in bytes: some
// thirty events.
const maxSample = 64 << 10

// text is what is searched for.
type text struct {
	name          []byte
	first, second int         // where in it are its rarest byte, and the one that tells most beside that
	vector        [2][32]byte // those two bytes, each in all places
}

func newText(name string, sample []byte) text {
	first, second := rarest(name, sample)
	t := text{name: []byte(name), first: first, second: second}
	for i := range t.vector[0] {
		t.vector[0][i], t.vector[1][i] = name[first], name[second]
	}
	return t
}

// stands reports whether a buffer starts with the text.
func (t *text) stands(buf []byte) bool {
	return len(buf) >= len(t.name) && buf[t.second] == t.name[t.second] && bytes.HasPrefix(buf, t.name)
}

// rarest returns where in a name its rarest byte is, and the one that agrees
// with a log least often where that does.
func rarest(name string, sample []byte) (first, second int) {
	sample = sample[:min(len(sample), maxSample)]
	var seen [256]int
	for _, c := range sample {
		seen[c]++
	}
	for i := range name {
		if seen[name[i]] < seen[name[first]] {
			first = i
		}
	}
	agrees := make([]int, len(name))
	for at := range sample {
		start := at - first // of a name that has its byte here
		if sample[at] != name[first] || start < 0 || start+len(name) > len(sample) {
			continue
		}
		for i, c := range sample[start : start+len(name)] {
			if c == name[i] {
				agrees[i]++
			}
		}
	}
	agrees[first] = len(sample) + 1 // the same byte again is no use
	return first, slices.Index(agrees, slices.Min(agrees))
}
