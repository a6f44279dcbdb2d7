// Package unnamed makes files for what does not fit into memory. They have no name, so
// that nothing is left of them however the program ends.
package unnamed

import (
	"cmp"
	"os"
)

// File is a file in the folder for temporary files. It is gone once it is closed.
type File struct {
	*os.File
	named bool // it could not be removed while it is open
}

// Create makes an empty file. Where an open file cannot be removed, it has a name until
// it is closed.
func Create() (*File, error) {
	f, err := os.CreateTemp("", "knforensics-")
	if err != nil {
		return nil, err
	}
	return &File{f, os.Remove(f.Name()) != nil}, nil
}

// Close closes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named {
		err = cmp.Or(err, os.Remove(f.Name()))
	}
	return err
}
