package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/render"
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
			list := registry.All
			if len(args) > 0 {
				if err := checkDetectors(args); err != nil {
					return err
				}
				list = []*detectors.Detector{registry.Find(args[0])}
			}
			return o.write(
				func(p *render.Page) { p.Manuals(list, len(args) > 0) },
				func() any { return render.ManualsJSON(list) })
		},
	}
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes at most one argument, not %q", cmd.Name(), strings.Join(args, " "))
	}
	return nil
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.Name())
	}
	return nil
}
