package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// Relations learns from records which names belong to one family although they do
// not have one stem, without making a History. What it may join wrongly is no
// harm: too much is looked at then. It grows with the number of such names.
type Relations struct {
	numbers map[table.Subject]int
	names   []table.Subject
	above   []int // of each name, another of its family; itself if it stands for all
}

// NewRelations returns Relations in which nothing is related.
func NewRelations() *Relations { return &Relations{numbers: map[table.Subject]int{}} }

// Add learns from a record.
func (r *Relations) Add(rows *table.Rows) {
	for i := range rows.Audit {
		if row := &rows.Audit[i]; resourceKinds[row.Group+"/"+row.Resource] != "" {
			r.name(row.Namespace, row.Name)
		}
	}
	for i := range rows.Logs {
		r.name(loggedObject(&rows.Logs[i]))
	}
	for i := range rows.Events {
		r.name(rows.Events[i].ObjectNamespace, rows.Events[i].ObjectName)
	}
	for i := range rows.Objects {
		if o := &rows.Objects[i]; objectKind(o.Group, o.Kind) != "" && o.Kind != kindConfigMap {
			r.object(o)
		}
	}
}

// name learns from what Knative and KServe make of a name: of a long one a hash,
// and of that of an InferenceService those of its parts.
func (r *Relations) name(namespace, name string) {
	if len(name)+len("-deployment") >= longestPrefix {
		for _, suffix := range []string{"-deployment", "-cache"} {
			child := childName(name, suffix)
			r.relate(namespace, name, child)
			r.relate(namespace, name, child[:min(len(child), longestPrefix)])
			r.relate(namespace, name, childName(child, "-user-container"))
		}
	}
	own := stem(name)
	for _, component := range kserveComponents {
		if above, ok := strings.CutSuffix(own, "-"+component); ok {
			r.relate(namespace, own, above)
		}
	}
}

// object learns from the labels, owners and references of an object.
func (r *Relations) object(o *table.Object) {
	r.name(o.Namespace, o.Name)
	for i := range o.Labels {
		switch o.Labels[i].Key {
		case labelService, labelConfiguration, labelRevision, labelRoute, labelInferenceService:
			r.relate(o.Namespace, o.Name, o.Labels[i].Value)
		}
	}
	for i := range o.Owners {
		if above(o.Owners[i].Kind) {
			r.relate(o.Namespace, o.Name, o.Owners[i].Name)
		}
	}
	if o.Kind != KindRoute && o.Kind != KindDomainMapping {
		return
	}
	for i := range o.Fields {
		path := o.Fields[i].Key
		if path == "spec.ref.name" || strings.HasSuffix(path, "].configurationName") {
			r.relate(o.Namespace, o.Name, o.Fields[i].Value)
		}
	}
}

// relate joins the families of two names.
func (r *Relations) relate(namespace, a, b string) {
	x, y := subject(namespace, a), subject(namespace, b)
	if x.Name == y.Name || x.Name == "" || y.Name == "" {
		return
	}
	one, other := r.top(r.number(x)), r.top(r.number(y))
	r.above[one] = other
}

func (r *Relations) number(s table.Subject) int {
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
func (r *Relations) top(n int) int {
	for r.above[n] != n {
		r.above[n] = r.above[r.above[n]]
		n = r.above[n]
	}
	return n
}

// Families returns the names that belong together, sorted. The first name of a
// family stands for it, whatever was learnt first.
func (r *Relations) Families() []table.FamilyName {
	byName := make([]int, len(r.names))
	for n := range byName {
		byName[n] = n
	}
	slices.SortFunc(byName, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.names[a].Namespace, r.names[b].Namespace), cmp.Compare(r.names[a].Name, r.names[b].Name))
	})
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
