package source

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// FuzzOpen unpacks any bytes, as a file and as standard input.
func FuzzOpen(f *testing.F) {
	tarred := tarOf(f, tar.Header{Name: "../a.log"}, line, tar.Header{Name: "a.log"}, string(zipped(line)), tar.Header{Name: "a.log"}, zst(line), tar.Header{Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, "")
	for _, data := range []string{
		"", line, "\x00\x00" + line, "\xef\xbb\xbf" + line, "\xff\xfea\x00\xe9\x00\n\x00", "\xfe\xff\x00a\x00\n",
		gz(line, line), gz(line)[:30], zst(line, "x"), zst(gz(line)), string(bzipped), string(xzipped), string(xzipped) + string(xzipped), gz(gz(gz(gz(gz("a"))))),
		tarred, gz(tarred), tarred[:1600], string(sparseTar(f, line, 8<<10)), string(sparseTar(f, "\x00"+line, 1<<40)),
		string(zipOf([]byte(line), zipped(line), []byte("\xff\xfea\x00"))), string(zipOf(zipOf(nil))), zst(strings.Repeat("x", 1<<20)), gz("\xff\xfe\x3d\xd8\x00\xde"),
	} {
		f.Add([]byte(data))
	}
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.BoundedBy(t, len(data), func() int64 {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			file := streams(t, Input{Path: path, named: true}, data)
			checkMembers(t, path, file)
			checkPlain(t, data, file)
			stdin := streams(t, Input{Path: Stdin, stdin: iotest.HalfReader(bytes.NewReader(data))}, data)
			packed := gzipOf(data)
			again := streams(t, Input{Path: Stdin, stdin: bytes.NewReader(packed)}, packed)
			if !isZip([]byte(stdin[0].text)) { // that has to be a plain file
				checkSame(t, file, stdin, path, nil)
				checkSame(t, file, again, path, []string{"gzip"})
			}
			checkUTF16(t, data)
			return cost(file) + cost(stdin) + cost(again)
		})
	})
}

// opened is what came out of a stream.
type opened struct {
	path     string
	wrappers []string
	archive  bool
	text     string // up to 1 MiB
	size     int64  // up to 64 MiB
	err      string
}

// streams reads all that an input unpacks to, and holds its size against what is
// stored.
func streams(t *testing.T, in Input, data []byte) (list []opened) {
	t.Helper()
	var total int64
	err := in.Each(true, func(path string, s *Stream) error {
		o := opened{path: path, wrappers: s.Wrappers, archive: s.Archive}
		if !s.Archive {
			text, err := io.ReadAll(io.LimitReader(s, 1<<20))
			if err == nil {
				o.size, err = io.CopyN(io.Discard, s, 64<<20)
			}
			o.text, o.size = string(text), o.size+int64(len(text))
			if err != nil && err != io.EOF {
				o.err = err.Error()
			}
			total += o.size
		} else if s.Trouble != nil {
			o.err = s.Trouble.Error()
		}
		if path == in.Path {
			if sum := sha256.Sum256(data); s.Sum() != hex.EncodeToString(sum[:]) || s.Stored() != int64(len(data)) {
				t.Fatalf("sum and size are not those of what is stored")
			}
		}
		list = append(list, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if limit := maxHole + maxRatio*int64(len(data)+minStore) + bufferSize; total > limit {
		t.Fatalf("%d bytes came out of %d", total, len(data))
	}
	if last := list[len(list)-1]; last.path != in.Path || len(list) > 1 && !last.archive {
		t.Fatalf("the input itself is not the last of %+v", list)
	}
	return list
}

// cost is what may be allocated to read streams: windows, buffers, and what the
// test keeps.
func cost(list []opened) (bytes int64) {
	for _, o := range list {
		bytes += int64(len(o.wrappers)+2)*(maxWindow*5/4+8*bufferSize) + 16*int64(len(o.text)) + o.size
	}
	return bytes
}

// checkMembers: no two members have one path, and none leads out of the archive.
func checkMembers(t *testing.T, archive string, list []opened) {
	t.Helper()
	seen := map[string]bool{}
	for _, o := range list[:len(list)-1] {
		name, ok := strings.CutPrefix(o.path, archive+"/")
		if !ok || seen[name] || name != "" && !filepath.IsLocal(name) || strings.Contains(name, `\`) {
			t.Fatalf("a member has the path %q", o.path)
		}
		seen[name] = true
	}
}

// checkPlain: what is neither packed nor encoded is as it was stored, but for
// zeros and a mark at its start.
func checkPlain(t *testing.T, data []byte, list []opened) {
	t.Helper()
	text := bytes.TrimLeft(data, "\x00")
	if len(list) > 1 || len(list[0].wrappers) > 0 || list[0].archive || bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return
	}
	if want := string(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))); list[0].text != want || list[0].err != "" {
		t.Fatalf("got %q, %s, want %q", list[0].text, list[0].err, want)
	}
}

// checkSame: standard input, or a compression more, makes no difference.
func checkSame(t *testing.T, file, other []opened, path string, wrappers []string) {
	t.Helper()
	for _, o := range append(file, other...) {
		if strings.HasSuffix(o.err, errRatio.Error()) || len(o.wrappers)+len(wrappers) > maxLayers {
			return
		}
	}
	if len(file) != len(other) {
		t.Fatalf("%d streams, and %d", len(file), len(other))
	}
	for i, want := range file {
		got := other[i]
		want.path = Stdin + strings.TrimPrefix(want.path, path)
		want.wrappers = append(slices.Clone(wrappers), want.wrappers...)
		if len(got.wrappers) == 0 {
			got.wrappers = want.wrappers[:0]
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

// checkUTF16 encodes a text, and holds what is read of it against the text.
func checkUTF16(t *testing.T, data []byte) {
	t.Helper()
	if !utf8.Valid(data) || len(data) > bufferSize {
		return
	}
	units := utf16.Encode([]rune("\ufeff" + string(data)))
	for _, order := range [][2]int{{0, 8}, {8, 0}} {
		var encoded []byte
		for _, u := range units {
			encoded = append(encoded, byte(u>>order[0]), byte(u>>order[1]))
		}
		s, err := (&Input{Path: Stdin, stdin: bytes.NewReader(encoded)}).Open(false)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(s); err != nil || string(got) != string(data) {
			t.Fatalf("got %q, %v, want %q", got, err, data)
		}
	}
}

var packer, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // a megabyte each

func gzipOf(data []byte) []byte {
	var buf bytes.Buffer
	packer.Reset(&buf)
	_, _ = packer.Write(data)
	_ = packer.Close()
	return buf.Bytes()
}

// tarOf makes an archive of headers and texts in turn.
func tarOf(tb testing.TB, members ...any) string {
	tb.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := 0; i < len(members); i += 2 {
		header, text := members[i].(tar.Header), members[i+1].(string)
		header.Size = int64(len(text))
		if err := w.WriteHeader(&header); err != nil {
			tb.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
	}
	_ = w.Close()
	return buf.String()
}
