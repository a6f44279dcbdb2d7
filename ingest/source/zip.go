package source

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxNested is how many archives within each other are opened.
const maxNested = 3

// maxZip bounds a zip archive that is no file of its own: its index stands at its
// end, so that it has to be in memory.
const maxZip = 256 << 20

var errZipSize = errors.New("a zip archive above 256 MiB that is compressed, in another archive or standard input: give it as a file")

// isFile reports whether a stream is a file as it is stored.
func (in *Input) isFile(s *Stream) bool { return in.Path != Stdin && len(s.Wrappers) == 0 }

// openZip opens the zip archive that a stream is.
func (in *Input) openZip(s *Stream) (archive *zip.Reader, done func(), err error) {
	if in.isFile(s) {
		file, err := zip.OpenReader(in.Path)
		if err != nil {
			return nil, nil, fmt.Errorf("the zip data is damaged: %w", err)
		}
		return &file.Reader, func() { _ = file.Close() }, nil
	}
	data, err := io.ReadAll(io.LimitReader(s.Reader, maxZip+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(data) > maxZip:
		return nil, nil, errZipSize
	}
	archive, err = zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("the zip data is damaged: %w", err)
	}
	return archive, func() {}, nil
}
