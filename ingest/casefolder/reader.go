package casefolder

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/table/lookup"
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
	r := newChecked(file, f)
	defer r.release()
	if err := fn(r); err != nil {
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
	var reader lookup.Reader
	for i := range c.Segments {
		where, ok := found[int64(i)]
		if sel.About != nil && !ok || !sel.reaches(c.Segments[i].From, c.Segments[i].To) {
			continue
		}
		if err := c.segment(&c.Segments[i], sel.Tables, where, &reader, fn); err != nil {
			return err
		}
	}
	return nil
}
