package table

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/knforensics/knforensics/ingest/table/lookup"
)

// Subject is what a record is about, as far as that decides with which others it
// is looked at. The zero Subject is of records that are not looked up.
type Subject struct{ Namespace, Name string }

// Compare orders subjects by namespace and name.
func (s Subject) Compare(t Subject) int {
	return cmp.Or(cmp.Compare(s.Namespace, t.Namespace), cmp.Compare(s.Name, t.Name))
}

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
	file *lookup.File
	read map[int]*indexBatch
}

// indexBatch is a record batch of an Index.
type indexBatch struct {
	names *array.String
	entry func(i int, e *IndexEntry)
}

// OpenIndex opens what WriteIndex wrote.
func OpenIndex(r io.ReaderAt, size int64) (*Index, error) {
	f, err := new(lookup.Reader).Open(r, size, index.name, func() *arrow.Schema { return index.schema })
	return &Index{f, map[int]*indexBatch{}}, err
}

// Find returns the entries of a name, in whatever namespace.
func (x *Index) Find(name string) (found []IndexEntry, err error) {
	defer Damage(&err)
	from := sort.Search(x.file.Batches(), func(i int) bool {
		b, batchErr := x.batch(i)
		if batchErr != nil {
			err = batchErr
		}
		return batchErr != nil || b.from(name) == 0
	})
	for i := max(0, from-1); err == nil && i < x.file.Batches(); i++ {
		var b *indexBatch
		if b, err = x.batch(i); err != nil {
			break
		}
		for at := b.from(name); at < b.names.Len(); at++ {
			if b.names.Value(at) != name {
				return found, nil
			}
			var e IndexEntry
			b.entry(at, &e)
			found = append(found, e)
		}
	}
	return found, err
}

// Entries returns all entries in their order, and the error that ends them.
func (x *Index) Entries() iter.Seq2[IndexEntry, error] {
	return func(yield func(IndexEntry, error) bool) {
		for i := range x.file.Batches() {
			b, err := x.readBatch(i)
			if err != nil {
				yield(IndexEntry{}, err)
				return
			}
			for at := range b.names.Len() {
				var e IndexEntry
				b.entry(at, &e)
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// from returns where the entries begin of a name, or of those after it.
func (b *indexBatch) from(name string) int {
	return sort.Search(b.names.Len(), func(i int) bool { return b.names.Value(i) >= name })
}

func (x *Index) batch(i int) (*indexBatch, error) {
	if b, ok := x.read[i]; ok {
		return b, nil
	}
	b, err := x.readBatch(i)
	if err == nil {
		x.read[i] = b
	}
	return b, err
}

func (x *Index) readBatch(i int) (*indexBatch, error) {
	batch, err := x.file.Batch(i)
	if err != nil {
		return nil, err
	}
	return &indexBatch{batch.Column(0).(*array.String), index.reader(batch.Record)}, nil
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
