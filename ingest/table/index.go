package table

import (
	"io"
	"iter"
	"slices"
	"sort"
)

// Subject is what a record is about, as far as that decides with which others it
// is looked at. The zero Subject is of records that are not looked up.
type Subject struct{ Namespace, Name string }

// IndexEntry is a row of index: where the rows of one subject are in the tables
// of one segment.
type IndexEntry struct {
	Subject
	Segment      int64          // from 0
	First, Count [Records]int64 // of each table, among the rows of the segment that are looked up
}

// FamilyName is a row of families: a name of which the rows are looked at with
// those of others.
type FamilyName struct {
	Subject
	Family string // the same for those that are looked at together
}

var index = newTable("index", append([]column[IndexEntry]{
	text("name", "what the rows are about: a name, less what Knative puts behind that of the parent; *settings, *release or * for what concerns others too", func(r *IndexEntry) *string { return &r.Name }),
	text("namespace", "its namespace", func(r *IndexEntry) *string { return &r.Namespace }),
	number("segment", "number of the segment, from 0", func(r *IndexEntry) *int64 { return &r.Segment }),
}, ranges()...)...)

// ranges declares two columns for each table.
func ranges() (columns []column[IndexEntry]) {
	for k, name := range []string{"audit_events", "controller_logs", "kube_events", "objects"} {
		columns = append(columns,
			number(name+"_first", "number of the first of its rows among those at the end of that table of the segment that are looked up, from 0", func(r *IndexEntry) *int64 { return &r.First[k] }),
			number(name+"_count", "how many rows it has there", func(r *IndexEntry) *int64 { return &r.Count[k] }))
	}
	return columns
}

var families = newTable("families",
	text("namespace", "namespace of the family", func(r *FamilyName) *string { return &r.Namespace }),
	text("family", "one of the names, that stands for all", func(r *FamilyName) *string { return &r.Family }),
	text("name", "a name as index has it", func(r *FamilyName) *string { return &r.Name }),
)

// indexRows is how many entries are read at least to get at one.
const indexRows = 512

// WriteIndex writes an index, which is sorted by name, namespace and segment, as an
// Arrow IPC file.
func WriteIndex(w io.WriteSeeker, entries iter.Seq[IndexEntry]) error {
	return index.write(w, entries, indexRows)
}

// Index is an index that is read as far as it is asked.
type Index struct {
	file *File
	read map[int][]IndexEntry // by record batch
}

// OpenIndex opens what WriteIndex wrote.
func OpenIndex(r io.ReaderAt, size int64) (*Index, error) {
	f, err := open(r, size, index.schema)
	return &Index{f, map[int][]IndexEntry{}}, err
}

// Find returns the entries of a name, in whatever namespace.
func (x *Index) Find(name string) (found []IndexEntry, err error) {
	from := sort.Search(x.file.Batches(), func(i int) bool {
		list, batchErr := x.batch(i)
		if batchErr != nil {
			err = batchErr
		}
		return batchErr != nil || len(list) == 0 || list[0].Name >= name
	})
	for i := max(0, from-1); err == nil && i < x.file.Batches(); i++ {
		var list []IndexEntry
		if list, err = x.batch(i); err != nil {
			break
		}
		for _, e := range list {
			if e.Name > name {
				return found, nil
			}
			if e.Name == name {
				found = append(found, e)
			}
		}
	}
	return found, err
}

// Entries returns all entries in their order, and the error that ends them.
func (x *Index) Entries() iter.Seq2[IndexEntry, error] {
	return func(yield func(IndexEntry, error) bool) {
		for i := range x.file.Batches() {
			list, err := index.list(x.file, i)
			if err != nil {
				yield(IndexEntry{}, err)
				return
			}
			for _, e := range list {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

func (x *Index) batch(i int) ([]IndexEntry, error) {
	if list, ok := x.read[i]; ok {
		return list, nil
	}
	list, err := index.list(x.file, i)
	x.read[i] = list
	return list, err
}

// WriteFamilies writes which names belong together as an Arrow IPC file.
func WriteFamilies(w io.WriteSeeker, names []FamilyName) error {
	return families.write(w, slices.Values(names), bulkRows)
}

// ReadFamilies reads what WriteFamilies wrote.
func ReadFamilies(r io.ReaderAt, size int64) (names []FamilyName, err error) {
	f, err := open(r, size, families.schema)
	if err != nil {
		return nil, err
	}
	for i := range f.Batches() {
		list, err := families.list(f, i)
		if err != nil {
			return nil, err
		}
		names = append(names, list...)
	}
	return names, nil
}
