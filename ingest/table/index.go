package table

import "time"

// Subject is what a record is about, as far as that decides with which others
// it is looked at: the object, by name, and the family of objects that it seems
// to be of. Name is "*" where all objects of the namespace are meant.
type Subject struct{ Namespace, Family, Name string }

// IndexEntry is a row of index: where the rows of one subject are in the tables
// of one segment.
type IndexEntry struct {
	Namespace, Name string
	From, To        time.Time // of its rows, zero where none has a time
	First, Count    [Kinds]int64
}

// FamilyMember is a row of families: an object of a family.
type FamilyMember struct{ Namespace, Family, Kind, Name string }

var index = newTable("index", append([]column[IndexEntry]{
	text("namespace", "namespace of the object that the rows are about", func(r *IndexEntry) *string { return &r.Namespace }),
	text("name", "its name; * where all objects of the namespace are meant, null where none is named", func(r *IndexEntry) *string { return &r.Name }),
	instant("from", "time of the first of the rows", func(r *IndexEntry) *time.Time { return &r.From }),
	instant("to", "time of the last", func(r *IndexEntry) *time.Time { return &r.To }),
}, ranges()...)...)

// ranges declares two columns for each table.
func ranges() (columns []column[IndexEntry]) {
	for k, name := range []string{"audit_events", "controller_logs", "kube_events", "objects", "records"} {
		columns = append(columns,
			number(name+"_first", "number of the first of its rows in that table of the segment, from 0", func(r *IndexEntry) *int64 { return &r.First[k] }),
			number(name+"_count", "how many rows it has there", func(r *IndexEntry) *int64 { return &r.Count[k] }))
	}
	return columns
}

var families = newTable("families",
	word("namespace", "namespace of the family", func(r *FamilyMember) *string { return &r.Namespace }),
	word("family", "name of the Service or Configuration at its top", func(r *FamilyMember) *string { return &r.Family }),
	word("kind", "kind of an object of it", func(r *FamilyMember) *string { return &r.Kind }),
	text("name", "name of that object", func(r *FamilyMember) *string { return &r.Name }),
)
