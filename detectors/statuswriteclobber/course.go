package statuswriteclobber

import (
	"slices"
	"sort"
	"strings"

	"github.com/knforensics/knforensics/timeline"
)

// course is what the writes of an object did to its status. There can be as many refused
// ones as others, so that none of them goes through all.
type course struct {
	object *timeline.Object
	hidden []*timeline.Write // statuses that the inputs do not show, by when they were done
	turns  map[turn]*turned
}

// turn is how a condition changed: its type, and its status before and after.
type turn struct{ typ, from, to string }

// turned are the writes that turned a condition so, in order.
type turned struct {
	versioned []placed            // those that tell the version that they made
	quoting   map[string][]placed // by the version that they quoted
}

// placed is a write and its place among all of the object.
type placed struct {
	*timeline.Write
	place int
}

// unseen reports whether what the refused write asked for, what its retry wrote, or
// what was written shortly before is not in the inputs.
func (c *course) unseen(refused, retry *timeline.Write) bool {
	if refused.Level == "Metadata" || refused.Truncated {
		return true
	}
	if c.hidden == nil {
		c.hidden = []*timeline.Write{}
		for _, w := range c.object.Writes {
			if w.Subresource == "status" && w.Hidden() {
				c.hidden = append(c.hidden, w)
			}
		}
		slices.SortFunc(c.hidden, func(a, b *timeline.Write) int { return a.Time.Compare(b.Time) })
	}
	i := sort.Search(len(c.hidden), func(i int) bool { return refused.Time.Sub(c.hidden[i].Time) <= within })
	return i < len(c.hidden) && !c.hidden[i].Time.After(retry.Time)
}

// overwritten returns a condition whose status the retry changed back to what it had
// been when the refused write was made, Ready if it is one of several, and the write
// that had changed it since.
func (c *course) overwritten(refused, retry *timeline.Write) (lost *timeline.Write, change *timeline.Change) {
	for _, moved := range retry.Changes() {
		moved := &moved
		if w := c.takenBack(refused, retry, moved); w != nil && (change == nil || moved.Path == "conditions.Ready") {
			lost, change = w, moved
		}
	}
	return lost, change
}

// takenBack returns the write that a change of the retry took back, nil if there is
// none: it was made on the version that the refused write quoted, or on a later one.
func (c *course) takenBack(refused, retry *timeline.Write, change *timeline.Change) *timeline.Write {
	typ, ok := strings.CutPrefix(change.Path, "conditions.")
	if !ok || change.From == nil || change.To == nil || !retry.Became(typ, status(*change.To)) {
		return nil
	}
	asked, known := refused.Asked(typ)
	if !known || asked.Status != status(*change.To) {
		return nil
	}
	return c.turned(turn{typ, asked.Status, status(*change.From)}).between(refused, retry)
}

// turned returns the writes that turned a condition in some way.
func (c *course) turned(how turn) *turned {
	if c.turns == nil {
		c.turns = map[turn]*turned{}
		for place, w := range c.object.Writes {
			for _, change := range w.Changes() {
				c.add(placed{w, place}, change.Path)
			}
		}
	}
	return c.turns[how]
}

func (c *course) add(w placed, path string) {
	typ, ok := strings.CutPrefix(path, "conditions.")
	was := w.Moved(path)
	if !ok || was == nil || was.From == nil || was.To == nil || !w.Became(typ, status(*was.To)) {
		return
	}
	how := turn{typ, status(*was.From), status(*was.To)}
	t := c.turns[how]
	if t == nil {
		t = &turned{quoting: map[string][]placed{}}
		c.turns[how] = t
	}
	if w.Versioned() {
		t.versioned = append(t.versioned, w)
	}
	if w.SentVersion != "" {
		t.quoting[w.SentVersion] = append(t.quoting[w.SentVersion], w)
	}
}

// between returns the first of the writes that a refused write did not know, or that knew
// no more than it, and that its retry knew; nil if there is none.
func (t *turned) between(refused, retry *timeline.Write) *timeline.Write {
	if t == nil {
		return nil
	}
	after := func(w *timeline.Write) int { // the first that it did not know, as versions grow
		return sort.Search(len(t.versioned), func(i int) bool { return !w.Since(t.versioned[i].Write) })
	}
	known := after(retry)
	a, b := firstKnown(t.versioned[min(after(refused), known):known], retry), firstKnown(t.quoting[refused.SentVersion], retry)
	if a == nil || b != nil && b.place < a.place {
		a = b
	}
	if a == nil {
		return nil
	}
	return a.Write
}

// firstKnown returns the first of some writes that a retry knew, nil if it knew none.
func firstKnown(list []placed, retry *timeline.Write) *placed {
	i := slices.IndexFunc(list, func(w placed) bool { return w.Write != retry && retry.Since(w.Write) })
	if i < 0 {
		return nil
	}
	return &list[i]
}
