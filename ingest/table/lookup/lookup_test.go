package lookup

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

var word = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

// schema has a column of each type.
func schema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "word", Type: word, Nullable: true},
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "id", Type: arrow.BinaryTypes.Binary, Nullable: true},
		{Name: "number", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "time", Type: arrow.FixedWidthTypes.Timestamp_ns, Nullable: true},
		{Name: "flag", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "nothing", Type: word, Nullable: true},
		{Name: "pairs", Type: arrow.ListOf(arrow.StructOf(arrow.Field{Name: "key", Type: word, Nullable: true}, arrow.Field{Name: "value", Type: word, Nullable: true})), Nullable: true},
	}, nil)
}

// rowJSON is a row, of which some columns are null now and then.
func rowJSON(i int) string {
	if i%7 == 0 {
		return fmt.Sprintf(`{"number":%d,"flag":true}`, i)
	}
	long := strings.Repeat(fmt.Sprintf("%d ", i), 20)
	return fmt.Sprintf(`{"word":"w %[1]s","text":"t %[2]d","id":"aWQ=","number":%[2]d,"time":%[2]d,"flag":false,"pairs":[{"key":"k %[3]d","value":"v %[1]s"},{"key":"k"}]}`, long, i, i%5)
}

const batchRows = 500

// written returns a file of rows, as the library writes it.
func written(tb testing.TB, rows int) []byte {
	tb.Helper()
	var text strings.Builder
	for i := range rows {
		text.WriteString(rowJSON(i) + "\n")
	}
	all, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema(), strings.NewReader("["+strings.ReplaceAll(strings.TrimSpace(text.String()), "\n", ",")+"]"))
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "rows.arrow")
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := ipc.NewFileWriter(out, ipc.WithSchema(schema()), ipc.WithLZ4())
	if err != nil {
		tb.Fatal(err)
	}
	for from := int64(0); from < all.NumRows() && err == nil; from += batchRows {
		err = w.Write(all.NewSlice(from, min(from+batchRows, all.NumRows())))
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	file, readErr := os.ReadFile(path)
	if err != nil || readErr != nil {
		tb.Fatal(err, readErr)
	}
	return file
}

// TestLibrary holds what is read against what the library reads.
func TestLibrary(t *testing.T) {
	file := written(t, 2200)
	library, err := ipc.NewFileReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var r Reader
	for range 2 { // the second time, the schema is known
		f, err := r.Open(bytes.NewReader(file), int64(len(file)), "rows", schema)
		if err != nil {
			t.Fatal(err)
		}
		for i := range library.NumRecords() {
			want, err := library.RecordAt(i)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Batch(i)
			if err != nil || got.NumRows() != want.NumRows() {
				t.Fatalf("batch %d: %v, %v", i, got, err)
			}
			for _, span := range [][2]int64{{3, 4}, {60, 130}, {0, 0}, {got.NumRows() - 1, got.NumRows()}} {
				if err := got.Need(int(span[0]), int(span[1])); err != nil {
					t.Fatal(err)
				}
				for row := span[0]; row < span[1]; row++ {
					for c := range schema().Fields() {
						if a, b := got.Column(c).ValueStr(int(row)), want.Column(c).ValueStr(int(row)); a != b {
							t.Fatalf("batch %d, row %d, column %d is %s, want %s", i, row, c, a, b)
						}
					}
				}
			}
		}
		if _, err := f.Batch(library.NumRecords()); err == nil {
			t.Error("a batch more than there are")
		}
		r.Reuse()
	}
}

// TestNeed holds that no more is decompressed than rows refer to.
func TestNeed(t *testing.T) {
	file := written(t, 2200)
	var r Reader
	f, err := r.Open(bytes.NewReader(file), int64(len(file)), "rows", schema)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Batch(1)
	if err != nil {
		t.Fatal(err)
	}
	d := f.dictionaries[f.ids[0]]
	pieces := len(d.values.pieces)
	if pieces < 3 || d.values.left != pieces {
		t.Fatalf("%d of %d pieces are left before anything is needed", d.values.left, pieces)
	}
	if err := b.Need(10, 12); err != nil || d.values.left != pieces-1 {
		t.Errorf("%d of %d pieces are left: %v", d.values.left, pieces, err)
	}
}

// TestOtherFiles holds that files are refused that are not what is asked for.
func TestOtherFiles(t *testing.T) {
	file := written(t, 10)
	var plain bytes.Buffer
	w := ipc.NewWriter(&plain, ipc.WithSchema(schema()))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	other := func() *arrow.Schema { return arrow.NewSchema(schema().Fields()[1:], nil) }
	for name, test := range map[string]struct {
		file   []byte
		schema func() *arrow.Schema
	}{
		"another schema": {file, other}, "a stream": {plain.Bytes(), schema}, "cut": {file[:len(file)-1], schema},
		"empty": {nil, schema}, "text": {[]byte(strings.Repeat("no Arrow ", 100)), schema},
	} {
		if _, err := new(Reader).Open(bytes.NewReader(test.file), int64(len(test.file)), "rows", test.schema); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzOpen holds that any file gives an error or rows.
func FuzzOpen(f *testing.F) {
	good := written(f, 30)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(bytes.ReplaceAll(good, []byte{0x04, 0x22, 0x4d, 0x18}, []byte{0x04, 0x22, 0x4d, 0x19}))
	end := 16 + binary.LittleEndian.Uint32(good[12:]) // of the schema, which the library reads
	f.Fuzz(func(t *testing.T, file []byte) {
		fuzzing.Bounded(t, len(file), func() {
			if len(file) < int(end) || !bytes.Equal(file[:end], good[:end]) {
				return
			}
			var r Reader
			opened, err := r.Open(bytes.NewReader(file), int64(len(file)), "rows", schema)
			for i := 0; err == nil; i++ {
				var b *Batch
				if b, err = opened.Batch(i); err == nil {
					err = b.Need(0, int(b.NumRows()))
				}
			}
		})
	})
}
