package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
