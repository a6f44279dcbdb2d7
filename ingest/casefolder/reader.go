package casefolder

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/knforensics/knforensics/ingest/table"
)

// Case is a case that is read.
type Case struct {
	dir string
	*Manifest
}

// Open opens the case at dir. It checks the layout, and that no file is missing
// or of another size; Verify checks all.
func Open(dir string) (*Case, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	c := &Case{dir, m}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open case %s: %w", dir, err)
	}
	defer func() { _ = root.Close() }()
	for _, f := range m.files() {
		info, err := root.Stat(f.Path)
		if err == nil && info.Size() != f.Bytes {
			err = fmt.Errorf("%s has %d bytes, and not %d", f.Path, info.Size(), f.Bytes)
		}
		if err != nil {
			return nil, fmt.Errorf("open case %s: it is damaged: %w", dir, err)
		}
	}
	return c, nil
}

// Path returns where the case is, as it was given.
func (c *Case) Path() string { return c.dir }

// with calls fn with a file of the case, which is checked as it is read. No link
// leads out of the case.
func (c *Case) with(f File, fn func(r io.ReaderAt) error) error {
	file, err := os.OpenInRoot(c.dir, f.Path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := fn(newChecked(file, f)); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

// Members returns the objects of all families, sorted by namespace, family,
// kind and name.
func (c *Case) Members() (list []table.FamilyMember, err error) {
	err = c.with(c.Families, func(r io.ReaderAt) error {
		list, err = table.ReadFamilies(r, c.Families.Bytes)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("case %s: %w", c.dir, err)
	}
	return list, nil
}

// Selection says which rows are read. From and To leave out objects of which
// no row of the segment is of that time; rows without a time are read.
type Selection struct {
	Tables   []table.Kind
	About    func(namespace, name string) bool // nil for all
	From, To time.Time                         // zero for open ends
}

// narrow reports whether not all rows are selected.
func (s *Selection) narrow() bool { return s.About != nil || !s.From.IsZero() || !s.To.IsZero() }

// reaches reports whether a stretch of time has to do with the one selected.
func (s *Selection) reaches(from, to time.Time) bool {
	return from.IsZero() || (s.From.IsZero() || !to.Before(s.From)) && (s.To.IsZero() || !from.After(s.To))
}

// Rows are those of everything but the texts of the records.
var Rows = []table.Kind{table.AuditEvents, table.ControllerLogs, table.KubeEvents, table.Objects}

// Each calls fn with the rows selected, in the order of the inputs, in batches
// of one file each. The batch is released when fn returns.
func (c *Case) Each(sel Selection, fn func(*table.Batch) error) error {
	for i := range c.Segments {
		if err := c.segment(&c.Segments[i], sel, fn); err != nil {
			return fmt.Errorf("case %s: %w", c.dir, err)
		}
	}
	return nil
}

// most is how many rows a batch that is read has at most.
const most = 4096

func (c *Case) segment(s *Segment, sel Selection, fn func(*table.Batch) error) (err error) {
	var spans *[table.Kinds][]span
	if sel.narrow() {
		if spans, err = c.find(s, &sel); err != nil {
			return err
		}
	}
	var g gathered
	defer g.release()
	for _, k := range sel.Tables {
		f, ok := s.Tables[k.String()]
		if !ok || spans != nil && len(spans[k]) == 0 {
			continue
		}
		wanted := []span{{0, f.Rows}}
		if spans != nil {
			wanted = spans[k]
		}
		if err := c.with(f, func(r io.ReaderAt) error { return g.read(k, r, f.Bytes, wanted) }); err != nil {
			return err
		}
	}
	slices.SortStableFunc(g.rows, func(a, b stored) int { return cmp.Compare(a.number, b.number) })
	for len(g.rows) > 0 {
		b, err := g.next()
		if err != nil {
			return err
		}
		err = fn(b)
		b.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// span is a range of the rows of a file.
type span struct{ from, to int64 }

// find looks up the rows that are selected.
func (c *Case) find(s *Segment, sel *Selection) (*[table.Kinds][]span, error) {
	var entries []table.IndexEntry
	err := c.with(s.Index, func(r io.ReaderAt) (err error) {
		entries, err = table.ReadIndex(r, s.Index.Bytes)
		return err
	})
	if err != nil {
		return nil, err
	}
	var spans [table.Kinds][]span
	for i := range entries {
		e := &entries[i]
		if !sel.reaches(e.From, e.To) || sel.About != nil && !sel.About(e.Namespace, e.Name) {
			continue
		}
		for k, n := range e.Count {
			if n > 0 {
				spans[k] = append(spans[k], span{e.First[k], e.First[k] + n})
			}
		}
	}
	return &spans, nil
}

// gathered are rows of one segment.
type gathered struct {
	rows    []stored
	batches []arrow.Record
}

// stored is a row of a file.
type stored struct {
	number int64
	kind   table.Kind
	in     arrow.Record
	index  int
}

// read adds ranges of the rows of a file.
func (g *gathered) read(k table.Kind, r io.ReaderAt, size int64, spans []span) error {
	f, err := k.Open(r, size)
	if err != nil {
		return err
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := range f.Batches() {
		first := int64(i) * table.BatchRows
		if !slices.ContainsFunc(spans, func(s span) bool { return s.to > first && s.from < first+table.BatchRows }) {
			continue
		}
		rec, err := f.Batch(i)
		if err != nil {
			return err
		}
		g.batches = append(g.batches, rec)
		numbers := table.Numbers(rec)
		for _, s := range spans {
			for row := max(0, s.from-first); row < min(rec.NumRows(), s.to-first); row++ {
				g.rows = append(g.rows, stored{numbers[row], k, rec, int(row)})
			}
		}
	}
	return nil
}

// next returns the next rows as a batch: those of one file, in which no place
// stands for two records.
func (g *gathered) next() (b *table.Batch, err error) {
	defer func() {
		if r := recover(); r != nil { // what the Arrow library does with damaged data
			err = fmt.Errorf("the Arrow data is damaged: %v", r)
		}
	}()
	rows := table.NewBuilder()
	file, last := table.At(g.rows[0].in, g.rows[0].index)
	number, n := g.rows[0].number, 0
	for _, r := range g.rows {
		if r.number != number {
			in, at := table.At(r.in, r.index)
			if in != file || !last.Before(at) || n >= most {
				break
			}
			last, number = at, r.number
		}
		rows.Copy(r.kind, r.in, r.index)
		n++
	}
	g.rows = g.rows[n:]
	return rows.Batch(), nil
}

func (g *gathered) release() {
	for _, rec := range g.batches {
		rec.Release()
	}
}
