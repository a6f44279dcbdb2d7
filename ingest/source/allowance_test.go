package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// sparseTar is a tar archive of a member that holds text and then a hole, up to
// size bytes, and of one that holds a line.
func sparseTar(tb testing.TB, text string, size int64) []byte {
	tb.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, m := range []string{text, line} {
		if err := w.WriteHeader(&tar.Header{Name: "log", Typeflag: tar.TypeReg, Size: int64(len(m)), Format: tar.FormatGNU}); err != nil {
			tb.Fatal(err)
		}
		_, _ = w.Write([]byte(m))
	}
	_ = w.Close()
	data := buf.Bytes()
	header := data[:512]
	header[156] = tar.TypeGNUSparse
	copy(header[386:], fmt.Sprintf("%011o\x00%011o\x00", 0, len(text))) // the only stretch of data
	copy(header[483:], fmt.Sprintf("%011o\x00", size))
	copy(header[148:], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	return data
}

func zipOf(members ...[]byte) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i, m := range members {
		f, _ := w.Create(fmt.Sprintf("%d.log", i))
		_, _ = f.Write(m)
	}
	_ = w.Close()
	return buf.Bytes()
}

// TestBombs: what unpacks to too much is read up to there, and no further.
func TestBombs(t *testing.T) {
	long := line + strings.Repeat("x", 12<<20)
	for name, tt := range map[string]struct {
		data    []byte
		members int
	}{
		"zstd":             {[]byte(zst(long)), 0},
		"gzip in gzip":     {zipped(string(zipped(long))), 0},
		"gzip in zip":      {zipOf(zipped(long), []byte(line)), 1},
		"gzip in tar.gzip": {zipped(string(sparseTar(t, string(zipped(long)), int64(len(zipped(long)))))), 1},
		"a hole in tar":    {sparseTar(t, line, 60<<30), 1},
	} {
		t.Run(name, func(t *testing.T) {
			in := Input{Path: stored(t, "log", tt.data), named: true}
			members, start := 0, make([]byte, len(line))
			if err := in.Each(false, func(path string, s *Stream) error {
				if s.Archive {
					if !errors.Is(s.Trouble, errRatio) {
						t.Errorf("trouble with the archive: %v", s.Trouble)
					}
					return nil
				}
				if path != in.Path {
					members++
				}
				_, _ = io.ReadFull(s, start)
				n, err := io.Copy(io.Discard, s)
				if string(start) != line || !errors.Is(err, errRatio) || n > maxHole+maxRatio*(int64(len(tt.data))+minStore)+bufferSize {
					t.Errorf("%q and %d bytes more, then %v", start, n, err)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if members != tt.members {
				t.Errorf("%d members, want %d", members, tt.members)
			}
		})
	}
}

// TestHoles: zeros are allowed for, as logs rotated by copytruncate have them.
func TestHoles(t *testing.T) {
	for name, data := range map[string][]byte{"zstd": []byte(zst(strings.Repeat("\x00", 100<<20) + line)), "tar": sparseTar(t, line, 100<<20)} {
		in := Input{Path: stored(t, "log", data), named: true}
		if err := in.Each(false, func(_ string, s *Stream) error {
			if s.Archive {
				return s.Trouble
			}
			got := make([]byte, len(line))
			_, err := io.ReadFull(s, got)
			if string(got) != line {
				t.Errorf("%s: %q", name, got)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, s)
			}
			return err
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWindows: a few bytes can ask for a window of gigabytes, again and again.
func TestWindows(t *testing.T) {
	const zstdWindow = "\x28\xb5\x2f\xfd\x00\x90\x09\x00\x00x" // 256 MiB, for one byte
	xzWindow := string(unbase64("/Td6WFoAAATm1rRGAgAhASAAAAAJiKV2AQAAeAAAAABFru+D+O4WCgABGQGlLIHMH7bzfQEAAAAABFla"))
	inTar := func(text string) []byte {
		var members []any
		for i := range 100 {
			members = append(members, tar.Header{Name: fmt.Sprint(i)}, text)
		}
		return []byte(tarOf(t, members...))
	}
	for name, tt := range map[string]struct {
		data  []byte
		reads int64
		limit uint64 // MiB
	}{
		"xz, a window of 1.5 GiB":    {unbase64("/Td6WFoAAATm1rRGAgAhASUAAAA7eHtBAQAAeAAAAABFru+D+O4WCgABGQGlLIHMH7bzfQEAAAAABFla"), 0, 8},
		"zstd, a window of 2 GiB":    {[]byte("\x28\xb5\x2f\xfd\x00\xa8\x09\x00\x00x"), 0, 8},
		"xz, 1000 streams":           {bytes.Repeat(xzipped, 1000), 1000 * int64(len(line)), 160},
		"zstd, windows of 256 MiB":   {inTar(zstdWindow), 100, 400},
		"xz, windows of 256 MiB":     {inTar(xzWindow), 100, 400},
		"zstd in zstd in an archive": {inTar(zst(zstdWindow)), 100, 800},
	} {
		var before, after runtime.MemStats
		in := Input{Path: Stdin, stdin: bytes.NewReader(tt.data)}
		var reads int64
		var failure error
		runtime.ReadMemStats(&before)
		if err := in.Each(false, func(_ string, s *Stream) error {
			n, err := io.Copy(io.Discard, s)
			reads, failure = reads+n, errors.Join(failure, err)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if reads != tt.reads || (failure == nil) != (tt.reads > 0) {
			t.Errorf("%s: %d bytes, %v", name, reads, failure)
		}
		if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > tt.limit {
			t.Errorf("%s: %d MiB were allocated", name, spent)
		}
	}
}
