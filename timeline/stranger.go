package timeline

import "slices"

// revisionNames returns the names of all Revisions that anything tells of, and of what
// they can have.
func (b *Builder) revisionNames() revisionNames {
	names := revisionNames{}
	add := func(ref Ref) {
		if ref.Kind == KindRevision && ref.Name != "" {
			names.add(ref.Namespace, ref.Name)
		}
	}
	for _, r := range b.requests {
		add(r.Ref)
	}
	for _, seen := range b.seen {
		add(seen.Ref)
	}
	for _, n := range b.notes {
		add(n.Object)
	}
	for _, a := range b.attempts {
		add(a.Object)
	}
	return names
}

// withoutStrangers leaves out the requests about Pods, ReplicaSets and Deployments of
// which nothing tells but a name, which none of a Revision has. Most of a cluster's are
// such.
func (b *Builder) withoutStrangers(requests []*request, revisions revisionNames) []*request {
	told := map[Ref]bool{}
	for _, r := range requests {
		if canBeForeign(r.Kind) && (r.uid != "" || r.sent != nil || r.got != nil) {
			told[r.Ref] = true
		}
	}
	for _, seen := range b.seen {
		told[seen.Ref] = true
	}
	return slices.DeleteFunc(requests, func(r *request) bool {
		return canBeForeign(r.Kind) && r.Name != "" && !told[r.Ref] && revisions.of(r.Ref) == ""
	})
}
