package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors/registry"
)

func newExplain(o *options) *cobra.Command {
	return &cobra.Command{
		Use:               "explain [DETECTOR]",
		Short:             "what a detector looks for, needs and cannot see",
		Long:              "Prints the manual of a detector, or lists all detectors.",
		Example:           "  knforensics explain latest-ready-latch",
		Args:              atMostOne,
		ValidArgsFunction: cobra.FixedCompletions(registry.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, d := range registry.All {
					if _, err := fmt.Fprintf(o.out, "%-28s%s\n", d.Name, d.Title()); err != nil {
						return pipeError(err)
					}
				}
				return nil
			}
			if err := checkDetectors(args); err != nil {
				return err
			}
			d := registry.Find(args[0])
			_, err := fmt.Fprintf(o.out, "%s\n\n%s\nFacts: %s\n", d.Name, d.Doc, strings.Join(d.Facts, ", "))
			return pipeError(err)
		},
	}
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes at most one argument", cmd.Name())
	}
	return nil
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.Name())
	}
	return nil
}

func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "the version of this program",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(o.out, "knforensics %s\n", version)
			return pipeError(err)
		},
	}
}
