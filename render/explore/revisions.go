package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// revisionRow is a Revision with how it stands at the end, its worst finding first.
type revisionRow struct {
	render.RevisionRow
	end render.End
}

// revisions lists the Revisions.
type revisions struct {
	look   look
	clock  render.Clock
	rows   []revisionRow
	names  int // columns of the longest name
	order  string
	turned bool
}

func newRevisions(m *Model) screen {
	s := &revisions{look: m.look, clock: m.data.Clock, order: "S"}
	for _, r := range m.data.Revisions {
		row := revisionRow{RevisionRow: r, end: render.EndOf(r.Revision)}
		row.Findings = detectors.Worst(r.Findings)
		s.rows = append(s.rows, row)
		s.names = max(s.names, ansi.StringWidth(row.name()))
	}
	s.sort()
	return s
}

func (r *revisionRow) name() string {
	return render.Safe(r.Revision.Family.InCluster(r.Revision.Namespace + "/" + r.Revision.Name))
}

func (r *revisionRow) ready() string {
	switch {
	case r.end.Ready == "":
		return "?"
	case r.end.Reason == "":
		return render.Safe(r.end.Ready)
	}
	return render.Safe(r.end.Ready + "/" + r.end.Reason)
}

func (r *revisionRow) traffic() string {
	if r.end.Traffic == nil {
		return ""
	}
	return fmt.Sprintf("%d %%", *r.end.Traffic)
}

// worst returns the worst finding, nil if nothing was found.
func (r *revisionRow) worst() *detectors.Finding {
	if len(r.Findings) == 0 {
		return nil
	}
	return r.Findings[0]
}

func (r *revisionRow) found() string {
	worst := r.worst()
	switch {
	case worst == nil && len(r.Undecided) > 0:
		return "undecided"
	case worst == nil:
		return ""
	}
	text := strings.ToUpper(string(worst.Severity)) + " " + worst.Detector
	if more := len(r.Findings) - 1; more > 0 {
		text += fmt.Sprintf(" +%d", more)
	}
	return render.Safe(text)
}

// missing returns how many replicas are missing at the end, 0 if that is not known.
func (r *revisionRow) missing() int {
	if r.end.Replicas == nil || r.end.Want == nil {
		return 0
	}
	return *r.end.Want - *r.end.Replicas
}

// orders are the ways to sort, by key.
var orders = map[string]struct {
	name    string
	compare func(a, b *revisionRow) int
}{
	"N": {"name", func(a, b *revisionRow) int { return 0 }},
	"R": {"missing replicas", func(a, b *revisionRow) int { return cmp.Compare(b.missing(), a.missing()) }},
	"T": {"traffic", func(a, b *revisionRow) int { return cmp.Compare(known(b.end.Traffic), known(a.end.Traffic)) }},
	"A": {"age", func(a, b *revisionRow) int { return b.Revision.Born.Compare(a.Revision.Born) }},
	"S": {"severity", func(a, b *revisionRow) int { return cmp.Compare(rank(a.worst()), rank(b.worst())) }},
}

func known(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// rank orders findings by how bad they are; no finding comes last.
func rank(f *detectors.Finding) int {
	if f == nil {
		return len(detectors.Severities)
	}
	return f.Severity.Rank()
}

func (s *revisions) sort() {
	compare := orders[s.order].compare
	slices.SortStableFunc(s.rows, func(a, b revisionRow) int {
		c := cmp.Or(compare(&a, &b), strings.Compare(a.name(), b.name()), a.Revision.Born.Compare(b.Revision.Born))
		if s.turned {
			return -c
		}
		return c
	})
}

func (s *revisions) title() string {
	turned := ""
	if s.turned {
		turned = ", turned round"
	}
	return "Revisions by " + orders[s.order].name + turned
}

func (s *revisions) resize(int)  {}
func (s *revisions) length() int { return len(s.rows) }

// widths returns those of the columns. Where it is narrow, some are left out, and
// the name gets at most what leaves room for the finding.
func (s *revisions) widths(width int) []int {
	widths := []int{0, 14, 8, 7, 0}
	least := 24 // of the finding
	if width < 60 {
		widths, least = []int{0, 0, 8, 0, 0}, 12
	}
	rest := width
	for _, w := range widths {
		if w > 0 {
			rest -= w + 1
		}
	}
	widths[0] = min(max(s.names, len("REVISION")), max(12, rest-1-least))
	widths[4] = max(0, rest-1-widths[0])
	return widths
}

func (s *revisions) heading(width int) string {
	titles := []string{"REVISION", "READY", "REPLICAS", "TRAFFIC", "WORST FINDING"}
	return s.look.columns(titles, s.widths(width))
}

func (s *revisions) row(item, width int) string {
	r := &s.rows[item]
	widths := s.widths(width)
	finding := r.found()
	text := s.look.columns([]string{r.name(), r.ready(), render.Ratio(r.end.Replicas, r.end.Want), r.traffic()}, widths[:4])
	style := s.look.plain
	if worst := r.worst(); worst != nil {
		style = s.look.severity(worst.Severity)
	}
	return text + " " + style.Render(s.look.fit(finding, widths[4]))
}

func (s *revisions) words(item int) words {
	r := &s.rows[item]
	w := words{object: strings.ToLower("revision/" + r.Revision.Name), text: strings.ToLower(r.name() + " " + r.ready() + " " + r.found())}
	if r.worst() != nil {
		w.kind = string(timeline.EntryFinding)
	}
	return w
}

func (s *revisions) detail(item, _ int) (lines []string) {
	r := &s.rows[item]
	lines = append(lines, r.name()+": Ready "+r.ready()+lifeText(s.clock, r.Revision.Born, r.Revision.Gone))
	for _, f := range r.Findings {
		lines = append(lines, strings.ToUpper(string(f.Severity))+" "+f.Summary)
	}
	if len(r.Undecided) > 0 {
		lines = append(lines, "undecided: "+strings.Join(r.Undecided, ", "))
	}
	return lines
}

func lifeText(clock render.Clock, born, gone time.Time) (text string) {
	if !born.IsZero() {
		text = ", created " + clock.Stamp(born)
	}
	if !gone.IsZero() {
		text += ", deleted " + clock.Stamp(gone)
	}
	return text
}

func (s *revisions) key(m *Model, key string) (tea.Cmd, bool) {
	p := m.here()
	item := p.item()
	switch key {
	case "enter":
		if item < 0 {
			return nil, true
		}
		r := s.rows[item].Revision
		return m.tell(r.Family.Cluster.Name, r.Ref, r.UID, func(timeline.Entry) bool { return false }), true
	}
	if _, known := orders[key]; !known || key == "N" && p.sought != "" {
		return nil, false
	}
	s.turned = key == s.order && !s.turned
	s.order = key
	selected := s.chosen(item)
	s.sort()
	p.refresh(func(item int) bool { return s.rows[item].Revision == selected.Revision })
	return nil, true
}

// chosen returns the row of an item, an empty one if there is none.
func (s *revisions) chosen(item int) (r revisionRow) {
	if item >= 0 {
		r = s.rows[item]
	}
	return r
}
