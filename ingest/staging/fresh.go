package staging

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrThere is that of a destination that is there and not empty.
var ErrThere = errors.New("it is there, and not empty")

// Fresh is a Folder that takes the place of nothing but an empty one.
type Fresh struct{ *Folder }

// NewFresh starts a folder that will be at dir.
func NewFresh(dir string) (*Fresh, error) {
	dir = filepath.Clean(dir)
	err := vacant(dir)
	var f *Folder
	if err == nil {
		f, err = New(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	return &Fresh{f}, nil
}

// Dir returns where the folder will be.
func (f *Fresh) Dir() string { return f.dir }

func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && len(entries) > 0:
		return ErrThere
	}
	return err
}

// Place puts the folder in its place.
func (f *Fresh) Place() error {
	if err := f.Folder.Place(vacant); err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	return nil
}
