package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/knforensics/knforensics/ingest/casefolder"
)

// ErrThere is that of a destination that is there and not empty.
var ErrThere = errors.New("it is there, and not empty")

// Dir is a folder on its way. It is written beside its place, which it takes when all
// is written.
type Dir struct{ path, staging string }

// NewDir starts a folder that will be at path.
func NewDir(path string) (*Dir, error) {
	path = filepath.Clean(path)
	err := vacant(path)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	d := &Dir{path: path}
	if d.staging, err = os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".unfinished-"); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return d, nil
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

// Create makes a file of the folder.
func (d *Dir) Create(name string) (*os.File, error) { return os.Create(filepath.Join(d.staging, name)) }

// Place puts the folder in its place.
func (d *Dir) Place() error {
	if err := casefolder.AsNew(d.staging); err != nil {
		return fmt.Errorf("write %s: %w", d.path, err)
	}
	_ = os.Remove(d.path) // an empty folder; another error tells Rename
	if err := os.Rename(d.staging, d.path); err != nil {
		return fmt.Errorf("write %s: %w", d.path, err)
	}
	return nil
}

// Discard removes what was written, unless it was put in its place.
func (d *Dir) Discard() { _ = os.RemoveAll(d.staging) }
