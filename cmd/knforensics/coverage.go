package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

func newCoverage(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "coverage PATH...",
		Short: "what the inputs can and cannot prove",
		Long: `Lists the inputs with what was understood and what was lost, the span of time,
gaps, the levels and stages at which each resource was logged, and the detectors
that are blind, with the reason.`,
		Example: "  knforensics coverage audit.log controller.log",
		Args:    needPaths,
		RunE:    func(cmd *cobra.Command, paths []string) error { return o.coverage(cmd.Context(), paths) },
	}
}

func (o *options) coverage(ctx context.Context, paths []string) error {
	if _, err := o.wanted(rows(nil, nil, nil)...); err != nil {
		return err
	}
	if err := o.refuseNarrowing("coverage is of all that is in the inputs"); err != nil {
		return err
	}
	builder := timeline.NewClusters(nil)
	c, err := o.read(ctx, paths, ingest.Options{Hash: true}, func(b *table.Batch) error {
		builder.Add(b)
		return nil
	})
	if err != nil {
		return err
	}
	history := builder.Build()
	o.warnings(mixed(history))
	if all := len(history.Clusters); o.only != "" {
		if err := o.narrow(history); err != nil {
			return err
		}
		if len(history.Clusters) < all {
			return o.refuseCluster("coverage is of all clusters in the inputs")
		}
	}
	c.Skew = history.Skew()
	blind := registry.Run(nil, nil, c).Blind
	return o.write(
		func(p *render.Page) { p.Coverage(c, blind, o.verbose) },
		func() any { return render.CoverageJSON(o.clock, c, blind) },
		rows(
			func(w io.Writer) error { return render.CoverageJSONLines(w, o.clock, c, blind) },
			func(w io.Writer) error { return render.CoverageCSV(w, o.clock, c) },
			func(w io.Writer) error { return render.CoverageMarkdown(w, o.clock, c, blind, o.verbose) })...)
}
