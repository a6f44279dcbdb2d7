package export_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/export"
	"github.com/knforensics/knforensics/ingest/table"
)

// exported writes rows in batches of a size, and returns the file of objects.
func exported(t *testing.T, format string, rows []table.Object, size int) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	f, err := export.Create(dir, format)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	for from := 0; from < len(rows); from += size {
		b := table.NewBuilder()
		for i := from; i < min(len(rows), from+size); i++ {
			b.Object(&rows[i])
			b.Record(&table.Record{Location: rows[i].Location, Raw: strings.Repeat("x", 4000)})
		}
		batch := b.Batch()
		if err := f.Add(batch); err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	if err := f.Finish(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "objects."+format))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBatchesDoNotShow holds that a file does not tell in which batches its rows
// came.
func TestBatchesDoNotShow(t *testing.T) {
	rows := make([]table.Object, 5000)
	for i := range rows {
		rows[i] = table.Object{Location: table.Location{File: "audit.log", Offset: int64(i)}, Name: time.Duration(i).String(),
			Fields: []table.Pair{{Key: "spec.replicas", Value: time.Duration(i).String()}}}
	}
	for format := range export.Formats {
		if want := exported(t, format, rows, 5000); !bytes.Equal(exported(t, format, rows, 777), want) || !bytes.Equal(exported(t, format, rows, 1), want) {
			t.Errorf("%s: the batches show", format)
		}
	}
}
