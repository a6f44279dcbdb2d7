package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

type timelineOptions struct {
	*options
	selection
}

// selection is the object that a story is about.
type selection struct{ rev, config, route, ksvc, isvc string }

func newTimeline(shared *options) *cobra.Command {
	o := &timelineOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "timeline [--rev [NS/]NAME] PATH...",
		Short: "what happened to a Revision, in order, by whom, on what proof",
		Long: `Shows what happened to a Revision and its whole family: Service, Configuration,
Route, Ingress, Deployment, Pods, PodAutoscaler, Images. Without a selector it
lists the Revisions found.`,
		Example: `  knforensics timeline --rev rt-00002 audit.log controller.log
  knforensics timeline --ksvc shop/cart -o json captures/
  knforensics timeline captures/`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.selectors(cmd)
	return cmd
}

// selectors adds the flags that name an object to a command.
func (o *timelineOptions) selectors(cmd *cobra.Command) {
	o.flags(cmd)
	for flag, kind := range map[string]string{"rev": timeline.KindRevision, "config": timeline.KindConfiguration, "route": timeline.KindRoute,
		"ksvc": timeline.KindService, "isvc": timeline.KindInferenceService} {
		_ = cmd.RegisterFlagCompletionFunc(flag, o.completeObjects(kind))
	}
}

// flags adds those that select an object to a command.
func (s *selection) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.rev, "rev", "", "the Revision, `[NS/]NAME`")
	f.StringVar(&s.config, "config", "", "a Configuration, `[NS/]NAME`")
	f.StringVar(&s.route, "route", "", "a Route, `[NS/]NAME`")
	f.StringVar(&s.ksvc, "ksvc", "", "a Service, `[NS/]NAME`")
	f.StringVar(&s.isvc, "isvc", "", "an InferenceService, `[NS/]NAME`")
	cmd.MarkFlagsMutuallyExclusive("rev", "config", "route", "ksvc", "isvc")
}

// selector returns kind and name asked for, "" if none is.
func (s *selection) selector() (kind, name string) {
	for _, flag := range [][2]string{{timeline.KindRevision, s.rev}, {timeline.KindConfiguration, s.config}, {timeline.KindRoute, s.route},
		{timeline.KindService, s.ksvc}, {timeline.KindInferenceService, s.isvc}} {
		if flag[1] != "" {
			return flag[0], flag[1]
		}
	}
	return "", ""
}

func (o *timelineOptions) run(cmd *cobra.Command, paths []string) error {
	if _, err := o.wanted(rows(nil, nil, nil)...); err != nil {
		return err
	}
	kind, name := o.selector()
	d, err := o.loadNamed(cmd.Context(), paths, kind, name)
	if err != nil {
		return err
	}
	w, err := o.windowOf(d)
	if err != nil {
		return err
	}
	if kind == "" {
		return o.table(d, w)
	}
	matches, err := o.find(d.history, kind, name)
	if err != nil {
		return err
	}
	story := o.story(d, kind, matches, matches[len(matches)-1], w)
	if d.failed != nil {
		return usagef("%s", d.failed)
	}
	return o.write(
		func(p *render.Page) { p.Timeline(story, o.verbose) },
		func() any { return render.TimelineJSON(o.clock, story) },
		rows(
			func(w io.Writer) error { return story.JSONLines(w, o.clock) },
			func(w io.Writer) error { return story.CSV(w, o.clock) },
			func(w io.Writer) error { return story.Markdown(w, o.clock, o.verbose) })...)
}

// find resolves a name, and says which names there are where it is unknown or
// not clear.
func (o *options) find(h *timeline.History, kind, name string) ([]timeline.Match, error) {
	if ns, _, ok := strings.Cut(name, "/"); ok && o.namespace != "" && ns != o.namespace {
		return nil, usagef("%s is not in namespace %s", name, o.namespace)
	}
	matches := h.Select(kind, name, o.namespace)
	if len(matches) == 0 {
		e := &exit{code: exitNoMatch, message: "no " + kind + " " + name + " in the inputs"}
		names := h.Names(kind)
		if len(names) == 0 {
			return nil, e.hint("they hold no %s at all", kind)
		}
		if len(names) > mostListed {
			e = e.like(name, spelledAs(name, names))
		}
		return nil, e.hint("found: %s", listSome(names))
	}
	var namespaces []string
	for _, m := range matches {
		name := m.Object.Namespace + "/" + m.Object.Name
		if cluster := m.Family.Cluster.Name; cluster != "" {
			name += " of cluster " + cluster
		}
		namespaces = append(namespaces, name)
	}
	slices.Sort(namespaces)
	if namespaces = slices.Compact(namespaces); len(namespaces) > 1 {
		return nil, usagef("%s %s is not clear", kind, name).hint("did you mean: %s", listSome(namespaces))
	}
	return matches, nil
}

