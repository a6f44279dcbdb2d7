package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

type checkOptions struct {
	*options
	questions
	update            bool
	pattern           string
	expect            string
	detectors         []string
	allowInconclusive bool
}

func newCheck(shared *options) *cobra.Command {
	o := &checkOptions{options: shared}
	cmd := &cobra.Command{
		Use:   "check DIR...",
		Short: "do captured fixtures still give what they should",
		Long: `Reads the logs in each folder with an expect.yaml, and holds what is found against
what that file says. DIR is such a folder, or a tree of them; a trailing /... is
accepted.

With --expect it asks one question of one capture instead: captured, whether a
Route moved to a Revision below its target; held, whether none did. --from and
--to narrow it, as they do for detect, to findings whose course reaches into
that time.`,
		Example: `  knforensics check samples/...
  knforensics check --run latched --update samples
  knforensics check --rules samples/rules.yaml fixtures/
  knforensics check --expect held audit.log controller.log`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	o.flag(cmd)
	f.BoolVar(&o.update, "update", false, "rewrite each expect.yaml with what was found")
	f.StringVar(&o.pattern, "run", "", "only fixtures whose path matches `REGEXP`")
	f.StringVar(&o.expect, "expect", "", "the verdict of a capture: "+anyOf(expected))
	f.StringSliceVar(&o.detectors, "detectors", nil, "with --expect: ask it of these detectors or rules instead of latest-ready-latch")
	f.BoolVar(&o.allowInconclusive, "allow-inconclusive", false, "with --expect: exit with 0 instead of 3 when undecided")
	_ = cmd.RegisterFlagCompletionFunc("detectors", o.complete)
	_ = cmd.RegisterFlagCompletionFunc("expect", cobra.FixedCompletions(expected, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// expected are the values of --expect.
var expected = []string{string(detectors.Captured), string(detectors.Held)}

func (o *checkOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.readRules(); err != nil {
		return err
	}
	checked := &render.Check{Clock: o.clock, Version: version, Asked: o.list()}
	forms := append(forCI(checked), form{"sarif", checked.SARIF})
	if o.expect != "" {
		forms = forCI(checked) // there is no file for SARIF to point at
	}
	if _, err := o.wanted(forms...); err != nil {
		return err
	}
	if o.expect != "" {
		return o.question(cmd.Context(), args)
	}
	pattern, err := regexp.Compile(o.pattern)
	if err != nil {
		return usagef("--run: %s", err)
	}
	dirs, err := fixtures(args)
	if err != nil {
		return err
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !pattern.MatchString(d) })
	if len(dirs) == 0 {
		return (&exit{code: exitNoMatch, message: "no fixture found"}).hint("a fixture is a folder with logs and an expect.yaml")
	}
	for _, dir := range dirs {
		r, err := o.fixture(cmd.Context(), dir)
		if err != nil {
			return err
		}
		checked.Results = append(checked.Results, r)
	}
	err = o.write(func(p *render.Page) { p.Checks(checked) }, checked.JSON, forms...)
	if err == nil && checked.Failed() {
		return &exit{code: exitFindings}
	}
	return err
}

// forCI are the forms of a check that a CI job reads.
func forCI(c *render.Check) []form {
	return []form{{"junit", c.JUnit}, {"github", c.GitHub}, {"markdown", c.Markdown}}
}

const expectFile = "expect.yaml"

// fixtures finds the folders with an expect.yaml.
func fixtures(args []string) (dirs []string, err error) {
	for _, arg := range args {
		root := strings.TrimSuffix(filepath.ToSlash(arg), "/...")
		err := filepath.WalkDir(filepath.FromSlash(root), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && entry.Name() == expectFile {
				dirs = append(dirs, filepath.Dir(path))
			}
			return err
		})
		if err != nil {
			return nil, usagef("%s", err)
		}
	}
	return dirs, nil
}

// fixture holds one folder against its expectations.
func (o *checkOptions) fixture(ctx context.Context, dir string) (render.CheckResult, error) {
	path := filepath.Join(dir, expectFile)
	r := render.CheckResult{Fixture: dir, File: path}
	want, err := readExpectations(path, &o.questions)
	if err != nil {
		return r, usagef("%s", err)
	}
	inputs, err := want.inputs(dir)
	if err != nil {
		return r, usagef("%s", err)
	}
	asking := o.ask(nil, o.namespace)
	d, err := o.keep(ctx, inputs, asking.adders()...)
	if err != nil {
		return r, err
	}
	defer d.rows.Close()
	w, err := o.windowOf(&d.data)
	if err != nil {
		return r, err
	}
	if w.of(d.coverage).Unseen() {
		return r, &exit{code: exitNoMatch, message: dir + ": there is nothing to check"}
	}
	result, _, err := asking.judge(d, w)
	if err != nil {
		return r, err
	}
	o.warnings(d.mixed())
	if o.update {
		if err := want.rewrite(path, result); err != nil {
			return r, usagef("%s", err)
		}
		if want, err = readExpectations(path, &o.questions); err != nil {
			return r, usagef("%s", err)
		}
	}
	r.Expectations = len(want.Expect)
	r.Differences = want.differences(result)
	return r, nil
}

// inputs lists the input files of a fixture: those it names, else all files
// beside it that are no text about it.
func (e *expectations) inputs(dir string) (paths []string, err error) {
	for _, name := range e.Inputs {
		paths = append(paths, filepath.Join(dir, name))
	}
	if len(paths) > 0 {
		return paths, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() && entry.Name() != expectFile && filepath.Ext(entry.Name()) != ".md" {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths, nil
}

// question asks whether a failure was captured in one set of inputs.
func (o *checkOptions) question(ctx context.Context, paths []string) error {
	if err := oneOf("expect", o.expect, expected); err != nil {
		return err
	}
	names := o.detectors
	if len(names) == 0 {
		names = []string{latchDetector}
	}
	if err := o.check(names); err != nil {
		return err
	}
	asking := o.ask(names, o.namespace)
	d, err := o.keep(ctx, paths, asking.adders()...)
	if err != nil {
		return err
	}
	defer d.rows.Close()
	w, err := o.windowOf(&d.data)
	if err != nil {
		return err
	}
	result, _, err := o.judge(asking, d, w)
	if err != nil {
		return err
	}
	answer, reason := answerOf(result, asking.watch.Asks())
	switch {
	case d.coverage.Records() == 0:
		answer, reason = detectors.Inconclusive, "no input gave a single record"
	case w.of(d.coverage).Unseen():
		answer, reason = detectors.Inconclusive, "no input reaches into the time from --from to --to"
	}
	a := render.Answer{Expected: o.expect, Verdict: string(answer), Reason: reason, Lost: render.Losses(o.clock, d.coverage), Result: result}
	checked := a.Check(o.clock, version, paths, strings.Join(names, ","))
	if err := o.write(func(p *render.Page) { p.Answer(a) }, func() any { return render.AnswerJSON(o.clock, a) }, forCI(checked)...); err != nil {
		return err
	}
	switch {
	case answer == detectors.Verdict(o.expect):
		return nil
	case answer == detectors.Inconclusive && o.allowInconclusive:
		return nil
	case answer == detectors.Inconclusive:
		return &exit{code: exitInconclusive}
	}
	return &exit{code: exitFindings}
}

const latchDetector = "latest-ready-latch"

// answerOf sums up a result in one verdict, and leaves the findings in it on which that
// rests. A latch counts if traffic moved; if that is open, so is the answer. A rule
// judges whatever it looks at; a detector what had a chance.
func answerOf(result *detectors.Result, rules bool) (detectors.Verdict, string) {
	proven := slices.DeleteFunc(slices.Clone(result.Findings), func(f *detectors.Finding) bool {
		return f.Detector == latchDetector && f.Fact("capturedAt") == nil
	})
	open := slices.DeleteFunc(slices.Clone(result.Findings), func(f *detectors.Finding) bool { return f.Open == "" })
	if result.Findings = proven; len(proven) > 0 {
		return detectors.Captured, summaries(proven)
	}
	if result.Findings = open; len(open) > 0 {
		return detectors.Inconclusive, summaries(open)
	}
	if reason := undecided(result.Rulings); reason != "" {
		return detectors.Inconclusive, reason
	}
	for _, b := range result.Blind {
		if b.Total {
			return detectors.Inconclusive, b.Detector + " needs " + b.Needs + "; " + b.Reason
		}
	}
	if len(result.Rulings) == 0 && !rules {
		return detectors.Inconclusive, "the inputs show nothing that could be judged"
	}
	return detectors.Held, "no such finding"
}

// summaries tells the first of findings, and how many more there are.
func summaries(list []*detectors.Finding) string {
	if more := len(list) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", list[0].Summary, more)
	}
	return list[0].Summary
}

// undecided tells about which objects no verdict could be reached, and why: those with
// one reason together. It is empty if there are none.
func undecided(rulings []detectors.Ruling) string {
	var reasons []string
	objects := map[string][]string{}
	for _, v := range rulings {
		if v.Verdict != detectors.Inconclusive {
			continue
		}
		if objects[v.Reason] == nil {
			reasons = append(reasons, v.Reason)
		}
		objects[v.Reason] = append(objects[v.Reason], v.Object.String())
	}
	for i, reason := range reasons {
		reasons[i] = listSome(slices.Compact(objects[reason])) + ": " + reason
	}
	return strings.Join(reasons, "; ")
}
