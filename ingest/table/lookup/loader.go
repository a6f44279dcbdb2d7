package lookup

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

// loader makes arrays of the buffers of a message, which stand there in the order of
// the columns, those of a column before those of its members.
type loader struct {
	file           *File
	batch          flatbuffers.Table
	body           []byte
	nodes, buffers []byte // not loaded yet
	ids            []int64
}

func (f *File) loader(batch flatbuffers.Table, body []byte) *loader {
	if c := member(batch, 10); c.Bytes == nil || c.GetByteSlot(4, 0) != 0 {
		panic(errFrame)
	}
	return &loader{file: f, batch: batch, body: body, nodes: vector(batch, 6, 16), buffers: vector(batch, 8, 16), ids: f.ids}
}

// rows does something for some rows.
type rows func(from, to int)

// load returns the next column, and what is to be called for the rows of it that are
// looked at: nil where all is there.
func (l *loader) load(typ arrow.DataType) (*array.Data, rows) {
	length, nulls := l.node()
	none := nulls == length // and nothing to decompress
	buffers := []*memory.Buffer{nil}
	if bitmap := l.buffer(); nulls > 0 {
		buffers[0] = l.filled(bitmap, none, length/8+1)
	}
	switch typ := typ.(type) {
	case *arrow.StructType:
		return l.members(typ, length, nulls, buffers)
	case *arrow.ListType:
		offsets := l.filled(l.buffer(), none, 4*length+4)
		elements, need := l.load(typ.Elem())
		data := array.NewData(typ, length, append(buffers, offsets), []arrow.ArrayData{elements}, nulls, 0)
		return data, need.within(offsets.Bytes())
	case *arrow.DictionaryType:
		codes := l.filled(l.buffer(), none, 4*length)
		d := l.file.dictionary(l.ids[0])
		l.ids = l.ids[1:]
		data := array.NewDataWithDictionary(typ, length, append(buffers, codes), nulls, 0, d.data)
		if none || d.values.left == 0 {
			return data, nil
		}
		return data, d.within(codes.Bytes(), buffers[0])
	case *arrow.StringType, *arrow.BinaryType:
		buffers = append(buffers, l.filled(l.buffer(), none, 4*length+4), l.filled(l.buffer(), none, 0))
		return array.NewData(typ, length, buffers, nil, nulls, 0), nil
	case *arrow.Int64Type, *arrow.TimestampType, *arrow.BooleanType:
		buffers = append(buffers, l.filled(l.buffer(), none, 8*length))
		return array.NewData(typ, length, buffers, nil, nulls, 0), nil
	}
	panic(fmt.Errorf("a column of type %s", typ))
}

func (l *loader) members(typ *arrow.StructType, length, nulls int, buffers []*memory.Buffer) (*array.Data, rows) {
	var members []arrow.ArrayData
	var needs []rows
	for _, field := range typ.Fields() {
		data, need := l.load(field.Type)
		members = append(members, data)
		if need != nil {
			needs = append(needs, need)
		}
	}
	return array.NewData(typ, length, buffers, members, nulls, 0), func(from, to int) {
		for _, need := range needs {
			need(from, to)
		}
	}
}

// node returns the length of the next column, and how many nulls it has.
func (l *loader) node() (length, nulls int) {
	n, m := int64At(l.nodes, 0), int64At(l.nodes, 1)
	l.nodes = l.nodes[16:]
	const most = 1 << 22 // elements of a record batch
	if n < 0 || n > most || m < 0 || m > n {
		panic(errFormat)
	}
	return int(n), int(m)
}

// buffer returns the next buffer, as it is compressed.
func (l *loader) buffer() []byte {
	at, length := int64At(l.buffers, 0), int64At(l.buffers, 1)
	l.buffers = l.buffers[16:]
	return l.body[at:][:length]
}

// filled returns what a buffer has; or, if all values are null, so many zeros.
func (l *loader) filled(buffer []byte, none bool, zeros int) *memory.Buffer {
	if !none {
		f := l.file.open(buffer)
		return memory.NewBufferBytes(f.all())
	}
	if zeros > len(l.file.zeros) {
		l.file.zeros = make([]byte, zeros)
	}
	return memory.NewBufferBytes(l.file.zeros[:zeros])
}

// within returns what does the same for the elements of lists, as their offsets tell.
func (need rows) within(offsets []byte) rows {
	if need == nil {
		return nil
	}
	return func(from, to int) { need(offsetAt(offsets, from), offsetAt(offsets, to)) }
}

func offsetAt(offsets []byte, i int) int { return int(binary.LittleEndian.Uint32(offsets[4*i:])) }

// dictionary has the values of a column.
type dictionary struct {
	batch   flatbuffers.Table
	body    []byte
	data    *array.Data // nil until it is asked for
	offsets []byte
	values  frame
}

// readDictionaries reads the messages of dictionaries, as they are compressed.
func (f *File) readDictionaries(list []block) error {
	for _, b := range list {
		text, err := f.read(b.at, b.head+b.body)
		if err != nil {
			return err
		}
		batch := header(text[8:b.head])
		id := batch.GetInt64Slot(4, 0)
		if f.dictionaries[id] != nil {
			return fmt.Errorf("%w: dictionary %d is there twice", errFormat, id)
		}
		f.dictionaries[id] = &dictionary{batch: member(batch, 6), body: text[b.head:]}
	}
	return nil
}

// dictionary returns the dictionary of a number.
func (f *File) dictionary(id int64) *dictionary {
	d := f.dictionaries[id]
	if d == nil {
		panic(fmt.Errorf("no dictionary %d", id))
	}
	if d.data == nil {
		l := f.loader(d.batch, d.body)
		length, _ := l.node()
		l.buffer() // of nulls: there are none
		offsets := l.filled(l.buffer(), length == 0, 4)
		d.offsets, d.values = offsets.Bytes(), f.open(l.buffer())
		d.data = array.NewData(arrow.BinaryTypes.String, length, []*memory.Buffer{nil, offsets, memory.NewBufferBytes(d.values.text)}, nil, 0, 0)
	}
	return d
}

// within returns what decompresses the values of codes that are not null.
func (d *dictionary) within(codes []byte, valid *memory.Buffer) rows {
	return func(from, to int) {
		for i := from; i < to && d.values.left > 0; i++ {
			if valid == nil || bitutil.BitIsSet(valid.Bytes(), i) {
				code := offsetAt(codes, i)
				d.values.need(offsetAt(d.offsets, code), offsetAt(d.offsets, code+1))
			}
		}
	}
}
