package source

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxNested is how many archives within each other are opened.
const maxNested = 3

// maxZip bounds a zip archive that is no file of its own: its index stands at its
// end, so that it has to be in memory.
const maxZip = 256 << 20

var errZipSize = errors.New("a zip archive above 256 MiB that is compressed, in another archive or standard input: give it as a file")

// isFile reports whether a stream is a file as it is stored.
func (in *Input) isFile(s *Stream) bool {
	return in.Path != Stdin && len(s.Wrappers) == 0 && !s.passed
}

// openZip opens the zip archive that a stream is: its file, or what is in memory of
// it.
func (in *Input) openZip(s *Stream) (archive *zip.Reader, done func(), err error) {
	done = func() {}
	if !in.isFile(s) {
		data, err := io.ReadAll(io.LimitReader(s.Reader, maxZip+1))
		switch {
		case err != nil:
			return nil, done, err
		case len(data) > maxZip:
			return nil, done, errZipSize
		}
		archive, err = zipReader(bytes.NewReader(data), int64(len(data)))
		return archive, done, err
	}
	file, err := os.Open(in.Path)
	if err != nil {
		return nil, done, reason(err)
	}
	info, err := file.Stat()
	if err == nil {
		archive, err = zipReader(file, info.Size())
	}
	return archive, func() { _ = file.Close() }, err
}

// zipReader reads a zip archive, whose index may name places outside of it.
func zipReader(r io.ReaderAt, size int64) (*zip.Reader, error) {
	archive, err := zip.NewReader(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil, fmt.Errorf("the zip data is damaged: %w", err)
	}
	return archive, nil
}
