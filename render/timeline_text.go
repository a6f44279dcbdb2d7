package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// marks are the signs of the kinds of rows.
var marks = map[timeline.EntryKind]string{
	timeline.EntryError: "✗", timeline.EntryTraffic: "⇒", timeline.EntryScale: "±", timeline.EntryCondition: "●", timeline.EntryWrite: "·",
	timeline.EntryLog: "‹", timeline.EntryEvent: "○", timeline.EntrySnapshot: "□", timeline.EntryFinding: "▲", timeline.EntryGap: "░",
}

// Mark returns the sign of a kind of rows.
func Mark(k timeline.EntryKind) string { return marks[k] }

const (
	timeWidth   = 15
	objectWidth = 26
	ratioWidth  = 5
	idWidth     = 8
)

// Timeline writes the story of an object: what is known of it, what was found,
// and its rows. Without all, rows that matter little are counted only, and
// repeats are folded.
func (p *Page) Timeline(s *Story, all bool) {
	p.About(s)
	rows, hidden := s.Rows(all)
	p.line()
	day := ""
	for _, r := range rows {
		if d := p.day(r.Time); d != day && d != "" {
			day = d
			p.line(p.look.faint.Render(d))
		}
		p.row(r)
	}
	p.end(s)
	if hidden > 0 {
		p.line()
		p.line(p.look.faint.Render(count(int64(hidden), "row that matters less is not shown; -v shows it", "rows that matter less are not shown; -v shows them")))
	}
	p.legend(rows)
}

// uidNote tells which of several lives of one name a finding is about.
func uidNote(s *Story, f *detectors.Finding) string {
	if len(s.Lives) < 2 || f.UID == "" {
		return ""
	}
	return ", uid " + f.UID
}

func (p *Page) day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return p.clock.in(t).Format("Monday 2006-01-02 MST")
}

// About writes what is known of the object a Story is of, without its rows.
func (p *Page) About(s *Story) {
	p.line(p.look.title.Render(objectText(s.Family.Cluster.Name, s.Object.Ref)), "  ", p.look.faint.Render(Safe(s.Object.UID)))
	for i, o := range s.Lives {
		if len(s.Lives) > 1 {
			p.line(fmt.Sprintf("  life %d of %d  ", i+1, len(s.Lives)), p.look.faint.Render(Safe(o.UID)), fmt.Sprintf("  created %s, deleted %s", p.clock.Stamp(o.Born), p.clock.Stamp(o.Gone)))
		}
	}
	var family []string
	named := map[string]bool{}
	for _, objects := range [][]*timeline.Object{s.Family.InferenceServices, s.Family.Services, s.Family.Configurations, s.Family.Routes} {
		for _, o := range objects {
			if name := o.Kind + " " + o.Name; !named[name] {
				named[name] = true
				family = append(family, name)
			}
		}
	}
	p.paragraph("  family  ", Safe(strings.Join(family, ", ")), p.look.title.UnsetBold())
	if s.Revision != nil {
		p.revisionHeader(s)
	}
	p.paragraph("  inputs  ", p.clock.Stamp(s.Coverage.From)+" to "+p.clock.Stamp(s.Coverage.To), p.look.title.UnsetBold())
	p.paragraph("  Knative ", Safe(detectors.Release{Release: s.Family.Release()}.Text()), p.look.title.UnsetBold())
	for _, f := range s.Findings {
		if f.Severity == detectors.Info {
			continue
		}
		p.paragraph("  "+p.severity(f.Severity)+"  ", Safe(f.Summary)+" ("+f.Detector+", "+string(f.Confidence)+Safe(uidNote(s, f))+")", p.look.title.UnsetBold())
	}
	for _, d := range s.doubts(p.Program) {
		p.paragraph("  "+pad(p.look.warn.Render(d.lead), len("inputs"))+"  ", Safe(d.text), p.look.title.UnsetBold())
	}
}

