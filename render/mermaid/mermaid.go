// Package mermaid writes what happened in one family as a Gantt chart for an issue or
// a postmortem (https://mermaid.js.org/syntax/gantt.html): findings as milestones,
// and the spans of conditions as bars, in a section for each object.
//
// A chart is for reading at a glance, and who shows one sets limits: it has at most
// Rows rows, the most telling ones, and says how many there would be.
package mermaid

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Rows is how many rows a chart has at most. With texts that are cut as they are
// here, that is far below the 50,000 characters that mermaid draws (maxTextSize).
const Rows = 40

// Writer writes a chart.
type Writer struct {
	out           *bufio.Writer
	untimed, over render.Left
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriter(w), untimed: render.Left{Why: render.Untimed}, over: render.Left{Why: fmt.Sprintf("a chart has %d rows at most", Rows)}}
}

// row is a row of the chart.
type row struct {
	section  string
	text     string
	tags     string
	from, to time.Time
	weight   int // how little it tells: those with the most are left out first
}

// Add writes the chart of a story, of which there is one in a chart.
func (w *Writer) Add(s *render.Story) error {
	rows := rowsOf(s)
	timed, without := parted(rows, func(r row) bool { return drawn(r.from) && drawn(r.to) })
	kept, others := most(timed)
	tally(&w.untimed, without)
	tally(&w.over, others)
	w.line("gantt")
	title := plain(strings.Replace(s.Family.FullName(), ": ", " ", 1)) + ", times in UTC"
	if len(kept) < len(rows) {
		title += fmt.Sprintf(", %d of %d rows", len(kept), len(rows))
	}
	if n := len(s.Doubts()); n > 0 {
		title += fmt.Sprintf(", %d not known", n)
	}
	w.line("    title " + title)
	w.line("    dateFormat YYYY-MM-DDTHH:mm:ss.SSS")
	w.line("    axisFormat %H:%M:%S")
	w.line("    todayMarker off")
	section := ""
	for _, r := range kept {
		if r.section != section {
			section = r.section
			w.line("    section " + section)
		}
		w.line("    " + r.text + " :" + r.tags + stamp(r.from) + ", " + stamp(r.to))
	}
	return w.out.Flush()
}

// Close is there for all formats: a chart is written by Add.
func (w *Writer) Close() error { return w.out.Flush() }

// Left returns what was left out.
func (w *Writer) Left() []render.Left { return []render.Left{w.untimed, w.over} }

// tally adds rows to what is left out.
func tally(left *render.Left, rows []row) {
	for _, r := range rows {
		if r.section == findings {
			left.Findings++
		} else {
			left.Rows++
		}
	}
}

// parted returns the rows that ok holds for, and the others.
func parted(rows []row, ok func(row) bool) (those, others []row) {
	for _, r := range rows {
		if ok(r) {
			those = append(those, r)
		} else {
			others = append(others, r)
		}
	}
	return those, others
}

func (w *Writer) line(text string) {
	_, _ = w.out.WriteString(text + "\n") // Flush tells
}

// stamp writes a time as dateFormat says. Mermaid takes it as one of the reader's
// zone, and shows it as it was written.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }

// The sections that are of no object.
const (
	findings = "findings"
	gaps     = "gaps"
)

// rowsOf returns all rows, findings first, then the gaps, and then the objects from the
// Service down.
func rowsOf(s *render.Story) (rows []row) {
	for _, f := range s.Findings {
		at := s.At(f)
		rows = append(rows, row{section: findings, text: "▲ " + plain(f.Detector+" "+f.Object.Name), tags: milestone(f.Severity), from: at, to: at,
			weight: f.Severity.Rank()})
	}
	for _, g := range s.Coverage.Gaps {
		from, to := g.From, g.To
		if from.Before(s.From) {
			from = s.From
		}
		if !s.To.IsZero() && to.After(s.To) {
			to = s.To
		}
		if !to.Before(from) {
			rows = append(rows, row{section: gaps, text: "░ " + plain(g.Text()), from: from, to: to, weight: len(detectors.Severities)})
		}
	}
	var walk func(nodes []*timeline.Node)
	walk = func(nodes []*timeline.Node) {
		for _, n := range nodes {
			rows = append(rows, conditions(s, n.Object)...)
			walk(n.Below)
		}
	}
	walk(s.Family.Tree())
	return rows
}

// drawn reports whether a time can be drawn: it is known, and its year has four digits.
func drawn(t time.Time) bool { return !t.IsZero() && t.Year() > 0 && t.Year() < 10000 }

func milestone(s detectors.Severity) string {
	if s.AtLeast(detectors.High) {
		return "milestone, crit, "
	}
	return "milestone, "
}

func conditions(s *render.Story, o *timeline.Object) (rows []row) {
	for _, c := range s.Family.ConditionSpans(o, s.From, s.To) {
		for _, span := range c.Spans {
			if !span.Known {
				continue // as of what the object has not, nothing is drawn
			}
			mark, tags := look(span.Condition.Status)
			rows = append(rows, row{section: plain(o.Kind + " " + o.Name), text: mark + " " + plain(c.Type+" "+span.Condition.Text()), tags: tags,
				from: span.From, to: span.To, weight: weight(o.Kind, c.Type)})
		}
	}
	return rows
}

// look returns the mark and the tags of a status, so that colour alone says nothing.
// No statement of mermaid begins with such a mark.
func look(status string) (mark, tags string) {
	switch status {
	case "True":
		return "✓", "done, "
	case "False":
		return "✗", "crit, "
	}
	return "…", "active, "
}

// weight orders conditions, after all findings and gaps: Ready of what a story is told of, then
// Ready of the rest, then what Ready of a Revision is made of, then all others.
func weight(kind, condition string) int {
	base := len(detectors.Severities) + 1
	switch kind {
	case timeline.KindService, timeline.KindConfiguration, timeline.KindRevision, timeline.KindRoute, timeline.KindIngress:
		if condition == "Ready" {
			return base
		}
	}
	switch {
	case condition == "Ready":
		return base + 1
	case kind == timeline.KindRevision:
		return base + 2
	}
	return base + 3
}

// most returns the rows that tell most, of those that tell as much the first, and the
// others, all in their order.
func most(rows []row) (kept, others []row) {
	places := make([]int, len(rows))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(rows[a].weight, rows[b].weight) })
	of := func(places []int) (list []row) {
		slices.Sort(places)
		for _, place := range places {
			list = append(list, rows[place])
		}
		return list
	}
	n := min(len(places), Rows)
	return of(places[:n]), of(places[n:])
}

// plain makes text of the cluster fit for a chart: letters, digits and a few signs are
// left, of which none means something to mermaid or to Markdown.
func plain(s string) string {
	const longest = 60
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -./", r) {
			return r
		}
		return '?'
	}, render.Safe(s))
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}
