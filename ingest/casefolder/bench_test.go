package casefolder_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

var log = flag.String("log", sample+"audit.log.zst", "the log of BenchmarkWrite")

// BenchmarkWrite measures what a case costs beyond reading the logs.
func BenchmarkWrite(b *testing.B) {
	inputs, err := source.Find([]string{*log}, nil)
	if err != nil {
		b.Fatal(err)
	}
	var batches []*table.Batch
	records := 0
	opts := ingest.Options{Jobs: 2, Keep: func([]byte, coverage.Format, *table.AuditEvent) bool { return false }}
	c, err := ingest.Read(b.Context(), inputs, opts, func(batch *table.Batch) error {
		batch.Retain()
		batches = append(batches, batch)
		records += table.Records.Rows(batch)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		catalogue := timeline.NewCatalogue()
		w, err := casefolder.Create(filepath.Join(b.TempDir(), "case"), tool, "none", catalogue.Add)
		if err != nil {
			b.Fatal(err)
		}
		for _, batch := range batches {
			if err := w.Add(batch); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Finish(c, catalogue.Families(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
}
