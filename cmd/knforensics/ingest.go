package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

type ingestOptions struct {
	*options
	bodies string
	verify bool
}

func newIngest(shared *options) *cobra.Command {
	o := &ingestOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "ingest -o CASE PATH...",
		Short: "keep what the inputs hold as a case, which every command takes in place of them",
		Long: `Writes a case folder: Arrow tables with an index, and a manifest with the SHA-256,
size, format and counts of every input. A case gives the same answers as the
logs it was made of, at once. Into a case that is there, the inputs are added;
what it has already counts once.

--bodies says of which records the text is kept, for 'show': all, none, or those
that speak of Knative or KServe, without Secrets and tokens.

--verify checks that the files of a case, and the inputs it was made of where
they are still in their place, are unchanged.`,
		Example: `  knforensics ingest -o outage-1130 audit.log.zst controller.log
  knforensics timeline --rev rt-00002 outage-1130
  knforensics ingest --verify -o outage-1130`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.destinationFlag(cmd, "`CASE`, the folder to make or to add to")
	bodiesFlag(cmd, &o.bodies)
	cmd.Flags().BoolVar(&o.verify, "verify", false, "check a case, and write nothing")
	return cmd
}

// destinationFlag gives a command that has no output format an -o of its own.
func (o *options) destinationFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().StringArrayVarP(&o.outputs, "output", "o", nil, usage)
}

// destination returns the one value of -o, for commands that have no output
// format.
func (o *options) destination(what string) (string, error) {
	switch len(o.outputs) {
	case 0:
		return "", usagef("nowhere to write to").hint("give -o %s", what)
	case 1:
		format, _, _ := strings.Cut(o.outputs[0], "=")
		if slices.Contains(allFormatsOf("detect"), format) {
			return "", usagef("-o %s: this command has no output formats", o.outputs[0]).hint("give -o %s; one of that name is ./%s", what, o.outputs[0])
		}
		return o.outputs[0], nil
	}
	return "", usagef("-o can be given once here")
}

// refuseNarrowing refuses the flags that ask for some of the inputs only.
func (o *options) refuseNarrowing(why string) error {
	if o.namespace == "" && o.from == "" && o.to == "" {
		return nil
	}
	return usagef("%s: -n, --from and --to are for other commands", why)
}

// refuseCluster refuses a --cluster that asks for one of several.
func (o *options) refuseCluster(why string) error {
	if o.only == "" {
		return nil
	}
	return usagef("%s", why).hint("--cluster NAME=PATH says which cluster a path is of")
}

func (o *ingestOptions) run(ctx context.Context, paths []string) error {
	if o.verify {
		return o.check(paths)
	}
	dir, err := o.destination("CASE, the folder to make")
	if err != nil {
		return err
	}
	if err := needPaths(nil, paths); err != nil {
		return err
	}
	keep, err := keeperOf(o.bodies)
	if err != nil {
		return err
	}
	if err := cmp.Or(o.refuseCluster("a case keeps all clusters"), o.refuseNarrowing("a case keeps all that is in the inputs")); err != nil {
		return err
	}
	if filepath.Clean(dir) == "." {
		return usagef("%s is where you are", dir).hint("name the folder to make")
	}
	inputs, err := o.with(dir, paths)
	if err != nil {
		return err
	}
	catalogue := timeline.NewCatalogue()
	w, err := begin(&o.unfinished, func() (*casefolder.Writer, error) {
		return casefolder.Create(dir, casefolder.Tool{Name: "knforensics", Version: version}, o.bodies, catalogue.Add)
	})
	switch {
	case errors.Is(err, casefolder.ErrNoCase):
		return usagef("%s", err).hint("name a folder that is not there yet, or a case")
	case errors.Is(err, casefolder.ErrForeign):
		return usagef("%s", err).hint("a case is replaced as a whole: move them elsewhere")
	}
	if err != nil {
		return usagef("%s", err)
	}
	defer w.Discard()
	o.note(w.Leftovers())
	c, err := o.readInputs(ctx, inputs, ingest.Options{Hash: true, Keep: keep}, w.Add)
	if err == nil {
		err = o.finish(ctx, w, c, catalogue)
	}
	if err != nil {
		return notWritten(err)
	}
	return o.say(dir, c)
}

