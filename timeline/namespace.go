package timeline

import "maps"

// settle gives objects and Events that kubectl printed without their namespace the
// one in which the other inputs show objects of those kinds and names, if there is
// but one that has all of them that are known, and those are most of the table. The
// same names can be in two namespaces.
func (b *Builder) settle() {
	placed := true
	b.eachUnplaced(func(Ref, string) { placed = false })
	if placed {
		return
	}
	known := b.namespaces()
	homes := map[string]map[string]bool{} // by file, the namespaces that all of it may be of
	strange := map[string]int{}           // by file, how many are known of no namespace, less those that are
	b.eachUnplaced(func(ref Ref, file string) {
		candidates := known[Ref{Kind: ref.Kind, Name: ref.Name}]
		if len(candidates) == 0 {
			strange[file]++
			return
		}
		if strange[file]--; homes[file] == nil {
			homes[file] = maps.Clone(candidates)
		}
		maps.DeleteFunc(homes[file], func(namespace string, _ bool) bool { return !candidates[namespace] })
	})
	maps.DeleteFunc(homes, func(file string, _ map[string]bool) bool { return strange[file] >= 0 })
	for _, seen := range b.seen {
		if seen.Namespace == "" {
			seen.Namespace = only(homes[seen.source.File])
		}
	}
	for _, n := range b.notes {
		if n.Object.Namespace == "" {
			n.Object.Namespace = only(homes[n.Source.File])
		}
	}
}

// namespaces maps kind and name to the namespaces in which the inputs show such an
// object.
func (b *Builder) namespaces() map[Ref]map[string]bool {
	known := map[Ref]map[string]bool{}
	note := func(ref Ref) {
		if ref.Namespace == "" {
			return
		}
		key := Ref{Kind: ref.Kind, Name: ref.Name}
		if known[key] == nil {
			known[key] = map[string]bool{}
		}
		known[key][ref.Namespace] = true
	}
	for _, r := range b.requests {
		note(r.Ref)
	}
	for _, seen := range b.seen {
		note(seen.Ref)
	}
	return known
}

// eachUnplaced calls do for each object and Event that has no namespace.
func (b *Builder) eachUnplaced(do func(ref Ref, file string)) {
	for _, seen := range b.seen {
		if seen.Namespace == "" {
			do(seen.Ref, seen.source.File)
		}
	}
	for _, n := range b.notes {
		if n.Object.Namespace == "" {
			do(n.Object, n.Source.File)
		}
	}
}

// only returns the one member of a set, "" if it has none or several.
func only(set map[string]bool) (member string) {
	if len(set) == 1 {
		for member = range set {
			return member
		}
	}
	return ""
}
