package timeline

import (
	"iter"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// Pairs are names with their values, each name once, sorted by name: labels,
// annotations, or the fields of an object by path. Many states share one list, so
// that it must not be changed.
type Pairs []table.Pair

// PairsOf makes Pairs. Of several values of one name the last counts. It changes the
// order of the list that is given.
func PairsOf(list ...table.Pair) Pairs {
	slices.SortStableFunc(list, func(a, b table.Pair) int { return strings.Compare(a.Key, b.Key) })
	kept := list[:0]
	for i, p := range list {
		if i+1 == len(list) || list[i+1].Key != p.Key {
			kept = append(kept, p)
		}
	}
	return kept
}

// Find returns the value of a name; ok is false if there is none.
func (p Pairs) Find(name string) (value string, ok bool) {
	if i := p.place(name); i >= 0 {
		return p[i].Value, true
	}
	return "", false
}

// Get returns the value of a name, "" if there is none.
func (p Pairs) Get(name string) string {
	value, _ := p.Find(name)
	return value
}

// place returns where a name is, -1 if it is not there.
func (p Pairs) place(name string) int {
	from, to := 0, len(p)
	for from < to {
		switch middle := (from + to) / 2; strings.Compare(p[middle].Key, name) {
		case 0:
			return middle
		case -1:
			from = middle + 1
		default:
			to = middle
		}
	}
	return -1
}

// All returns the pairs in the order of their names.
func (p Pairs) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, pair := range p {
			if !yield(pair.Key, pair.Value) {
				return
			}
		}
	}
}

// same reports whether two lists are one in memory: then they are equal, as most are
// from one write of an object to the next.
func (p Pairs) same(other Pairs) bool {
	return len(p) == len(other) && (len(p) == 0 || &p[0] == &other[0])
}

// only returns the pairs of which keep is true of the name.
func (p Pairs) only(keep func(name string) bool) Pairs {
	rest := make(Pairs, 0, len(p))
	for _, pair := range p {
		if keep(pair.Key) {
			rest = append(rest, pair)
		}
	}
	return rest
}

// with returns the pairs, and those of another list, which count where both have a
// name.
func (p Pairs) with(other Pairs) Pairs {
	return PairsOf(append(append(make(Pairs, 0, len(p)+len(other)), p...), other...)...)
}
