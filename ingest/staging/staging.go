// Package staging makes folders that are whole or not there: what is written goes into
// a folder beside, which takes its name when all is written.
package staging

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/knforensics/knforensics/ingest/casefolder"
)

// ErrThere is that of a destination that is there and not empty.
var ErrThere = errors.New("it is there, and not empty")

// Folder is a folder on its way.
type Folder struct{ dir, beside string }

// Create starts a folder that will be at dir.
func Create(dir string) (*Folder, error) {
	dir = filepath.Clean(dir)
	if err := vacant(dir); err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".unfinished-")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	return &Folder{dir, beside}, nil
}

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

// Dir returns where the folder will be.
func (f *Folder) Dir() string { return f.dir }

// Path returns where a file of the folder is written.
func (f *Folder) Path(name string) string { return filepath.Join(f.beside, name) }

// Finish puts the folder in its place.
func (f *Folder) Finish() error {
	if err := casefolder.AsNew(f.beside); err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	_ = os.Remove(f.dir) // an empty folder; another error tells Rename
	if err := os.Rename(f.beside, f.dir); err != nil {
		return fmt.Errorf("write %s: %w", f.dir, err)
	}
	return nil
}

// Discard removes what was written, unless it was put in its place.
func (f *Folder) Discard() { _ = os.RemoveAll(f.beside) }
