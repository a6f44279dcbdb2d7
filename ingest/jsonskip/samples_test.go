package jsonskip

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// TestAgreesWithScanner holds End against the scanner that checks the grammar,
// on each body in the samples.
func TestAgreesWithScanner(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many logs")
	}
	logs, err := filepath.Glob("../../samples/*/audit.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, log := range logs {
		eachBody(t, log, func(rest, body []byte) {
			check(t, rest, len(body))
			check(t, body, len(body))
			check(t, body[:len(body)-1], -1)
			n++
		})
	}
	if n < 1000 {
		t.Errorf("only %d bodies in %q", n, logs)
	}
}

// eachBody calls fn with each body in an audit log and with what begins with
// it, the rest of the line. Both are valid during the call.
func eachBody(t testing.TB, log string, fn func(rest, body []byte)) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 16<<20)
	var s jsonscan.Scanner
	for lines.Scan() {
		s.Reset(lines.Bytes())
		s.BeginObject()
		for key, ok := s.Member(); ok; key, ok = s.Member() {
			wanted := string(key) == "requestObject" || string(key) == "responseObject"
			rest := lines.Bytes()[s.Pos():]
			if body := s.Raw(); wanted {
				fn(rest, body)
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// BenchmarkEnd passes over bodies of a sample, those nearest to 1, 8 and 256
// KiB, with each implementation and with the scanner that checks the grammar.
func BenchmarkEnd(b *testing.B) {
	sizes := []int{1 << 10, 8 << 10, 256 << 10}
	bodies := make([][]byte, len(sizes))
	eachBody(b, "../../samples/route-race/audit.log.zst", func(_, body []byte) {
		for i, size := range sizes {
			if apart(len(body), size) < apart(len(bodies[i]), size) {
				bodies[i] = append([]byte(nil), body...)
			}
		}
	})
	for _, body := range bodies {
		withEach(func(name string) {
			benchmark(b, name, body, func() int { return End(body) })
		})
		var s jsonscan.Scanner
		benchmark(b, "scanner", body, func() int {
			s.Reset(body)
			s.Skip()
			return s.Pos()
		})
	}
}

func apart(a, b int) int { return max(a-b, b-a) }

func benchmark(b *testing.B, name string, body []byte, end func() int) {
	b.Run(fmt.Sprintf("bytes=%d/%s", len(body), name), func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if got := end(); got != len(body) {
				b.Fatalf("%d, want %d", got, len(body))
			}
		}
	})
}
