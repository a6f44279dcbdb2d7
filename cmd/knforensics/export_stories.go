package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/mermaid"
	"github.com/knforensics/knforensics/render/otlp"
	"github.com/knforensics/knforensics/render/perfetto"
	"github.com/knforensics/knforensics/render/timesketch"
	"github.com/knforensics/knforensics/timeline"
)

// storyWriter writes what happened in one family after the other.
type storyWriter interface {
	Add(*render.Story) error
	Close() error
	Left() []render.Left // what is left out, for one reason or another
}

// storyFormat is a format of export that is made of timelines.
type storyFormat struct {
	open  func(files []io.Writer) storyWriter
	files []string // of the folder that it is, none if it is one file
	one   bool     // it shows one family
}

// storyFormats are those formats by name.
var storyFormats = map[string]storyFormat{
	"mermaid":    {open: func(files []io.Writer) storyWriter { return mermaid.NewWriter(files[0]) }, one: true},
	"otlp":       {open: func(files []io.Writer) storyWriter { return otlp.NewWriter(version, files) }, files: otlp.Files},
	"perfetto":   {open: func(files []io.Writer) storyWriter { return perfetto.NewWriter(files[0]) }},
	"timesketch": {open: func(files []io.Writer) storyWriter { return timesketch.NewWriter(files[0]) }},
}

// stories writes the families that were asked for, one after the other.
func (o *exportOptions) stories(ctx context.Context, format storyFormat, paths []string) error {
	dest, err := o.destination("DEST, the file or folder to make")
	if err != nil {
		return err
	}
	kind, name := o.selector()
	d, err := o.loadNamed(ctx, paths, kind, name)
	if err != nil {
		return err
	}
	w, err := o.windowOf(d)
	if err != nil {
		return err
	}
	if w.of(d.coverage).Unseen() {
		return nothingToWrite()
	}
	families, err := o.chosen(d.history, kind, name)
	if err != nil {
		return err
	}
	if format.one && len(families) != 1 {
		return usagef("a %s chart is of one family, and there are %d", o.format, len(families)).hint("name one with --ksvc or --rev: %s", listSome(familyNames(families)))
	}
	return o.toFiles(dest, format.files, func(files []io.Writer) error {
		out, outside := format.open(files), 0
		for _, match := range families {
			story := o.story(d, kind, []timeline.Match{match}, match, w)
			if err := errors.Join(ctx.Err(), out.Add(story)); err != nil {
				return err
			}
			outside += story.Outside
			match.Family.Forget()
		}
		o.left(append(out.Left(), render.Left{Findings: outside, Why: "outside --from and --until"}))
		return errors.Join(out.Close(), d.failed)
	})
}

// left says how much is left out of an export, and why.
func (o *exportOptions) left(list []render.Left) {
	for _, left := range list {
		if text := left.String(); text != "" && !o.quiet {
			_, _ = fmt.Fprintf(o.err, "knforensics: %s\n", text)
		}
	}
}

// chosen returns the families of the object that was named, else all of the
// namespace, each once.
func (o *exportOptions) chosen(h *timeline.History, kind, name string) (list []timeline.Match, err error) {
	if kind != "" {
		matches, err := o.find(h, kind, name)
		return slices.CompactFunc(matches, func(a, b timeline.Match) bool { return a.Family == b.Family }), err
	}
	for _, f := range o.families(h) {
		list = append(list, timeline.Match{Object: &timeline.Object{}, Family: f})
	}
	switch {
	case len(list) > 0:
		return list, nil
	case o.namespace != "":
		return nil, o.noneIn(h)
	}
	return nil, &exit{code: exitNoMatch, message: "nothing of Knative in the inputs"}
}

func familyNames(list []timeline.Match) (names []string) {
	for _, m := range list {
		names = append(names, m.Family.FullName())
	}
	return names
}

// toFiles has the files of a new folder written, or if it has no names of any, one
// file, which is standard output if dest is -. What could not be finished is removed.
func (o *options) toFiles(dest string, names []string, write func([]io.Writer) error) error {
	write = something(write)
	if len(names) > 0 {
		return o.toFolder(dest, names, write)
	}
	if dest == "-" {
		return pipeError(write([]io.Writer{o.out}))
	}
	return o.toFile(dest, write)
}

// something returns what writes the same, and fails if that is nothing at all.
func something(write func([]io.Writer) error) func([]io.Writer) error {
	return func(files []io.Writer) error {
		var n int64
		counted := make([]io.Writer, len(files))
		for i, f := range files {
			counted[i] = counter{f, &n}
		}
		if err := write(counted); err != nil || n > 0 {
			return err
		}
		return nothingToWrite()
	}
}

// counter counts the bytes that are written.
type counter struct {
	io.Writer
	n *int64
}

func (c counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	*c.n += int64(n)
	return n, err
}

// toFile has one file written, which is put in its place when all of it is.
func (o *options) toFile(dest string, write func([]io.Writer) error) error {
	if _, err := os.Lstat(dest); err == nil {
		return usagef("%s is there: it is not written over", dest).hint("name a file that is not there yet")
	}
	folder, err := begin(&o.unfinished, func() (*staging.Folder, error) { return staging.New(dest) })
	if err != nil {
		return usagef("%s", err)
	}
	defer folder.Discard()
	file, err := folder.Create(filepath.Base(dest))
	if err != nil {
		return notWritten(err)
	}
	if err := errors.Join(write([]io.Writer{file}), file.Close()); err != nil {
		return notWritten(err)
	}
	if err := os.Rename(file.Name(), dest); err != nil {
		return notWritten(err)
	}
	return nil
}

func (o *options) toFolder(dest string, names []string, write func([]io.Writer) error) error {
	dir, err := begin(&o.unfinished, func() (*staging.Fresh, error) { return staging.NewFresh(dest) })
	if err != nil {
		return notMade(err)
	}
	defer dir.Discard()
	var files []io.Writer
	var opened []*os.File
	for _, name := range names {
		file, err := dir.Create(name)
		if err != nil {
			return notWritten(err)
		}
		files, opened = append(files, file), append(opened, file)
	}
	err = write(files)
	for _, file := range opened {
		err = errors.Join(err, file.Close())
	}
	if err == nil {
		err = dir.Place()
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// notMade tells why a folder could not be made.
func notMade(err error) error {
	if errors.Is(err, staging.ErrThere) {
		return usagef("%s", err).hint("name a folder that is not there yet")
	}
	return usagef("%s", err)
}
