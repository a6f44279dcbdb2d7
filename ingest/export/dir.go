package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/knforensics/knforensics/ingest/staging"
)

// ErrThere is that of a destination that is there and not empty.
var ErrThere = errors.New("it is there, and not empty")

// Dir is a folder on its way, which takes the place of nothing but an empty one.
type Dir struct {
	*staging.Folder
	path string
}

// NewDir starts a folder that will be at path.
func NewDir(path string) (*Dir, error) {
	d := &Dir{path: filepath.Clean(path)}
	err := vacant(d.path)
	if err == nil {
		d.Folder, err = staging.New(d.path)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", d.path, err)
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

// Place puts the folder in its place.
func (d *Dir) Place() error {
	if err := d.Folder.Place(vacant); err != nil {
		return fmt.Errorf("write %s: %w", d.path, err)
	}
	return nil
}
