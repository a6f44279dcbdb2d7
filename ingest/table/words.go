package table

import (
	"hash/maphash"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// words are the values of a dictionary, in the order in which they came.
type words struct {
	values texts
	table  []int32 // codes plus one by hash, with open addressing; a power of two
	next   []int32 // by code, the code that came after it last
	last   int32   // code
	frozen arrow.Array
}

// none is the code of the empty string, which is null.
const none = -1

var seed = maphash.MakeSeed() // decides where in the table a code is, and nothing else

// code returns the code of a value, which is new if it was not there. Values often
// come in the order of before: that is tried first.
func (w *words) code(s string) int32 {
	if s == "" {
		return none
	}
	if len(w.next) > 0 {
		if code := w.next[w.last]; string(w.values.at(int(code))) == s {
			w.last = code
			return code
		}
	}
	code := w.find(s)
	w.next[w.last] = code
	w.last = code
	return code
}

// find looks a value up, and adds it if it is not there.
func (w *words) find(s string) int32 {
	if 2*w.values.len() >= len(w.table) {
		w.grow()
	}
	i := w.slot(s)
	if w.table[i] == 0 {
		w.values.add(s)
		w.table[i] = int32(w.values.len()) //nolint:gosec // a segment has fewer rows
		w.next = append(w.next, w.table[i]-1)
	}
	return w.table[i] - 1
}

// slot returns where the code of a value is, or would be.
func (w *words) slot(s string) int {
	mask := len(w.table) - 1
	i := int(maphash.String(seed, s)) & mask //nolint:gosec // any bits do
	for w.table[i] != 0 && string(w.values.at(int(w.table[i]-1))) != s {
		i = (i + 1) & mask
	}
	return i
}

func (w *words) grow() {
	w.table = make([]int32, max(64, 2*len(w.table)))
	for code := range w.values.len() {
		w.table[w.slot(string(w.values.at(code)))] = int32(code) + 1 //nolint:gosec // see code
	}
}

// dictionary returns the values as an array, the same until reset. No value may
// be added meanwhile.
func (w *words) dictionary() arrow.Array {
	if w.frozen == nil {
		w.frozen = array.MakeFromData(w.values.data())
	}
	return w.frozen
}

func (w *words) reset() {
	w.values.reset()
	clear(w.table)
	w.next, w.last = w.next[:0], 0
	w.frozen = nil
}
