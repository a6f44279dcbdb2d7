package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The names under which kubectl looks for this program on the PATH: as a plugin, and to
// complete the plugin's command line.
// https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
const (
	asPlugin    = "kubectl-knforensics"
	asCompleter = "kubectl_complete-knforensics"
)

// calledAs is the name of the file that was started.
var calledAs = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")

// arguments returns those of the command line, made into the command that completes
// where the program is called for that.
func arguments() []string {
	if calledAs == asCompleter {
		return append([]string{cobra.ShellCompRequestCmd}, os.Args[1:]...)
	}
	return os.Args[1:]
}

// program is how people call it.
func program() string {
	if calledAs == asPlugin {
		return "kubectl knforensics"
	}
	return "knforensics"
}

// asCalled puts that name in a text for people: in quoted commands, and in those that
// begin a line.
func asCalled(text string) string {
	if calledAs != asPlugin {
		return text
	}
	return regexp.MustCompile(`(?m)(^ *|')knforensics `).ReplaceAllString(text, "${1}kubectl knforensics ")
}

// rename gives a command, and those below it, the name by which the program was called.
func rename(cmd *cobra.Command) {
	cmd.Long, cmd.Example = asCalled(cmd.Long), asCalled(cmd.Example)
	if !cmd.HasParent() {
		cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: program()}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = asCalled(f.Usage) })
	for _, below := range cmd.Commands() {
		rename(below)
	}
}
