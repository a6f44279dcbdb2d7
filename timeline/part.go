package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// Part tells a Builder of what it is not given, where it gets the rows of some
// families only: what holds for all.
type Part struct {
	From, To, LogTo time.Time            // as of Cluster
	Processes       map[string]time.Time // last sign of each process, by its Pod
	// Others returns a Builder to which all rows of controller_logs were added.
	// It is called when a detector asks what else a process did.
	Others func() *Builder
}

// Complete has the History be as if all had been given of which Part tells.
func (b *Builder) Complete(p Part) {
	b.from, b.to, b.logTo, b.alive = p.From, p.To, p.LogTo, maps.Clone(p.Processes)
	b.others = func() []*Attempt {
		all := p.Others()
		for _, a := range all.attempts {
			a.finish()
		}
		return slices.Collect(maps.Values(all.attempts))
	}
}

// Reaches tells how far the audit events go, of which not all were added.
func (b *Builder) Reaches(r coverage.Reach) {
	coverage.Widen(&b.from, &b.to, r.From, r.To)
	for pod, at := range r.Processes {
		b.sign(pod, at)
	}
}

// everything is the name in a Subject that stands for all objects of a
// namespace. No object has it.
const everything = "*"

// telling is the name in a Subject that stands for what tells the release of
// Knative.
const telling = "*release"

// Subjects returns what the records of a batch are about. The rows of one
// family are those about one of its Members, and those of Shared.
func Subjects(b *table.Batch) map[table.Place]table.Subject {
	subjects := map[table.Place]table.Subject{}
	b.EachObject(func(row *table.Object) {
		if _, ok := releaseSign(row); ok {
			subjects[row.Place()] = table.Subject{Name: telling}
			return
		}
		subjects[row.Place()] = subject(row.Namespace, row.Name, labelled(row.Labels))
	})
	b.EachAuditEvent(func(row *table.AuditEvent) {
		if subjects[row.Place()].Name == telling {
			return
		}
		name := row.Name
		if row.Verb == "deletecollection" {
			name = everything
		}
		subjects[row.Place()] = subject(row.Namespace, name, subjects[row.Place()].Family)
	})
	b.EachKubeEvent(func(row *table.KubeEvent) {
		subjects[row.Place()] = subject(row.ObjectNamespace, row.ObjectName, "")
	})
	b.EachLog(func(row *table.ControllerLog) {
		namespace, name := loggedObject(row)
		subjects[row.Place()] = subject(namespace, name, "")
	})
	return subjects
}

// subject makes a Subject that does not refer to the memory of a batch. Without
// a label that tells the family, the name does as far as Knative made it.
func subject(namespace, name, family string) table.Subject {
	if family == "" {
		family = name
		if m := madeFor.FindStringSubmatch(name); m != nil {
			family = m[1]
		}
	}
	return table.Subject{Namespace: strings.Clone(namespace), Family: strings.Clone(family), Name: strings.Clone(name)}
}

func labelled(labels []table.Pair) string {
	for _, name := range []string{labelService, labelConfiguration} {
		for _, l := range labels {
			if l.Key == name && l.Value != "" {
				return l.Value
			}
		}
	}
	return ""
}

// Shared reports whether rows about a name are looked at with those of every
// family of some namespaces: what concerns all objects there, and Knative's
// settings.
func Shared(namespaces map[string]bool, namespace, name string) bool {
	return name == everything && (namespace == "" || namespaces[namespace]) || name == telling || isSetting(name)
}

// Members returns the objects of all families, sorted.
func (h *History) Members() (list []table.FamilyMember) {
	for _, f := range h.Families {
		for _, o := range f.objects {
			list = append(list, table.FamilyMember{Namespace: f.Namespace, Family: f.Name, Kind: o.Kind, Name: o.Name})
		}
	}
	slices.SortFunc(list, func(a, b table.FamilyMember) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Family, b.Family), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return slices.Compact(list)
}
