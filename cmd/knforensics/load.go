package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/sift"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/unnamed"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// data is what was read.
type data struct {
	coverage *coverage.Coverage
	history  *timeline.History
	failed   error // of reading on, once the history was asked
}

// load reads the inputs at paths. What else takes record batches gets them too,
// with all that there is.
func (o *options) load(ctx context.Context, paths []string, others ...func(*table.Batch)) (*data, error) {
	opts := ingest.Options{}
	if len(others) == 0 {
		opts = searching(timeline.SearchAll())
	}
	d, err := o.loadWith(ctx, paths, opts, others...)
	if err != nil {
		return nil, err
	}
	return o.ofCluster(d)
}

// ofCluster leaves of what was read what is of the cluster asked for.
func (o *options) ofCluster(d *data) (*data, error) {
	o.warnings(mixed(d.history))
	return d, o.narrow(d.history)
}

// searching are the options for who reads what a History takes anything of.
func searching(search *sift.Search) ingest.Options {
	return ingest.Options{Want: timeline.Wants, Told: timeline.Told, Search: search}
}

func (o *options) loadWith(ctx context.Context, paths []string, opts ingest.Options, others ...func(*table.Batch)) (*data, error) {
	builder := timeline.NewClusters(nil)
	c, err := o.read(ctx, paths, opts, func(b *table.Batch) error {
		builder.Add(b)
		for _, add := range others {
			add(b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for cluster, reach := range c.Reach {
		builder.Of(cluster).Reaches(reach)
	}
	return &data{coverage: c, history: o.released(builder.Build())}, nil
}

// loadNamed reads what the object of a kind and a name is looked at with: of a case
// that is the only input, its families, else what a search finds of them, or
// everything.
func (o *options) loadNamed(ctx context.Context, paths []string, kind, name string) (*data, error) {
	switch {
	case name == "":
		return o.load(ctx, paths)
	case len(paths) != 1 || !casefolder.Is(paths[0]) || o.clusterAt(paths[0]) != "":
		d, err := o.search(ctx, paths, kind, name)
		if d == nil && err == nil {
			return o.load(ctx, paths)
		}
		if err != nil {
			return nil, err
		}
		return o.ofCluster(d)
	}
	collectLate()
	kept, err := casefolder.Open(paths[0])
	if err != nil {
		return nil, usagef("%s", err)
	}
	about, err := o.about(kept, name)
	if err != nil {
		return nil, usagef("%s", err)
	}
	if about == nil {
		return o.load(ctx, paths)
	}
	d := &data{coverage: &kept.Coverage}
	for i := range d.coverage.Files {
		d.coverage.Files[i].SHA256 = ""
	}
	builder := timeline.NewClusters(func(cluster string, b *timeline.Builder) {
		if reach := kept.Reach[cluster]; reach != nil {
			b.Complete(timeline.Part{From: reach.AuditFrom, To: reach.AuditTo, LogTo: reach.LogTo, Processes: reach.Processes, Others: d.others(kept, cluster)})
		}
	})
	for cluster := range kept.Reach {
		builder.Of(cluster)
	}
	err = kept.Each(casefolder.Selection{Tables: casefolder.Rows, About: about}, func(b *table.Batch) error {
		builder.Add(b)
		return nil
	})
	if err != nil {
		return nil, usagef("%s", err)
	}
	d.history = o.released(builder.Build())
	if len(d.history.Select(kind, name, o.namespace)) == 0 {
		return o.load(ctx, paths) // which names there are, all that was read tells
	}
	o.inputs = append(o.inputs, source.Input{Path: paths[0], Case: true})
	o.warnings(kept.Warnings)
	return d, errors.Join(o.narrow(d.history), ctx.Err())
}

// released has the version of Knative that was given count as that of all clusters.
func (o *options) released(h *timeline.History) *timeline.History {
	if o.knative == "" {
		return h
	}
	number, classes, _ := timeline.ParseVersion(o.knative) // settle has checked it
	for _, c := range h.Clusters {
		c.Given(number, classes)
	}
	return h
}

// others returns a function that reads what all processes of a cluster logged.
func (d *data) others(kept *casefolder.Case, cluster string) func() *timeline.Builder {
	return func() *timeline.Builder {
		all := timeline.NewClusters(nil)
		d.failed = kept.Each(casefolder.Selection{Tables: []table.Kind{table.ControllerLogs}}, func(b *table.Batch) error {
			all.Add(b)
			return nil
		})
		return all.Of(cluster)
	}
}

// about tells what is looked at with the objects of a name, nil if there are none.
func (o *options) about(kept *casefolder.Case, name string) ([]table.Subject, error) {
	namespace := o.namespace
	if ns, rest, ok := strings.Cut(name, "/"); ok {
		namespace, name = ns, rest
	}
	family, err := kept.Related(namespace, timeline.About(name))
	if err != nil || family == nil {
		return nil, err
	}
	return timeline.WithShared(family), nil
}

// read passes the inputs at paths to sink as record batches.
func (o *options) read(ctx context.Context, paths []string, opts ingest.Options, sink func(*table.Batch) error) (*coverage.Coverage, error) {
	inputs, err := source.Find(paths, o.in)
	if err != nil {
		return nil, notOpened(paths, err)
	}
	o.inputs = append(o.inputs, inputs...)
	c, err := o.readInputs(ctx, inputs, opts, sink)
	var e *exit
	switch {
	case err == nil:
		o.passOver(c)
	case !errors.As(err, &e):
		err = usagef("%s", err)
	}
	return c, err
}

func (o *options) readInputs(ctx context.Context, inputs []source.Input, opts ingest.Options, sink func(*table.Batch) error) (*coverage.Coverage, error) {
	if err := o.checkPlaces(inputs); err != nil {
		return nil, err
	}
	var done func()
	opts.Jobs, opts.Cluster = o.jobs, o.clusterAt
	opts.Progress, done = o.meter()
	defer done()
	return ingest.Read(ctx, inputs, opts, func(b *table.Batch) error {
		if err := ctx.Err(); err != nil {
			return err // a case hands out its batches without asking
		}
		return sink(b)
	})
}

// window is the stretch of time that was asked for; zero times are open ends.
type window struct{ from, to time.Time }

// windowOf reads --from and --to, and says if the inputs tell nothing of that time.
func (o *options) windowOf(d *data) (window, error) {
	w, err := o.window(d.history.End())
	if err == nil && w.of(d.coverage).Unseen() && !o.quiet {
		_, _ = fmt.Fprintf(o.err, "knforensics: the inputs tell nothing of the time from --from to --%s\n", o.toFlag)
	}
	return w, err
}

// window reads --from and --to. Times before the end of the data are relative
// to it.
func (o *options) window(end time.Time) (w window, err error) {
	if w.from, err = o.moment("from", o.from, end); err != nil {
		return w, err
	}
	if w.to, err = o.moment(o.toFlag, o.to, end); err != nil {
		return w, err
	}
	if !w.from.IsZero() && !w.to.IsZero() && w.to.Before(w.from) {
		return w, usagef("--%s is before --from", o.toFlag)
	}
	return w, nil
}

func (o *options) moment(flag, text string, end time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if strings.HasPrefix(text, "-") {
		if d, err := time.ParseDuration(text); err == nil {
			return end.Add(d), nil
		}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return t, usagef("--%s: %q is no time", flag, text).hint("give RFC 3339, such as 2026-11-30T06:36:58Z, or -15m for 15 minutes before the end of the data")
	}
	return t, nil
}

// holds reports whether t is inside; the zero time always is.
func (w window) holds(t time.Time) bool {
	return t.IsZero() || (w.from.IsZero() || !t.Before(w.from)) && (w.to.IsZero() || !t.After(w.to))
}

// overlaps reports whether a stretch of time reaches into the window.
func (w window) overlaps(from, to time.Time) bool {
	return from.IsZero() || (w.from.IsZero() || !to.Before(w.from)) && (w.to.IsZero() || !from.After(w.to))
}

// covered reports whether inputs that tell of a stretch of time, which is zero if
// they tell of none, tell of some of the window.
func (w window) covered(from, to time.Time) bool { return !from.IsZero() && w.overlaps(from, to) }

// of tells of the window, and whether inputs cover it, as it is shown.
func (w window) of(c *coverage.Coverage) render.Window {
	return render.Window{From: w.from, To: w.to, Covered: w.covered(c.From, c.To)}
}

// narrow leaves out the findings whose whole course is outside the window, and
// what refers to them. It returns how many there were.
func (w window) narrow(result *detectors.Result, end time.Time) int {
	before := len(result.Findings)
	out := map[*detectors.Finding]bool{}
	for _, f := range result.Findings {
		if from, to := f.Course(end); !w.overlaps(from, to) {
			out[f] = true
		}
	}
	result.Findings = slices.DeleteFunc(result.Findings, func(f *detectors.Finding) bool { return out[f] })
	for _, f := range result.Findings {
		f.CausedBy = slices.DeleteFunc(f.CausedBy, func(c *detectors.Finding) bool { return out[c] })
	}
	type subject struct {
		detector, cluster, uid string
		object                 timeline.Ref
	}
	found := map[subject]bool{}
	for _, f := range result.Findings {
		found[subject{f.Detector, f.Cluster, f.UID, f.Object}] = true
	}
	result.Rulings = slices.DeleteFunc(result.Rulings, func(v detectors.Ruling) bool {
		return v.Verdict == detectors.Captured && !found[subject{v.Detector, v.Cluster, v.UID, v.Object}]
	})
	return before - len(result.Findings)
}

// families returns the families of the namespace asked for.
func (o *options) families(h *timeline.History) []*timeline.Family {
	if o.namespace == "" {
		return h.Families
	}
	var list []*timeline.Family
	for _, f := range h.Families {
		if f.Namespace == o.namespace {
			list = append(list, f)
		}
	}
	return list
}

// keepStdin puts standard input, if it is among the paths, into a temporary file,
// where it can be read twice.
func (o *options) keepStdin(paths []string) (remove func(), err error) {
	if !slices.Contains(paths, source.Stdin) {
		return func() {}, nil
	}
	f, err := unnamed.Create()
	if err != nil {
		return nil, fmt.Errorf("keep standard input: %w", err)
	}
	remove = func() { _ = f.Close() }
	if _, err := io.Copy(f, o.in); err != nil {
		remove()
		return nil, fmt.Errorf("keep standard input: %w", err)
	}
	o.in = source.Kept{File: f.File}
	return remove, nil
}