// finish puts a case in its place that has all its rows. Only where the inputs can
// be of several clusters, all that they tell has to be looked at once more.
func (o *ingestOptions) finish(ctx context.Context, w *casefolder.Writer, c *coverage.Coverage, catalogue *timeline.Catalogue) error {
	var warnings []string
	if catalogue.Overlaps() {
		written, err := w.Written()
		if err != nil {
			return err
		}
		builder := timeline.NewClusters(nil)
		err = written.Each(casefolder.Selection{Tables: casefolder.Rows}, func(b *table.Batch) error {
			builder.Add(b)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		warnings = mixed(builder.Build())
		o.warnings(warnings)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.Finish(c, catalogue.Families(), warnings)
}

// notWritten tells what is left after a failure: nothing.
func notWritten(err error) error {
	var e *exit
	if errors.As(err, &e) {
		return e
	}
	e = usagef("%s", err)
	if errors.Is(err, syscall.ENOSPC) {
		e = e.hint("free some space, or write to another place; what was there before is unchanged")
	}
	return e
}

// with returns the inputs for a case at dir: those that it has already, and
// those that are new to it.
func (o *ingestOptions) with(dir string, paths []string) ([]source.Input, error) {
	inputs, err := source.Find(paths, o.in)
	if err != nil {
		return nil, notOpened(paths, err)
	}
	known := contents{}
	var fresh []source.Input
	if casefolder.Is(dir) {
		old, err := casefolder.Open(dir)
		if err != nil {
			return nil, usagef("%s", err)
		}
		if old.Bodies != o.bodies {
			return nil, usagef("%s was made with --bodies %s", dir, old.Bodies).hint("give the same, or make another case")
		}
		if err := known.add(dir, old); err != nil {
			return nil, err
		}
		fresh = append(fresh, source.Input{Path: dir, Case: true})
	}
	for _, in := range inputs {
		has, err := known.has(dir, &in)
		if err != nil {
			return nil, err
		}
		if !has {
			fresh = append(fresh, in)
		}
	}
	return fresh, nil
}

// contents are the SHA-256 of inputs by their paths. A path stands for one
// content: evidence is named by it.
type contents map[string]string

// add takes the inputs of a case.
func (c contents) add(dir string, kept *casefolder.Case) error {
	for _, f := range kept.Coverage.Files {
		if sum, ok := c[f.Path]; ok && f.SHA256 != "" && sum != f.SHA256 {
			return usagef("%s is in %s with another content", f.Path, dir).hint("keep the two cases apart")
		}
		if f.SHA256 != "" {
			c[f.Path] = f.SHA256
		}
	}
	return nil
}

// has reports whether an input, or all that a case was made of, is in already.
func (c contents) has(dir string, in *source.Input) (bool, error) {
	if in.Case {
		kept, err := casefolder.Open(in.Path)
		if err != nil {
			return false, nil // who reads it tells why
		}
		before := len(c)
		err = c.add(in.Path, kept)
		return len(c) == before, err
	}
	path := coverage.Text(in.Path)
	known, ok := c[path]
	if !ok {
		return false, nil
	}
	if sum, err := casefolder.Sum(in.Path); err != nil || sum != known {
		return false, usagef("%s is in %s with another content", in.Path, dir).hint("give it by another path, such as its full one, or make another case")
	}
	return true, nil
}

// note names what an ingest left that was killed.
func (o *ingestOptions) note(leftovers []string) {
	for _, path := range leftovers {
		if !o.quiet {
			_, _ = fmt.Fprintf(o.err, "knforensics: %s was left by an ingest that did not end, or is of one under way\n", render.Safe(path))
		}
	}
}

func (o *ingestOptions) say(dir string, c *coverage.Coverage) error {
	if o.quiet {
		return nil
	}
	var rejected, truncated int64
	for _, f := range c.Files {
		rejected += f.Rejected
		truncated += f.Truncated
	}
	_, err := fmt.Fprintf(o.out, "%s: %d records of %d files, %d rejected, %d truncated\n", render.Safe(dir), c.Records(), len(c.Files), rejected, truncated)
	return pipeError(err)
}

// check verifies a case, and the inputs named or else those that it was made of.
func (o *ingestOptions) check(paths []string) error {
	dir := ""
	switch {
	case len(o.outputs) > 0:
		d, err := o.destination("CASE")
		if err != nil {
			return err
		}
		dir = d
	case len(paths) == 1:
		dir, paths = paths[0], nil
	default:
		return usagef("no case given").hint("knforensics ingest --verify -o CASE")
	}
	report, err := casefolder.Verify(dir, paths)
	if err != nil {
		return usagef("%s", err)
	}
	for _, line := range report.Lines {
		if _, err := fmt.Fprintln(o.out, render.Safe(line)); err != nil {
			return pipeError(err)
		}
	}
	if !report.Unchanged {
		return &exit{code: exitFindings}
	}
	return nil
}
