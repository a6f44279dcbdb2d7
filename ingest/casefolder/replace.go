package casefolder

import (
	"os"
	"path/filepath"
)

// replace puts a folder in the place of another, or of none. Where the system
// can exchange two names in one step, there is a whole case at any moment.
func replace(from, to string) error {
	if _, err := os.Lstat(to); err != nil {
		return settle(os.Rename(from, to), to)
	}
	if exchange(from, to) == nil {
		return settle(os.RemoveAll(from), to)
	}
	old := from + "-old"
	if err := os.Rename(to, old); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		_ = os.Rename(old, to) // the error that is told is the first
		return err
	}
	return settle(os.RemoveAll(old), to)
}

// settle has the new name outlast a power failure.
func settle(err error, path string) error {
	if err != nil {
		return err
	}
	parent, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = parent.Sync() // not every file system can
	return parent.Close()
}
