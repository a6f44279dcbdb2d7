package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/knforensics/knforensics/timeline"
	"github.com/knforensics/knforensics/timeline/summary"
)

// The most rows of each list of a Summary, without all.
const (
	mostSlowest   = 5
	mostNotReady  = 10
	mostRequested = 12
	mostGroups    = 8
)

// Summary writes all Services at a glance. Without all, the lists are cut, and
// what is left out is counted.
func (p *Page) Summary(s *Summary, all bool) {
	p.read(s.Coverage)
	p.narrowed(s)
	p.clusters(s.Clusters)
	p.kinds(s)
	p.slowest(s.Slowest, all)
	p.notReady(s, all)
	p.relapsed(s.Relapsed, all)
	p.undecided(s.Undecided)
	p.requested(s, all)
	p.reconcilers(s.Reconcilers)
	p.grouped(s, all)
}

func (p *Page) plain() lipgloss.Style { return p.look.title.UnsetBold() }

// heading begins a part of the page.
func (p *Page) heading(title, explained string) {
	p.line()
	p.line(p.look.title.Render(title), p.look.faint.Render(explained))
}

// shown returns how many rows of a list to show.
func shown(n, most int, all bool) int {
	if all {
		return n
	}
	return min(n, most)
}

// further says how many rows were left out.
func (p *Page) further(n int, what string) {
	if n > 0 {
		p.line("  ", p.look.faint.Render(fmt.Sprintf("%d more%s (-v lists them)", n, what)))
	}
}

func (p *Page) narrowed(s *Summary) {
	if text := s.Window.text(p.clock); text != "" {
		p.line(p.look.warn.Render("narrowed: "), text)
	}
}

// text tells what a summary is narrowed to, "" if it is of all.
func (w Window) text(clock Clock) (text string) {
	if !w.asked() {
		return ""
	}
	text = "what was made, requested and found"
	if !w.From.IsZero() {
		text += " from " + clock.Stamp(w.From)
	}
	if !w.To.IsZero() {
		text += " to " + clock.Stamp(w.To)
	}
	return text
}

func (p *Page) clusters(list []summary.Cluster) {
	if len(list) == 0 {
		return
	}
	p.heading(fmt.Sprintf("%-9s%6s%6s%10s%9s%9s%8s%10s%8s", "clusters", "Ready", "never", "undecided", "p50", "max", "writes", "conflicts", "errors"), "")
	for _, c := range list {
		var p50, longest string
		if t := c.Services.Took; t != nil {
			p50, longest = duration(t.P50), duration(t.Max)
		}
		p.line(fmt.Sprintf("%9d%6d%6d%10d%9s%9s%8d%10d%8d  ", c.Services.Made, c.Services.Ready, c.Services.Never, c.Services.Undecided,
			p50, longest, c.Asked.Writes.Requests, c.Asked.Writes.Conflicts, c.Asked.Writes.Errors()), orUnknown(Safe(c.Name)))
	}
}

// kinds writes how long objects took to become Ready.
func (p *Page) kinds(s *Summary) {
	if len(s.Kinds) == 0 {
		p.heading("no Service, Configuration, Revision or Route", "")
		return
	}
	const row = "%-13s %4s%6s%6s%10s%8s%8s%8s%8s%8s"
	p.heading(fmt.Sprintf(row, "time to Ready", "made", "Ready", "never", "undecided", "min", "p50", "p90", "p99", "max"), "")
	for _, k := range s.Kinds {
		cells := []any{k.Kind, fmt.Sprint(k.Made), fmt.Sprint(k.Ready), fmt.Sprint(k.Never), fmt.Sprint(k.Undecided)}
		p.line(fmt.Sprintf(row, append(cells, durations(k.Took)...)...))
	}
	p.spread(s.Spread)
}

func durations(t *summary.Times) []any {
	if t == nil {
		return []any{"", "", "", "", ""}
	}
	return []any{duration(t.Min), duration(t.P50), duration(t.P90), duration(t.P99), duration(t.Max)}
}

