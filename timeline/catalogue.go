package timeline

import (
	"cmp"

	"github.com/knforensics/knforensics/ingest/table"
)

// Catalogue tells what records are about, so that those of a family are found again,
// and learns from them what a History would tell of all: which names belong
// together, and whether objects of one name can have lived at one time. It grows
// with the number of objects of families, not of records.
type Catalogue struct {
	relations relations
	overlaps  overlaps
}

// NewCatalogue returns a Catalogue that knows nothing.
func NewCatalogue() *Catalogue {
	return &Catalogue{relations{numbers: map[table.Subject]int{}}, overlaps{}}
}

// Merge takes over what another Catalogue learnt of names.
func (c *Catalogue) Merge(other *Catalogue) { c.relations.merge(&other.relations) }

// Families returns the names that belong together, sorted.
func (c *Catalogue) Families() []table.FamilyName { return c.relations.families() }

// Overlaps reports whether a Cluster can be Mixed: only a History knows.
func (c *Catalogue) Overlaps() bool { return c.overlaps.any() }

// Add learns from a record and tells what it is about. The Subject refers to the
// batch. It is zero if no family can be concerned: a Builder makes nothing of the
// record but to note how far its inputs reach.
func (c *Catalogue) Add(r *table.Rows) table.Subject {
	about := c.Learn(r)
	if len(r.Audit) > 0 && about != (table.Subject{}) {
		row := &r.Audit[0]
		c.overlaps.add(resourceKinds[groupName{row.Group, row.Resource}], row, r.Objects)
	}
	for i := range r.Objects {
		if _, ok := releaseSign(&r.Objects[i]); ok {
			return table.Subject{Name: telling}
		}
	}
	return about
}

// Learn does the same for who makes a History of all records: it does not look for
// objects of one name, and what tells the release of Knative may be about a family.
func (c *Catalogue) Learn(r *table.Rows) table.Subject {
	about := c.about(r)
	if about == (table.Subject{}) {
		return about
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		if kindOf[groupName{o.Group, o.Kind}] == "" || o.Kind == kindConfigMap {
			continue
		}
		namespace, name := o.Namespace, o.Name
		if len(r.Audit) > 0 { // what is sent need not repeat what the URI tells
			namespace, name = cmp.Or(namespace, r.Audit[0].Namespace), cmp.Or(name, r.Audit[0].Name)
		}
		c.named(o.Kind, namespace, name)
		c.relations.object(o, namespace, name)
	}
	return about
}

func (c *Catalogue) about(r *table.Rows) table.Subject {
	switch {
	case len(r.Events) > 0:
		if e := &r.Events[len(r.Events)-1]; isOfFamily(e.ObjectKind) {
			return c.named(e.ObjectKind, e.ObjectNamespace, e.ObjectName)
		}
	case len(r.Logs) > 0:
		if l := &r.Logs[len(r.Logs)-1]; wantsLog(l) {
			namespace, name := loggedObject(l)
			return c.named(KindRevision, namespace, name) // it may be one
		}
	case len(r.Audit) > 0:
		return c.requested(&r.Audit[0], r.Objects)
	case len(r.Objects) > 0:
		if o := &r.Objects[len(r.Objects)-1]; kindOf[groupName{o.Group, o.Kind}] != "" {
			return indexedAs(o.Kind, o.Namespace, o.Name)
		}
	}
	return table.Subject{}
}

func (c *Catalogue) named(kind, namespace, name string) table.Subject {
	c.relations.name(namespace, name)
	if kind == KindRevision {
		c.relations.revision(namespace, name)
	}
	return subject(namespace, name)
}

// requested tells what a request is about.
func (c *Catalogue) requested(row *table.AuditEvent, bodies []table.Object) table.Subject {
	kind := resourceKinds[groupName{row.Group, row.Resource}]
	if kind == "" || row.Verb == "list" || row.Verb == "watch" || !wantsRequest(row, row.ResponseLength > 0) || kind == kindConfigMap && !isSetting(row.Name) || foreign(kind, bodies) {
		return table.Subject{}
	}
	switch {
	case row.Verb == "deletecollection":
		return table.Subject{Namespace: row.Namespace, Name: everything}
	case kind == kindConfigMap:
		return indexedAs(kind, row.Namespace, row.Name)
	}
	return c.named(kind, row.Namespace, row.Name)
}

// indexedAs returns what an object is indexed as: zero for a ConfigMap that is no setting of
// Knative's.
func indexedAs(kind, namespace, name string) table.Subject {
	switch {
	case kind != kindConfigMap:
		return subject(namespace, name)
	case isSetting(name):
		return table.Subject{Name: settings}
	}
	return table.Subject{}
}
