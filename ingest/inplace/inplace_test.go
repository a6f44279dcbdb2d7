package inplace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/knforensics/knforensics/ingest/linemarks"
)

// open stores data and opens it, to be mapped or to be read, in chunks of a page.
func open(tb testing.TB, data []byte, read bool) *File {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "audit.log")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	if read && f.mapped != nil {
		if err := unmap(f.mapped); err != nil {
			tb.Fatal(err)
		}
		f.mapped = nil
	}
	f.chunk = int64(os.Getpagesize())
	tb.Cleanup(func() { _ = f.Close() })
	return f
}

// both runs a test on a file that is mapped and on one that is read.
func both(t *testing.T, data []byte, test func(*testing.T, *File)) {
	t.Helper()
	for name, read := range map[string]bool{"mapped": false, "read": true} {
		t.Run(name, func(t *testing.T) { test(t, open(t, data, read)) })
	}
}

// text is what is yielded of a file between two offsets, checked to be whole
// lines in their places.
func text(t *testing.T, f *File, data []byte, from, to int64) string {
	t.Helper()
	var all strings.Builder
	next := int64(-1)
	err := f.Each(from, to, func(w Window) error {
		end := w.Offset + int64(len(w.Data)) + w.Long
		switch {
		case next >= 0 && w.Offset != next:
			t.Errorf("a window at %d, after one that ends at %d", w.Offset, next)
		case w.Offset > 0 && data[w.Offset-1] != '\n' || end < int64(len(data)) && data[end-1] != '\n':
			t.Errorf("a window from %d to %d is not of whole lines", w.Offset, end)
		case w.Long > 0 && (len(w.Data) > 0 || w.Long <= f.limit):
			t.Errorf("a line of %d bytes is too long, with %d bytes of data", w.Long, len(w.Data))
		case w.Long == 0 && len(w.Data) == 0:
			t.Errorf("an empty window at %d", w.Offset)
		}
		all.Write(w.Data)
		next = end
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all.String()
}

// lines are lines of 1 to 3 pages and more, the last of them without an end.
func lines() []byte {
	var buf bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&buf, "%d %s\n", i, strings.Repeat("x", i*i%1500))
	}
	return append(buf.Bytes(), strings.Repeat("y", 20_000)+"\n\nz"...)
}

func TestEach(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("\n"), []byte("a"), bytes.Repeat([]byte("a"), 10_000), bytes.Repeat([]byte("\n"), 8192), lines(), lines()[:4096]} {
		both(t, data, func(t *testing.T, f *File) {
			if f.Size() != int64(len(data)) {
				t.Errorf("%d bytes, want %d", f.Size(), len(data))
			}
			if got := text(t, f, data, 0, f.Size()); got != string(data) {
				t.Errorf("got %d bytes, want %d", len(got), len(data))
			}
		})
	}
}

// TestParts: a file that is divided anywhere is read once.
func TestParts(t *testing.T) {
	both(t, []byte("a\nbb\nc\n"), func(t *testing.T, f *File) {
		if got := text(t, f, []byte("a\nbb\nc\n"), 2, 5); got != "bb\n" {
			t.Errorf("%q starts from 2 on up to 5", got)
		}
	})
	data := lines()
	both(t, data, func(t *testing.T, f *File) {
		for _, size := range []int64{1 << 10, 4096, 10_007, 1 << 20} {
			var parts []string
			for from := int64(0); from < f.Size(); from += size {
				parts = append(parts, text(t, f, data, from, from+size))
			}
			if strings.Join(parts, "") != string(data) {
				t.Errorf("%d parts are not the whole", len(parts))
			}
		}
		for at := range 200 {
			if got := text(t, f, data, 0, int64(at)) + text(t, f, data, int64(at), f.Size()); got != string(data) {
				t.Errorf("divided at %d, it is not the whole", at)
			}
		}
	})
}

func TestSeveralAtOnce(t *testing.T) {
	data := lines()
	both(t, data, func(t *testing.T, f *File) {
		parts := make([]string, 8)
		var all sync.WaitGroup
		for i := range parts {
			all.Go(func() {
				size := f.Size()/int64(len(parts)) + 1
				parts[i] = text(t, f, data, int64(i)*size, int64(i+1)*size)
			})
		}
		all.Wait()
		if strings.Join(parts, "") != string(data) {
			t.Error("the parts are not the whole")
		}
	})
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 20_001) + "\n"
	for _, tt := range []struct{ data, want string }{
		{"a\n" + long + "b\n", "a\nb\n"},
		{long + long + "b", "b"},
		{long[1:] + long[2:], long[1:] + long[2:]},
		{"a\n" + long[:20_001], "a\n"},
		{"a\n" + long[:20_000], "a\n" + long[:20_000]},
	} {
		both(t, []byte(tt.data), func(t *testing.T, f *File) {
			f.limit = 20_000
			if got := text(t, f, []byte(tt.data), 0, f.Size()); got != tt.want {
				t.Errorf("got %d bytes, want %d", len(got), len(tt.want))
			}
		})
	}
}

