package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest/redact"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/render"
)

type redactOptions struct {
	*options
	key string
}

func newRedact(shared *options) *cobra.Command {
	o := &redactOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "redact -o DEST PATH...",
		Short: "a copy of the logs that can be shared",
		Long: `Writes copies of the inputs into a new folder, in which names, addresses and other
values are replaced by pseudonyms, and secrets are left out.
Timelines and findings stay the same but for names, and lines are where they were,
but for YAML, which is written anew.

What stays are times, numbers, and words of Kubernetes and Knative (docs/redact.md).
What is of no known format is left out, and said. Before the folder takes its name
it is searched for what was replaced.

Pseudonyms are made with a key: the same key gives the same ones. It is made where
there is none; keep it, and do not share it. Without --key one is used that nobody
keeps.`,
		Example: `  knforensics redact --key ~/.knforensics.key -o to-share audit.log.gz controller.log
  knforensics detect to-share`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.destinationFlag(cmd, "`DEST`, the folder to make")
	cmd.Flags().StringVar(&o.key, "key", "", "`FILE` of the key, made if it is not there")
	return cmd
}

func (o *redactOptions) run(ctx context.Context, paths []string) error {
	dir, err := o.destination("DEST, the folder to make")
	if err != nil {
		return err
	}
	if o.namespace != "" || o.from != "" || o.to != "" || o.only != "" {
		return usagef("all that is in the inputs is copied: -n, --cluster, --from and --to are for the commands that read them")
	}
	remove, err := o.keepStdin(paths)
	if err != nil {
		return err
	}
	defer remove()
	inputs, err := source.Find(paths, o.in)
	if err != nil {
		return notOpened(paths, err)
	}
	key, err := o.loadKey(dir)
	if err != nil {
		return err
	}
	folder, err := begin(&o.unfinished, func() (*staging.Fresh, error) { return staging.NewFresh(dir) })
	if err != nil {
		return notMade(err)
	}
	defer folder.Discard()
	copies, err := o.copyAll(ctx, key, folder, inputs)
	if err != nil {
		return notWritten(err)
	}
	return o.say(dir, copies)
}

// loadKey returns the key, which is not kept in what is shared.
func (o *redactOptions) loadKey(dir string) (redact.Key, error) {
	if o.key == "" {
		return redact.NewKey(), nil
	}
	if rel, err := filepath.Rel(dir, o.key); err == nil && filepath.IsLocal(rel) {
		return nil, usagef("%s is in %s", o.key, dir).hint("keep the key where it is not shared")
	}
	key, err := redact.LoadKey(o.key)
	if err != nil {
		return nil, usagef("%s", err)
	}
	if redact.Exposed(o.key) && !o.quiet {
		_, _ = fmt.Fprintf(o.err, "knforensics: others can read the key in %s\n  keep it from them: chmod 600\n", render.Safe(o.key))
	}
	return key, nil
}

// copyAll copies the inputs, holds the copies against them, and puts them in place.
func (o *redactOptions) copyAll(ctx context.Context, key redact.Key, folder *staging.Fresh, inputs []source.Input) (*redact.Copies, error) {
	parents := redact.NewParents()
	if err := parents.Learn(ctx, inputs); err != nil {
		return nil, err
	}
	copies := redact.NewCopies(redact.New(key, parents), folder.Folder)
	if err := copies.Add(ctx, inputs); err != nil {
		return nil, err
	}
	if len(copies.Made) == 0 {
		return nil, nothingCopied(copies.Left)
	}
	if err := copies.Check(); err != nil {
		var leak *redact.Leak
		if errors.As(err, &leak) {
			return nil, (&exit{code: exitInternal, message: leak.Error()}).hint("nothing was written; please report this")
		}
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return copies, folder.Place()
}

// nothingCopied says why no input was copied.
func nothingCopied(left []redact.LeftOut) error {
	e := &exit{code: exitNoMatch, message: "there is nothing to copy"}
	for _, out := range left {
		_ = e.hint("left out: %s: %s", out.Input, out.Reason)
	}
	return e
}

func (o *redactOptions) say(dir string, copies *redact.Copies) error {
	if o.quiet {
		return nil
	}
	var b strings.Builder
	for _, left := range copies.Left {
		fmt.Fprintf(&b, "left out: %s: %s\n", render.Safe(left.Input), render.Safe(left.Reason))
	}
	for _, made := range copies.Made {
		if made.Cut != "" {
			fmt.Fprintf(&b, "cut: %s: %s\n", render.Safe(made.Input), render.Safe(made.Cut))
		}
	}
	fmt.Fprintf(&b, "%s: %d copies, %d files left out\n", render.Safe(dir), len(copies.Made), len(copies.Left))
	_, err := fmt.Fprint(o.out, b.String())
	return pipeError(err)
}
