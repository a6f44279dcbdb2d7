package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

// mostListed is how many rows of a family stand in the page itself, besides those
// that prove something. The script shows all, a screen at a time.
const mostListed = 500

// section is the part of the page about one family.
type section struct {
	*Family
	number   int
	incident *Incident
	doc      *familyDoc
	clock    render.Clock
	shown    map[Place]string // the row that shows a record
}

func newSection(number int, i *Incident, doc *familyDoc) *section {
	s := &section{&i.Families[number], number, i, doc, i.Clock, map[Place]string{}}
	for i, e := range s.Entries {
		if place := PlaceOf(e.Source); s.shown[place] == "" {
			s.shown[place] = doc.Rows[i].ID
		}
	}
	return s
}

// link leads to the section, and tells how bad it is.
func (s *section) link() g.Node {
	return h.Li(h.A(fragment("family", render.Safe(s.Name())), text(s.Name())),
		g.Map(detectors.Worst(s.Findings), func(f *detectors.Finding) g.Node { return g.Group{g.Text(" "), severity(f)} }))
}

func severity(f *detectors.Finding) g.Node {
	return h.Span(h.Class("severity "+string(f.Severity)), text(string(f.Severity)))
}

// proof names the record that proves something, and leads to its row.
func (s *section) proof(e detectors.Evidence) g.Node {
	place := textf("%s:%d", e.File, e.Line)
	if id := s.shown[PlaceOf(e.Source)]; id != "" {
		return h.A(h.Class("proof"), fragment("row", id), place)
	}
	return h.Span(h.Class("proof"), place)
}

// story tells what happened in a few sentences.
func (s *section) story() g.Node {
	id := fmt.Sprintf("story-%d", s.number)
	return h.Section(h.Class("story"), h.Aria("labelledby", id),
		h.H2(h.ID(id), textf("What happened to %s", s.Name())),
		s.told())
}

func (s *section) told() g.Node {
	sentences, more := story(s.Family)
	if len(sentences) == 0 {
		return h.P(text(s.nothing()))
	}
	return g.Group{
		h.Ol(g.Map(sentences, func(parts sentence) g.Node { return h.Li(g.Map(parts, s.step)) })),
		g.If(more == 1, h.P(g.Text("One more finding is told of below."))),
		g.If(more > 1, h.P(textf("%d more findings are told of below.", more))),
	}
}

// nothing says how far it goes that nothing was found.
func (s *section) nothing() string {
	if len(s.Undecided) > 0 && !s.incident.Window.Unseen() {
		return fmt.Sprintf("No finding; %d left undecided, see below.", len(s.Undecided))
	}
	d := render.Detection{Coverage: s.incident.Coverage, Result: &detectors.Result{Rulings: s.Held, Blind: s.incident.Blind}, Window: s.incident.Window}
	text := strings.Replace(d.Nothing(), "n", "N", 1)
	if len(s.Held) > 0 && !s.incident.Window.Unseen() {
		text += fmt.Sprintf(": %d times a failure had its chance and did not happen", len(s.Held))
	}
	return text + "."
}

// step is a part of a sentence.
func (s *section) step(step detectors.Step) g.Node {
	return g.Group{when(s.clock, step.Time), g.Text(" "), text(step.What), g.Text(" "), h.Span(h.Class("aside"), g.Text("("), s.proof(step.Evidence), g.Text(")")), g.Text(". ")}
}

func (s *section) render() g.Node {
	id := fmt.Sprintf("family-%d", s.number)
	return h.Section(h.Class("family"), anchor("family", render.Safe(s.Name())), h.TabIndex("-1"), h.Data("family", strconv.Itoa(s.number)), h.Aria("labelledby", id),
		h.H2(h.ID(id), text(s.Name())),
		g.If(len(s.Findings) > 0, g.Group{h.H3(g.Text("Findings")), g.Map(s.Findings, s.finding)}),
		g.If(len(s.Undecided) > 0, g.Group{h.H3(g.Text("Undecided")), h.Ul(g.Map(s.Undecided, undecided))}),
		h.H3(g.Text("Timeline")),
		h.NoScript(note("The picture of this timeline needs JavaScript.")),
		h.Div(h.Class("plot"), h.Hidden("")),
		g.If(len(s.Revisions) > mostCharted, note("Traffic and replicas are drawn of %d of %d Revisions: those something was found about, then the newest.", mostCharted, len(s.Revisions))),
		g.If(slices.ContainsFunc(s.doc.Capacity, capacity.cut), note("Of what changed more than %d times, the rest is drawn as not known: the page has no room for more.", mostSteps)),
		g.If(s.LeftOut > 0, note("%d rows that tell least are left out: the page has no room for more. --from and --to ask for less.", s.LeftOut)),
		g.If(s.CutOff > 0, note("The last %d rows are left out too, but for those that prove something.", s.CutOff)),
		s.recordsLeftOut(),
		s.table(),
	)
}

// recordsLeftOut tells of how many rows the raw records are not on the page.
func (s *section) recordsLeftOut() g.Node {
	without := 0
	for _, r := range s.doc.Rows {
		if r.Source != "" && r.Record < 0 {
			without++
		}
	}
	return g.If(without > 0, note("Of %d rows the raw record is not on this page, which has room for so many; those that prove something come first. 'knforensics show ID' prints it.", without))
}

func undecided(r detectors.Ruling) g.Node {
	return h.Li(textf("%s, %s: %s", r.Object, r.Detector, r.Reason))
}

// table has the first rows of the timeline, and those that prove something.
func (s *section) table() g.Node {
	var body []g.Node
	for i := range s.Entries {
		if i < mostListed || s.doc.Rows[i].Proves {
			body = append(body, s.row(i))
		}
	}
	return scrolling("Rows of the timeline", h.Table(h.Class("rows"),
		h.Caption(textf("%d of %d rows", len(body), len(s.Entries))),
		heads("time", "kind", "object", "what happened", "by", "ready", "record"),
		h.TBody(g.Group(body))))
}

func (s *section) row(i int) g.Node {
	r := &s.doc.Rows[i]
	object, by := "inputs", ""
	if r.Lane >= 0 {
		object = s.doc.Lanes[r.Lane].Kind + " " + s.doc.Lanes[r.Lane].Name
	}
	if r.Actor >= 0 {
		by = s.doc.Actors[r.Actor]
	}
	return h.Tr(anchor("row", r.ID), h.Class(r.Mark), h.Td(when(s.clock, s.Entries[i].Time)), h.Td(text(r.Mark)), h.Td(text(object)),
		h.Td(text(r.Text), g.If(r.Grade != "observed", h.Span(h.Class("aside"), textf(" (%s)", r.Grade)))), h.Td(text(by)), h.Td(text(r.Scale)), h.Td(h.Class("place"), text(r.Place)))
}
