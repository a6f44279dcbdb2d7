package timeline

import (
	"slices"
	"sort"
	"time"
)

// Course is spells in order, such that those are found that may have a stretch in common
// with another one.
type Course struct {
	spells []Spell
	ended  []time.Time // when the last of those up to each ended
	begun  []time.Time // when the first of those from each on began
}

// CourseOf returns the course that some spells make.
func CourseOf(spells []Spell) *Course {
	c := &Course{spells, make([]time.Time, len(spells)), make([]time.Time, len(spells))}
	var last time.Time
	for i, s := range spells {
		switch {
		case s.To.IsZero():
			last = Never
		case s.To.After(last):
			last = s.To
		}
		c.ended[i] = last
	}
	first := Never
	for i, s := range slices.Backward(spells) {
		if s.From.Before(first) {
			first = s.From
		}
		c.begun[i] = first
	}
	return c
}

// Beside returns the spells of the course that may overlap with a spell, in order: all that
// do, and of those that do not only such as are out of their order in time.
func (c *Course) Beside(s Spell) []Spell {
	from := sort.Search(len(c.ended), func(i int) bool { return c.ended[i].After(s.From) })
	to := len(c.begun)
	if !s.To.IsZero() {
		to = sort.Search(len(c.begun), func(i int) bool { return !c.begun[i].Before(s.To) })
	}
	return c.spells[from:max(from, to)]
}
