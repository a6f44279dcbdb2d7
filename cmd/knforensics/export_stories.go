package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/knforensics/knforensics/detectors"
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
	Left() int // how many rows were left out
}

// storyFormat is a format of export that is made of timelines.
type storyFormat struct {
	open  func(files []io.Writer) storyWriter
	files []string // of the folder that it is, none if it is one file
	why   string   // rows are left out
	one   bool     // it shows one family
}

const untimed = "nothing tells when they were"

// storyFormats are those formats by name.
var storyFormats = map[string]storyFormat{
	"mermaid": {open: func(files []io.Writer) storyWriter { return mermaid.NewWriter(files[0]) },
		why: "a chart has " + strconv.Itoa(mermaid.Rows) + " at most", one: true},
	"otlp":       {open: func(files []io.Writer) storyWriter { return otlp.NewWriter(version, files) }, files: otlp.Files},
	"perfetto":   {open: func(files []io.Writer) storyWriter { return perfetto.NewWriter(files[0]) }, why: untimed},
	"timesketch": {open: func(files []io.Writer) storyWriter { return timesketch.NewWriter(files[0]) }, why: untimed},
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
	w, err := o.window(d.history.End())
	if err != nil {
		return err
	}
	families, err := o.chosen(d.history, kind, name)
	if err != nil {
		return err
	}
	if format.one && len(families) != 1 {
		return usagef("a %s chart is of one family, and there are %d", o.format, len(families)).hint("name one with --ksvc or --rev: %s", listSome(familyNames(families)))
	}
	return o.toFiles(dest, format.files, func(files []io.Writer) error {
		out := format.open(files)
		for _, match := range families {
			if err := errors.Join(ctx.Err(), out.Add(o.told(d, kind, match, w))); err != nil {
				return err
			}
			match.Family.Forget()
		}
		if left := out.Left(); left > 0 && !o.quiet {
			_, _ = fmt.Fprintf(o.err, "knforensics: %d rows are left out: %s\n", left, format.why)
		}
		return errors.Join(out.Close(), d.failed)
	})
}

// chosen returns the families of the object that was named, else all of the
// namespace, each once.
func (o *exportOptions) chosen(h *timeline.History, kind, name string) (list []timeline.Match, err error) {
	if kind != "" {
		matches, err := o.find(h, kind, name)
		seen := map[*timeline.Family]bool{}
		for _, m := range matches {
			if !seen[m.Family] {
				list = append(list, m)
			}
			seen[m.Family] = true
		}
		return list, err
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

// told makes the story of a family, with the findings of the time that was asked for.
func (o *exportOptions) told(d *data, kind string, match timeline.Match, w window) *render.Story {
	s := o.story(d, kind, []timeline.Match{match}, match, w)
	result := &detectors.Result{Findings: s.Findings}
	w.narrow(result, d.history.End())
	s.Findings = result.Findings
	return s
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
	if len(names) > 0 {
		return o.toFolder(dest, names, write)
	}
	if dest == "-" {
		return pipeError(write([]io.Writer{o.out}))
	}
	return o.toFile(dest, write)
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
