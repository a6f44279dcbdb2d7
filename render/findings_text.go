package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// Findings writes what was read, what was found with its evidence, what stayed
// undecided, and which detectors are blind. With all, the objects that held are listed
// too.
func (p *Page) Findings(d *Detection, all bool) {
	p.read(d.Coverage)
	p.releases(d.Result.Releases)
	list := listed(d.Result.Findings)
	for _, f := range d.Result.Findings {
		p.line()
		p.finding(f, list)
	}
	if len(d.Result.Findings) == 0 && (d.Outside == 0 || d.Window.Unseen()) {
		p.line()
		p.nothing(d)
	}
	if d.Outside > 0 {
		p.line()
		p.line(p.look.warn.Render("not shown: "), outsideText(d.Outside), ", though the harm may reach into that time")
	}
	p.verdicts(d.Result, detectors.Inconclusive, "undecided")
	if all {
		p.verdicts(d.Result, detectors.Held, "held")
	} else if n := countVerdicts(d.Result, detectors.Held); n > 0 {
		p.line()
		when := ""
		if d.Window.asked() {
			when = ", in all of the inputs"
		}
		p.line(p.look.good.Render("held: "), count(int64(n), "time a failure had its chance and did not happen", "times a failure had its chance and did not happen"), when, " (-v lists them)")
	}
	p.blind(d.Result.Blind)
}

// read tells in a few lines what the inputs were and what was lost.
func (p *Page) read(c *coverage.Coverage) {
	var rejected, truncated, duplicates int64
	for _, f := range c.Files {
		rejected += f.Rejected
		truncated += f.Truncated
		duplicates += f.Duplicates
	}
	p.line(p.look.title.Render("read "), readText(p.clock, c))
	p.unread(c)
	if rejected+truncated > 0 {
		p.line(p.look.warn.Render("lost: "), fmt.Sprintf("%d rejected, %d truncated", rejected, truncated), "; '", p.Program, " coverage' says where")
	}
	if duplicates > 0 {
		p.line(p.look.title.Render("given twice: "), count(duplicates, "record", "records"), ", counted once")
	}
	for _, g := range c.Gaps {
		p.line(p.look.warn.Render("gap: "), p.clock.Time(g.From), " to ", p.clock.Time(g.To), ", ", Safe(g.Text()))
	}
}

// readText counts what was read, and tells of which time it is.
func readText(clock Clock, c *coverage.Coverage) string {
	used := int64(0)
	for _, f := range c.Files {
		if f.Records > 0 {
			used++
		}
	}
	span := "no times in them"
	if !c.From.IsZero() {
		span = fmt.Sprintf("%s to %s", clock.Stamp(c.From), clock.Stamp(c.To))
	}
	return count(c.Records(), "record", "records") + " of " + count(used, "file", "files") + ", " + span
}

// releases tells which releases of Knative the inputs are of.
func (p *Page) releases(list []detectors.Release) {
	for _, r := range list {
		p.paragraph(p.look.title.Render("Knative "), Safe(r.Text()), p.look.title.UnsetBold())
	}
}

// unread names the files that gave nothing, so that a README beside the logs
// does not look like a loss.
func (p *Page) unread(c *coverage.Coverage) {
	if names := unreadNames(c); names != "" {
		p.paragraph(p.look.warn.Render("not read: "), Safe(names)+" ('"+p.Program+" coverage' says why)", p.look.title.UnsetBold())
	}
}

// nothing says that nothing was found, and of whom and when that is true.
func (p *Page) nothing(d *Detection) {
	style, scope := p.look.title, d.scope()
	switch {
	case d.Window.Unseen():
		p.line(p.look.warn.Render("not covered: "), notCovered)
		return
	case scope == allClear:
		style = p.look.good
	}
	p.line(style.Render("no finding"), scope)
}

// Nothing says how far it goes that there is no finding.
func (d *Detection) Nothing() string { return "no finding" + d.scope() }

const allClear = ", and nothing undecided"

// scope tells how far it goes that there is no finding.
func (d *Detection) scope() string {
	text := nothingText(d.Coverage, d.Result)
	switch {
	case d.Window.Unseen():
		return ": " + notCovered
	case d.Window.asked() && strings.HasPrefix(text, allClear):
		return " in what the inputs cover of that time"
	}
	return text
}

// nothingText tells how far it goes that there is no finding.
func nothingText(c *coverage.Coverage, result *detectors.Result) string {
	held := countVerdicts(result, detectors.Held)
	switch {
	case held == 0:
		return ": nothing in the inputs had the chance of one"
	case result.Inconclusive() || len(result.Blind) > 0 || len(Losses(Clock{}, c)) > 0:
		return " where it could be seen"
	case unreadNames(c) != "":
		return allClear + " in what was read"
	}
	return allClear
}

func countVerdicts(result *detectors.Result, verdict detectors.Verdict) (n int) {
	for _, v := range result.Rulings {
		if v.Verdict == verdict {
			n++
		}
	}
	return n
}

