package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/render/report"
	"github.com/knforensics/knforensics/timeline"
)

type reportOptions struct{ timelineOptions }

func newReport(shared *options) *cobra.Command {
	o := &reportOptions{timelineOptions{options: shared}}
	cmd := &cobra.Command{
		Use:   "report -o FILE.html PATH...",
		Short: "the incident as one page, to be read and shared without anything else",
		Long: `Writes one HTML file: what happened in a few sentences with their proof, what was
read, the findings with how they came about, and the timeline of the families they
are about, drawn and as a table. It asks no network for anything, and can be read
without scripts and on paper. Without a selector it shows the families in which
something was found.`,
		Example: `  knforensics report -o incident.html audit.log controller.log
  knforensics report -o cart.html --ksvc shop/cart captures/`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.destinationFlag(cmd, "`FILE.html`, the page to write; - is standard output")
	o.selectors(cmd)
	return cmd
}

func (o *reportOptions) run(cmd *cobra.Command, paths []string) error {
	file, err := o.destination("FILE.html, the page to write; - is standard output")
	if err != nil {
		return err
	}
	if file == source.Stdin {
		file = ""
	} else {
		o.files = []string{file}
	}
	remove, err := o.keepStdin(paths)
	if err != nil {
		return err
	}
	defer remove()
	kind, name := o.selector()
	d, err := o.loadNamed(cmd.Context(), paths, kind, name)
	if err != nil {
		return err
	}
	incident, err := o.incident(d, kind, name)
	if err != nil {
		return err
	}
	if err := o.addRecords(cmd.Context(), paths, incident.Families); err != nil {
		return err
	}
	if d.failed != nil {
		return usagef("%s", d.failed)
	}
	return o.writeTo(file, func(w io.Writer) error { return report.Write(w, incident) })
}

// incident puts together what the page tells.
func (o *reportOptions) incident(d *data, kind, name string) (*report.Incident, error) {
	w, err := o.windowOf(d)
	if err != nil {
		return nil, err
	}
	families := o.families(d.history)
	if o.namespace != "" && len(families) == 0 {
		return nil, o.noneIn(d.history)
	}
	if kind != "" {
		matches, err := o.find(d.history, kind, name)
		if err != nil {
			return nil, err
		}
		families = timeline.FamiliesOf(matches)
	}
	result := registry.Run(nil, families, d.coverage)
	i := &report.Incident{Version: version, Clock: o.clock, Coverage: d.coverage, Skew: timeline.SkewOf(families), Releases: result.Releases, Blind: result.Blind,
		Outside: w.narrow(result, d.history.End()), Window: w.of(d.coverage)}
	i.Families, i.LeftOut, i.Undecided = report.Choose(families, result, kind != "")
	for n := range i.Families {
		f := &i.Families[n]
		f.Take(o.entries(f.Family.Entries(nil), d.coverage, w))
	}
	return i, nil
}
