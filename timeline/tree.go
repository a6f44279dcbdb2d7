package timeline

import (
	"cmp"
	"slices"
)

// Node is an object of a family and what exists because of it.
type Node struct {
	*Object
	Below []*Node
}

// Tree returns the objects of the family, each below the one that it exists for: its
// owner, or where no record tells that, the object that Knative makes it for. Those
// that are below none come first. Siblings are in the order from Service to Pod, and
// then by age.
func (f *Family) Tree() []*Node {
	revisionOf := f.RevisionsOf()
	nodes := make(map[*Object]*Node, len(f.objects))
	last := map[Ref]*Object{} // of each name
	for _, o := range f.objects {
		nodes[o] = &Node{Object: o}
		last[o.Ref] = o
	}
	top := &Node{}
	above := map[*Object]*Object{}
	for _, o := range f.objects {
		parent := f.above(o, revisionOf[o], last)
		if nodes[parent] == nil || circular(above, o, parent) {
			top.Below = append(top.Below, nodes[o])
			continue
		}
		above[o] = parent
		nodes[parent].Below = append(nodes[parent].Below, nodes[o])
	}
	top.sort()
	for _, n := range nodes {
		n.sort()
	}
	return top.Below
}

// circular reports whether an object is above what is to be above it: owner
// references can say so.
func circular(above map[*Object]*Object, o, parent *Object) bool {
	for ; parent != nil; parent = above[parent] {
		if parent == o {
			return true
		}
	}
	return false
}

// above returns the object that another one exists for, nil if the family has none.
func (f *Family) above(o *Object, r *Revision, last map[Ref]*Object) *Object {
	switch {
	case o.owner != nil:
		return o.owner
	case r != nil && r.Object != o:
		return r.Object
	}
	named := func(kind, name string) *Object { return last[Ref{kind, f.Namespace, name}] }
	switch o.Kind {
	case KindRevision:
		return named(KindConfiguration, r.Configuration())
	case KindConfiguration, KindRoute, KindDomainMapping:
		return named(KindService, f.Name)
	case KindIngress:
		return named(KindRoute, f.RouteName(o))
	case KindService:
		return named(KindInferenceService, f.InferenceService)
	}
	return nil
}

// RevisionsOf maps Revisions, and what exists for them, to the Revision.
func (f *Family) RevisionsOf() map[*Object]*Revision {
	of := map[*Object]*Revision{}
	for _, r := range f.Revisions {
		for _, objects := range [][]*Object{{r.Object}, r.Deployments, r.ReplicaSets, r.Pods, r.PodAutoscalers, r.ServerlessServices, r.Images} {
			for _, o := range objects {
				of[o] = r
			}
		}
	}
	return of
}

// downward is the order of kinds in a family.
var downward = []string{KindInferenceService, KindService, KindConfiguration, KindRevision, KindPodAutoscaler, KindMetric, KindHPA,
	KindServerlessService, KindDeployment, KindReplicaSet, KindPod, KindImage, KindRoute, KindIngress, KindDomainMapping}

func (n *Node) sort() {
	slices.SortStableFunc(n.Below, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(slices.Index(downward, a.Kind), slices.Index(downward, b.Kind)), a.firstSeen().Compare(b.firstSeen()),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
}
