// Package staging makes folders that are there whole or not at all. A folder is
// written beside its place, under a name that starts with a dot, and takes its
// name when all is written.
package staging

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Folder is a folder on its way. What it is written by and what ends it may be two
// goroutines.
type Folder struct {
	dir, path string
	mu        sync.Mutex
	files     []string // what was created, not yet sure to outlast a power failure
	over      bool     // it is in its place, or was discarded
}

var errOver = errors.New("the folder was put in its place or discarded before")

// New starts a folder that will be at dir.
func New(dir string) (*Folder, error) {
	path, err := os.MkdirTemp(filepath.Dir(dir), prefix(dir))
	return &Folder{dir: dir, path: filepath.Clean(path)}, err
}

func prefix(dir string) string { return "." + filepath.Base(dir) + ".unfinished-" }

// Path returns where the folder is as long as it is on its way.
func (f *Folder) Path() string { return f.path }

// Create makes a file by its path within the folder, with slashes, and the folders
// that lead to it.
func (f *Folder) Create(name string) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return nil, errOver
	}
	full := filepath.Join(f.path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return nil, err
	}
	f.files = append(f.files, full)
	return os.Create(full)
}

// Remove removes a file that was created.
func (f *Folder) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return errOver
	}
	full := filepath.Join(f.path, filepath.FromSlash(name))
	f.files = slices.DeleteFunc(f.files, func(path string) bool { return path == full })
	return os.Remove(full)
}

// Leftovers returns the folders that others who write to the same place have beside
// it: who is killed cannot remove his.
func (f *Folder) Leftovers() (paths []string) {
	parent := filepath.Dir(f.dir)
	entries, _ := os.ReadDir(parent) // it was just written to
	for _, e := range entries {
		if path := filepath.Join(parent, e.Name()); strings.HasPrefix(e.Name(), prefix(f.dir)) && path != f.path {
			paths = append(paths, path)
		}
	}
	return paths
}

// Place puts the folder in its place. If there is another, expected has to find
// nothing wrong with it once it is out of the way; then it is removed.
func (f *Folder) Place(expected func(old string) error) error {
	for _, path := range f.files {
		if err := f.settle(path); err != nil {
			return err
		}
	}
	if err := f.take(expected); err != nil {
		return err
	}
	_ = settle(filepath.Dir(f.dir), os.O_RDONLY) // not every file system can
	return os.RemoveAll(f.path)
}

// settle has a file outlast a power failure. This is done when all is written: what
// no disk has yet is soon removed.
func (f *Folder) settle(path string) error {
	f.mu.Lock()
	over := f.over
	f.mu.Unlock()
	if over {
		return errOver
	}
	return settle(path, os.O_RDWR)
}

func (f *Folder) take(expected func(old string) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return errOver
	}
	if err := f.setMode(); err != nil {
		return err
	}
	err := replace(f.path, f.dir, expected)
	f.over = err == nil
	return err
}

// setMode gives the folder the mode of the one that it replaces, or that which a
// new folder has.
func (f *Folder) setMode() error {
	info, err := os.Stat(f.dir)
	if err != nil {
		info, err = f.newMode()
	}
	if err != nil {
		return err
	}
	return os.Chmod(f.path, info.Mode().Perm())
}

// newMode tells the mode that a new folder has, which is less what umask takes.
func (f *Folder) newMode() (os.FileInfo, error) {
	like := filepath.Join(f.path, "like")
	if err := os.Mkdir(like, 0o777); err != nil { //nolint:gosec // see above
		return nil, err
	}
	info, err := os.Stat(like)
	return info, errors.Join(err, os.Remove(like))
}

// Discard removes what was written, unless it is in its place, and what was there
// before, if it is. Nothing can be added then.
func (f *Folder) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	_ = os.RemoveAll(f.path)
}
