package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/explore"
	"github.com/knforensics/knforensics/timeline"
)

func newExplore(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "explore PATH...",
		Short: "the same, browsed in the terminal",
		Long: `Lists the Revisions with their worst finding. From there go to the timeline of
one, to the record behind a row and what it changed, and to findings with what
proves them. The keys are those of k9s and less; ? lists them.

It needs a terminal. If standard input is one of the inputs (-), keys are read
from the terminal itself.`,
		Example: `  knforensics explore captures/
  zcat audit.log.gz | knforensics explore -`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, paths []string) error { return o.explore(cmd.Context(), paths) },
	}
}

func (o *options) explore(ctx context.Context, paths []string) error {
	if len(o.outputs) > 0 {
		return usagef("explore draws on the terminal: it has no output format").hint("give -o to timeline, detect, coverage or show")
	}
	t, err := o.terminal()
	if err != nil {
		return err
	}
	remove, err := o.keepStdin(paths)
	if err != nil {
		return err
	}
	defer remove()
	b, err := o.readToBrowse(ctx, paths)
	if err != nil {
		return err
	}
	o.progress = "never" // the terminal is the browser's from here on
	o.draws.Store(true)  // and has to be given back as it was
	err = explore.Run(ctx, b, t)
	o.draws.Store(false)
	switch {
	case errors.Is(err, explore.ErrInterrupted):
		return &exit{code: exitInterrupted}
	case err != nil:
		return &exit{code: exitInternal, message: err.Error()}
	}
	return nil
}

// readToBrowse reads all records in full, also those that no timeline has: what cannot
// be read of them is among what is shown of coverage.
func (o *options) readToBrowse(ctx context.Context, paths []string) (b explore.Data, err error) {
	d, err := o.loadWith(ctx, paths, ingest.Options{})
	if err != nil {
		return b, err
	}
	if d, err = o.ofCluster(d); err != nil {
		return b, err
	}
	w, err := o.windowOf(d)
	if err != nil {
		return b, err
	}
	if b = o.browsed(d, w, paths); len(b.Revisions) == 0 && o.namespace != "" {
		return b, o.noRevisions(d.history)
	}
	return b, nil
}

// terminal returns what is browsed on, or says why nothing can be.
func (o *options) terminal() (t explore.Terminal, err error) {
	out, ok := o.out.(*os.File)
	if !ok || !term.IsTerminal(int(out.Fd())) {
		return t, usagef("explore needs a terminal, and standard output is none").hint("timeline, detect, coverage and show print the same")
	}
	if kind := os.Getenv("TERM"); kind == "" || kind == "dumb" {
		return t, usagef("explore cannot draw on this terminal: TERM is %q", kind).hint("timeline, detect, coverage and show print the same")
	}
	t = explore.Terminal{Out: out, Colored: o.colored(true), ASCII: !speaksUTF8(), All: o.verbose}
	if in, ok := o.in.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		t.In = in
		return t, nil
	}
	if t.In, _, err = tea.OpenTTY(); err != nil {
		return t, usagef("explore reads keys from the terminal: %s", err).hint("timeline, detect, coverage and show need none")
	}
	return t, nil
}

// speaksUTF8 tells by the locale whether the terminal shows more than ASCII. The
// first of the variables that is set counts, as POSIX has it.
func speaksUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return false
}

// browsed is what was read, made ready to be browsed.
func (o *options) browsed(d *data, w window, paths []string) explore.Data {
	families := o.families(d.history)
	d.coverage.Skew = d.history.Skew()
	result := registry.Run(nil, families, d.coverage)
	outside := w.narrow(result, d.history.End())
	var reading sync.Mutex // a history and the inputs are for one at a time
	return explore.Data{
		Detection: &render.Detection{Clock: o.clock, Coverage: d.coverage, Result: result, Window: w.of(d.coverage), Outside: outside},
		Revisions: revisionRows(families, result),
		Story: func(cluster string, object timeline.Ref, uid string) (*render.Story, error) {
			reading.Lock()
			defer reading.Unlock()
			return o.storyOf(d, cluster, object, uid, w)
		},
		Records: func(ctx context.Context, p explore.Proof) ([]render.Record, error) {
			reading.Lock()
			defer reading.Unlock()
			return o.recordsOf(ctx, p, paths)
		},
		Manual: func(detector string) string {
			if found := registry.Find(detector); found != nil {
				return found.Doc()
			}
			return ""
		},
	}
}

// storyOf tells what happened to all objects of a name in a cluster; it is about the
// one with a uid, else the last.
func (o *options) storyOf(d *data, cluster string, object timeline.Ref, uid string, w window) (*render.Story, error) {
	matches := d.history.Select(object.Kind, object.Namespace+"/"+object.Name, "")
	matches = slices.DeleteFunc(matches, func(m timeline.Match) bool { return m.Family.Cluster.Name != cluster })
	if len(matches) == 0 {
		return nil, fmt.Errorf("nothing tells what happened to %s", object)
	}
	about := matches[len(matches)-1]
	for _, m := range matches {
		if m.Object.UID == uid {
			about = m
		}
	}
	return o.story(d, object.Kind, matches, about, w), nil
}

// recordsOf reads the records at a place with their differences. Those about an
// object have its name in them, and so have those that show it earlier: in a long
// log, reading no others is much faster.
func (o *options) recordsOf(ctx context.Context, p explore.Proof, paths []string) ([]render.Record, error) {
	place := selector{file: p.File, line: p.Line}
	if plainName().MatchString(p.Name) {
		found, err := o.records(ctx, place, paths, true, ingest.Options{Search: timeline.SearchFor([]string{p.Name})})
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return o.records(ctx, place, paths, true, ingest.Options{})
}
