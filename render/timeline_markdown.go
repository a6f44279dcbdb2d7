package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// Markdown writes the timeline as a table, below what was found. It has the rows that
// the text has: with all, every one.
func (s *Story) Markdown(w io.Writer, clock Clock, all bool) error {
	var m markdown
	m.add("", "## Timeline of "+markdownCode(objectText(s.Family.Cluster.Name, s.Object.Ref))+"\n\n"+
		clock.Stamp(s.Coverage.From)+" to "+clock.Stamp(s.Coverage.To)+". Knative "+safeMarkdown(detectors.Release{Release: s.Family.Release()}.Text())+".\n")
	var found []string
	for _, f := range s.Findings {
		if f.Severity != detectors.Info {
			found = append(found, strings.ToUpper(string(f.Severity))+" "+f.Summary+" ("+f.Detector+", "+string(f.Confidence)+uidNote(s, f)+")")
		}
	}
	m.items("### Findings", "findings", found)
	m.items("### What the logs cannot tell", "doubts", s.Doubts())
	rows, hidden := s.Rows(all)
	m.add("", head("time", "object", "what happened", "by", "ready/wanted", "record"))
	together := false
	for _, r := range rows {
		m.add("rows", entryMarkdown(clock, r))
		together = together || r.Together
	}
	if together {
		m.add("", "\n\\~ under way when a request before was: which took effect first is not known.\n")
	}
	if hidden > 0 {
		m.add("", "\n"+count(int64(hidden), "row that matters less is not shown; -v shows it", "rows that matter less are not shown; -v shows them")+".\n")
	}
	return m.writeTo(w)
}

func entryMarkdown(clock Clock, r Row) string {
	text := safeMarkdown(brief(r.Summary))
	if r.Repeats > 1 {
		text += fmt.Sprintf(" ×%d, last %s", r.Repeats, clock.Time(r.Last))
	}
	at := clock.orUnknown(r.Time)
	if r.Together {
		at += ` \~`
	}
	record := ""
	if r.Source.File != "" {
		record = markdownCode(fmt.Sprintf("%s:%d", r.Source.File, r.Source.Line))
	}
	return row(at, markdownCode(objectLabel(r.Object)), text, safeMarkdown(actorText(r.Actor)), Ratio(r.Ready, r.Want), record)
}
