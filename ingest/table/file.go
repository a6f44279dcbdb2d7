package table

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/knforensics/knforensics/ingest/table/lookup"
)

// How many rows a record batch of a file has at most: few where rows are looked up,
// since that is what is read at least to get at one.
const (
	BatchRows = 1024
	bulkRows  = 8192
)

// WriteBulk writes rows as an Arrow IPC file (lz4, and zstd for records) of which all
// is read. WriteIndexed writes one in which rows are looked up.
func WriteBulk(w io.WriteSeeker, rec arrow.Record) error    { return writeFile(w, rec, bulkRows) }
func WriteIndexed(w io.WriteSeeker, rec arrow.Record) error { return writeFile(w, rec, BatchRows) }

func writeFile(w io.WriteSeeker, rec arrow.Record, rows int64) error {
	packing := ipc.WithLZ4()
	if name, _ := rec.Schema().Metadata().GetValue("table"); name == records.name {
		packing = ipc.WithZstd()
	}
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(rec.Schema()), packing)
	if err != nil {
		return err
	}
	for from := int64(0); from < rec.NumRows(); from += rows {
		slice := rec.NewSlice(from, min(from+rows, rec.NumRows()))
		err := f.Write(slice)
		slice.Release()
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// File is an Arrow IPC file that is read batch by batch. The Arrow library
// trusts what it reads: who opens a File makes sure that it is what was
// written.
type File struct{ ipc *ipc.FileReader }

// open opens a file that has to have a schema.
func open(r io.ReaderAt, size int64, schema *arrow.Schema) (f *File, err error) {
	defer Damage(&err)
	reader, err := ipc.NewFileReader(io.NewSectionReader(r, 0, size), ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	return &File{reader}, nil
}

// Open opens a file of a stored table.
func (k Kind) Open(r io.ReaderAt, size int64) (*File, error) { return open(r, size, k.Stored()) }

// Lookup opens a file of a stored table of which some rows are read.
func (k Kind) Lookup(r *lookup.Reader, in io.ReaderAt, size int64) (*lookup.File, error) {
	return r.Open(in, size, k.String(), k.Stored)
}

// Damage turns a panic into an error, deferred where what the Arrow library read is
// used: it panics if that does not fit together.
func Damage(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the Arrow data is damaged: %v", r)
	}
}

var errNoBatch = errors.New("it has fewer rows than it should")

// Batches returns how many record batches there are.
func (f *File) Batches() int { return f.ipc.NumRecords() }

// Batch returns a record batch. The caller releases it.
func (f *File) Batch(i int) (rec arrow.Record, err error) {
	defer Damage(&err)
	if i < 0 || i >= f.Batches() {
		return nil, errNoBatch
	}
	return f.ipc.RecordAt(i)
}

// write writes rows of a table without dictionaries as an Arrow IPC file, in record
// batches of some size.
func (t *table[Row]) write(w io.WriteSeeker, list iter.Seq[Row], size int) error {
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(t.schema), ipc.WithLZ4())
	if err != nil {
		return err
	}
	columns, every := cellsOf(t.schema), upTo(size)
	var rows []Row
	flush := func() error {
		t.fill(columns, rows, every[:len(rows)], false)
		err := f.Write(recordOf(t.schema, columns, len(rows)))
		for _, c := range columns {
			c.reset()
		}
		rows = rows[:0]
		return err
	}
	for row := range list {
		if rows = append(rows, row); len(rows) == size {
			if err := flush(); err != nil {
				return errors.Join(err, f.Close())
			}
		}
	}
	if len(rows) > 0 {
		err = flush()
	}
	return errors.Join(err, f.Close())
}

// list returns the rows of a record batch of a file.
func (t *table[Row]) list(f *File, batch int) (list []Row, err error) {
	defer Damage(&err)
	rec, err := f.Batch(batch)
	if err != nil {
		return nil, err
	}
	list = make([]Row, rec.NumRows())
	read := t.reader(rec)
	for i := range list {
		read(i, &list[i])
	}
	return list, nil
}
