package casefolder_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// FuzzManifest holds that a case with any manifest gives an error or rows.
func FuzzManifest(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "case")
	w, err := casefolder.Create(dir, tool, "all", timeline.NewCatalogue().Add)
	if err != nil {
		f.Fatal(err)
	}
	b := table.NewBuilder()
	b.Record(&table.Record{Location: table.Location{File: "audit.log", Line: 1, Length: 2}, Raw: "{}"})
	b.Log(&table.ControllerLog{Location: table.Location{File: "audit.log", Line: 1, Length: 2}, Key: "a/b"})
	batch := b.Batch()
	if err := w.Add(batch); err != nil {
		f.Fatal(err)
	}
	batch.Release()
	if err := w.Finish(&coverage.Coverage{}, []table.FamilyName{{Subject: table.Subject{Namespace: "a", Name: "b"}, Family: "b"}}, nil); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "manifest.json")
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"schema":"knforensics.case/v2","segments":[{"tables":{"records":{"path":"records/000001.arrow","rows":-5}}}],"families":{"path":"."}}`))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		if err := os.WriteFile(path, manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		check := fmt.Sprintf("%x  manifest.json\n", sha256.Sum256(manifest))
		if err := os.WriteFile(path+".sha256", []byte(check), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = casefolder.Verify(dir, nil)
		c, err := casefolder.Open(dir)
		if err != nil {
			return
		}
		_, _ = c.Related("", "b")
		_ = c.Each(casefolder.Selection{Tables: everything}, func(*table.Batch) error { return nil })
		_ = c.Each(casefolder.Selection{Tables: casefolder.Rows, About: []table.Subject{{Namespace: "a", Name: "b"}}}, func(*table.Batch) error { return nil })
	})
}