// spread draws how many Services took how long, unless there are few.
func (p *Page) spread(buckets []summary.Bucket) {
	const few, widest = 10, 40
	total, most := 0, 0
	for _, b := range buckets {
		total, most = total+b.Count, max(most, b.Count)
	}
	if total < few {
		return
	}
	p.line()
	for _, b := range buckets {
		span := fmt.Sprintf("under %s", bound(b.To))
		switch {
		case b.To == 0:
			span = fmt.Sprintf("%s and more", bound(b.From))
		case b.From > 0:
			span = fmt.Sprintf("%s to %s", bound(b.From), bound(b.To))
		}
		bar := strings.Repeat("█", (b.Count*widest+most-1)/most)
		p.line(fmt.Sprintf("  %-16s%6d  ", span, b.Count), p.look.accent.Render(bar))
	}
}

// bound writes where a bucket begins or ends.
func bound(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// duration writes a duration in at most seven columns, as long as it is under
// 1000 hours.
func duration(d time.Duration) string {
	if ms := d.Round(time.Millisecond); ms < time.Second {
		return fmt.Sprintf("%d ms", ms.Milliseconds())
	}
	if d.Round(10*time.Millisecond) < 100*time.Second {
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	if s := d.Round(time.Second); s < time.Hour {
		return fmt.Sprintf("%dm%02ds", int(s.Minutes()), int(s.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

func (p *Page) slowest(list []*summary.Readiness, all bool) {
	if len(list) == 0 {
		return
	}
	p.heading("slowest", "")
	n := shown(len(list), mostSlowest, all)
	for _, r := range list[:n] {
		p.readiness(r, duration(r.Took), "")
	}
	p.further(len(list)-n, "")
}

// readiness writes an object, what became Ready before it, and more.
func (p *Page) readiness(r *summary.Readiness, lead, more string) {
	text := objectText(r.Family.Cluster.Name, r.Object.Ref)
	if steps := stepsText(r); steps != "" {
		text += ": " + steps
	}
	p.paragraph(fmt.Sprintf("%9s  ", lead), text+more, p.plain())
}

// stepsText tells what became Ready before an object.
func stepsText(r *summary.Readiness) string {
	var steps []string
	for _, s := range r.Steps {
		steps = append(steps, fmt.Sprintf("%s %s", s.Object.Kind, duration(s.Took)))
	}
	return strings.Join(steps, ", ")
}

// notReady writes the reasons for which objects of any kind were never Ready,
// and the Services.
func (p *Page) notReady(s *Summary, all bool) {
	for i, k := range s.Kinds {
		if k.Never == 0 {
			continue
		}
		var why []string
		for _, r := range k.Why {
			why = append(why, fmt.Sprintf("%d %s", r.Count, Safe(r.Text)))
		}
		if first := !slices.ContainsFunc(s.Kinds[:i], func(k summary.Kind) bool { return k.Never > 0 }); first {
			p.heading("never Ready", "")
		}
		p.paragraph("  "+p.look.bad.Render(k.Kind+": "), strings.Join(why, ", "), p.plain())
	}
	n := shown(len(s.NotReady), mostNotReady, all)
	for _, r := range s.NotReady[:n] {
		end := "at the end of the data"
		if !r.Object.Gone.IsZero() {
			end = "when it was deleted"
		}
		p.readiness(r, duration(r.Until.Sub(r.Made)), "; "+end+" "+conditionText(p.clock, r.Last))
	}
	p.further(len(s.NotReady)-n, "")
}

func (p *Page) undecided(list []summary.Reason) {
	for i, r := range list {
		if i == 0 {
			p.line()
		}
		p.paragraph(p.look.warn.Render("undecided: "), fmt.Sprintf("%s: %s", count(int64(r.Count), "object", "objects"), Safe(r.Text)), p.plain())
	}
}

// conditionText tells a Ready condition.
func conditionText(clock Clock, c *timeline.Condition) string {
	if c == nil {
		return "no status was written"
	}
	text := "Ready " + c.Text()
	if !c.Since.IsZero() {
		text += " since " + clock.Stamp(c.Since)
	}
	if c.Message != "" {
		text += ": " + brief(c.Message)
	}
	return Safe(text)
}

const relapsedTitle = "Ready once, and not at the end: "

func (p *Page) relapsed(list []*summary.Readiness, all bool) {
	if len(list) == 0 {
		return
	}
	p.heading(relapsedTitle, count(int64(len(list)), "Service", "Services"))
	n := shown(len(list), mostNotReady, all)
	for _, r := range list[:n] {
		p.paragraph("  ", objectText(r.Family.Cluster.Name, r.Object.Ref)+": "+conditionText(p.clock, r.Last), p.plain())
	}
	p.further(len(list)-n, "")
}
