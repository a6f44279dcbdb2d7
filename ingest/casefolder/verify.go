package casefolder

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// Report is what Verify found.
type Report struct {
	Unchanged bool     // nothing that is there differs
	Lines     []string // for people, one for each thing found
}

func (r *Report) differs(format string, args ...any) {
	r.Unchanged = false
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}

// Verify holds the files of a case against its manifest, and the inputs it was
// made of against what they were: those at paths, which can have other names by
// now, or else those that are still where they were read. What only the
// manifest could tell, its own hash tells; it is in the report.
func Verify(dir string, paths []string) (*Report, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	r := &Report{Unchanged: true}
	if err := r.tables(dir, m); err != nil {
		return nil, fmt.Errorf("verify case %s: %w", dir, err)
	}
	if len(paths) > 0 {
		r.named(m, paths)
	} else {
		r.recorded(m)
	}
	sum, err := Sum(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, fmt.Errorf("verify case %s: %w", dir, err)
	}
	r.Lines = append(r.Lines, "manifest: sha256 "+sum)
	return r, nil
}

func (r *Report) tables(dir string, m *Manifest) error {
	files := m.files()
	changed := 0
	for _, f := range files {
		sum, err := Sum(filepath.Join(dir, filepath.FromSlash(f.Path)))
		switch {
		case err != nil:
			r.differs("%s", err)
		case sum != f.SHA256:
			r.differs("%s: changed", f.Path)
		default:
			continue
		}
		changed++
	}
	foreign, err := m.foreign(dir)
	for _, path := range foreign {
		r.differs("%s: not of the case", path)
	}
	r.Lines = append(r.Lines, fmt.Sprintf("tables: %d of %d files unchanged", len(files)-changed, len(files)))
	return err
}

// foreign returns what is in a folder of a case and not of the case.
func (m *Manifest) foreign(dir string) (paths []string, err error) {
	known := map[string]bool{".": true, manifestName: true, checkName: true}
	for _, f := range m.files() {
		known[f.Path], known[path.Dir(f.Path)] = true, true
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !known[path] {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}

// recorded looks for the inputs where they were read.
func (r *Report) recorded(m *Manifest) {
	same, absent, all := 0, 0, 0
	for _, f := range m.Coverage.Files {
		if f.SHA256 == "" {
			continue // in an archive, or not read
		}
		all++
		sum, err := Sum(f.Path)
		switch {
		case err != nil:
			absent++
		case sum != f.SHA256:
			r.differs("%s: changed", f.Path)
		default:
			same++
		}
	}
	line := fmt.Sprintf("inputs: %d of %d unchanged", same, all)
	if absent > 0 {
		line += fmt.Sprintf(", %d not here to compare", absent)
	}
	r.Lines = append(r.Lines, line)
}

// named looks for the inputs among the files at paths.
func (r *Report) named(m *Manifest, paths []string) {
	same := 0
	paths, err := inFolders(paths)
	if err != nil {
		r.differs("%s", err)
	}
	for _, path := range paths {
		sum, err := Sum(path)
		i := slices.IndexFunc(m.Coverage.Files, func(f coverage.File) bool { return f.SHA256 != "" && f.SHA256 == sum })
		switch {
		case err != nil:
			r.differs("%s", err)
		case i < 0:
			r.differs("%s: not an input of the case, or changed", path)
		default:
			same++
			r.Lines = append(r.Lines, fmt.Sprintf("%s: unchanged, read as %s", path, m.Coverage.Files[i].Path))
		}
	}
	r.Lines = append(r.Lines, fmt.Sprintf("inputs: %d of %d unchanged", same, len(paths)))
}

// inFolders puts the files in folders in their place.
func inFolders(paths []string) (files []string, err error) {
	for _, path := range paths {
		walkErr := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files = append(files, file)
			}
			return err
		})
		err = cmp.Or(err, walkErr)
	}
	return files, err
}

// Sum returns the SHA-256 of a file in hex.
func Sum(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", cmp.Or(err, fmt.Errorf("%s is no regular file", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
