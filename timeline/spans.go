package timeline

import (
	"slices"
	"strings"
	"time"
)

// ConditionSpans is the course of one condition of an object: the stretches through
// which it had one status and reason, oldest first. They do not overlap.
type ConditionSpans struct {
	Type  string
	Spans []ConditionSpan
}

// ConditionSpan is one of those stretches. Its From is never zero and never after
// its To.
type ConditionSpan struct {
	Spell
	Condition Condition // as the first view of the stretch shows it
}

// ConditionSpans returns the course of every condition of an object of the family,
// Ready first and then by type. From and to cut it; the zero time is where the audit
// events begin, and an open end. A stretch of which the inputs do not tell when it
// began is left out.
func (f *Family) ConditionSpans(o *Object, from, to time.Time) (list []ConditionSpans) {
	if from.IsZero() {
		from = f.Cluster.From
	}
	for _, typ := range o.conditionTypes() {
		spells := f.SpellsBy(o, func(s *State) (string, bool, time.Time) {
			c, ok := s.Condition(typ)
			return c.Text(), ok || s.Whole, c.Since
		})
		if spans := inTurn(typ, spells, from, to); len(spans) > 0 {
			list = append(list, ConditionSpans{typ, spans})
		}
	}
	return list
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
// overlap.
func inTurn(typ string, spells []Named, from, to time.Time) (spans []ConditionSpan) {
	for _, s := range spells {
		if s.From.IsZero() || !to.IsZero() && s.From.After(to) || s.To.Before(from) {
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
		c, _ := s.First.State.Condition(typ)
		spans = append(spans, ConditionSpan{s.Spell, c})
		from = s.To
	}
	return spans
}
