package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// secondsOf writes a moment as seconds after start, "-" if it is unknown.
func secondsOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return fmt.Sprint(t.Sub(start).Seconds())
}

// spellText writes a spell as "FROM..TO FIRST LAST": "+" after TO if it had not
// ended, "?" if it ended unsurely.
func spellText(s Spell) string {
	text := secondsOf(s.From) + ".." + secondsOf(s.To)
	if !s.Ended {
		text += "+"
	}
	if s.Unsure {
		text += "?"
	}
	return text + " " + s.First.Source.AuditID + s.Last.Source.AuditID
}

// at is the state of an object that says Ready=STATUS since a moment, "" if it has
// no such condition.
func at(status string, since float64) *State {
	s := &State{Whole: true}
	if status != "" {
		s.Conditions = []Condition{{Type: "Ready", Status: status, Since: sec(since)}}
	}
	return s
}

func statusWrite(id string, t float64, after *State) *Write {
	return &Write{Terms: &Terms{Verb: "update", Subresource: "status"}, Time: sec(t), Outcome: Applied, BodySeen: after != nil, After: after, Source: Source{AuditID: id}}
}

func sighting(id, version string, s *State) Sighting {
	s.ResourceVersion = version
	return Sighting{s, Source{AuditID: id}}
}

func TestSpells(t *testing.T) {
	unknown := &State{}
	timeless := &State{Whole: true, Conditions: []Condition{{Type: "Ready", Status: "True"}}}
	born := &Write{Terms: &Terms{}}
	tests := []struct {
		name string
		o    *Object
		want string
	}{
		{"none", &Object{}, ""},
		{"other states only", &Object{Writes: []*Write{statusWrite("a", 1, at("False", 1)), statusWrite("b", 2, at("", 0))}}, ""},
		{"to the end of the data", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9))}}, "10..100+ aa"},
		{"ended", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 11, at("True", 9)), statusWrite("c", 20, at("False", 19))}}, "10..20 ab"},
		{"ended by a state without the condition", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, at("", 0))}}, "10..20 aa"},
		{"twice", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, at("False", 19)), statusWrite("c", 30, at("True", 25))}}, "10..20 aa, 30..100+ cc"},
		{"a state that does not tell", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, unknown), statusWrite("c", 30, at("True", 9))}}, "10..100+ ac"},
		{"begun before the inputs", &Object{Writes: []*Write{statusWrite("a", 10, at("True", -50))}}, "-50..100+ aa"},
		{"and a state before that does not tell", &Object{Writes: []*Write{statusWrite("a", 5, unknown), statusWrite("b", 10, at("True", -50))}}, "-50..100+ bb"},
		{"but another state is known", &Object{Writes: []*Write{statusWrite("a", 5, at("False", 4)), statusWrite("b", 10, at("True", -50))}}, "10..100+ bb"},
		{"a clock ahead", &Object{Writes: []*Write{statusWrite("a", 10, at("True", 15))}}, "10..100+ aa"},
		{"no time in the condition", &Object{Writes: []*Write{statusWrite("a", 10, timeless)}}, "10..100+ aa"},
		{"ended unsurely", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, nil)}}, "10..20? aa"},
		{"known again later, since before", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, nil), statusWrite("c", 30, at("True", 9))}}, "10..20? aa, 9..100+ cc"},
		{"begun in the dark", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, nil), statusWrite("b", 20, at("True", 12))}}, "12..100+ bb"},
		{"deleted", &Object{BornBy: born, Gone: sec(50), Writes: []*Write{statusWrite("a", 10, at("True", 9))}}, "10..50 aa"},
		{"asked to go, and changed after", &Object{BornBy: born, deleting: sec(15), Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, at("False", 19)), statusWrite("c", 30, at("True", 29))}}, "10..15 aa"},
		{"its owner was asked to go", &Object{BornBy: born, owner: &Object{deleting: sec(40)}, Writes: []*Write{statusWrite("a", 10, at("True", 9))}}, "10..40 aa"},
		{"over when it was deleted", &Object{BornBy: born, Gone: sec(50), Writes: []*Write{statusWrite("a", 10, at("True", 9)), statusWrite("b", 20, at("False", 19))}}, "10..20 aa"},
		{"a snapshot, to its own time", &Object{Sightings: []Sighting{sighting("s", "7", at("True", 30))}}, "30..30+ ss"},
		{"a snapshot without times", &Object{Sightings: []Sighting{sighting("s", "", timeless)}}, "-..-+ ss"},
		{"two snapshots", &Object{Sightings: []Sighting{sighting("s", "7", at("True", 30)), sighting("t", "8", at("False", 40))}}, "30..40 ss"},
		{"a snapshot after the log", &Object{BornBy: born, Writes: []*Write{statusWrite("a", 10, at("True", 9))}, Sightings: []Sighting{sighting("s", "7", at("False", 40))}}, "10..40 aa"},
	}
	for _, test := range tests {
		f := &Family{Cluster: &Cluster{To: sec(100)}, objects: []*Object{test.o}}
		var got []string
		for _, s := range f.Spells(test.o, ConditionIs("Ready", func(c Condition) bool { return c.Status == "True" })) {
			got = append(got, spellText(s))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

func TestViews(t *testing.T) {
	outcome := func(id string, o Outcome, seen bool) *Write {
		w := statusWrite(id, 10, nil)
		w.Outcome, w.BodySeen, w.After = o, seen, at("True", 9)
		return w
	}
	spec := func(w *Write) *Write { w.Subresource = ""; return w }
	quoting := func(version string) *Write {
		w := statusWrite("a", 10, at("True", 9))
		w.SentVersion = version
		return w
	}
	table := func(id string) Sighting { return Sighting{&State{}, Source{AuditID: id}} }
	tests := []struct {
		name string
		o    *Object
		want string
	}{
		{"of what took effect", &Object{Writes: []*Write{outcome("a", Applied, true), outcome("b", Unchanged, true), outcome("c", Read, true), spec(outcome("d", Applied, true))}}, "a b c d"},
		{"not of what had none", &Object{Writes: []*Write{outcome("a", Refused, true), outcome("b", DryRun, true)}}, ""},
		{"dark where it may have had", &Object{Writes: []*Write{outcome("a", Applied, false), outcome("b", Failed, true), outcome("c", Unanswered, true)}}, "a? b? c?"},
		{"not dark for a write of the rest", &Object{Writes: []*Write{spec(outcome("a", Applied, false)), spec(outcome("b", Failed, true))}}, ""},
		{"nor for one that changed nothing", &Object{Writes: []*Write{outcome("a", Unchanged, false), outcome("b", Read, false)}}, ""},
		{"a newer snapshot", &Object{Writes: []*Write{quoting("7")}, Sightings: []Sighting{sighting("s", "8", at("True", 9))}}, "a s"},
		{"an older snapshot", &Object{Writes: []*Write{quoting("7")}, Sightings: []Sighting{sighting("s", "7", at("True", 9))}}, "a"},
		{"a snapshot beside writes without versions", &Object{Writes: []*Write{quoting("")}, Sightings: []Sighting{sighting("s", "7", at("True", 9))}}, "a s"},
		{"a table alone", &Object{Sightings: []Sighting{table("s")}}, "s"},
		{"a table beside a log", &Object{Writes: []*Write{quoting("")}, Sightings: []Sighting{table("s")}}, "a"},
		{"two tables that agree", &Object{Sightings: []Sighting{table("s"), table("t")}}, "s t"},
		{"two that do not, of which none is known to be the newer", &Object{Sightings: []Sighting{table("s"), {&State{Conditions: []Condition{{Type: "Ready", Status: "True"}}}, Source{AuditID: "t"}}}}, ""},
		{"a table before a snapshot with times", &Object{Sightings: []Sighting{table("s"), sighting("t", "8", at("True", 9))}}, "t"},
	}
	for _, test := range tests {
		var got []string
		for _, v := range test.o.Views() {
			text := v.Source.AuditID
			if v.State == nil {
				text += "?"
			}
			if (v.Write == nil) != v.Time.IsZero() {
				t.Errorf("%s: %s has time %v", test.name, text, v.Time)
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
	}
}

func TestOverlap(t *testing.T) {
	spell := func(id string, from, to float64, ended, unsure bool) Spell {
		s := Spell{To: sec(to), Ended: ended, Unsure: unsure, First: View{Source: Source{AuditID: id}}, Last: View{Source: Source{AuditID: id}}}
		if from >= 0 {
			s.From = sec(from)
		}
		return s
	}
	const unknown = -1
	tests := []struct {
		name string
		a, b Spell
		want string
	}{
		{"within", spell("a", 10, 90, true, false), spell("b", 20, 30, true, false), "20..30 b"},
		{"around", spell("a", 20, 30, true, false), spell("b", 10, 90, true, false), "20..30 a"},
		{"staggered", spell("a", 10, 30, true, true), spell("b", 20, 40, true, false), "20..30? b"},
		{"the end of the other", spell("a", 20, 40, true, false), spell("b", 10, 30, true, true), "20..30? a"},
		{"both go on", spell("a", 10, 100, false, false), spell("b", 20, 100, false, false), "20..100+ b"},
		{"one goes on", spell("a", 10, 100, false, false), spell("b", 20, 60, true, false), "20..60 b"},
		{"the other goes on", spell("a", 10, 60, true, false), spell("b", 20, 100, false, false), "20..60 b"},
		{"one after the other", spell("a", 10, 20, true, false), spell("b", 20, 30, true, false), "none"},
		{"apart", spell("a", 30, 40, true, false), spell("b", 10, 20, true, false), "none"},
		{"begin unknown", spell("a", unknown, 100, false, false), spell("b", 20, 100, false, false), "-..100+ a"},
		{"begin of the other unknown", spell("a", 20, 100, false, false), spell("b", unknown, 100, false, false), "-..100+ b"},
		{"a snapshot that is older", spell("a", unknown, 15, false, false), spell("b", 20, 100, false, false), "none"},
		{"of one that ends before", spell("a", 10, 15, false, false), spell("b", 20, 100, false, false), "none"},
		{"begin unknown, and over", spell("a", unknown, 100, false, false), spell("b", 20, 60, true, false), "none"},
	}
	for _, test := range tests {
		got := "none"
		if both, ok := test.a.Overlap(test.b); ok {
			got = strings.TrimSuffix(spellText(both), both.Last.Source.AuditID)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestSpellLength(t *testing.T) {
	for want, s := range map[time.Duration]Spell{
		20 * time.Second: {From: sec(10), To: sec(30)},
		0:                {To: sec(30)},
	} {
		if got := s.Length(); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := (Spell{From: sec(30), To: sec(10)}).Length(); got != 0 {
		t.Errorf("a spell that begins after the end of the data lasts %v", got)
	}
	if (Spell{}).Timed() || !(Spell{First: View{Write: &Write{}}}).Timed() {
		t.Error("a write makes a spell a timed one")
	}
}

// TestEnd: the inputs tell of a family up to the last audit event of its cluster, or
// up to the newest time in a snapshot.
func TestEnd(t *testing.T) {
	created := func(at float64) *State { return &State{Created: sec(at)} }
	for _, test := range []struct {
		name       string
		to         float64
		sightings  []Sighting
		shown, end string
	}{
		{"a log", 50, nil, "-", "50"},
		{"a snapshot from before", 50, []Sighting{{State: at("True", 40)}}, "40", "50"},
		{"a newer snapshot", 50, []Sighting{{State: at("True", 40)}, {State: created(70)}, {State: created(60)}}, "70", "70"},
		{"of one object", 50, []Sighting{{State: &State{Created: sec(80), Conditions: []Condition{{Since: sec(90)}, {Since: sec(85)}}}}}, "90", "90"},
	} {
		f := &Family{Cluster: &Cluster{To: sec(test.to)}, objects: []*Object{{}, {Sightings: test.sightings}}}
		if got := secondsOf(f.shownIn()[""]) + " " + secondsOf(f.End()); got != test.shown+" "+test.end {
			t.Errorf("%s: shown and end %s, want %s %s", test.name, got, test.shown, test.end)
		}
	}
}

// TestSightingsInOrder: snapshots are read in any order.
func TestSightingsInOrder(t *testing.T) {
	state := func(id, version string, newest float64) Sighting {
		return Sighting{&State{ResourceVersion: version, Created: sec(newest)}, Source{EventID: id, File: id}}
	}
	o := &Object{Sightings: []Sighting{state("d", "10", 5), state("c", "9", 90), state("b", "", 20), state("a", "", 10), state("e", "10", 6), state("f", "10", 6)}}
	o.sortSightings()
	var got string
	for _, s := range o.Sightings {
		got += s.Source.EventID
	}
	if got != "abcdef" {
		t.Errorf("%s, want abcdef", got)
	}
}
