package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/naming"
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

// Names in a Subject that stand for more than one object. No object has them.
const (
	everything = "*"         // all objects of a namespace
	telling    = "*release"  // what tells the release of Knative
	settings   = "*settings" // Knative's own ConfigMaps
)

// Settings returns what the rows about Knative's settings are indexed as.
func Settings() table.Subject { return table.Subject{Name: settings} }

// Everything reports whether rows are of all objects of a namespace.
func Everything(about table.Subject) bool { return about.Name == everything }

// Signs tells the release of Knative, as it shows in rows that may not be added.
func (b *Builder) Signs(of Signs) { b.releases.Merge(of) }

// Unplaced reports whether the rows of a record show objects without a namespace, so
// that only all that there is tells which it is: see settle.
func Unplaced(r *table.Rows) bool {
	for i := range r.Objects {
		if o := &r.Objects[i]; o.Namespace == "" && o.Origin == table.OriginSnapshot {
			return true
		}
	}
	return slices.ContainsFunc(r.Events, func(e table.KubeEvent) bool { return e.ObjectNamespace == "" })
}

// NamespaceOf returns the namespace of what a record is about.
func NamespaceOf(r *table.Rows) (namespace string) {
	switch {
	case len(r.Events) > 0:
		return r.Events[len(r.Events)-1].ObjectNamespace
	case len(r.Logs) > 0:
		namespace, _ = loggedObject(&r.Logs[len(r.Logs)-1])
	case len(r.Audit) > 0:
		return r.Audit[0].Namespace
	case len(r.Objects) > 0:
		return r.Objects[len(r.Objects)-1].Namespace
	}
	return namespace
}

// foreign reports whether the answer to a request shows a Pod, ReplicaSet or
// Deployment that is not of a Revision.
func foreign(kind string, objects []table.Object) bool {
	if kind != KindPod && kind != KindReplicaSet && kind != KindDeployment {
		return false
	}
	var answer *table.Object
	for i := range objects {
		if objects[i].Origin != table.OriginResponse {
			continue
		}
		if answer != nil {
			return false
		}
		answer = &objects[i]
	}
	return answer != nil && len(answer.Labels) > 0 && labelled(answer, labelRevision) == "" && labelled(answer, labelService) == ""
}

func labelled(o *table.Object, label string) string {
	for i := range o.Labels {
		if o.Labels[i].Key == label {
			return o.Labels[i].Value
		}
	}
	return ""
}

func subject(namespace, name string) table.Subject {
	if name == "" {
		return table.Subject{}
	}
	return table.Subject{Namespace: namespace, Name: stem(name)}
}

// stem returns a name less what Knative and Kubernetes put behind that of the
// parent, so that most objects of a family have the stem that its Service has, and
// the Pods of other programs that of their Deployment. relations knows the others.
func stem(name string) string {
	end := len(name)
	for i := 1; i < end; i++ {
		if name[i] == '-' && (naming.Generation(name[i+1:]) || follows(name[i:], "-deployment") || follows(name[i:], "-cache")) {
			end = i
		}
	}
	name = withoutMadeUp(name[:end], 5, 5)
	name = withoutMadeUp(name, 8, 10)
	return name[:min(len(name), naming.LongestPrefix)]
}

// withoutMadeUp returns a name without its last part, if that is made up and has so
// many characters.
func withoutMadeUp(name string, least, most int) string {
	i := strings.LastIndexByte(name, '-')
	if i < 1 || !naming.MadeUp(name[i+1:], least, most) {
		return name
	}
	return name[:i]
}

// follows reports whether a name goes on with a suffix, and ends or goes on with
// another one after it.
func follows(rest, suffix string) bool {
	return strings.HasPrefix(rest, suffix) && (len(rest) == len(suffix) || rest[len(suffix)] == '-')
}

// About returns what the rows of a name are indexed as.
func About(name string) string { return subject("", name).Name }

// WithShared adds to some subjects what is looked at with them: what may not tell
// the namespace, what concerns all objects there, and Knative's settings.
func WithShared(family []table.Subject) []table.Subject {
	all := []table.Subject{{Name: telling}, {Name: settings}, {Name: everything}}
	for _, s := range family {
		all = append(all, s, table.Subject{Name: s.Name}, table.Subject{Namespace: s.Namespace, Name: everything})
	}
	slices.SortFunc(all, func(a, b table.Subject) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace))
	})
	return slices.Compact(all)
}
