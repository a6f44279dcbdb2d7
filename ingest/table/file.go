package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// BatchRows is how many rows a record batch of a file has at most where rows are
// looked up: what is read at least to get at one. Where they are only read one
// after the other, it has up to bulkRows.
const (
	BatchRows = 1024
	bulkRows  = 8192
)

// WriteFile writes rows as an Arrow IPC file (lz4, and zstd for records): first
// those that are not looked up, then those that are. They are of one schema and
// share their dictionaries.
func WriteFile(w io.WriteSeeker, bulk, indexed arrow.Record) error {
	packing := ipc.WithLZ4()
	if name, _ := bulk.Schema().Metadata().GetValue("table"); name == records.name {
		packing = ipc.WithZstd()
	}
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(bulk.Schema()), packing)
	if err != nil {
		return err
	}
	return errors.Join(writeBatches(f, bulk, bulkRows), writeBatches(f, indexed, BatchRows), f.Close())
}

func writeBatches(f *ipc.FileWriter, rec arrow.Record, rows int64) error {
	for from := int64(0); from < rec.NumRows(); from += rows {
		slice := rec.NewSlice(from, min(from+rows, rec.NumRows()))
		err := f.Write(slice)
		slice.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// File is an Arrow IPC file that is read batch by batch. The Arrow library
// trusts what it reads: who opens a File makes sure that it is what WriteFile
// wrote.
type File struct {
	ipc  *ipc.FileReader
	bulk int // how many batches of rows that are not looked up come first
}

// open opens a file that has to have a schema.
func open(r io.ReaderAt, size int64, schema *arrow.Schema) (f *File, err error) {
	defer Damage(&err)
	reader, err := ipc.NewFileReader(io.NewSectionReader(r, 0, size), ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	return &File{ipc: reader}, nil
}

// Open opens a file of a stored table, in which a number of rows that are not
// looked up come first.
func (k Kind) Open(r io.ReaderAt, size, bulk int64) (*File, error) {
	f, err := open(r, size, k.Stored())
	if err != nil {
		return nil, err
	}
	f.bulk = int((bulk + bulkRows - 1) / bulkRows)
	return f, nil
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

// Indexed returns where a row is that is looked up, by its number among those: in
// which record batch, and where in that.
func (f *File) Indexed(row int64) (batch, at int) {
	return f.bulk + int(row/BatchRows), int(row % BatchRows)
}

// write writes rows as an Arrow IPC file, in batches of some size.
func (t *table[Row]) write(w io.WriteSeeker, list []Row, rows int64) error {
	columns := pilesOf(t.schema)
	every := make([]Pick, len(list))
	for i := range every {
		every[i].Row = int32(i) //nolint:gosec // there are fewer
	}
	t.fill(columns, list, every, false)
	rec := recordOf(t.schema, columns[Bulk], nil, len(list))
	defer rec.Release()
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(t.schema), ipc.WithLZ4())
	if err != nil {
		return err
	}
	return errors.Join(writeBatches(f, rec, rows), f.Close())
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
