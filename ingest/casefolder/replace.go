package casefolder

import (
	"errors"
	"os"
	"path/filepath"
)

// replace puts a folder in the place of another, or of none, if expected finds
// nothing wrong with the other once it is out of the way. Where the system can
// exchange two names in one step, there is a whole case at any moment.
func replace(from, to string, expected func(old string) error) error {
	if _, err := os.Lstat(to); err != nil {
		return settle(os.Rename(from, to), to) // it fails if something is there by now
	}
	if exchange(from, to) == nil {
		if err := expected(from); err != nil {
			return errors.Join(err, exchange(from, to))
		}
		return settle(os.RemoveAll(from), to)
	}
	old := from + "-old"
	if err := os.Rename(to, old); err != nil {
		return err
	}
	err := expected(old)
	if err == nil {
		err = os.Rename(from, to)
	}
	if err != nil {
		return errors.Join(err, os.Rename(old, to))
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
