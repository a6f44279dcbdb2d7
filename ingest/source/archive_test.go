package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const line = `{"severity":"INFO","timestamp":"2026-03-02T09:00:01Z","message":"hello"}` + "\n"

// line as bzip2 and xz pack it.
var (
	bzipped = unbase64("QlpoOTFBWSZTWXH+/UoAACPfgAAQEAZ5MAEhhBAi5t0qIABIamiNBoNqD1DQeUKT001PUYgDBDNRjnjRd4C5i8kJnEHmEMWE6onu1ekESKfLTtlFfssUmgoTDaZAoAJhoP4u5IpwoSDj/fqU")
	xzipped = unbase64("/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQBIeyJzZXZlcml0eSI6IklORk8iLCJ0aW1lc3RhbXAiOiIyMDI2LTAzLTAyVDA5OjAwOjAxWiIsIm1lc3NhZ2UiOiJoZWxsbyJ9CgAAAADkIatFeKRUCgABYUn5FmBTH7bzfQEAAAAABFla")
)

func unbase64(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func zipped(text string) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return buf.Bytes()
}

// each lists the streams of a file: path, wrappers and text.
func each(t *testing.T, path string) (list []string) {
	t.Helper()
	in := Input{Path: path, named: true}
	err := in.Each(false, func(path string, s *Stream) error {
		text := "archive"
		if !s.Archive {
			data, err := io.ReadAll(s)
			if err != nil {
				text = "error"
			} else {
				text = string(data)
			}
		}
		list = append(list, fmt.Sprintf("%s %v %q %v", filepath.ToSlash(path), s.Wrappers, text, s.Trouble))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func stored(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompressions(t *testing.T) {
	for name, data := range map[string][]byte{"bzip2": bzipped, "xz": xzipped, "gzip": zipped(line)} {
		path := stored(t, "log", data)
		if got := each(t, path); len(got) != 1 || got[0] != fmt.Sprintf("%s [%s] %q <nil>", filepath.ToSlash(path), name, line) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	utf16 := []byte("\xff\xfea\x00\xe9\x00\n\x00")
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"mark":        {[]byte("\xef\xbb\xbfabc\n"), "abc\n"},
		"UTF-16":      {utf16, "aé\n"},
		"big endian":  {[]byte("\xfe\xff\x00a\x00\n"), "a\n"},
		"a hole":      {append(make([]byte, 100_000), "abc\n"...), "abc\n"},
		"only a hole": {make([]byte, 5000), ""},
		"plain":       {[]byte("abc\n"), "abc\n"},
		"empty":       {nil, ""},
	} {
		path := stored(t, "log", tt.data)
		if got := each(t, path); len(got) != 1 || !strings.Contains(got[0], fmt.Sprintf("%q", tt.want)) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestArchives(t *testing.T) {
	var tarred bytes.Buffer
	tw := tar.NewWriter(&tarred)
	add := func(header tar.Header, text string) {
		header.Size = int64(len(text))
		if err := tw.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		_, _ = tw.Write([]byte(text))
	}
	add(tar.Header{Name: "logs/", Typeflag: tar.TypeDir}, "")
	add(tar.Header{Name: "../../etc/a.log", Typeflag: tar.TypeReg}, line)
	add(tar.Header{Name: "logs/b.log.gz", Typeflag: tar.TypeReg}, string(zipped(line)))
	add(tar.Header{Name: "etc/a.log", Typeflag: tar.TypeReg}, line)
	add(tar.Header{Name: "logs/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, "")
	_ = tw.Close()
	var z bytes.Buffer
	zw := zip.NewWriter(&z)
	f, err := zw.Create(`..\..\c.log`)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte(line))
	_ = zw.Close()
	for name, tt := range map[string]struct {
		data []byte
		want []string
	}{
		"tar": {tarred.Bytes(), []string{`/etc/a.log [tar] %q <nil>`, `/logs/b.log.gz [tar gzip] %q <nil>`, `/etc/a.log#2 [tar] %q <nil>`}},
		"tgz": {zipped(tarred.String()), []string{`/etc/a.log [gzip tar] %q <nil>`, `/logs/b.log.gz [gzip tar gzip] %q <nil>`, `/etc/a.log#2 [gzip tar] %q <nil>`}},
		"zip": {z.Bytes(), []string{`/c.log [zip] %q <nil>`}},
	} {
		path := filepath.ToSlash(stored(t, "x."+name, tt.data))
		got := each(t, path)
		if len(got) != len(tt.want)+1 || !strings.Contains(got[len(got)-1], "archive") {
			t.Fatalf("%s: %q", name, got)
		}
		for i, want := range tt.want {
			if got[i] != path+fmt.Sprintf(want, line) {
				t.Errorf("%s: got %s, want %s", name, got[i], path+fmt.Sprintf(want, line))
			}
		}
	}
	cut := stored(t, "cut.tar", tarred.Bytes()[:1600])
	if got := each(t, cut); !strings.Contains(got[len(got)-1], "the tar data is damaged") {
		t.Errorf("cut: %q", got)
	}
}
