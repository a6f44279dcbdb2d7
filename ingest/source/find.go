// Package source finds the inputs a user named and opens them as plain bytes:
// files, folders (walked in name order) and standard input, whatever
// compression they are in.
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/knforensics/knforensics/ingest/casefolder"
)

// Stdin is the name under which standard input is given and reported.
const Stdin = "-"

// Kept is standard input that was put into a file, and can be read again.
type Kept struct{ *os.File }

// Input is one stream of bytes: a file, or standard input.
type Input struct {
	Path    string // as given, or as found below a folder that was given
	Size    int64  // bytes as stored, 0 if unknown
	Skipped string // why it is not read, empty if it is
	Case    bool   // it is a case folder
	named   bool   // given by name, not found in a folder
	waits   bool   // no regular file
	stdin   io.Reader
}

// Find expands paths into inputs, in the order given; a folder stands for the
// files below it, in name order, unless it is a case. Links found in a folder are followed to files
// inside it only. A path that does not exist is an error.
func Find(paths []string, stdin io.Reader) ([]Input, error) {
	var inputs []Input
	for _, path := range paths {
		if path == Stdin {
			inputs = append(inputs, Input{Path: Stdin, named: true, waits: true, stdin: stdin})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, reason(err))
		}
		if !info.IsDir() {
			inputs = append(inputs, Input{Path: path, Size: info.Size(), named: true, waits: !info.Mode().IsRegular()})
			continue
		}
		if casefolder.Is(path) {
			inputs = append(inputs, Input{Path: path, Case: true, named: true})
			continue
		}
		found, err := walk(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

func walk(root string) (inputs []Input, err error) {
	prefix := strings.TrimSuffix(root, string(filepath.Separator)) + string(filepath.Separator)
	if root == "." {
		prefix = ""
	}
	err = fs.WalkDir(os.DirFS(root), ".", func(rel string, entry fs.DirEntry, err error) error {
		path := prefix + filepath.FromSlash(rel)
		switch {
		case err != nil && rel == ".":
			return fmt.Errorf("open %s: %w", root, reason(err))
		case err != nil:
			inputs = append(inputs, Input{Path: path, Skipped: reason(err).Error()})
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir():
			if rel != "." && strings.HasPrefix(entry.Name(), ".") {
				inputs = append(inputs, Input{Path: path, Skipped: "hidden folder"})
				return fs.SkipDir
			}
			if rel != "." && casefolder.Is(path) {
				inputs = append(inputs, Input{Path: path, Case: true})
				return fs.SkipDir
			}
		case entry.Type().IsRegular():
			in := Input{Path: path}
			if info, err := entry.Info(); err == nil {
				in.Size = info.Size()
			}
			inputs = append(inputs, in)
		case entry.Type()&fs.ModeSymlink != 0:
			inputs = append(inputs, link(root, path))
		default:
			inputs = append(inputs, Input{Path: path, Skipped: "not a regular file"})
		}
		return nil
	})
	return inputs, err
}

func link(root, path string) Input {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Input{Path: path, Skipped: reason(err).Error()}
	}
	base, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Input{Path: path, Skipped: reason(err).Error()}
	}
	if rel, err := filepath.Rel(base, target); err != nil || !filepath.IsLocal(rel) {
		return Input{Path: path, Skipped: "link that leads out of the folder"}
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return Input{Path: path, Skipped: reason(err).Error()}
	case !info.Mode().IsRegular():
		return Input{Path: path, Skipped: "link to something that is not a file"}
	}
	return Input{Path: path, Size: info.Size()}
}

// reason cuts the operation and the path off an error of the os package: the
// caller says both.
func reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
