package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/synthetic"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// logSize is the size of the audit log that a layer is given, or of what the
// layers below make of it.
const logSize = 16 << 20

// auditLog returns an audit log.
func auditLog() []byte {
	lines, _ := synthetic.Lines(synthetic.Options{Audit: logSize})
	return bytes.Join(lines, []byte("\n"))
}

// loop runs a layer again and again, on so many bytes.
func loop(b *testing.B, size int64, layer func()) {
	b.Helper()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		layer()
	}
}

// readAll reads a log as it is said.
func readAll(tb testing.TB, how ingest.Options, log []byte, sink func(*table.Batch)) *coverage.Coverage {
	tb.Helper()
	inputs, err := source.Find([]string{source.Stdin}, bytes.NewReader(log))
	if err != nil {
		tb.Fatal(err)
	}
	c, err := ingest.Read(tb.Context(), inputs, how, func(batch *table.Batch) error {
		sink(batch)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// batchesOf returns what was read of a log for a case without bodies.
func batchesOf(b *testing.B, log []byte) (batches []*table.Batch, c *coverage.Coverage) {
	b.Helper()
	none := func([]byte, coverage.Format, *table.AuditEvent) bool { return false }
	c = readAll(b, ingest.Options{Keep: none}, log, func(batch *table.Batch) {
		batch.Retain()
		batches = append(batches, batch)
	})
	return batches, c
}

func historyOf(batches []*table.Batch) *timeline.History {
	builder := timeline.NewClusters(nil)
	for _, batch := range batches {
		builder.Add(batch)
	}
	return builder.Build()
}

func BenchmarkRead(b *testing.B) {
	log := auditLog()
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			loop(b, logSize, func() { readAll(b, ingest.Options{Jobs: jobs}, log, func(*table.Batch) {}) })
		})
	}
}

func BenchmarkHistory(b *testing.B) {
	batches, _ := batchesOf(b, auditLog())
	loop(b, logSize, func() { historyOf(batches) })
}

func BenchmarkDetectors(b *testing.B) {
	batches, c := batchesOf(b, auditLog())
	families := historyOf(batches).Families
	loop(b, logSize, func() {
		if len(registry.Run(nil, families, c).Findings) == 0 {
			b.Fatal("no findings")
		}
	})
}

// writeCase makes a case without bodies.
func writeCase(b *testing.B, dir string, batches []*table.Batch, c *coverage.Coverage) {
	b.Helper()
	catalogue := timeline.NewCatalogue()
	w, err := casefolder.Create(dir, casefolder.Tool{Name: "knforensics"}, "none", catalogue.Add)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Discard()
	for _, batch := range batches {
		if err := w.Add(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Finish(c, catalogue.Families(), nil); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkWriteCase(b *testing.B) {
	batches, c := batchesOf(b, auditLog())
	dir := filepath.Join(b.TempDir(), "case")
	loop(b, logSize, func() {
		writeCase(b, dir, batches, c)
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkReopen reads the rows of one Service from a case.
func BenchmarkReopen(b *testing.B) {
	batches, c := batchesOf(b, auditLog())
	dir := filepath.Join(b.TempDir(), "case")
	writeCase(b, dir, batches, c)
	namespace, revision, _ := strings.Cut(synthetic.Revision, "/")
	loop(b, logSize, func() {
		kept, err := casefolder.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		rows := 0
		family, err := kept.Related(namespace, timeline.About(revision))
		if err != nil {
			b.Fatal(err)
		}
		err = kept.Each(casefolder.Selection{Tables: casefolder.Rows, About: timeline.WithShared(family)}, func(batch *table.Batch) error {
			batch.EachAuditEvent(func(*table.AuditEvent) { rows++ })
			return nil
		})
		if err != nil || rows == 0 {
			b.Fatal(rows, err)
		}
	})
}
