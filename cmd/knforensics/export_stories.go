package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/perfetto"
	"github.com/knforensics/knforensics/render/timesketch"
	"github.com/knforensics/knforensics/timeline"
)

// storyWriter writes what happened in one family after the other.
type storyWriter interface {
	Add(*render.Story) error
	Close() error
	Left() int // how much was left out since nothing tells when it was
}

// storyFormats are the formats of export that are made of timelines, by name.
var storyFormats = map[string]func(io.Writer) storyWriter{
	"perfetto":   func(w io.Writer) storyWriter { return perfetto.NewWriter(w) },
	"timesketch": func(w io.Writer) storyWriter { return timesketch.NewWriter(w) },
}

// stories writes the families that were asked for, one after the other.
func (o *exportOptions) stories(ctx context.Context, format func(io.Writer) storyWriter, paths []string) error {
	dest, err := o.destination("DEST, the file to make")
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
	return o.toFile(dest, func(file io.Writer) error {
		out := format(file)
		for _, match := range families {
			if err := out.Add(o.told(d, kind, match, w)); err != nil {
				return err
			}
			match.Family.Forget()
		}
		o.note(out.Left())
		return out.Close()
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
	if len(list) == 0 && o.namespace != "" {
		return nil, noNamespace(o.namespace)
	}
	return list, nil
}

// told makes the story of a family, with the findings of the time that was asked for.
func (o *exportOptions) told(d *data, kind string, match timeline.Match, w window) *render.Story {
	s := o.story(d, kind, []timeline.Match{match}, w)
	result := &detectors.Result{Findings: s.Findings}
	w.narrow(result, d.history.End())
	s.Findings = result.Findings
	return s
}

// note says how much was left out.
func (o *exportOptions) note(left int) {
	if left > 0 && !o.quiet {
		_, _ = fmt.Fprintf(o.err, "knforensics: %d rows are left out: nothing tells when they were\n", left)
	}
}

// toFile has a file written, or standard output if its name is -. What could not be
// finished is removed.
func (o *options) toFile(name string, write func(io.Writer) error) error {
	if name == "-" {
		return pipeError(write(o.out))
	}
	if err := o.spare(name); err != nil {
		return err
	}
	o.writes.Store(true)
	file, err := os.Create(name)
	if err != nil {
		return usagef("%s", err)
	}
	err = write(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(name)
		return notWritten(err)
	}
	return nil
}
