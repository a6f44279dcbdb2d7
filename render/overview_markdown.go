package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline/summary"
)

// RevisionsMarkdown writes the table of Revisions.
func RevisionsMarkdown(w io.Writer, clock Clock, list *Revisions) error {
	var m markdown
	m.add("", "## "+count(int64(len(list.Rows)), "Revision", "Revisions")+"\n"+head(revisionHead...))
	for _, r := range list.Rows {
		m.add("rows", safeRow(revisionCells(clock, r)...))
	}
	var texts []string
	for _, n := range list.Window.narrowing(list.Outside) {
		texts = append(texts, n.text)
	}
	m.items("### What the table cannot tell", "doubts", texts)
	return m.writeTo(w)
}

// safeRow returns a row of a table of text that may be of the cluster.
func safeRow(cells ...string) string {
	for i, c := range cells {
		cells[i] = safeMarkdown(c)
	}
	return row(cells...)
}

// CoverageMarkdown writes what the inputs can and cannot prove: the files, the levels of
// the resources of the Knative family, with all of every one, and what is missing.
func CoverageMarkdown(w io.Writer, clock Clock, c *coverage.Coverage, blind []detectors.Blindness, all bool) error {
	var m markdown
	m.add("", "## Coverage\n\nRead "+readText(clock, c)+".\n"+head("file", "format", "records", "rejected", "truncated", "given twice", "from", "to", "not read"))
	for _, f := range c.Files {
		format := strings.Join(append([]string{string(f.Format)}, f.Wrappers...), ", ")
		m.add("files", row(markdownCode(f.Path), safeMarkdown(format), fmt.Sprint(f.Records), fmt.Sprint(f.Rejected), fmt.Sprint(f.Truncated), fmt.Sprint(f.Duplicates),
			clock.orUnknown(f.From), clock.orUnknown(f.To), safeMarkdown(f.Skipped)))
	}
	for i, r := range c.Rejections {
		if i == 0 {
			m.add("", head("rejected", "why"))
		}
		m.add("rejections", row(markdownCode(fmt.Sprintf("%s:%d", r.File, r.Line)), safeMarkdown(r.Reason)))
	}
	m.add("", head("resource", "audit events", "levels"))
	hidden := 0
	for _, r := range c.Resources {
		if !all && !ofKnative(r.ResourceKey) {
			hidden++
			continue
		}
		m.add("resources", row(markdownCode(resourceText(r.ResourceKey)), fmt.Sprint(r.Records), safeMarkdown(shares(r.Levels))))
	}
	if hidden > 0 {
		m.add("", "\n"+count(int64(hidden), "other resource", "other resources")+" (-v lists them).\n")
	}
	var missing []string
	for _, s := range c.Skew {
		missing = append(missing, SkewText(s))
	}
	d := Detection{Clock: clock, Coverage: c, Result: &detectors.Result{Blind: blind}}
	m.items("### What the logs cannot tell", "doubts", append(d.Doubts(), missing...))
	return m.writeTo(w)
}

// Markdown writes all Services at a glance. Without all, the lists are cut as those of
// the text.
func (s *Summary) Markdown(w io.Writer, clock Clock, all bool) error {
	var m markdown
	narrowed := s.Window.text(clock)
	if narrowed != "" {
		narrowed = " Narrowed: " + narrowed + "."
	}
	m.add("", "## Summary\n\nRead "+readText(clock, s.Coverage)+"."+narrowed+"\n"+head("", "made", "Ready", "never", "undecided", "min", "p50", "p90", "p99", "max"))
	for _, k := range s.Kinds {
		cells := []string{k.Kind, fmt.Sprint(k.Made), fmt.Sprint(k.Ready), fmt.Sprint(k.Never), fmt.Sprint(k.Undecided)}
		for _, d := range durations(k.Took) {
			cells = append(cells, fmt.Sprint(d))
		}
		m.add("kinds", row(cells...))
	}
	s.services(&m, clock, all)
	s.requests(&m, all)
	s.groups(&m, clock)
	var unknown []string
	for _, r := range s.Summary.Undecided {
		unknown = append(unknown, count(int64(r.Count), "object", "objects")+": "+r.Text)
	}
	if s.Unfinished {
		unknown = append(unknown, unfinishedText)
	}
	m.items("### What the logs cannot tell", "doubts", append(unknown, s.detection(clock).Doubts()...))
	return m.writeTo(w)
}

// services writes the slowest Services, those that were never Ready, and those that did
// not stay so.
func (s *Summary) services(m *markdown, clock Clock, all bool) {
	list(m, "slow Services", "\n### Slowest\n"+head("took", "object", "after"), s.Slowest, shown(len(s.Slowest), mostSlowest, all), func(r *summary.Readiness) string {
		return row(duration(r.Took), readinessCode(r), safeMarkdown(stepsText(r)))
	})
	list(m, "Services", "\n### Never Ready: "+fmt.Sprint(len(s.NotReady))+"\n"+head("after", "object", "at the end"), s.NotReady, shown(len(s.NotReady), mostNotReady, all), func(r *summary.Readiness) string {
		return row(duration(r.Until.Sub(r.Made)), readinessCode(r), safeMarkdown(conditionText(clock, r.Last)))
	})
	list(m, "Services", "\n### "+relapsedTitle+count(int64(len(s.Relapsed)), "Service", "Services")+"\n"+head("object", "at the end"), s.Relapsed, shown(len(s.Relapsed), mostNotReady, all), func(r *summary.Readiness) string {
		return row(readinessCode(r), safeMarkdown(conditionText(clock, r.Last)))
	})
}

func readinessCode(r *summary.Readiness) string {
	return markdownCode(objectText(r.Family.Cluster.Name, r.Object.Ref))
}

// list writes the first n of some rows below a heading, and says how many more there are.
func list[T any](m *markdown, what, heading string, rows []T, n int, text func(T) string) {
	for i, r := range rows[:n] {
		if i == 0 {
			m.add("", heading)
		}
		m.add(what, text(r))
	}
	if more := len(rows) - n; more > 0 {
		m.add("", fmt.Sprintf("\n%d more (-v lists them).\n", more))
	}
}

// requests writes what components wrote, those that wrote most first.
func (s *Summary) requests(m *markdown, all bool) {
	var wrote []*summary.Requested
	for _, r := range s.Requested {
		if r.Writes.Requests > 0 {
			wrote = append(wrote, r)
		}
	}
	list(m, "components", "\n### Writes\n"+head("component and resource", "writes", "conflicts", "429", "4xx", "5xx"), wrote, shown(len(wrote), mostRequested, all), func(r *summary.Requested) string {
		a := r.Writes
		return row(safeMarkdown(whatRequested(r)), fmt.Sprint(a.Requests), fmt.Sprint(a.Conflicts), fmt.Sprint(a.Throttled), fmt.Sprint(a.Refused), fmt.Sprint(a.Failed))
	})
}

// groups writes how many findings there are, by what they have in common.
func (s *Summary) groups(m *markdown, clock Clock) {
	m.add("", "\n### "+s.detection(clock).heading()+"\n")
	if len(s.Result.Findings) == 0 {
		return
	}
	m.add("", head("by", "", "findings"))
	for _, by := range s.Groups {
		for _, g := range by.Groups {
			m.add("groups", row(by.Name, safeMarkdown(orUnknown(g.Name)), severities(g)))
		}
	}
}
