package main

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline/summary"
)

func newSummary(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "summary PATH...",
		Short: "all Services at a glance: time to Ready, writes, conflicts, errors, findings",
		Long: `Sums up what the inputs tell of all Services: how long they took to become
Ready, which were slowest and which never did and why; the writes, conflicts and
errors of each component and resource; the reconciles of Knative's controller; and
the findings by detector, namespace, release and day. What the inputs cannot tell
is said.

--from and --to narrow it to what was made, requested and found in that time.`,
		Example: `  knforensics summary audit.log controller.log
  knforensics summary -n shop --from -15m captures/
  knforensics summary -o json=summary.json captures/`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, paths []string) error { return o.summary(cmd, paths) },
	}
}

func (o *options) summary(cmd *cobra.Command, paths []string) error {
	if _, err := o.wanted(rows(nil, nil, nil)...); err != nil {
		return err
	}
	requests, err := o.requests()
	if err != nil {
		return err
	}
	d, err := o.load(cmd.Context(), paths, requests.Add)
	if err != nil {
		return err
	}
	w, err := o.windowOf(d)
	if err != nil {
		return err
	}
	families := o.families(d.history)
	if o.namespace != "" && len(families) == 0 {
		return o.noneIn(d.history)
	}
	requests.Within(w.holds)
	result := registry.Run(nil, families, d.coverage)
	s := &render.Summary{Coverage: d.coverage, Summary: summary.Of(d.history, families, d.coverage.Gaps, requests, w.holds),
		Window: w.of(d.coverage), Outside: w.narrow(result, d.history.End()), Result: result}
	for _, by := range o.groupings(result.Releases) {
		s.Groups = append(s.Groups, render.FindingGroups{Grouping: by, Groups: by.Groups(result.Findings)})
	}
	return o.write(
		func(p *render.Page) { p.Summary(s, o.verbose) },
		func() any { return render.SummaryJSON(o.clock, s) },
		rows(
			func(w io.Writer) error { return s.JSONLines(w, o.clock) },
			func(w io.Writer) error { return s.CSV(w, o.clock) },
			func(w io.Writer) error { return s.Markdown(w, o.clock, o.verbose) })...)
}

// requests returns what counts requests. Where the end of the data has to be
// known to tell which count, it is not told yet.
func (o *options) requests() (*summary.Requests, error) {
	if strings.HasPrefix(o.from, "-") || strings.HasPrefix(o.to, "-") {
		return summary.NewRequests(o.namespace, nil), nil
	}
	w, err := o.window(time.Time{})
	return summary.NewRequests(o.namespace, w.holds), err
}

// groupings are the views of findings that a summary has.
func (o *options) groupings(known []detectors.Release) []detectors.Grouping {
	releases := map[string]string{}
	for _, r := range known {
		releases[r.Cluster] = r.Name()
	}
	list := []detectors.Grouping{
		{Name: "detector", Of: func(f *detectors.Finding) string { return f.Detector }},
		{Name: "namespace", Of: func(f *detectors.Finding) string { return f.Object.Namespace }},
		{Name: "release", Of: func(f *detectors.Finding) string { return releases[f.Cluster] }},
		{Name: "day", Of: func(f *detectors.Finding) string { return o.clock.Day(f.Time) }, Ordered: true},
	}
	if len(known) > 1 {
		list = append(list, detectors.Grouping{Name: "cluster", Of: func(f *detectors.Finding) string { return f.Cluster }})
	}
	return list
}