// listing is what the text of one finding needs to know of all that are shown.
type listing struct {
	numbers map[*detectors.Finding]int
	taken   map[*detectors.Finding]bool // those whose chain another takes up
}

func listed(findings []*detectors.Finding) listing {
	l := listing{map[*detectors.Finding]int{}, map[*detectors.Finding]bool{}}
	for i, f := range findings {
		l.numbers[f] = i + 1
		if len(f.Steps) == 0 {
			continue
		}
		for _, cause := range f.CausedBy {
			l.taken[cause] = true
		}
	}
	return l
}

func (p *Page) finding(f *detectors.Finding, l listing) {
	lead := fmt.Sprintf("%d. ", l.numbers[f])
	p.claim(lead, f, l.numbers)
	indent := strings.Repeat(" ", len(lead))
	for _, e := range f.Evidence {
		p.evidence(indent+"  ", e)
	}
	if len(f.Chain) > 2 && !l.taken[f] {
		p.chain(indent, f.Chain)
	}
}

// Claim writes what a finding says, without what proves it.
func (p *Page) Claim(f *detectors.Finding) { p.claim("", f, nil) }

// claim writes what a finding says after lead. Its causes have numbers, if the list
// they are in is shown.
func (p *Page) claim(lead string, f *detectors.Finding, numbers map[*detectors.Finding]int) {
	p.paragraph(lead+p.severity(f.Severity)+" ", Safe(f.Summary), p.look.title)
	indent := strings.Repeat(" ", len(lead))
	when := "at an unknown time"
	if t := p.clock.Full(f.Time); t != nil {
		when = *t
	}
	p.paragraph(indent, fmt.Sprintf("%s, %s; %s, %s", f.Detector, f.Confidence, objectText(f.Cluster, f.Object), when), p.look.accent)
	var facts []string
	for _, fact := range f.Facts {
		if fact.Value != nil {
			facts = append(facts, fact.Name+" "+Safe(p.fact(fact.Value)))
		}
	}
	p.paragraph(indent, strings.Join(facts, ", "), p.look.faint)
	for _, cause := range f.CausedBy {
		name := cause.Detector
		if n := numbers[cause]; n > 0 {
			name = fmt.Sprintf("%d. %s", n, name)
		}
		p.line(indent, "caused by ", p.look.accent.Render(name))
	}
	if f.Open != "" {
		p.paragraph(indent+p.look.warn.Render("not known: "), Safe(f.Open), p.look.faint.UnsetFaint())
	}
	for _, h := range f.Hypotheses {
		p.paragraph(indent+"may be ", fmt.Sprintf("%s; settled by %s", h.Cause, h.SettledBy), p.look.faint.UnsetFaint())
	}
}

// chain writes how a finding came about and what it led to, a line for each step.
func (p *Page) chain(indent string, steps []detectors.Step) {
	if len(steps) == 0 {
		return
	}
	p.line(indent, p.look.title.Render("how it came about"))
	for _, s := range steps {
		p.paragraph(fmt.Sprintf("%s  %s  %-12s  ", indent, p.clock.Time(s.Time), s.Role), Safe(s.What), p.look.faint.UnsetFaint())
	}
}

// evidence writes a record that proves something: below each other what does
// not fit beside.
func (p *Page) evidence(indent string, e detectors.Evidence) {
	lead := indent + p.clock.Time(e.Time) + "  " + pad(e.Role, 19) + "  "
	place, id := Safe(fmt.Sprintf("%s:%d", e.File, e.Line)), Safe(e.ID())
	if lipgloss.Width(lead)+lipgloss.Width(place)+2+lipgloss.Width(id) <= max(p.width, plainWidth+20) && p.width >= plainWidth {
		p.line(lead, place, "  ", p.look.faint.Render(id))
		return
	}
	p.line(lead, p.look.faint.Render(id))
	p.line(strings.Repeat(" ", lipgloss.Width(lead)), place)
}

func (p *Page) fact(v any) string {
	switch v := v.(type) {
	case time.Time:
		return p.clock.Time(v)
	case float64:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprint(v)
}

func (p *Page) verdicts(result *detectors.Result, verdict detectors.Verdict, title string) {
	first := true
	for _, v := range result.Rulings {
		if v.Verdict != verdict {
			continue
		}
		if first {
			p.line()
			first = false
		}
		style := p.look.warn
		if verdict == detectors.Held {
			style = p.look.good
		}
		p.paragraph(style.Render(title+": "), fmt.Sprintf("%s, %s: %s", objectText(v.Cluster, v.Object), v.Detector, Safe(v.Reason)), p.look.faint.UnsetFaint())
	}
}

// blind lists what the inputs lack, with the detectors that need it.
func (p *Page) blind(list []detectors.Blindness) {
	for i, text := range BlindTexts(list) {
		if i == 0 {
			p.line()
		}
		p.paragraph(p.look.warn.Render("blind: "), Safe(text), p.look.faint.UnsetFaint())
	}
}
