package redact

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// BenchmarkAudit redacts an audit log.
func BenchmarkAudit(b *testing.B) {
	f, err := os.Open("../../samples/latched/audit.log.zst")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := zstd.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	log, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	r := testRedactor()
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Copy(io.Discard, bufio.NewReaderSize(bytes.NewReader(log), headSize)); err != nil {
			b.Fatal(err)
		}
	}
}
