package timeline

import (
	"slices"
	"strings"
)

// Match is an object that a name selects, and the family it is in.
type Match struct {
	Object *Object
	Family *Family
}

// FamiliesOf returns the families of matches, each once, in their order.
func FamiliesOf(matches []Match) (families []*Family) {
	for _, m := range matches {
		if !slices.Contains(families, m.Family) {
			families = append(families, m.Family)
		}
	}
	return families
}

// Select finds the objects of a kind by name, all lives of each. Without a
// namespace in the name, namespace is used; if that is empty too, all are
// searched. Names that only an owner or a Revision's label tells of are found
// as well: the Service of a family whose Service was never written.
func (h *History) Select(kind, name, namespace string) (matches []Match) {
	if ns, rest, ok := strings.Cut(name, "/"); ok {
		namespace, name = ns, rest
	}
	for _, f := range h.Families {
		if namespace != "" && f.Namespace != namespace {
			continue
		}
		found := false
		for _, o := range f.objects {
			if o.Kind == kind && o.Name == name {
				matches = append(matches, Match{o, f})
				found = true
			}
		}
		if !found && kind != KindRevision && f.Name == name && kind != KindInferenceService {
			matches = append(matches, Match{&Object{Ref: Ref{kind, f.Namespace, name}}, f})
		}
	}
	return matches
}

// Names returns "namespace/name" of all objects of a kind, sorted.
func (h *History) Names(kind string) (names []string) {
	for _, f := range h.Families {
		for _, o := range f.objects {
			if o.Kind == kind {
				names = append(names, o.Namespace+"/"+o.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
