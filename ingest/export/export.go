// Package export writes the tables of package table as files for other tools:
// one for each table, in a folder.
package export

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/parquet"
	"github.com/knforensics/knforensics/ingest/table"
)

// Formats are the forms in which tables are written, by the name that is also
// the ending of the files.
var Formats = map[string]Format{
	"parquet": func(w io.WriteSeeker, schema *arrow.Schema) (TableWriter, error) { return parquet.NewWriter(w, schema) },
	"arrow": func(w io.WriteSeeker, schema *arrow.Schema) (TableWriter, error) {
		return ipc.NewFileWriter(w, ipc.WithSchema(schema), ipc.WithZstd())
	},
}

// Format starts a file of a table.
type Format func(w io.WriteSeeker, schema *arrow.Schema) (TableWriter, error)

// TableWriter writes the rows of one table.
type TableWriter interface {
	Write(arrow.Record) error
	Close() error
}

// Folder is an export on its way. It is written in a folder beside, which takes
// its name when all is written.
type Folder struct {
	dir, staging string
	files        [table.Kinds]*os.File
	tables       [table.Kinds]TableWriter
	packers      [table.Kinds]*table.Packer
	records      int64
}

// ErrThere is that of a destination that is there and not empty.
var ErrThere = errors.New("it is there, and not empty")

// Create starts an export that will be at dir.
func Create(dir, format string) (*Folder, error) {
	dir = filepath.Clean(dir)
	if err := vacant(dir); err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	staging, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".unfinished-")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	f := &Folder{dir: dir, staging: staging}
	for k := range table.Kinds {
		if err := f.start(k, format); err != nil {
			f.Discard()
			return nil, fmt.Errorf("write %s: %w", dir, err)
		}
	}
	return f, nil
}

func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && len(entries) > 0:
		return ErrThere
	}
	return err
}

func (f *Folder) start(k table.Kind, format string) (err error) {
	if f.files[k], err = os.Create(filepath.Join(f.staging, k.String()+"."+format)); err != nil {
		return err
	}
	f.packers[k] = k.NewPacker(k.Exported())
	f.tables[k], err = Formats[format](f.files[k], k.Exported())
	return err
}

// Add writes the rows of a batch, which has to have the table records.
func (f *Folder) Add(b *table.Batch) error {
	var rows [table.Kinds][]table.Pick
	var marks [table.Kinds][]table.Mark
	err := b.ByRecord(func(r *table.Rows) error {
		for k := range table.Kinds {
			for i := range r.Count(k) {
				rows[k] = append(rows[k], table.Pick{Row: int32(r.First[k] + i)}) //nolint:gosec // rows of a batch
				marks[k] = append(marks[k], table.Mark{Number: f.records})
			}
		}
		f.records++
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	for k, packer := range f.packers {
		packer.Append(b, rows[k], marks[k])
		if packer.Rows() == 0 {
			continue
		}
		if err := f.tables[k].Write(packer.Record(nil)); err != nil {
			return fmt.Errorf("write %s: %s: %w", f.dir, table.Kind(k), err)
		}
		packer.Reset()
	}
	return nil
}

// Finish writes what is left and puts the export in its place.
func (f *Folder) Finish() error {
	for k, t := range f.tables {
		if err := errors.Join(t.Close(), f.files[k].Close()); err != nil {
			return fmt.Errorf("write %s: %w", f.dir, err)
		}
	}
	if err := casefolder.AsNew(f.staging); err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	_ = os.Remove(f.dir) // an empty folder; another error tells Rename
	if err := os.Rename(f.staging, f.dir); err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	return nil
}

// Discard removes what was written, unless it was put in its place.
func (f *Folder) Discard() {
	for _, file := range f.files {
		_ = file.Close()
	}
	_ = os.RemoveAll(f.staging)
}
