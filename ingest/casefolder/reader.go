package casefolder

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

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

// Selection says which rows are read. From and To leave out segments of which no
// row is of that time.
type Selection struct {
	Tables   []table.Kind
	About    []table.Subject // nil for all rows
	From, To time.Time       // zero for open ends
}

// reaches reports whether a stretch of time has to do with the one selected.
func (s *Selection) reaches(from, to time.Time) bool {
	return from.IsZero() || (s.From.IsZero() || !to.Before(s.From)) && (s.To.IsZero() || !from.After(s.To))
}

// Rows are those of everything but the texts of the records.
var Rows = []table.Kind{table.AuditEvents, table.ControllerLogs, table.KubeEvents, table.Objects}

// Each calls fn with the rows selected, in the order of the inputs, in batches
// of one file each. The batch is released when fn returns.
func (c *Case) Each(sel Selection, fn func(*table.Batch) error) error {
	if err := c.each(sel, fn); err != nil {
		return fmt.Errorf("case %s: %w", c.dir, err)
	}
	return nil
}

func (c *Case) each(sel Selection, fn func(*table.Batch) error) error {
	var found map[int64]*spans
	if sel.About != nil {
		var err error
		if found, err = c.find(sel.About); err != nil {
			return err
		}
	}
	for i := range c.Segments {
		where, ok := found[int64(i)]
		if sel.About != nil && !ok || !sel.reaches(c.Segments[i].From, c.Segments[i].To) {
			continue
		}
		if err := c.segment(&c.Segments[i], sel.Tables, where, fn); err != nil {
			return err
		}
	}
	return nil
}

// spans are ranges of the rows of a segment that are looked up.
type spans [table.Records][]span

type span struct{ from, to int64 }

// find looks up where rows are, by segment.
func (c *Case) find(about []table.Subject) (map[int64]*spans, error) {
	found := map[int64]*spans{}
	err := c.with(c.Index, func(r io.ReaderAt) error {
		index, err := table.OpenIndex(r, c.Index.Bytes)
		if err != nil {
			return err
		}
		for _, subject := range about {
			entries, err := index.Find(subject.Name)
			if err != nil {
				return err
			}
			for i := range entries {
				if entries[i].Namespace == subject.Namespace {
					note(found, &entries[i])
				}
			}
		}
		return nil
	})
	return found, err
}

func note(found map[int64]*spans, e *table.IndexEntry) {
	s := found[e.Segment]
	if s == nil {
		s = &spans{}
		found[e.Segment] = s
	}
	for k, n := range e.Count {
		if n > 0 {
			s[k] = append(s[k], span{e.First[k], e.First[k] + n})
		}
	}
}

// Related returns what the rows of a name in a namespace, or in any if that is
// empty, are looked at with, nil if there are none.
func (c *Case) Related(namespace, name string) (list []table.Subject, err error) {
	list, err = c.related(namespace, name)
	if err != nil {
		return nil, fmt.Errorf("case %s: %w", c.dir, err)
	}
	return list, nil
}

func (c *Case) related(namespace, name string) (list []table.Subject, err error) {
	err = c.with(c.Index, func(r io.ReaderAt) error {
		index, err := table.OpenIndex(r, c.Index.Bytes)
		if err != nil {
			return err
		}
		entries, err := index.Find(name)
		for _, e := range entries {
			if namespace == "" || e.Namespace == namespace {
				list = append(list, e.Subject)
			}
		}
		list = slices.Compact(list)
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var names []table.FamilyName
	err = c.with(c.Families, func(r io.ReaderAt) error {
		names, err = table.ReadFamilies(r, c.Families.Bytes)
		return err
	})
	return withFamilies(list, names), err
}

// withFamilies adds the names that belong to those of a list.
func withFamilies(list []table.Subject, names []table.FamilyName) []table.Subject {
	type family struct{ namespace, name string }
	wanted := map[family]bool{}
	for _, n := range names {
		if slices.Contains(list, n.Subject) {
			wanted[family{n.Namespace, n.Family}] = true
		}
	}
	for _, n := range names {
		if wanted[family{n.Namespace, n.Family}] && !slices.Contains(list, n.Subject) {
			list = append(list, n.Subject)
		}
	}
	return list
}
