package jsonskip

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestAgreesWithJSON holds End against encoding/json, on each body in the samples.
func TestAgreesWithJSON(t *testing.T) {
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
	for lines.Scan() {
		var event struct{ RequestObject, ResponseObject json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		for _, body := range []json.RawMessage{event.RequestObject, event.ResponseObject} {
			if at := bytes.Index(lines.Bytes(), body); len(body) > 0 {
				fn(lines.Bytes()[at:], body)
			}
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// BenchmarkEnd passes over bodies of a sample, those nearest to 1, 8 and 256
// KiB, with each implementation.
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
