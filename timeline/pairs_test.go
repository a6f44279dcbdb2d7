package timeline

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/table"
)

// pairs makes Pairs of "name=value".
func pairs(list string) Pairs {
	var all []table.Pair
	for _, text := range strings.Fields(list) {
		name, value, _ := strings.Cut(text, "=")
		all = append(all, table.Pair{Key: name, Value: value})
	}
	return PairsOf(all...)
}

func written(p Pairs) string {
	var list []string
	for name, value := range p.All() {
		list = append(list, name+"="+value)
	}
	return strings.Join(list, " ")
}

func TestPairs(t *testing.T) {
	p := pairs("c=3 a=1 b=2 a=4")
	if got := written(p); got != "a=4 b=2 c=3" {
		t.Errorf("sorted, the last of a name: %s", got)
	}
	for name, want := range map[string]string{"a": "4", "b": "2", "c": "3", "": "", "aa": "", "d": ""} {
		if got, ok := p.Find(name); got != want || ok != (want != "") || p.Get(name) != want {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
	if got := written(p.with(pairs("b=5 d=6"))); got != "a=4 b=5 c=3 d=6" {
		t.Errorf("with others: %s", got)
	}
	if got := written(p.only(func(name string) bool { return name != "b" })); got != "a=4 c=3" {
		t.Errorf("some: %s", got)
	}
	if got := written(p); got != "a=4 b=2 c=3" {
		t.Errorf("changed to %s", got)
	}
	if none := Pairs(nil); none.Get("a") != "" || none.with(nil) == nil || len(maps.Collect(none.All())) != 0 {
		t.Error("an empty list: what was laid over it is known to be empty")
	}
}

// TestCopiesAreShared: what a write leaves as it was is there once.
func TestCopiesAreShared(t *testing.T) {
	status := func(version string, at float64, list string) event {
		e := event{verb: "update", res: "revisions/status", name: "r-00001", at: at}
		return e.both(version, object("revisions", "r-00001", "u", initial3, conditions(list)))
	}
	h := read(t, join(status("10", 1, "Ready=Unknown"), status("11", 2, "Ready=True"), status("12", 3, "Ready=True")))
	w := one(t, h, KindRevision, "r-00001").Writes
	if len(w) != 3 || len(w[0].After.Annotations) == 0 || !w[0].After.Annotations.same(w[2].After.Annotations) || w[0].Terms != w[1].Terms {
		t.Errorf("%d writes; annotations or terms are there more than once", len(w))
	}
	if &w[1].After.Conditions[0] != &w[2].After.Conditions[0] || &w[0].After.Conditions[0] == &w[1].After.Conditions[0] {
		t.Error("equal conditions are to be shared, and others are not")
	}
}

// TestMovedIsOfChanges holds that asking for one path gives what the list of all
// changes has, and nothing for what it has not, for each write of the samples.
func TestMovedIsOfChanges(t *testing.T) {
	logs, err := filepath.Glob("../samples/*/audit.log.zst")
	if err != nil || len(logs) == 0 {
		t.Fatalf("%d samples: %v", len(logs), err)
	}
	h := readPaths(t, logs)
	moves := 0
	for _, f := range h.Families {
		for _, o := range f.Objects() {
			for _, w := range o.Writes {
				moves += compareMoves(t, w)
			}
		}
	}
	if moves < 1000 {
		t.Errorf("%d changes only", moves)
	}
}

func compareMoves(t *testing.T, w *Write) int {
	t.Helper()
	list := w.Changes()
	for _, path := range paths(w, list) {
		want, got := moved(list, path), w.Moved(path)
		if (want == nil) != (got == nil) || want != nil && (!same(want.From, got.From) || !same(want.To, got.To) || got.Path != path) {
			t.Errorf("%s %s: %s is %+v, and in the list %+v", w.Object.Ref, w.Source.AuditID, path, got, want)
		}
	}
	return len(list)
}

// paths lists what may have changed.
func paths(w *Write, changed []Change) (list []string) {
	list = []string{"metadata.deletionTimestamp", "spec", "status.nothing", "conditions.Nothing", "metadata.annotations[nothing]"}
	for _, c := range changed {
		list = append(list, c.Path)
	}
	for _, s := range []*State{w.Before, w.After} {
		if s == nil {
			continue
		}
		for name := range s.Annotations.All() {
			list = append(list, "metadata.annotations["+name+"]")
		}
		for _, c := range s.Conditions {
			list = append(list, "conditions."+c.Type)
		}
		list = slices.AppendSeq(list, maps.Keys(maps.Collect(s.Fields.All())))
	}
	return list
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
