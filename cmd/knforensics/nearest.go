package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/knforensics/knforensics/timeline"
)

// nearest returns those of some names that are like one, as cobra tells it of commands:
// two letters differ at most, or it is their beginning.
func nearest(name string, names []string) []string {
	if name == "" {
		return nil
	}
	of := cobra.Command{SuggestionsMinimumDistance: 2}
	for _, n := range names {
		if !strings.ContainsAny(n, " ") { // cobra would cut it there
			of.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
		}
	}
	return of.SuggestionsFor(name)
}

// like adds those of some names to an error that are like the one that was given.
func (e *exit) like(name string, names []string) *exit {
	if near := nearest(name, names); len(near) > 0 {
		return e.hint("did you mean: %s", listSome(near))
	}
	return e
}

// unknown refuses a name that is none of those known.
func unknown(what, name string, known []string) *exit {
	return usagef("unknown %s %q", what, name).like(name, known).hint("known: %s", strings.Join(known, ", "))
}

// oneOf refuses the value of a flag that is none of its names.
func oneOf(flag, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return usagef("--%s is %s, not %q", flag, anyOf(names), value).like(value, names)
}

// anyOf lists names as a choice.
func anyOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// absent says that there is nothing of a name, and what there is.
func absent(what, name string, known []string) *exit {
	e := &exit{code: exitNoMatch, message: what + " " + name}
	if len(known) == 0 {
		return e
	}
	return e.like(name, known).hint("found: %s", listSome(known))
}

// noneIn says that there is nothing in the namespace that was asked for.
func (o *options) noneIn(h *timeline.History) *exit {
	return absent("nothing of Knative in namespace", o.namespace, namespaces(h.Families))
}

// noRevisions says that there is no Revision in the namespace that was asked for.
func (o *options) noRevisions(h *timeline.History) *exit {
	families := slices.DeleteFunc(slices.Clone(h.Families), func(f *timeline.Family) bool { return len(f.Revisions) == 0 })
	return absent("no Revision in namespace", o.namespace, namespaces(families))
}

// namespaces returns those of families, sorted.
func namespaces(families []*timeline.Family) []string {
	names := map[string]bool{}
	for _, f := range families {
		names[f.Namespace] = true
	}
	return sortedKeys(names)
}

// ofCluster are flags with which kubectl finds its cluster.
var ofCluster = []string{"kubeconfig", "context", "server", "user", "token", "as", "as-group", "insecure-skip-tls-verify", "request-timeout"}

// wrongFlag says what is wrong with a flag, and which ones are like it.
func wrongFlag(cmd *cobra.Command, err error) error {
	e := usagef("%s", err)
	var none *pflag.NotExistError
	if errors.As(err, &none) && none.GetSpecifiedShortnames() == "" {
		for _, name := range ofCluster {
			if name == none.GetSpecifiedName() {
				return e.hint("files are read, no cluster is asked: save what is wanted with kubectl first")
			}
		}
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
		e = e.like("--"+none.GetSpecifiedName(), flags)
	}
	return e.hint("see '%s --help'", cmd.CommandPath())
}

// notOpened says that inputs cannot be opened, and which files are like one that is not
// there.
func notOpened(paths []string, err error) error {
	e := usagef("%s", err)
	for _, path := range paths {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		dir, name := filepath.Split(path)
		entries, _ := os.ReadDir(filepath.Join(dir, "."))
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return e.like(name, names)
	}
	return e
}