// TestCut: a file that becomes shorter while it is read does not end the
// process, whoever looks at what is lost.
func TestCut(t *testing.T) {
	finder, err := linemarks.New(nil, "name")
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("no such thing\n"), 100_000)
	for name, look := range map[string]func([]byte){
		"lines":    func([]byte) {},
		"Go":       func(data []byte) { bytes.Clone(data) },
		"assembly": func(data []byte) { finder.Marks(make([]linemarks.Mark, len(data)), data, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			both(t, data, func(t *testing.T, f *File) {
				f.chunk = 64 << 10
				windows := 0
				err := f.Each(0, f.Size(), func(w Window) error {
					if windows++; windows == 2 {
						if err := os.Truncate(f.file.Name(), w.Offset+100); err != nil {
							t.Error(err)
						}
					}
					look(w.Data)
					return nil
				})
				if !errors.Is(err, ErrCut) || windows != 2 || !strings.Contains(err.Error(), "audit.log from byte ") {
					t.Errorf("%v, after %d windows", err, windows)
				}
				if debug.SetPanicOnFault(false) {
					t.Error("faults still panic")
				}
			})
		})
	}
}

// TestCutAtTheEnd: what is lost of the last page cannot be seen but by the size
// of the file.
func TestCutAtTheEnd(t *testing.T) {
	both(t, []byte("a\nb\n"), func(t *testing.T, f *File) {
		err := f.Each(0, f.Size(), func(Window) error { return os.Truncate(f.file.Name(), 2) })
		if !errors.Is(err, ErrCut) {
			t.Errorf("%v, want that the file was cut", err)
		}
	})
}

func TestGrown(t *testing.T) {
	both(t, []byte("a\nb"), func(t *testing.T, f *File) {
		if err := os.WriteFile(f.file.Name(), []byte("a\nb and more\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := text(t, f, []byte("a\nb"), 0, f.Size()); got != "a\nb" {
			t.Errorf("got %q", got)
		}
	})
}

// TestErrors: what fn says or does is not taken for something else.
func TestErrors(t *testing.T) {
	full := errors.New("enough")
	both(t, lines(), func(t *testing.T, f *File) {
		if err := f.Each(0, f.Size(), func(Window) error { return full }); err != full {
			t.Errorf("%v, want what fn returned", err)
		}
		defer func() {
			if p := recover(); p != "a bug" {
				t.Errorf("recovered %v", p)
			}
		}()
		_ = f.Each(0, f.Size(), func(Window) error { panic("a bug") })
	})
}

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{folder: "not a regular file", filepath.Join(folder, "none"): "no such file"} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func FuzzEach(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), uint16(3), uint16(5), uint16(0))
	f.Add(bytes.Repeat([]byte("0123456789\n"), 100), uint16(30), uint16(500), uint16(10))
	f.Add(bytes.Repeat([]byte("0123456789abcdef"), 100), uint16(100), uint16(0), uint16(900))
	f.Fuzz(func(t *testing.T, data []byte, chunk, at, limit uint16) {
		for _, read := range []bool{false, true} {
			file := open(t, data, read)
			file.chunk, file.limit = 1+int64(chunk), 1+int64(limit) // what is no whole page is not given back
			var want strings.Builder
			for line := range bytes.Lines(data) {
				if len(bytes.TrimSuffix(line, []byte("\n"))) <= int(file.limit) {
					want.Write(line)
				}
			}
			if got := text(t, file, data, 0, int64(at)) + text(t, file, data, int64(at), file.Size()); got != want.String() {
				t.Errorf("got %d bytes, want %d", len(got), want.Len())
			}
		}
	})
}

func BenchmarkEach(b *testing.B) {
	data := bytes.Repeat([]byte(strings.Repeat("x", 2000)+"\n"), 16<<20/2001)
	for name, read := range map[string]bool{"mapped": false, "read": true} {
		b.Run(name, func(b *testing.B) {
			f := open(b, data, read)
			f.chunk = chunk
			b.SetBytes(f.Size())
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Each(0, f.Size(), func(w Window) error {
					bytes.Count(w.Data, []byte{'\n'})
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
