package timeline

import (
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

// Changes lists what a write changed, as far as the states before and after it tell.
func (w *Write) Changes() []Change {
	if w.Outcome != Applied && w.Outcome != Read {
		return nil
	}
	return append(changes(w.Before, w.After), w.removed()...)
}

// removed lists the annotations that a patch removed. Of a whole object, changes
// tells them.
func (w *Write) removed() (list []Change) {
	if w.Before == nil || w.After == nil || w.After.Whole || w.sent == nil || !w.sent.patch || w.Subresource == "status" {
		return nil
	}
	for i, old := range w.Before.Annotations {
		path := "metadata.annotations[" + old.Key + "]"
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
	list = append(list, pairChanges("metadata.annotations", before.Annotations, after.Annotations, after.Whole)...)
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
		if change := conditionChange(before, c); change != nil {
			list = append(list, *change)
		}
	}
	if after.Whole {
		for _, old := range before.Conditions {
			if _, has := after.Condition(old.Type); !has {
				list = append(list, Change{Path: "conditions." + old.Type, From: text(old.Text())})
			}
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// conditionChange returns what a condition changed, nil if nothing.
func conditionChange(before *State, c Condition) *Change {
	old, had := before.Condition(c.Type)
	switch {
	case !had:
		return &Change{Path: "conditions." + c.Type, To: text(c.Text())}
	case old.Status == c.Status && old.Reason == c.Reason:
		return nil
	}
	return &Change{Path: "conditions." + c.Type, From: text(old.Text()), To: text(c.Text())}
}

func pairChanges(prefix string, before, after Pairs, whole bool) (list []Change) {
	if before.same(after) {
		return nil
	}
	at := func(key string) string {
		if prefix == "" {
			return key
		}
		return prefix + "[" + key + "]"
	}
	for i, now := range after {
		change := Change{To: &after[i].Value}
		if j := before.place(now.Key); j >= 0 {
			if before[j].Value == now.Value {
				continue
			}
			change.From = &before[j].Value
		}
		change.Path = at(now.Key)
		list = append(list, change)
	}
	if !whole {
		return list
	}
	for i, old := range before {
		if after.place(old.Key) < 0 {
			list = append(list, Change{Path: at(old.Key), From: &before[i].Value})
		}
	}
	return list
}

func text(s string) *string { return &s }

// Moved returns the change of a path, nil if the write did not change it.
func (w *Write) Moved(path string) *Change { return moved(w.Changes(), path) }

func moved(list []Change, path string) *Change {
	for i := range list {
		if list[i].Path == path {
			return &list[i]
		}
	}
	return nil
}
