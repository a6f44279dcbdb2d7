// Package lookup reads some rows of Arrow IPC files that are made of many. Of a file
// it reads the record batches with those rows and the dictionaries, and decompresses
// no more than the rows refer to. The reader of the Arrow library decompresses all
// dictionaries when it opens a file.
//
// It knows what ingest/table writes: compression with LZ4, dictionaries of strings in
// one piece, and the types of those tables. Lengths are held against the file before
// memory is taken.
//
// The format is described at https://arrow.apache.org/docs/format/Columnar.html; the
// numbers of members are those of format/Message.fbs and format/File.fbs there.
package lookup

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Reader reads files one after another, into memory that it uses again. The zero
// value is ready for use.
type Reader struct {
	space  space
	packed space // what was compressed, of the file under way
	zeros  []byte
	tables map[string]known // by name
}

// known is the schema of a file that was read before.
type known struct {
	message []byte // as it stands at the beginning of the file
	schema  *arrow.Schema
	ids     []int64 // of the dictionaries, in the order of the columns
}

// Reuse has what was read so far be written over by what is read next.
func (r *Reader) Reuse() { r.space.reuse() }

// File is a file that is read, until the Reader opens another one.
type File struct {
	*Reader
	known
	in           io.ReaderAt
	size         int64
	batches      []block
	dictionaries map[int64]*dictionary
}

// block is where a message lies.
type block struct{ at, head, body int64 }

var (
	errFormat = errors.New("the Arrow data is damaged")
	errBatch  = errors.New("it has fewer rows than it should")
)

// damage turns a panic into an error: bounds are left to Go.
func damage(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", errFormat, r)
	}
}

// Open opens a file with tables of a name, which has to have the schema that those
// have.
func (r *Reader) Open(in io.ReaderAt, size int64, name string, schema func() *arrow.Schema) (f *File, err error) {
	defer damage(&err)
	r.packed.reuse()
	f = &File{Reader: r, in: in, size: size, dictionaries: map[int64]*dictionary{}}
	const tail = 4 + 6 // the length of the footer, and the mark at the end
	end, err := f.read(size-tail, tail)
	if err != nil {
		return nil, err
	}
	if string(end[4:]) != "ARROW1" {
		return nil, errFormat
	}
	length := int64(binary.LittleEndian.Uint32(end))
	text, err := f.read(size-tail-length, length)
	if err != nil {
		return nil, err
	}
	footer := root(text)
	f.batches = blocks(footer, 10)
	if f.known, err = f.check(name, schema); err != nil {
		return nil, err
	}
	return f, f.readDictionaries(blocks(footer, 8))
}

// read reads a part of the file.
func (f *File) read(at, length int64) ([]byte, error) {
	if at < 0 || length < 0 || at > f.size-length {
		return nil, errFormat
	}
	text := f.packed.take(int(length))
	_, err := f.in.ReadAt(text, at)
	return text, err
}

// check reads the schema in the first message of the file.
func (f *File) check(name string, want func() *arrow.Schema) (k known, err error) {
	const first = 8 // behind the mark at the beginning
	mark, err := f.read(first, 8)
	if err != nil {
		return k, err
	}
	message, err := f.read(first+8, int64(binary.LittleEndian.Uint32(mark[4:])))
	if err != nil {
		return k, err
	}
	if k = f.tables[name]; k.schema != nil && bytes.Equal(k.message, message) {
		return k, nil
	}
	k = known{message: bytes.Clone(message), schema: want()}
	if _, err := ipc.NewReader(io.NewSectionReader(f.in, first, f.size-first), ipc.WithSchema(k.schema)); err != nil {
		return k, err
	}
	k.ids = idsOf(header(message), 6, nil)
	if f.tables == nil {
		f.tables = map[string]known{}
	}
	f.tables[name] = k
	return k, nil
}

// Batch is a record batch of a File. Of its rows, those may be looked at that Need was
// called for.
type Batch struct {
	arrow.Record
	needs []rows
}

// Batches returns how many record batches there are.
func (f *File) Batches() int { return len(f.batches) }

// Batch returns a record batch. The caller releases it.
func (f *File) Batch(i int) (b *Batch, err error) {
	defer damage(&err)
	if i < 0 || i >= len(f.batches) {
		return nil, errBatch
	}
	at := f.batches[i]
	text, err := f.read(at.at, at.head+at.body)
	if err != nil {
		return nil, err
	}
	l := f.loader(header(text[8:at.head]), text[at.head:])
	b = &Batch{}
	columns := make([]arrow.Array, f.schema.NumFields())
	for c, field := range f.schema.Fields() {
		data, need := l.load(field.Type)
		columns[c] = array.MakeFromData(data)
		if need != nil {
			b.needs = append(b.needs, need)
		}
	}
	b.Record = array.NewRecord(f.schema, columns, l.batch.GetInt64Slot(4, 0))
	return b, nil
}

// Need decompresses what some rows refer to.
func (b *Batch) Need(from, to int) (err error) {
	defer damage(&err)
	for _, need := range b.needs {
		need(from, to)
	}
	return nil
}

// root returns the table that a flatbuffer begins with.
func root(text []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: text, Pos: flatbuffers.GetUOffsetT(text)}
}

// member returns a table that is a member of another one; the zero Table if it is
// missing.
func member(t flatbuffers.Table, number flatbuffers.VOffsetT) flatbuffers.Table {
	at := flatbuffers.UOffsetT(t.Offset(number))
	if at == 0 {
		return flatbuffers.Table{}
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Pos + at)}
}

// vector returns the members of a list, each of a size, as they stand there.
func vector(t flatbuffers.Table, number flatbuffers.VOffsetT, size int) []byte {
	at := flatbuffers.UOffsetT(t.Offset(number))
	if at == 0 {
		return nil
	}
	return t.Bytes[t.Vector(at):][:t.VectorLen(at)*size]
}

// header returns the header of a message, which begins behind its mark and length.
func header(message []byte) flatbuffers.Table { return member(root(message), 8) }

// blocks returns the blocks that the footer lists in a member.
func blocks(footer flatbuffers.Table, number flatbuffers.VOffsetT) (list []block) {
	const size = 24
	for v := vector(footer, number, size); len(v) > 0; v = v[size:] {
		list = append(list, block{int64At(v, 0), int64At(v, 1) & 0xffffffff, int64At(v, 2)})
	}
	return list
}

func int64At(v []byte, i int) int64 {
	return int64(binary.LittleEndian.Uint64(v[8*i:])) //nolint:gosec // it is one
}

// idsOf adds the numbers of the dictionaries of fields, which are a member of a
// schema or of a field.
func idsOf(of flatbuffers.Table, number flatbuffers.VOffsetT, ids []int64) []int64 {
	at := flatbuffers.UOffsetT(of.Offset(number))
	if at == 0 {
		return ids
	}
	for i := range flatbuffers.UOffsetT(of.VectorLen(at)) { //nolint:gosec // it has no more
		field := flatbuffers.Table{Bytes: of.Bytes, Pos: of.Indirect(of.Vector(at) + 4*i)}
		if encoding := member(field, 12); encoding.Bytes != nil {
			ids = append(ids, encoding.GetInt64Slot(4, 0))
		}
		ids = idsOf(field, 14, ids)
	}
	return ids
}
