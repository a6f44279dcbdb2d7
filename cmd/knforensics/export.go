package main

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest/export"
)

type exportOptions struct {
	timelineOptions
	format string
	bodies string
}

func newExport(shared *options) *cobra.Command {
	o := &exportOptions{timelineOptions: timelineOptions{options: shared}}
	formats := exportFormats()
	cmd := &cobra.Command{
		Use:   "export --to FORMAT -o DEST PATH...",
		Short: "the same facts, for other tools",
		Long: `Writes what was read for other tools; docs/exports.md tells what opens each.

parquet and arrow are the tables, one file each in a new folder: audit_events,
controller_logs, kube_events, objects and records (docs/tables.md has every
column). All rows of a record have its number in the column record.

The others are what timeline and detect make of them, of all families or of the one
that --rev, --config, --route, --ksvc or --isvc names: perfetto a trace, timesketch
JSON lines, mermaid a chart of one family, each in one file (- is standard output),
and otlp traces and logs in a new folder.

-n, --from and --until leave out what is about other namespaces or times.`,
		Example: `  knforensics export --to parquet -o outage-1130.parquet outage-1130
  duckdb -c "select verb, count(*) from 'outage-1130.parquet/audit_events.parquet' group by verb"
  knforensics export --to perfetto -o rt.pftrace --ksvc rt audit.log controller.log`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	cmd.Flags().StringVar(&o.format, "to", "", "`FORMAT`: "+anyOf(formats))
	cmd.Flags().StringVar(&o.to, "until", "", "only up to this `time` (what --to is elsewhere)")
	o.destinationFlag(cmd, "`DEST`, the file or folder to make; of one file, - is standard output")
	bodiesFlag(cmd, &o.bodies)
	o.selectors(cmd)
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportFormats returns the names of all formats, sorted.
func exportFormats() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(export.Formats)), maps.Keys(storyFormats))))
}

func nothingToWrite() error {
	return &exit{code: exitNoMatch, message: "there is nothing to write"}
}

func (o *exportOptions) run(ctx context.Context, paths []string) error {
	if err := oneOf("to", o.format, exportFormats()); err != nil {
		return err
	}
	o.toFlag = "until"
	if format, ok := storyFormats[o.format]; ok {
		return o.stories(ctx, format, paths)
	}
	return o.tables(ctx, paths)
}