func (p *Page) revisionHeader(s *Story) {
	r := s.Revision
	target := r.Target(s.Family.Cluster.End())
	text := fmt.Sprintf("%d ready replicas before it takes traffic (%s, %s)", target.Documented, target.Source, target.Grade)
	if target.Grade == timeline.Assumed {
		text = "not known: no scale annotation, no config-autoscaler and no creation of the Deployment is in the inputs; the default is 1"
	}
	if target.Gate != target.Documented {
		text += fmt.Sprintf("; the autoscaler's gate is %d", target.Gate)
	}
	p.paragraph("  target  ", Safe(text), p.look.title.UnsetBold())
	v := EndOf(r)
	last := []string{"Ready " + orUnknown(v.Ready)}
	if v.Reason != "" {
		last[0] += "/" + v.Reason
	}
	if text := Ratio(v.Replicas, v.Want); text != "" {
		last = append(last, text+" ready")
	}
	if v.Traffic != nil {
		last = append(last, fmt.Sprintf("%d %% of traffic", *v.Traffic))
	}
	p.paragraph("  at end  ", Safe(strings.Join(last, ", ")), p.look.title.UnsetBold())
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

// row writes one row: time, mark, object, what happened, ready/wanted, ID. What
// does not fit goes below.
func (p *Page) row(r Row) {
	label := pad(Safe(objectLabel(r.Object)), objectWidth)
	room := p.width - timeWidth - 3 - ratioWidth - idWidth - 2
	text := r.What(p.clock)
	indent := timeWidth + 3 + objectWidth + 1
	if lipgloss.Width(label) > objectWidth || p.width-indent < 40 {
		indent = timeWidth + 5
	}
	first, rest := cut(text, room-lipgloss.Width(label)-1)
	style := p.style(r.Kind)
	line := p.look.accent.Render(label) + " " + style.Render(first)
	beside := " "
	if r.Together {
		beside = p.look.faint.Render("~")
	}
	p.line(p.clock.Time(r.Time), beside, p.mark(r.Kind), " ", pad(line, room), " ", pad(Ratio(r.Ready, r.Want), ratioWidth), " ", p.look.faint.Render(shortID(r.Source)))
	if rest != "" {
		p.paragraph(strings.Repeat(" ", indent), rest, style)
	}
}

// What tells in one line what happened, how often, and who did it.
func (r *Row) What(clock Clock) string {
	text := brief(Safe(r.Summary))
	if r.Repeats > 1 {
		text += fmt.Sprintf(" ×%d, last %s", r.Repeats, clock.Time(r.Last))
	}
	if actor := actorText(r.Actor); actor != "" {
		text += " — " + Safe(actor)
	}
	return text
}

// cut breaks text after at most width columns.
func cut(text string, width int) (first, rest string) {
	lines := wrap(text, max(width, 1))
	if lipgloss.Width(lines[0]) > width {
		return "", text
	}
	return lines[0], strings.Join(lines[1:], " ")
}

// brief shortens a long message: the record itself tells the rest.
func brief(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	end := strings.LastIndexByte(s[:most], ' ')
	if end < most/2 {
		end = most
	}
	return strings.ToValidUTF8(s[:end], "") + " …"
}

func objectLabel(r timeline.Ref) string {
	if r.Kind == "" {
		return ""
	}
	return r.Kind + " " + r.Name
}

// actorText names who sent a request: the program, and the user where that is
// a person. Knative's controller, who sends most, is not named.
func actorText(a timeline.Actor) string {
	if a.Component == "controller" && (a.User == "" || strings.HasSuffix(a.User, ":controller")) {
		return ""
	}
	if a.User == "" || strings.HasPrefix(a.User, "system:") && !strings.Contains(a.User, " as ") {
		return a.Component
	}
	return strings.TrimSpace(a.User + " by " + a.Component)
}

func shortID(s timeline.Source) string {
	id := s.AuditID
	if id == "" {
		id = s.TraceID
	}
	id = Safe(id)
	if len(id) > idWidth {
		id = id[:idWidth]
	}
	return strings.ToValidUTF8(id, "")
}

func (p *Page) style(k timeline.EntryKind) lipgloss.Style {
	switch k {
	case timeline.EntryError, timeline.EntryFinding:
		return p.look.bad.UnsetBold()
	case timeline.EntryGap:
		return p.look.warn
	}
	return p.look.title.UnsetBold()
}

func (p *Page) mark(k timeline.EntryKind) string {
	return p.style(k).Render(Mark(k))
}

// end tells how things stood when the inputs end.
func (p *Page) end(s *Story) {
	end := s.Family.Cluster.End()
	if end.IsZero() {
		return
	}
	text := "end of the data"
	waiting := map[timeline.Ref]bool{}
	for _, f := range s.Findings {
		if f.Fact("stuckSeconds") != nil && f.Fact("resolvedAt") == nil && !waiting[f.Object] {
			waiting[f.Object] = true
			text += fmt.Sprintf(": %s %s is still waiting", f.Object.Kind, f.Object.Name)
		}
		if f.Fact("untilReason") != "end-of-data" || s.Revision != nil && f.Object != s.Revision.Ref {
			continue
		}
		if since, ok := f.Fact("capturedAt").(time.Time); ok {
			text += fmt.Sprintf(": %s after traffic moved to %s, nothing has changed that", end.Sub(since).Round(time.Second), f.Object.Name)
		} else if since, ok := f.Fact("latchedAt").(time.Time); ok {
			text += fmt.Sprintf(": %s after the Configuration moved to %s, nothing has changed that", end.Sub(since).Round(time.Second), f.Object.Name)
		}
	}
	for i, l := range wrap(Safe(text), p.width-timeWidth-3) {
		lead := p.clock.Time(end) + " " + p.look.title.Render("■") + " "
		if i > 0 {
			lead = strings.Repeat(" ", timeWidth+3)
		}
		p.line(lead, p.look.title.Render(l))
	}
}

// legend explains the marks in use.
func (p *Page) legend(rows []Row) {
	used := map[timeline.EntryKind]bool{}
	explained, together := "", false
	for _, r := range rows {
		used[r.Kind] = true
		together = together || r.Together
		if r.Ready != nil || r.Want != nil {
			explained = ", 1/6 ready/wanted"
		}
	}
	var parts []string
	for _, k := range []timeline.EntryKind{timeline.EntryError, timeline.EntryTraffic, timeline.EntryScale, timeline.EntryCondition, timeline.EntryWrite,
		timeline.EntryLog, timeline.EntryEvent, timeline.EntrySnapshot, timeline.EntryFinding, timeline.EntryGap} {
		if used[k] {
			parts = append(parts, Mark(k)+" "+string(k))
		}
	}
	if len(parts) > 0 {
		p.paragraph("", strings.Join(parts, ", ")+explained, p.look.faint)
		if together {
			p.paragraph("", "~ under way when a request before was: which took effect first is not known", p.look.faint)
		}
		p.paragraph("", "rows without a name are by Knative's controller; '"+p.Program+" show ID' prints a record", p.look.faint)
	}
}
