package main

import (
	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

type detectOptions struct {
	*options
	questions
	detectors         []string
	failOn            string
	allowInconclusive bool
}

func newDetect(shared *options) *cobra.Command {
	o := &detectOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "detect PATH...",
		Short: "which known failures happened",
		Long: `Asks every detector about every Knative family in the inputs. Findings come with
their evidence; what could not be decided is said, with the reason. With --rules
it asks questions of your own too, of all audit events.

Exit status: 0 nothing found, 1 findings, 3 undecided (see 'knforensics help exit-codes').`,
		Example: `  knforensics detect audit.log controller.log
  knforensics detect --fail-on critical -o json=findings.json captures/
  knforensics detect -o text -o sarif=findings.sarif captures/
  knforensics detect --rules samples/rules.yaml audit.log`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	o.flag(cmd)
	f.StringSliceVar(&o.detectors, "detectors", nil, "only these, `NAMES` of detectors and rules joined by commas")
	f.StringVar(&o.failOn, "fail-on", "medium", "`severity` from which on findings make the exit status 1: "+anyOf(failOn))
	f.BoolVar(&o.allowInconclusive, "allow-inconclusive", false, "exit with 0 instead of 3 when something is undecided")
	_ = cmd.RegisterFlagCompletionFunc("detectors", o.complete)
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(failOn, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// failOn are the values of --fail-on.
var failOn = []string{string(detectors.Critical), string(detectors.High), string(detectors.Medium), string(detectors.Low), string(detectors.Info), "none"}

func needPaths(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("no input given").hint("name files or folders, or - for standard input")
	}
	return nil
}

func (o *detectOptions) run(cmd *cobra.Command, paths []string) error {
	if err := o.readRules(); err != nil {
		return err
	}
	if err := o.check(o.detectors); err != nil {
		return err
	}
	if err := oneOf("fail-on", o.failOn, failOn); err != nil {
		return err
	}
	threshold := detectors.Severity(o.failOn)
	found := &render.Detection{Clock: o.clock, Version: version, Inputs: paths, Asked: o.asked(o.detectors), FailOn: threshold}
	forms := append(rows(found.JSONLines, found.CSV, found.Markdown), form{"sarif", found.SARIF}, form{"junit", found.JUnit}, form{"github", found.GitHub})
	if _, err := o.wanted(forms...); err != nil {
		return err
	}
	asking := o.ask(o.detectors, o.namespace)
	d, err := o.keep(cmd.Context(), paths, asking.adders()...)
	if err != nil {
		return err
	}
	defer d.rows.Close()
	w, err := o.windowOf(&d.data)
	if err != nil {
		return err
	}
	result, outside, err := o.judge(asking, d, w)
	if err != nil {
		return err
	}
	found.Coverage, found.Result, found.Window, found.Outside = d.coverage, result, w.of(d.coverage), outside
	err = o.write(func(p *render.Page) { p.Findings(found, o.verbose) }, found.JSON, forms...)
	if err != nil {
		return err
	}
	return o.status(found)
}

// status is the exit status of the answer: a proven finding wins over what
// stayed undecided.
func (o *detectOptions) status(d *render.Detection) error {
	for _, f := range d.Result.Findings {
		if o.failOn != "none" && f.Severity.AtLeast(d.FailOn) {
			return &exit{code: exitFindings}
		}
	}
	if !o.allowInconclusive && (d.Result.Inconclusive() || d.Coverage.Records() == 0 || d.Window.Unseen()) {
		return &exit{code: exitInconclusive}
	}
	return nil
}
