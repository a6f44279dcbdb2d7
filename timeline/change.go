package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// Change is one difference that a write made. From and To are nil where
// unknown or absent.
type Change struct {
	Path     string
	From, To *string
}

// String gives "PATH: FROM → TO", with ? for what is unknown or absent.
func (c Change) String() string {
	value := func(s *string) string {
		if s == nil {
			return "?"
		}
		return *s
	}
	return c.Path + ": " + value(c.From) + " → " + value(c.To)
}

// ChangeTexts returns the text of each of some changes.
func ChangeTexts(list []Change) (texts []string) {
	for _, c := range list {
		texts = append(texts, c.String())
	}
	return texts
}

// Changes lists what a write changed, as far as the states before and after it tell.
func (w *Write) Changes() []Change {
	if !w.compares() {
		return nil
	}
	return append(changes(w.Before, w.After), w.removed()...)
}

// compares reports whether the states before and after a request tell what it changed,
// or what it shows that others did.
func (w *Write) compares() bool { return w.Outcome == Applied || w.Outcome == Read }

// removed lists the annotations that a patch removed. Of a whole object, changes
// tells them.
func (w *Write) removed() (list []Change) {
	if w.Before == nil || w.After == nil || w.After.Whole || w.sent == nil || !w.sent.patch || w.Subresource == "status" {
		return nil
	}
	for i, old := range w.Before.Annotations {
		path := annotation + old.Key + "]"
		_, has := w.After.Annotations.Find(old.Key)
		if unknown := slices.Contains(w.sent.removed, table.Path{Path: path}); !has && !unknown {
			list = append(list, Change{Path: path, From: &w.Before.Annotations[i].Value})
		}
	}
	return list
}

// changes lists the differences between two states by path: conditions, then
// selected fields, annotations and deletion. A condition of which only the
// message differs counts as unchanged.
func changes(before, after *State) []Change {
	if after == nil || after == before {
		return nil
	}
	known := before != nil
	if before == nil {
		before = &State{}
	}
	list := conditionChanges(before, after)
	list = append(list, pairChanges("", before.Fields, after.Fields, after.Whole)...)
	list = append(list, pairChanges(annotation, before.Annotations, after.Annotations, after.Whole)...)
	if !after.Deleting.IsZero() && before.Deleting.IsZero() {
		list = append(list, Change{Path: "metadata.deletionTimestamp", To: text(after.Deleting.Format("2006-01-02T15:04:05Z07:00"))})
	}
	if known && len(list) == 0 && before.SpecDigest != "" && after.SpecDigest != before.SpecDigest {
		list = append(list, Change{Path: "spec", From: &before.SpecDigest, To: &after.SpecDigest})
	}
	return list
}

func conditionChanges(before, after *State) (list []Change) {
	for _, c := range after.Conditions {
		if change := before.became(c); change != nil {
			list = append(list, *change)
		}
	}
	for _, old := range before.Conditions {
		if change := after.lost(old); change != nil {
			list = append(list, *change)
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// became returns the change from a state to a condition, nil if it was the same.
func (s *State) became(c Condition) *Change {
	old, had := s.Condition(c.Type)
	switch {
	case !had:
		return &Change{Path: "conditions." + c.Type, To: text(c.Text())}
	case old.Status == c.Status && old.Reason == c.Reason:
		return nil
	}
	return &Change{Path: "conditions." + c.Type, From: text(old.Text()), To: text(c.Text())}
}

// lost returns the change from a condition to a state, nil if it has that condition
// or may have.
func (s *State) lost(old Condition) *Change {
	if _, has := s.Condition(old.Type); has || !s.Whole {
		return nil
	}
	return &Change{Path: "conditions." + old.Type, From: text(old.Text())}
}

func pairChanges(prefix string, before, after Pairs, whole bool) (list []Change) {
	if before.same(after) {
		return nil
	}
	add := func(name string) {
		if c, ok := pairChange(before, after, name, whole); ok {
			if c.Path = name; prefix != "" {
				c.Path = prefix + name + "]"
			}
			list = append(list, c)
		}
	}
	for _, now := range after {
		add(now.Key)
	}
	for _, old := range before {
		if after.place(old.Key) < 0 {
			add(old.Key)
		}
	}
	return list
}

// pairChange returns the change of one value, without its path; ok is false if there
// is none. What is missing in a list that is not whole may be there.
func pairChange(before, after Pairs, name string, whole bool) (c Change, ok bool) {
	from, to := before.place(name), after.place(name)
	switch {
	case to < 0 && (from < 0 || !whole), from >= 0 && to >= 0 && before[from].Value == after[to].Value:
		return c, false
	}
	if from >= 0 {
		c.From = &before[from].Value
	}
	if to >= 0 {
		c.To = &after[to].Value
	}
	return c, true
}

func text(s string) *string { return &s }

// Moved returns the change of a path, nil if the write did not change it. It is that
// of Changes, and does not look at the rest.
func (w *Write) Moved(path string) *Change {
	if !w.compares() || w.After == nil || w.After == w.Before {
		return nil
	}
	before := cmp.Or(w.Before, &State{})
	if typ, ok := strings.CutPrefix(path, "conditions."); ok {
		return conditionMoved(before, w.After, typ)
	}
	if key, ok := strings.CutPrefix(path, annotation); ok {
		if c := pairMoved(before.Annotations, w.After.Annotations, strings.TrimSuffix(key, "]"), path, w.After.Whole); c != nil {
			return c
		}
		return moved(w.removed(), path)
	}
	if path == "metadata.deletionTimestamp" || path == "spec" {
		return moved(w.Changes(), path)
	}
	return pairMoved(before.Fields, w.After.Fields, path, path, w.After.Whole)
}

// annotation is how the path of an annotation begins; its name and a bracket follow.
const annotation = "metadata.annotations["

func pairMoved(before, after Pairs, name, path string, whole bool) *Change {
	if before.same(after) {
		return nil
	}
	c, ok := pairChange(before, after, name, whole)
	if c.Path = path; !ok {
		return nil
	}
	return &c
}

func conditionMoved(before, after *State, typ string) *Change {
	for _, c := range after.Conditions {
		if c.Type != typ {
			continue
		}
		if change := before.became(c); change != nil {
			return change
		}
	}
	if old, had := before.Condition(typ); had {
		return after.lost(old)
	}
	return nil
}

// moved returns the change of a path among others, nil if it is not there.
func moved(list []Change, path string) *Change {
	if i := slices.IndexFunc(list, func(c Change) bool { return c.Path == path }); i >= 0 {
		return &list[i]
	}
	return nil
}
