package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func inZip(name string, data []byte) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	f, _ := w.Create(name)
	_, _ = f.Write(data)
	_ = w.Close()
	return buf.Bytes()
}

func inTar(name string, data []byte) []byte {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	_ = w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Typeflag: tar.TypeReg})
	_, _ = w.Write(data)
	_ = w.Close()
	return buf.Bytes()
}

func TestNestedArchives(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		want []string // by path, innermost first
	}{
		"tgz in tar": {inTar("b.tgz", zipped(string(inTar("a.log", []byte(line))))), []string{"/b.tgz/a.log [tar gzip tar] line", "/b.tgz [tar gzip] archive", " [] archive"}},
		"zip in tar": {inTar("b.zip", inZip("a.log", []byte(line))), []string{"/b.zip/a.log [tar zip] line", "/b.zip [tar] archive", " [] archive"}},
		"zip in zip": {inZip("b.zip", inZip("a.log", []byte(line))), []string{"/b.zip/a.log [zip zip] line", "/b.zip [zip] archive", " [] archive"}},
		"zip in gz":  {zipped(string(inZip("a.log", []byte(line)))), []string{"/a.log [gzip zip] line", " [gzip] archive"}},
		"damaged":    {inTar("b.zip", inZip("a.log", []byte(line))[:60]), []string{"/b.zip [tar] archive: the zip data is damaged: zip: not a valid zip file", " [] archive"}},
		"too deep":   {inTar("1", inTar("2", inTar("3", inTar("4", []byte(line))))), []string{"/1/2/3 [tar tar tar] other", "/1/2 [tar tar] archive", "/1 [tar] archive", " [] archive"}},
	} {
		path := stored(t, "x", tt.data)
		var got []string
		in := Input{Path: path, named: true}
		err := in.Each(false, func(p string, s *Stream) error {
			what := "archive"
			if !s.Archive {
				data, _ := io.ReadAll(s)
				if what = "other"; string(data) == line {
					what = "line"
				}
			}
			if s.Trouble != nil {
				what += ": " + s.Trouble.Error()
			}
			got = append(got, fmt.Sprintf("%s %v %s", filepath.ToSlash(strings.TrimPrefix(p, path)), s.Wrappers, what))
			return nil
		})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, tt.want)
		}
	}
}

// TestKept: standard input that was put into a file is read from its start, each
// time, be it a zip archive.
func TestKept(t *testing.T) {
	f, err := os.Open(stored(t, "x", inZip("a.log", []byte(line))))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	inputs, err := Find([]string{Stdin}, Kept{f})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []string
		err := inputs[0].Each(true, func(path string, s *Stream) error {
			got = append(got, path)
			return nil
		})
		if err != nil || !slices.Equal(got, []string{"-/a.log", "-"}) {
			t.Errorf("%q %v", got, err)
		}
	}
}
