package timeline

import (
	"slices"
	"strings"
	"time"
)

// ConditionSpans is the course of one condition of an object: the stretches through
// which it had one status and reason, and those of which nothing tells what it was,
// oldest first. They do not overlap. Between them the object had no such condition.
type ConditionSpans struct {
	Type  string
	Spans []ConditionSpan
}

// ConditionSpan is one of those stretches. Its From is never zero and never after
// its To.
type ConditionSpan struct {
	Spell
	Condition Condition // as the first view of the stretch shows it
	Known     bool      // false where nothing tells what it was; the rest is empty then
}

// ConditionSpans returns the course of every condition of an object of the family,
// Ready first and then by type. From and to cut it; the zero time is where the audit
// events begin, and where they end.
func (f *Family) ConditionSpans(o *Object, from, to time.Time) (list []ConditionSpans) {
	if from.IsZero() {
		from = f.Cluster.From
	}
	end := to
	if end.IsZero() {
		end = f.Cluster.To
	}
	begin, end := o.Life(from, end)
	for _, typ := range o.conditionTypes() {
		spells := f.SpellsBy(o, func(s *State) (string, bool, time.Time) {
			c, ok := s.Condition(typ)
			if !ok {
				return "absent", s.Whole, time.Time{}
			}
			return c.Text(), true, c.Since
		})
		if spans := filled(inTurn(typ, spells, from, to), begin, end); len(spans) > 0 {
			list = append(list, ConditionSpans{typ, spans})
		}
	}
	return list
}

// Life cuts a stretch of time to that in which the object was there, as far as is
// known: from when it was made until it began to go. An open end stays open.
func (o *Object) Life(from, to time.Time) (begin, end time.Time) {
	if o.Born.After(from) {
		from = o.Born
	}
	if left := o.Left(); !left.IsZero() && (to.IsZero() || left.Before(to)) {
		to = left
	}
	return from, to
}

// conditionTypes returns the types of all conditions that the views of an object
// show.
func (o *Object) conditionTypes() (types []string) {
	for _, v := range o.Views() {
		if v.State == nil {
			continue
		}
		for _, c := range v.State.Conditions {
			types = append(types, c.Type)
		}
	}
	slices.SortFunc(types, func(a, b string) int {
		if (a == "Ready") != (b == "Ready") {
			if a == "Ready" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(types)
}

// inTurn cuts spells so that each begins where the one before it ended, at the
// earliest: the clocks of two API servers, and times to the second, can have them
// overlap. Known is false where the object had no such condition.
func inTurn(typ string, spells []Named, from, to time.Time) (spans []ConditionSpan) {
	for _, s := range spells {
		c, has := s.First.State.Condition(typ)
		if s.From.IsZero() || !to.IsZero() && s.From.After(to) || s.To.Before(from) || !has && !s.From.Before(s.To) {
			continue
		}
		if s.From.Before(from) {
			s.From = from
		}
		if !to.IsZero() && s.To.After(to) {
			s.To, s.Ended, s.Unsure = to, false, false
		}
		if s.To.Before(s.From) {
			s.To = s.From
		}
		spans = append(spans, ConditionSpan{s.Spell, c, has})
		from = s.To
	}
	return spans
}

// filled puts stretches of which nothing tells between spans, and around them from one
// moment to another, and leaves out those in which the object had no such condition.
func filled(spans []ConditionSpan, begin, end time.Time) (list []ConditionSpan) {
	fill := func(from, to time.Time) {
		if !from.IsZero() && from.Before(to) {
			list = append(list, ConditionSpan{Spell: Spell{From: from, To: to, Ended: true}})
		}
	}
	for _, s := range spans {
		fill(begin, s.From)
		if s.To.After(begin) {
			begin = s.To
		}
		if s.Known {
			list = append(list, s)
		}
	}
	fill(begin, end)
	return list
}
