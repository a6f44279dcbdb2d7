package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

func newExplain(o *options) *cobra.Command {
	var q questions
	cmd := &cobra.Command{
		Use:   "explain [DETECTOR]",
		Short: "what a detector looks for, needs and cannot see",
		Long: `Prints the manual of a detector, or lists all detectors. With --rules, rules are
listed and printed like detectors.`,
		Example: `  knforensics explain latest-ready-latch
  knforensics explain --rules samples/rules.yaml`,
		Args:              atMostOne,
		ValidArgsFunction: q.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := q.readRules(); err != nil {
				return err
			}
			list := q.list()
			if len(args) > 0 {
				if err := q.check(args); err != nil {
					return err
				}
				list = []*detectors.Detector{q.find(args[0])}
			}
			return o.write(
				func(p *render.Page) { p.Manuals(list, len(args) > 0) },
				func() any { return render.ManualsJSON(list) })
		},
	}
	q.flag(cmd)
	return cmd
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
