package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/render"
)

// apart refuses two outputs that go to one place: of one of them nothing would be left,
// and two documents one after the other are none.
func apart(a, b output) error {
	switch {
	case a.file == "" && b.file == "":
		return usagef("two outputs go to standard output: %s and %s", a.format, b.format).hint("name a file for one of them: -o %s=FILE", b.format)
	case a.file == "" || b.file == "" || !sameFile(a.file, b.file):
		return nil
	case a.file == b.file:
		return usagef("two outputs go to %s", a.file)
	}
	return usagef("two outputs go to one file: %s and %s", a.file, b.file)
}

// sameFile reports whether two names are of one file, which may not be there yet.
func sameFile(a, b string) bool {
	if there, err := os.Stat(a); err == nil {
		other, err := os.Stat(b)
		return err == nil && os.SameFile(there, other)
	}
	return whereMade(a) == whereMade(b)
}

// mostLinks is how many links lead from one to the next at most, as Linux has it
// (path_resolution(7)).
const mostLinks = 40

// whereMade returns the path at which a file is made that is written under a name: the
// name can be a link that leads to no file yet.
func whereMade(name string) string {
	for range mostLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
			name = filepath.Join(dir, filepath.Base(name))
		}
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// passOver takes files out of the inputs that were found in a folder, are written, and
// told nothing: they are what an earlier run wrote there.
func (o *options) passOver(c *coverage.Coverage) {
	written := func(in source.Input) bool {
		return !in.Named() && slices.ContainsFunc(o.files, func(file string) bool { return sameFile(file, in.Path) })
	}
	for _, in := range slices.Clone(o.inputs) {
		read := func(f coverage.File) bool { return f.Path == coverage.Text(in.Path) }
		i := slices.IndexFunc(c.Files, read)
		if i < 0 || c.Files[i].Format != coverage.Unknown || !written(in) {
			continue
		}
		c.Files = slices.DeleteFunc(c.Files, read)
		o.inputs = slices.DeleteFunc(o.inputs, func(other source.Input) bool { return other.Path == in.Path && !other.Named() })
		if !slices.Contains(o.passed, in.Path) && !o.quiet {
			_, _ = fmt.Fprintf(o.err, "knforensics: %s is not read: this run writes it\n", render.Safe(in.Path))
		}
		o.passed = append(o.passed, in.Path)
	}
}