// spelledAs returns names with their namespace if a name has one, else without.
func spelledAs(name string, names []string) (list []string) {
	for _, n := range names {
		if !strings.Contains(name, "/") {
			n = n[strings.IndexByte(n, '/')+1:]
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// mostListed is how many names are listed.
const mostListed = 20

// listSome lists names, the first twenty if there are many.
func listSome(names []string) string {
	if len(names) > mostListed {
		return strings.Join(names[:mostListed], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// story puts the rows of the families together with what was found in them. It is
// about one of the matches.
func (o *options) story(d *data, kind string, matches []timeline.Match, about timeline.Match, w window) *render.Story {
	s := &render.Story{Kind: kind, Object: about.Object, Family: about.Family, Coverage: d.coverage, Window: w.of(d.coverage)}
	for _, m := range matches {
		s.Lives = append(s.Lives, m.Object)
	}
	families := timeline.FamiliesOf(matches)
	s.Skew = timeline.SkewOf(families)
	result := registry.Run(nil, families, d.coverage)
	s.Outside = w.narrow(result, d.history.End())
	for _, f := range families {
		for _, r := range f.Revisions {
			if kind == timeline.KindRevision && r.Object == about.Object {
				s.Revision = r
			}
		}
		s.Entries = append(s.Entries, f.Entries(s.Revision)...)
	}
	s.Findings = result.Findings
	for _, v := range result.Rulings {
		if v.Verdict == detectors.Inconclusive {
			s.Rulings = append(s.Rulings, v)
		}
	}
	for _, f := range result.Findings {
		s.Entries = append(s.Entries, render.FindingEntry(f))
	}
	s.Entries = o.entries(s.Entries, d.coverage, w)
	return s
}

// entries puts rows and gaps in order, as far as they are of the window.
func (o *options) entries(rows []timeline.Entry, c *coverage.Coverage, w window) []timeline.Entry {
	rows = append(rows, o.gapEntries(c)...)
	rows = slices.DeleteFunc(rows, func(e timeline.Entry) bool { return !w.holds(e.Time) })
	timeline.SortEntries(rows)
	return rows
}

// gapEntries makes rows of the stretches of time without data.
func (o *options) gapEntries(c *coverage.Coverage) (list []timeline.Entry) {
	for _, g := range c.Gaps {
		list = append(list, timeline.Entry{Time: g.From, Kind: timeline.EntryGap, Summary: "no data until " + o.clock.Time(g.To) + ": " + g.Text(), Grade: timeline.Inferred})
	}
	return list
}

// table lists the Revisions.
func (o *timelineOptions) table(d *data, w window) error {
	families := o.families(d.history)
	result := registry.Run(nil, families, d.coverage)
	list := &render.Revisions{Window: w.of(d.coverage), Outside: w.narrow(result, d.history.End())}
	if list.Rows = revisionRows(families, result); len(list.Rows) == 0 && o.namespace != "" {
		return o.noRevisions(d.history)
	}
	return o.write(
		func(p *render.Page) { p.Revisions(list) },
		func() any { return render.RevisionsJSON(o.clock, list) },
		rows(
			func(w io.Writer) error { return render.RevisionsJSONLines(w, o.clock, list) },
			func(w io.Writer) error { return render.RevisionsCSV(w, o.clock, list) },
			func(w io.Writer) error { return render.RevisionsMarkdown(w, o.clock, list) })...)
}

// revisionRows lists the Revisions of families with what was found about each, and who
// could not decide about it.
func revisionRows(families []*timeline.Family, result *detectors.Result) (list []render.RevisionRow) {
	type subject struct {
		cluster, uid string
		timeline.Ref
	}
	rows := map[subject]*render.RevisionRow{}
	about := func(cluster string, object timeline.Ref, uid string) *render.RevisionRow {
		key := subject{cluster, uid, object}
		if rows[key] == nil {
			rows[key] = &render.RevisionRow{}
		}
		return rows[key]
	}
	for _, f := range result.Findings {
		row := about(f.Cluster, f.Object, f.UID)
		row.Findings = append(row.Findings, f)
	}
	for _, v := range result.Rulings {
		if row := about(v.Cluster, v.Object, v.UID); v.Verdict == detectors.Inconclusive {
			row.Undecided = append(row.Undecided, v.Detector)
		}
	}
	for _, f := range families {
		for _, r := range f.Revisions {
			row := *about(f.Cluster.Name, r.Ref, r.UID)
			row.Revision = r
			list = append(list, row)
		}
	}
	return list
}
