package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/export"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

type exportOptions struct {
	*options
	format string
	until  string
	bodies string
}

func newExport(shared *options) *cobra.Command {
	o := &exportOptions{options: shared}
	formats := slices.Sorted(maps.Keys(export.Formats))
	cmd := &cobra.Command{
		Use:   "export --to FORMAT -o DEST PATH...",
		Short: "the tables of what was read, for other tools",
		Long: `Writes the tables into a new folder, one file each: audit_events, controller_logs,
kube_events, objects and records (docs/tables.md has every column). All rows of a
record have its number in the column record. -n, --from and --until leave out
what is about other namespaces or times.`,
		Example: `  knforensics export --to parquet -o outage-1130.parquet outage-1130
  duckdb -c "select verb, count(*) from 'outage-1130.parquet/audit_events.parquet' group by verb"`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	cmd.Flags().StringVar(&o.format, "to", "", "`FORMAT`: "+strings.Join(formats, " or "))
	cmd.Flags().StringVar(&o.until, "until", "", "only up to this `time` (what --to is elsewhere)")
	bodiesFlag(cmd, &o.bodies)
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *exportOptions) run(ctx context.Context, paths []string) error {
	if export.Formats[o.format] == nil {
		return usagef("--to is %s, not %q", strings.Join(slices.Sorted(maps.Keys(export.Formats)), " or "), o.format)
	}
	keep, err := keeperOf(o.bodies)
	if err != nil {
		return err
	}
	dir, err := o.destination("DEST, the folder to make")
	if err != nil {
		return err
	}
	remove, err := o.keepStdin(paths)
	if err != nil {
		return err
	}
	defer remove()
	leaveOut, err := o.filter(ctx, paths)
	if err != nil {
		return err
	}
	o.writes.Store(true)
	folder, err := export.Create(dir, o.format)
	if errors.Is(err, export.ErrThere) {
		return usagef("%s", err).hint("name a folder that is not there yet")
	}
	if err != nil {
		return usagef("%s", err)
	}
	defer folder.Discard()
	inputs, err := source.Find(paths, o.in)
	if err != nil {
		return notOpened(paths, err)
	}
	_, err = o.readInputs(ctx, inputs, ingest.Options{Keep: keep}, func(b *table.Batch) error {
		if leaveOut != nil {
			out, err := leaveOut(b)
			if err != nil {
				return err
			}
			b.Drop(out, func(*table.AuditEvent) {})
		}
		return folder.Add(b)
	})
	if err == nil {
		err = folder.Finish()
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// filter returns a function that tells the records of a batch that are left out,
// nil if none are. What is asked for has to be there: to tell that, and which
// records are of a cluster, all is read once before.
func (o *exportOptions) filter(ctx context.Context, paths []string) (func(*table.Batch) (map[table.Place]bool, error), error) {
	if o.namespace == "" && o.from == "" && o.until == "" && o.only == "" {
		return nil, nil
	}
	d, err := o.load(ctx, paths)
	if err != nil {
		return nil, err
	}
	if o.namespace != "" && len(o.families(d.history)) == 0 {
		return nil, noNamespace(o.namespace)
	}
	o.to = o.until
	w, err := o.window(d.history.End())
	if err != nil {
		return nil, err
	}
	cluster := d.history.Clusters[0].Name // empty if there is no other
	return func(b *table.Batch) (map[table.Place]bool, error) {
		out := map[table.Place]bool{}
		err := b.ByRecord(func(r *table.Rows) error {
			from, to := r.Span()
			if !w.overlaps(from, to) || o.namespace != "" && timeline.NamespaceOf(r) != o.namespace || o.only != "" && cluster != "" && r.Record.Cluster != cluster {
				out[r.Record.Place()] = true
			}
			return nil
		})
		return out, err
	}, nil
}
