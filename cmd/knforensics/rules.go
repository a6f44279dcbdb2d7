package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/detectors/rules"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
	"github.com/knforensics/knforensics/timeline/byfamily"
)

// questions are what can be asked: the detectors, and the rules of --rules.
type questions struct {
	files []string
	set   *rules.Set
}

func (q *questions) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&q.files, "rules", nil, "the rules of a YAML `FILE` too (see docs/rules.md); may be given more than once")
	_ = cmd.MarkFlagFilename("rules", "yaml", "yml")
}

// readRules reads the files of rules, if there are any.
func (q *questions) readRules() (err error) {
	if len(q.files) == 0 {
		return nil
	}
	if q.set, err = rules.Read(q.files, registry.Names()); err == nil {
		return nil
	}
	e := usagef("%s", err)
	var mistakes *rules.Mistakes
	if errors.As(err, &mistakes) {
		e = e.hint("docs/rules.md tells how rules are written")
	}
	return e
}

// list lists the detectors, and after them the rules.
func (q *questions) list() []*detectors.Detector {
	return append(slices.Clip(registry.All), q.set.Detectors()...)
}

// asked lists the detectors and rules of the names, all if there are none.
func (q *questions) asked(names []string) (list []*detectors.Detector) {
	for _, d := range q.list() {
		if len(names) == 0 || slices.Contains(names, d.Name) {
			list = append(list, d)
		}
	}
	return list
}

// names returns the names of all that can be asked, sorted.
func (q *questions) names() (names []string) {
	for _, d := range q.list() {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}

// find returns the detector or rule of a name, nil if there is none.
func (q *questions) find(name string) *detectors.Detector {
	for _, d := range q.list() {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// check refuses names that nothing has.
func (q *questions) check(names []string) error {
	for _, name := range names {
		if q.find(name) == nil {
			return unknown("detector", name, q.names())
		}
	}
	return nil
}

// complete offers the names in the shell.
func (q *questions) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	slices.Sort(q.files)
	q.files = slices.Compact(q.files) // the flags were parsed twice
	_ = q.readRules()                 // without its rules, the detectors are still there
	return q.names(), cobra.ShellCompDirectiveNoFileComp
}

// asking is one run of questions over some inputs.
type asking struct {
	*questions
	names []string // those that are asked, all if empty
	watch *rules.Watch
}

func (q *questions) ask(names []string, namespace string) *asking {
	return &asking{q, names, q.set.Watch(names, namespace)}
}

// adders returns what shows the rules, if there are any, what is read.
func (a *asking) adders() []func(*table.Batch) {
	if a.set == nil {
		return nil
	}
	return []func(*table.Batch){func(b *table.Batch) { b.EachAuditEvent(a.watch.Request) }}
}

// judge puts the questions about what was asked for, if there is anything.
func (o *options) judge(a *asking, k *kept, w window) (*detectors.Result, int, error) {
	result, outside, err := a.judge(k, w)
	if err != nil {
		return nil, 0, err
	}
	o.warnings(k.mixed())
	if o.namespace != "" && !k.met.Load() && !a.watch.Met() {
		return nil, 0, absent("nothing of Knative in namespace", o.namespace, k.namespaces())
	}
	return result, outside, nil
}

// judge puts the questions about what was kept by families. Of what is found it leaves
// what reaches into the window, and returns how many findings do not.
func (a *asking) judge(k *kept, w window) (result *detectors.Result, outside int, err error) {
	known := registry.Names()
	names := slices.DeleteFunc(slices.Clone(a.names), func(name string) bool { return !slices.Contains(known, name) })
	inquiry := registry.NewInquiry(names, k.coverage)
	rulesOnly := len(a.names) > 0 && len(names) == 0
	answers, err := byfamily.Each(k.rows, k.jobs, func(h *timeline.History) *registry.Answers {
		if families := k.families(h); !rulesOnly {
			return inquiry.Ask(families)
		}
		return nil
	})
	if result = (&detectors.Result{}); err == nil && !rulesOnly {
		result = inquiry.Join(answers...)
	}
	if err == nil && a.watch.AsksObjects() {
		_, err = byfamily.Each(k.rows, 1, func(h *timeline.History) any { a.watch.Families(k.families(h)); return nil })
	}
	if err != nil {
		return nil, 0, err
	}
	matched, outside := a.watch.Judge(k.history.Clusters, w.holds)
	result.Join(matched)
	result.Sort()
	return result, outside + w.narrow(result, k.history.End()), k.rows.Err()
}
