package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// BatchRows is how many rows a record batch of a file has at most: what is read
// at least to get at one row.
const BatchRows = 2048

// WriteFile writes a record as an Arrow IPC file (lz4, and zstd for records):
// record batches of BatchRows that share their dictionaries.
func WriteFile(w io.WriteSeeker, rec arrow.Record) error {
	packing := ipc.WithLZ4()
	if name, _ := rec.Schema().Metadata().GetValue("table"); name == records.name {
		packing = ipc.WithZstd()
	}
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(rec.Schema()), packing)
	if err != nil {
		return err
	}
	for from := int64(0); from < rec.NumRows(); from += BatchRows {
		slice := rec.NewSlice(from, min(from+BatchRows, rec.NumRows()))
		err := f.Write(slice)
		slice.Release()
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// File is an Arrow IPC file that is read batch by batch. The Arrow library
// trusts what it reads: who opens a File makes sure that it is what WriteFile
// wrote.
type File struct{ ipc *ipc.FileReader }

// open opens a file that has to have a schema.
func open(r io.ReaderAt, size int64, schema *arrow.Schema) (f *File, err error) {
	defer damage(&err)
	reader, err := ipc.NewFileReader(io.NewSectionReader(r, 0, size), ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	return &File{reader}, nil
}

// Open opens a file of a stored table.
func (k Kind) Open(r io.ReaderAt, size int64) (*File, error) { return open(r, size, k.Stored()) }

// damage turns a panic of the Arrow library into an error.
func damage(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the Arrow data is damaged: %v", r)
	}
}

// Batches returns how many record batches there are.
func (f *File) Batches() int { return f.ipc.NumRecords() }

// Batch returns a record batch. The caller releases it.
func (f *File) Batch(i int) (rec arrow.Record, err error) {
	defer damage(&err)
	return f.ipc.RecordAt(i)
}

// WriteIndex and WriteFamilies write rows as an Arrow IPC file; ReadIndex and
// ReadFamilies read them back.
func WriteIndex(w io.WriteSeeker, rows []IndexEntry) error      { return writeRows(w, index, rows) }
func WriteFamilies(w io.WriteSeeker, rows []FamilyMember) error { return writeRows(w, families, rows) }
func ReadIndex(r io.ReaderAt, size int64) ([]IndexEntry, error) { return readRows(r, size, index) }
func ReadFamilies(r io.ReaderAt, size int64) ([]FamilyMember, error) {
	return readRows(r, size, families)
}

func writeRows[Row any](w io.WriteSeeker, t *table[Row], list []Row) error {
	b := array.NewRecordBuilder(memory.NewGoAllocator(), t.stored)
	defer b.Release()
	for i := range list {
		t.append(b, &list[i])
	}
	rec := b.NewRecord()
	defer rec.Release()
	return WriteFile(w, rec)
}

func readRows[Row any](r io.ReaderAt, size int64, t *table[Row]) (list []Row, err error) {
	f, err := open(r, size, t.stored)
	if err != nil {
		return nil, err
	}
	defer damage(&err)
	for i := range f.Batches() {
		rec, err := f.Batch(i)
		if err != nil {
			return nil, err
		}
		for row := range int(rec.NumRows()) {
			list = append(list, *new(Row))
			t.at(rec, row, &list[len(list)-1])
		}
	}
	return list, nil
}
