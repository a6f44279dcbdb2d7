package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gz(members ...string) string {
	var b bytes.Buffer
	for _, m := range members {
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(m))
		_ = w.Close()
	}
	return b.String()
}

func zst(frames ...string) string {
	w, _ := zstd.NewWriter(nil)
	var b []byte
	for _, f := range frames {
		b = w.EncodeAll([]byte(f), b)
	}
	return string(b)
}

// write makes files of a folder; a name that ends in a slash is a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			_ = os.MkdirAll(path, 0o700)
		} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindWalksInNameOrder(t *testing.T) {
	dir := write(t, map[string]string{"b.log": "12", "a/z.log": "1", "a/b/c.log": "", "c-1.log": "", "c.log": "", ".hidden.log": "", "e/": "", ".git/config": "x"})
	other := write(t, map[string]string{"x": ""})
	inputs, err := Find([]string{filepath.Join(other, "x"), dir + "/", Stdin, filepath.Join(dir, "b.log")}, strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range inputs {
		path := strings.TrimPrefix(strings.TrimPrefix(in.Path, dir+"/"), other+"/")
		if in.Skipped != "" {
			path += " (" + in.Skipped + ")"
		}
		if in.Named() {
			path += "!"
		}
		got = append(got, path)
	}
	want := []string{"x!", ".git (hidden folder)", ".hidden.log", "a/b/c.log", "a/z.log", "b.log", "c-1.log", "c.log", "-!", "b.log!"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if n := inputs[5].Size; n != 2 {
		t.Errorf("size of b.log is %d, want 2", n)
	}
}

func TestFindKeepsPathsAsGiven(t *testing.T) {
	dir := write(t, map[string]string{"logs/a.log": ""})
	t.Chdir(dir)
	for given, want := range map[string]string{".": "logs/a.log", "logs": "logs/a.log", "logs/": "logs/a.log", "./logs": "./logs/a.log", "logs/a.log": "logs/a.log", dir: dir + "/logs/a.log"} {
		inputs, err := Find([]string{given}, nil)
		if err != nil || len(inputs) != 1 || inputs[0].Path != want {
			t.Errorf("%s gives %+v, %v, want %s", given, inputs, err, want)
		}
	}
}

func TestFindFollowsLinksWithinTheFolder(t *testing.T) {
	outside := write(t, map[string]string{"secret.log": "x"})
	dir := write(t, map[string]string{"real.log": "123", "sub/x.log": ""})
	for name, target := range map[string]string{
		"inside": "real.log", "outside": filepath.Join(outside, "secret.log"), "up": "../" + filepath.Base(outside), "gone": "nowhere", "loop": "loop", "folder": "sub",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := Find([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, in := range inputs {
		reasons[filepath.Base(in.Path)] = in.Skipped
	}
	for name, want := range map[string]string{
		"inside": "", "real.log": "", "outside": "link that leads out of the folder", "up": "link",
		"gone": "no such file or directory", "loop": "link", "folder": "link to something that is not a file",
	} {
		if got, ok := reasons[name]; !ok || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: skipped with %q, want %q", name, got, want)
		}
		if strings.Contains(reasons[name], dir) {
			t.Errorf("%s: the reason repeats the path: %q", name, reasons[name])
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if viaLink, err := Find([]string{link}, nil); err != nil || len(viaLink) != len(inputs) {
		t.Errorf("the folder given by a link holds %d inputs, %v, want %d", len(viaLink), err, len(inputs))
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.log")
	if _, err := Find([]string{missing}, nil); err == nil || err.Error() != "open "+missing+": no such file or directory" {
		t.Errorf("a missing path: %v", err)
	}
	socket := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	inputs, err := Find([]string{dir, socket}, nil)
	if err != nil || len(inputs) != 2 {
		t.Fatalf("got %+v, %v", inputs, err)
	}
	if inputs[0].Skipped != "not a regular file" {
		t.Errorf("found in a folder: skipped with %q", inputs[0].Skipped)
	}
	if _, err := inputs[1].Open(false); err == nil || !strings.HasPrefix(err.Error(), "open "+socket+": ") {
		t.Errorf("given by name: %v", err)
	}
	closed := filepath.Join(dir, "closed.log")
	if err := os.WriteFile(closed, []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	unprivileged(t, func() {
		if _, err := (&Input{Path: closed}).Open(false); err == nil || err.Error() != "open "+closed+": permission denied" {
			t.Errorf("without permission: %v", err)
		}
	})
}

func TestOpen(t *testing.T) {
	long := strings.Repeat("kube-apiserver\n", 100_000)
	for _, tt := range []struct {
		name, stored, text, err string
		wrappers                []string
	}{
		{"plain", "a\nb", "a\nb", "", nil},
		{"empty", "", "", "", nil},
		{"gzip", gz(long), long, "", []string{"gzip"}},
		{"gzip with several members", gz("a", "", long, "b"), "a" + long + "b", "", []string{"gzip"}},
		{"zstd", zst(long), long, "", []string{"zstd"}},
		{"zstd with several frames", zst("a", long), "a" + long, "", []string{"zstd"}},
		{"gzip in zstd", zst(gz("a")), "a", "", []string{"zstd", "gzip"}},
		{"four layers", gz(gz(zst(gz("a")))), "a", "", []string{"gzip", "gzip", "zstd", "gzip"}},
		{"five layers", gz(gz(gz(gz(gz("a"))))), gz("a"), "", []string{"gzip", "gzip", "gzip", "gzip"}},
		{"nothing in gzip", gz(""), "", "", []string{"gzip"}},
		{"two bytes of gzip", "\x1f\x8b", "", "the gzip data is cut: unexpected EOF", []string{"gzip"}},
		{"no gzip after all", "\x1f\x8bxxxxxxxxxxxxxxxx", "", "the gzip data is damaged: ", []string{"gzip"}},
		{"four bytes of zstd", "\x28\xb5\x2f\xfd", "", "the zstd data is cut: unexpected EOF", []string{"zstd"}},
		{"no zstd after all", "\x28\xb5\x2f\xfdxxxxxxxxxxxxxxxxxxxxxxxxx", "", "the zstd data is damaged: ", []string{"zstd"}},
		{"gzip that is cut", gz("a\n")[:20], "a\n", "the gzip data is cut: unexpected EOF", []string{"gzip"}},
		{"gzip with a wrong checksum", gz("a\n")[:len(gz("a\n"))-8] + "xxxxyyyy", "a\n", "the gzip data is damaged: ", []string{"gzip"}},
		{"text after gzip", gz("a\n") + "and so on", "a\n", "the gzip data is ", []string{"gzip"}},
		{"zstd that is cut", zst("a\n", "b\n")[:len(zst("a\n"))+6], "a\n", "the zstd data is cut: ", []string{"zstd"}},
		{"text after zstd", zst("a\n") + "and so on and on and on", "a\n", "the zstd data is ", []string{"zstd"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(tt.stored), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, in := range []Input{{Path: path}, {Path: Stdin, stdin: strings.NewReader(tt.stored)}} {
				s, err := in.Open(true)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(s)
				if string(text) != tt.text {
					t.Errorf("read %d bytes %.20q, want %d", len(text), text, len(tt.text))
				}
				if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				if _, again := s.ReadByte(); again == nil || err != nil && again == io.EOF {
					t.Errorf("after %v: %v", err, again)
				}
				if !slices.Equal(s.Wrappers, tt.wrappers) {
					t.Errorf("wrappers %v, want %v", s.Wrappers, tt.wrappers)
				}
				checkSum(t, s, tt.stored)
				s.Close()
			}
		})
	}
}

func checkSum(t *testing.T, s *Stream, stored string) {
	t.Helper()
	want := sha256.Sum256([]byte(stored))
	if got := s.Sum(); got != hex.EncodeToString(want[:]) {
		t.Errorf("the sum %s is not that of the stored bytes", got)
	}
	if n := s.Stored(); n != int64(len(stored)) {
		t.Errorf("%d stored bytes, want %d", n, len(stored))
	}
}

func TestSumCoversWhatWasNotRead(t *testing.T) {
	plain := strings.Repeat("x", 3*bufferSize)
	for name, stored := range map[string]string{"plain": plain, "zstd": zst(plain, plain), "gzip and text after it": gz("a") + plain} {
		in := Input{Path: Stdin, stdin: strings.NewReader(stored)}
		s, err := in.Open(true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ReadByte(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkSum(t, s, stored)
		s.Close()
	}
}

// TestEndIsAskedForOnce: a terminal would wait for another end.
func TestEndIsAskedForOnce(t *testing.T) {
	r := new(endCounter)
	in := Input{Path: Stdin, stdin: r}
	s, err := in.Open(false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = s.Peek(100)
	_, _ = io.ReadAll(s)
	if sum := s.Sum(); sum != "" {
		t.Errorf("sum %q was not asked for", sum)
	}
	if *r != 1 {
		t.Errorf("the end was asked for %d times", *r)
	}
}

type endCounter int

func (c *endCounter) Read([]byte) (int, error) {
	*c++
	return 0, io.EOF
}
