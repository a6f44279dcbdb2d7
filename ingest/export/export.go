// Package export writes the tables of package table as files for other tools:
// one for each table, in a folder.
package export

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/knforensics/knforensics/ingest/parquet"
	"github.com/knforensics/knforensics/ingest/staging"
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

// Folder is an export on its way.
type Folder struct {
	dir     *staging.Fresh
	tables  [table.Kinds]*tableFile
	records int64
	bytes   int64 // about what the rows take that are not written
}

// tableFile is the file of a table.
type tableFile struct {
	file *os.File
	out  TableWriter
	rows *table.Packer
}

// Create starts an export that will be at path.
func Create(path, format string) (*Folder, error) {
	dir, err := staging.NewFresh(path)
	if err != nil {
		return nil, err
	}
	f := &Folder{dir: dir}
	for k := range table.Kinds {
		if err := f.start(k, format); err != nil {
			f.Discard()
			return nil, f.failed(err)
		}
	}
	return f, nil
}

func (f *Folder) failed(err error) error { return fmt.Errorf("write %s: %w", f.dir.Dir(), err) }

func (f *Folder) start(k table.Kind, format string) error {
	file, err := f.dir.Create(k.String() + "." + format)
	if err != nil {
		return err
	}
	out, err := Formats[format](file, k.Exported())
	f.tables[k] = &tableFile{file: file, out: out, rows: k.NewPacker(k.Exported())}
	return err
}

// Bounds of what is written at once. How a file is laid out follows from its rows
// alone, not from the batches that they come in.
const (
	rowsAtOnce  = 1 << 10
	bytesAtOnce = 4 << 20
)

// Add takes over the rows of a batch, which has to have the table records.
func (f *Folder) Add(b *table.Batch) error {
	err := b.ByRecord(func(r *table.Rows) error {
		for k, t := range f.tables {
			for i := range r.Count(table.Kind(k)) {
				if err := t.add(b, r.First[k]+i, f.records); err != nil {
					return err
				}
			}
		}
		f.records++
		if f.bytes += r.Weight(); f.bytes < bytesAtOnce {
			return nil
		}
		return f.write(b)
	})
	if err != nil {
		return f.failed(err)
	}
	for _, t := range f.tables {
		t.rows.Take(b)
	}
	return nil
}

// write writes the rows of all tables, the last of which are in a batch.
func (f *Folder) write(b *table.Batch) error {
	f.bytes = 0
	for _, t := range f.tables {
		t.rows.Take(b)
		if err := t.write(); err != nil {
			return err
		}
	}
	return nil
}

// add adds a row of a batch.
func (t *tableFile) add(b *table.Batch, row int, number int64) error {
	t.rows.Note(table.Pick{Row: int32(row)}, table.Mark{Number: number}) //nolint:gosec // rows of a batch
	if t.rows.Rows()+t.rows.Noted() < rowsAtOnce {
		return nil
	}
	t.rows.Take(b)
	return t.write()
}

// write writes the rows that were taken.
func (t *tableFile) write() error {
	if t.rows.Rows() == 0 {
		return nil
	}
	err := t.out.Write(t.rows.Record())
	t.rows.Reset()
	if err != nil {
		return fmt.Errorf("%s: %w", t.file.Name(), err)
	}
	return nil
}

// Finish writes what is left and puts the export in its place.
func (f *Folder) Finish() error {
	for _, t := range f.tables {
		if err := errors.Join(t.write(), t.out.Close(), t.file.Close()); err != nil {
			return f.failed(err)
		}
	}
	return f.dir.Place()
}

// Discard removes what was written, unless it was put in its place. It may be called
// while another goroutine writes, which then fails.
func (f *Folder) Discard() {
	for _, t := range f.tables {
		if t != nil {
			_ = t.file.Close()
		}
	}
	f.dir.Discard()
}
