package timeline

import (
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/naming"
	"github.com/knforensics/knforensics/ingest/table"
)

// relations learns from records which names belong to one family although they do
// not have one stem. What it may join wrongly is no harm: too much is looked at
// then. It grows with the number of such names.
type relations struct {
	numbers map[table.Subject]int
	names   []table.Subject
	above   []int // of each name, another of its family; itself if it stands for all
}

// name learns from what KServe makes of the name of an InferenceService.
func (r *relations) name(namespace, name string) {
	own := stem(name)
	for _, component := range kserveComponents {
		if above, ok := strings.CutSuffix(own, component); ok && strings.HasSuffix(above, "-") {
			r.relate(namespace, own, above[:len(above)-1])
		}
	}
}

// revision learns from what Knative makes of the name of a Revision: of a long one
// a hash.
func (r *relations) revision(namespace, name string) {
	if len(name)+len("-deployment") < naming.LongestPrefix {
		return
	}
	deployment, cache := naming.Child(name, "-deployment"), naming.Child(name, "-cache")
	r.relate(namespace, name, deployment)
	r.join(subject(namespace, name), table.Subject{Namespace: namespace, Name: deployment[:min(len(deployment), naming.LongestPrefix)]}) // as stem leaves a Pod's
	r.relate(namespace, name, cache)
	r.relate(namespace, name, naming.Child(cache, "-user-container"))
}

// object learns from the labels, owners and references of an object.
func (r *relations) object(o *table.Object, namespace, name string) {
	for i := range o.Labels {
		switch o.Labels[i].Key {
		case labelService, labelConfiguration, labelRevision, labelRoute, labelInferenceService:
			r.relate(namespace, name, o.Labels[i].Value)
		}
	}
	for i := range o.Owners {
		if above(o.Owners[i].Kind) {
			r.relate(namespace, name, o.Owners[i].Name)
		}
	}
	if o.Kind != KindRoute && o.Kind != KindDomainMapping {
		return
	}
	for i := range o.Fields {
		path := o.Fields[i].Key
		if path == "spec.ref.name" || strings.HasSuffix(path, "].configurationName") {
			r.relate(namespace, name, o.Fields[i].Value)
		}
	}
}

// relate joins the families of two names.
func (r *relations) relate(namespace, a, b string) {
	r.join(subject(namespace, a), subject(namespace, b))
}

func (r *relations) join(x, y table.Subject) {
	if x.Name == y.Name || x.Name == "" || y.Name == "" {
		return
	}
	one, other := r.top(r.number(x)), r.top(r.number(y))
	r.above[one] = other
}

// merge takes over what others learnt.
func (r *relations) merge(others *relations) {
	for n, name := range others.names {
		one, other := r.top(r.number(name)), r.top(r.number(others.names[others.top(n)]))
		r.above[one] = other
	}
}

func (r *relations) number(s table.Subject) int {
	n, ok := r.numbers[s]
	if !ok {
		n = len(r.names)
		s = table.Subject{Namespace: strings.Clone(s.Namespace), Name: strings.Clone(s.Name)}
		r.numbers[s] = n
		r.names, r.above = append(r.names, s), append(r.above, n)
	}
	return n
}

// top returns the number of the name that stands for the family of another.
func (r *relations) top(n int) int {
	for r.above[n] != n {
		r.above[n] = r.above[r.above[n]]
		n = r.above[n]
	}
	return n
}

// families returns the names that belong together, sorted. The first name of a
// family stands for it, whatever was learnt first.
func (r *relations) families() []table.FamilyName {
	byName := make([]int, len(r.names))
	for n := range byName {
		byName[n] = n
	}
	slices.SortFunc(byName, func(a, b int) int { return r.names[a].Compare(r.names[b]) })
	first := map[int]string{}
	list := make([]table.FamilyName, 0, len(r.names))
	for _, n := range byName {
		top := r.top(n)
		if _, ok := first[top]; !ok {
			first[top] = r.names[n].Name
		}
		list = append(list, table.FamilyName{Subject: r.names[n], Family: first[top]})
	}
	return list
}

// above reports whether owners of a kind can have another stem than what they own.
func above(kind string) bool {
	switch kind {
	case KindInferenceService, KindService, KindConfiguration, KindRoute, KindRevision, KindPodAutoscaler:
		return true
	}
	return false
}
