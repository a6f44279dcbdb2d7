package main

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
)

type showOptions struct {
	*options
	diff bool
}

func newShow(shared *options) *cobra.Command {
	o := &showOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "show ID PATH...",
		Short: "the raw records of an audit ID, a trace ID or a place",
		Long: `Prints the records of an audit ID or a trace ID (the beginning of one will do), or
the record at FILE:LINE, as they were written. FILE matches by the end of the
path, and any line inside a record selects it. An ID may stand behind the inputs,
where the shell completes it. --diff shows what a write changed.`,
		Example: `  knforensics show 3abf6edc audit.log
  knforensics show --diff 3abf6edc audit.log
  knforensics show audit.log:812 audit.log`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("give an ID and the inputs").hint("knforensics show ID PATH...")
			}
			return nil
		},
		ValidArgsFunction: o.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, paths := idAndPaths(args)
			return o.run(cmd, id, paths)
		},
	}
	cmd.Flags().BoolVar(&o.diff, "diff", false, "the difference to the previous state of the same object")
	return cmd
}

// plainID matches the IDs that clients make, and their beginnings.
var plainID = lazyregexp.New(`^[0-9a-f][-0-9a-f]{3,}$`)

// idAndPaths tells what is asked for from the inputs. It stands first, or behind them.
func idAndPaths(args []string) (string, []string) {
	last := len(args) - 1
	if isThere(args[0]) && plainID().MatchString(args[last]) && !isThere(args[last]) {
		return args[last], args[:last]
	}
	return args[0], args[1:]
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (o *showOptions) run(cmd *cobra.Command, id string, paths []string) error {
	if _, err := o.wanted(); err != nil {
		return err
	}
	if err := cmp.Or(o.refuseCluster("an ID is looked for in all clusters"), o.refuseNarrowing("an ID is looked for in all inputs")); err != nil {
		return err
	}
	remove, err := o.keepStdin(paths)
	if err != nil {
		return err
	}
	defer remove()
	found, err := o.records(cmd.Context(), parseSelector(id), paths, o.diff, ingest.Options{})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return (&exit{code: exitNoMatch, message: "no record " + id + " in the inputs"}).hint("give an audit ID or a trace ID, or at least %d characters of one, or FILE:LINE", shortestID)
	}
	return o.write(
		func(p *render.Page) { p.Records(found) },
		func() any { return render.RecordsJSON(o.clock, found) })
}

// records reads the records that are asked for, with their differences to the states
// before if those are wanted.
func (o *options) records(ctx context.Context, want selector, paths []string, diff bool, opts ingest.Options) (found []render.Record, err error) {
	_, err = o.read(ctx, paths, opts, func(b *table.Batch) error {
		found = append(found, want.matches(b)...)
		return nil
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if err := o.fetch(found, paths); err != nil {
		return nil, err
	}
	if diff {
		err = o.diffs(ctx, found, paths, opts)
	}
	return found, err
}

// selector is what show was asked for.
type selector struct {
	id   string
	file string
	line int64
}

func parseSelector(text string) selector {
	s := selector{id: text}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if line, err := strconv.ParseInt(text[i+1:], 10, 64); err == nil && line > 0 {
			s.file, s.line = text[:i], line
		}
	}
	return s
}

// at reports whether a place is the one asked for.
func (s selector) at(l table.Location) bool {
	return s.line > 0 && l.Line <= s.line && s.line < l.Line+max(l.Lines, 1) && endsWith(l.File, s.file)
}

// endsWith reports whether a path ends with the steps of another.
func endsWith(path, tail string) bool {
	path, tail = filepath.ToSlash(filepath.Clean(path)), filepath.ToSlash(filepath.Clean(tail))
	return path == tail || strings.HasSuffix(path, "/"+tail)
}

const shortestID = 4

// named reports whether an ID is the one asked for, or begins with it.
func (s selector) named(id string) bool {
	return id != "" && (id == s.id || len(s.id) >= shortestID && strings.HasPrefix(id, s.id))
}

// matches returns the records of a batch that were asked for.
func (s selector) matches(b *table.Batch) []render.Record {
	return recordsOf(b, func(l table.Location, id string) bool { return s.named(id) || s.at(l) })
}

// recordsOf returns the records of a batch that are wanted by their place and their
// ID: of the audit event, of the trace, or the uid.
func recordsOf(b *table.Batch, wanted func(l table.Location, id string) bool) (found []render.Record) {
	keep := func(l table.Location, r render.Record) {
		r.Location = l
		r.File = strings.Clone(l.File)
		found = append(found, r)
	}
	b.EachAuditEvent(func(row *table.AuditEvent) {
		if wanted(row.Location, row.AuditID) {
			keep(row.Location, render.Record{Format: "audit", AuditID: strings.Clone(row.AuditID), Stage: strings.Clone(row.Stage), Time: row.StageTime})
		}
	})
	b.EachLog(func(row *table.ControllerLog) {
		if wanted(row.Location, row.TraceID) {
			format := "controller-log"
			if row.Format == table.LogKlog {
				format = "klog"
			}
			keep(row.Location, render.Record{Format: format, TraceID: strings.Clone(row.TraceID), Time: row.Time})
		}
	})
	b.EachKubeEvent(func(row *table.KubeEvent) {
		if row.Origin == table.OriginSnapshot && wanted(row.Location, row.UID) {
			keep(row.Location, render.Record{Format: "events", Time: row.LastTime})
		}
	})
	b.EachObject(func(row *table.Object) {
		if !wanted(row.Location, row.UID) {
			return
		}
		switch row.Origin {
		case table.OriginSnapshot:
			keep(row.Location, render.Record{Format: "snapshot"})
		case table.OriginReview:
			keep(row.Location, render.Record{Format: "admission-review"})
		}
	})
	return found
}

// fetch reads the raw bytes of records.
func (o *options) fetch(records []render.Record, paths []string) error {
	inputs, err := source.Find(paths, o.in)
	if err != nil {
		return usagef("%s", err)
	}
	rank := map[string]int{} // of each file, in the order of the inputs
	for _, r := range records {
		if _, ok := rank[r.File]; !ok {
			rank[r.File] = len(rank)
		}
	}
	slices.SortStableFunc(records, func(a, b render.Record) int {
		return cmp.Or(cmp.Compare(rank[a.File], rank[b.File]), cmp.Compare(a.Offset, b.Offset))
	})
	var places []*table.Location
	at := map[*table.Location]*render.Record{}
	for i := range records {
		places = append(places, &records[i].Location)
		at[&records[i].Location] = &records[i]
	}
	return ingest.Fetch(inputs, places, func(l *table.Location, data []byte) {
		r := at[l]
		if data != nil {
			r.Raw = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		}
		r.Redact(o.showSecrets)
	})
}
