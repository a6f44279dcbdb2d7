package timeline

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestConditionSpans(t *testing.T) {
	hidden := statusWrite("h", 5, nil)
	hidden.BodySeen = false
	born := statusWrite("born", 2, at("", 0))
	born.Subresource, born.Verb, born.Code = "", "create", 201
	tests := []struct {
		name     string
		writes   []*Write
		from, to time.Time
		want     string
	}{
		{"one after the other", []*Write{statusWrite("a", 1, at("Unknown", 1)), statusWrite("b", 3, at("True", 3))}, time.Time{}, time.Time{}, "? 0..1 Unknown 1..3 True 3..100+"},
		{"before the inputs begin", []*Write{statusWrite("a", 1, at("True", -500))}, time.Time{}, time.Time{}, "True 0..100+"},
		{"a clock that is behind", []*Write{statusWrite("a", 4, at("Unknown", 1)), statusWrite("b", 3, at("True", 3))}, time.Time{}, time.Time{}, "? 0..1 Unknown 1..3 True 3..100+"},
		{"after what is not known", []*Write{statusWrite("a", 2, at("Unknown", 2)), hidden, statusWrite("b", 9, at("True", 1))}, time.Time{}, time.Time{}, "? 0..2 Unknown 2..5? True 5..100+"},
		{"cut", []*Write{statusWrite("a", 1, at("Unknown", 1)), statusWrite("b", 3, at("True", 3))}, sec(2), sec(7), "Unknown 2..3 True 3..7+"},
		{"cut off", []*Write{statusWrite("a", 1, at("Unknown", 1)), statusWrite("b", 3, at("True", 3))}, sec(4), sec(5), "True 4..5+"},
		{"without a body at the end", []*Write{statusWrite("a", 1, at("True", -5)), hidden}, time.Time{}, time.Time{}, "True 0..5? ? 5..100"},
		{"to after the inputs end", []*Write{statusWrite("a", 1, at("True", -5))}, sec(2), sec(110), "True 2..100+ ? 100..110"},
		{"absent", []*Write{statusWrite("a", 1, at("True", -5)), statusWrite("b", 3, at("", 0)), statusWrite("c", 6, at("True", 6))}, time.Time{}, time.Time{}, "True 0..3 True 6..100+"},
		{"not made yet", []*Write{born, statusWrite("a", 4, at("True", 4))}, time.Time{}, time.Time{}, "True 4..100+"},
		{"absent in a write that was done later", []*Write{statusWrite("a", 3, at("", 0)), statusWrite("b", 2, at("True", 2))}, time.Time{}, time.Time{}, "? 0..2 True 2..100+"},
		{"none", []*Write{statusWrite("a", 1, at("", 0))}, time.Time{}, time.Time{}, ""},
	}
	for _, test := range tests {
		f := &Family{Cluster: &Cluster{From: sec(0), To: sec(100)}}
		var got []string
		o := &Object{Writes: test.writes}
		o.birthAndDeath(test.writes[0])
		for _, c := range f.ConditionSpans(o, test.from, test.to) {
			for _, s := range c.Spans {
				status := s.Condition.Status
				if !s.Known {
					status = "?"
				}
				got = append(got, status, strings.Fields(spellText(s.Spell))[0])
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// TestSamplesInTurn holds what others rely on: spans of one condition never overlap,
// and levels change from one moment to a later one.
func TestSamplesInTurn(t *testing.T) {
	samples, err := filepath.Glob("../samples/*/audit.log.zst")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	for _, sample := range samples {
		h := readPaths(t, []string{sample, filepath.Join(filepath.Dir(sample), "controller.log.zst")})
		spans, steps := 0, 0
		for _, f := range h.Families {
			for _, o := range f.Objects() {
				for _, c := range f.ConditionSpans(o, time.Time{}, time.Time{}) {
					last := f.Cluster.From
					for _, s := range c.Spans {
						spans++
						if s.From.Before(last) || s.To.Before(s.From) {
							t.Errorf("%s: %s %s: %v..%v after %v", sample, o.Ref, c.Type, s.From, s.To, last)
						}
						last = s.To
					}
				}
			}
			for _, r := range f.Revisions {
				for _, levels := range [][]Level{r.ReadyLevels(time.Time{}, time.Time{}), r.WantLevels(time.Time{}, time.Time{}), r.ShareLevels(time.Time{}, time.Time{})} {
					for i, l := range levels {
						steps++
						if i > 0 && (!levels[i-1].Time.Before(l.Time) || levels[i-1].Value == l.Value && levels[i-1].Known == l.Known) {
							t.Errorf("%s: %s: %v after %v", sample, r.Ref, l, levels[i-1])
						}
					}
				}
			}
		}
		if (spans == 0 || steps == 0) && !strings.Contains(sample, "metadata") {
			t.Errorf("%s: %d spans, %d levels", sample, spans, steps)
		}
	}
}
