package staging

import (
	"errors"
	"os"
)

// replace puts a folder in the place of another, or of none, if expected finds
// nothing wrong with the other once it is out of the way. The other is then where
// the first was. Where the system can exchange two names in one step, there is a
// whole folder at any moment.
func replace(from, to string, expected func(old string) error) error {
	if _, err := os.Lstat(to); err != nil {
		return os.Rename(from, to) // it fails if something is there by now
	}
	if exchange(from, to) == nil {
		if err := expected(from); err != nil {
			return errors.Join(err, exchange(from, to))
		}
		return nil
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
	return os.Rename(old, from)
}

// settle has a file, or the names in a folder, outlast a power failure.
func settle(path string, flag int) error {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
