package main

import (
	"context"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/export"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// tables writes the tables of what was read, one file each.
func (o *exportOptions) tables(ctx context.Context, paths []string) error {
	if kind, name := o.selector(); kind != "" {
		return usagef("--to %s is of all records, not of %s %s alone", o.format, kind, name).hint("-n, --from and --until leave out some of them")
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
	folder, err := begin(&o.unfinished, func() (*export.Folder, error) { return export.Create(dir, o.format) })
	if err != nil {
		return notMade(err)
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
	if o.namespace == "" && o.from == "" && o.to == "" && o.only == "" {
		return nil, nil
	}
	d, err := o.load(ctx, paths)
	if err != nil {
		return nil, err
	}
	if o.namespace != "" && len(o.families(d.history)) == 0 {
		return nil, o.noneIn(d.history)
	}
	w, err := o.windowOf(d)
	if err != nil {
		return nil, err
	}
	if w.of(d.coverage).Unseen() {
		return nil, nothingToWrite()
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
