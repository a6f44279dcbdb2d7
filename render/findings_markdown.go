package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// Markdown writes the findings as a page of a report: all of them in a table, what the
// inputs cannot tell, and then each with its evidence and how it came about.
func (d *Detection) Markdown(w io.Writer) error {
	var m markdown
	list := listed(d.Result.Findings)
	m.add("", "## "+d.heading()+"\n\nRead "+readText(d.Clock, d.Coverage)+".")
	for _, r := range d.Result.Releases {
		m.add("", " Knative "+safeMarkdown(r.Text())+".")
	}
	m.add("", "\n")
	for i, f := range d.Result.Findings {
		if i == 0 {
			m.add("", head("", "severity", "time", "object", "what happened"))
		}
		m.add("rows of findings", row(fmt.Sprint(i+1), string(f.Severity), d.Clock.orUnknown(f.Time), markdownCode(objectText(f.Cluster, f.Object)), safeMarkdown(f.Summary)))
	}
	m.items("### What the logs cannot tell", "doubts", d.Doubts())
	for _, f := range d.Result.Findings {
		m.add("findings in full", d.findingMarkdown(f, list))
	}
	return m.writeTo(w)
}

func (d *Detection) heading() string {
	n := len(d.Result.Findings)
	if n == 0 && d.Outside == 0 {
		return "No finding" + d.scope()
	}
	return count(int64(n), "finding", "findings")
}

// findingMarkdown tells one finding.
func (d *Detection) findingMarkdown(f *detectors.Finding, l listing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %d. %s: %s\n\n", l.numbers[f], strings.ToUpper(string(f.Severity)), safeMarkdown(f.Summary))
	fmt.Fprintf(&b, "%s, %s; %s, %s; fingerprint %s\n", markdownCode(f.Detector), f.Confidence, markdownCode(objectText(f.Cluster, f.Object)), d.Clock.orUnknown(f.Time), markdownCode(f.Fingerprint()))
	for _, cause := range f.CausedBy {
		fmt.Fprintf(&b, "* caused by %d. %s\n", l.numbers[cause], markdownCode(cause.Detector))
	}
	if open := OpenText(f); open != "" {
		for line := range strings.SplitSeq(open, "\n") {
			fmt.Fprintf(&b, "* %s\n", safeMarkdown(line))
		}
	}
	b.WriteString(head("evidence", "time", "record", "ID"))
	for _, e := range f.Evidence {
		b.WriteString(row(markdownCode(e.Role), d.Clock.orUnknown(e.Time), markdownCode(fmt.Sprintf("%s:%d", e.File, e.Line)), markdownCode(e.ID())))
	}
	if len(f.Chain) > 2 && !l.taken[f] {
		b.WriteString(head("how it came about", "time", "record"))
		for _, s := range f.Chain {
			b.WriteString(row(safeMarkdown(s.What), d.Clock.orUnknown(s.Time), markdownCode(fmt.Sprintf("%s:%d", s.File, s.Line))))
		}
	}
	b.WriteString(head("fact", "value"))
	for _, fact := range f.Facts {
		if fact.Value != nil {
			b.WriteString(row(fact.Name, safeMarkdown(fmt.Sprint(FactValue(d.Clock, fact.Value)))))
		}
	}
	return b.String()
}
