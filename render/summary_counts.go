package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline/summary"
)

const unfinishedText = "no answer of a request is in the audit log, only that requests came in: none is counted"

// requested writes what components wrote.
func (p *Page) requested(s *Summary, all bool) {
	if s.Unfinished {
		p.line()
		p.paragraph(p.look.warn.Render("undecided: "), unfinishedText, p.plain())
	}
	total := s.Total.Writes
	if total.Requests+s.Total.Reads.Requests+s.Total.DryRuns == 0 {
		return
	}
	const row = "%7s%11s%6s%6s%6s  "
	p.heading(fmt.Sprintf(row, "writes", "conflicts", "429", "4xx", "5xx"), "component and resource")
	n := 0
	var rest summary.Answers
	for _, r := range s.Requested {
		if r.Writes.Requests == 0 {
			continue
		}
		if n++; n > mostRequested && !all {
			rest.Sum(r.Writes)
			continue
		}
		p.paragraph(answers(r.Writes), whatRequested(r), p.plain())
	}
	if rest.Requests > 0 {
		p.line(p.look.faint.Render(answers(rest) + fmt.Sprintf("%d more rows (-v lists them)", n-mostRequested)))
	}
	p.line(answers(total), "all")
	reads := s.Total.Reads
	p.line(fmt.Sprintf("%7d  ", reads.Requests), fmt.Sprintf("reads, of which %d were answered 429, %d another 4xx, %d 5xx", reads.Throttled, reads.Refused+reads.Conflicts, reads.Failed))
	if s.Total.DryRuns > 0 {
		p.line(fmt.Sprintf("%7d  ", s.Total.DryRuns), "dry runs, not counted above")
	}
}

func answers(a summary.Answers) string {
	return fmt.Sprintf("%7d%11d%6d%6d%6d  ", a.Requests, a.Conflicts, a.Throttled, a.Refused, a.Failed)
}

func whatRequested(r *summary.Requested) string {
	component := orUnknown(r.Component)
	if r.Cluster != "" {
		component = r.Cluster + ": " + component
	}
	return Safe(component + " " + resourceText(coverage.ResourceKey{Group: r.Group, Resource: r.Resource, Subresource: r.Subresource}))
}

func (p *Page) reconcilers(list []summary.Reconciler) {
	if len(list) == 0 {
		return
	}
	const row = "%-13s%10s%8s%9s%8s%8s%8s%8s"
	p.heading(fmt.Sprintf(row, "reconciler", "reconciles", "failed", "min", "p50", "p90", "p99", "max"), "")
	for _, r := range list {
		cells := []any{Safe(r.Name), fmt.Sprint(r.Reconciles), fmt.Sprint(r.Failed)}
		p.line(fmt.Sprintf(row, append(cells, durations(r.Took)...)...))
	}
}

// grouped writes how many findings there are, by what they have in common.
func (p *Page) grouped(s *Summary, all bool) {
	total := detectors.Grouping{Of: func(*detectors.Finding) string { return "" }}.Groups(s.Result.Findings)
	p.line()
	if len(total) == 0 {
		p.nothing(s.detection(p.clock))
	}
	for _, g := range total {
		p.line(p.look.title.Render(count(int64(g.Findings), "finding", "findings")), ": ", severities(g))
	}
	for _, by := range s.Groups {
		n := shown(len(by.Groups), mostGroups, all)
		for i, g := range by.Groups[:n] {
			lead := ""
			if i == 0 {
				lead = "by " + by.Name
			}
			p.line(fmt.Sprintf("  %-14s", lead), Safe(orUnknown(g.Name)), ": ", severities(g))
		}
		p.further(len(by.Groups)-n, " by "+by.Name)
	}
	if s.Outside > 0 {
		p.line(p.look.warn.Render("not counted: "), outsideText(s.Outside))
	}
	if n := countVerdicts(s.Result, detectors.Inconclusive); n > 0 {
		p.line(p.look.warn.Render("undecided: "), count(int64(n), "verdict", "verdicts"), " ('", p.Program, " detect' says which, and why)")
	}
	var blind []string
	for _, b := range s.Result.Blind {
		blind = append(blind, b.Detector)
	}
	blind = slices.Compact(blind)
	if len(blind) > 0 {
		p.paragraph(p.look.warn.Render("blind: "), strings.Join(blind, ", ")+" ('"+p.Program+" coverage' says why)", p.plain())
	}
}

// severities writes how many findings of a group there are, by severity.
func severities(g detectors.Group) string {
	var parts []string
	for _, s := range detectors.Severities {
		if n := g.Severities[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}
