package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // what npm built of the folder page
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

//go:embed page/built/page.js
var script string

//go:embed page/built/page.css
var style string

// Write writes the page of an incident.
func Write(w io.Writer, i *Incident) error {
	doc, err := newDocument(i)
	if err != nil {
		return err
	}
	encoded, err := encode(doc)
	if err != nil {
		return err
	}
	p := page{Incident: i}
	for n := range i.Families {
		p.sections = append(p.sections, newSection(n, i, &doc.Families[n]))
	}
	var out bytes.Buffer
	if err := p.render(encoded).Render(&out); err != nil {
		return fmt.Errorf("put the page together: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// page is an incident with the sections of its families.
type page struct {
	*Incident
	sections []*section
}

// text is text that may be of a cluster.
func text(s string) g.Node { return g.Text(render.Safe(s)) }

// textf is text made of parts that may be of a cluster.
func textf(format string, args ...any) g.Node { return text(fmt.Sprintf(format, args...)) }

// fragment is the link to a part of the page that has a name of some kind. The script
// takes & and = for what is between and in the parts of an address.
func fragment(kind, name string) g.Node {
	return h.Href("#" + kind + "=" + strings.NewReplacer("&", "%26", "=", "%3D").Replace(url.PathEscape(name)))
}

// anchor is what fragment links to.
func anchor(kind, name string) g.Node { return h.ID(kind + "=" + name) }

// policy allows the script and the style of the page and nothing else, least of all
// the network.
func policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hashOf(script), hashOf(style))
}

// hashOf names a script or a style as content security policies do.
func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *page) render(document []byte) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(policy())),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.Meta(h.Name("referrer"), h.Content("no-referrer")),
			h.TitleEl(text(p.title())),
			h.StyleEl(g.Raw(style)),
		),
		h.Body(
			h.A(h.Class("skip"), h.Href("#families"), g.Text("To the timeline")),
			p.header(),
			h.Main(
				g.Map(p.sections, (*section).story),
				g.If(len(p.sections) == 0, h.P(g.Text("The inputs hold nothing of Knative."))),
				p.coverage(),
				h.Div(h.ID("families"), g.Map(p.sections, (*section).render)),
			),
			h.Dialog(h.ID("record"), h.Aria("label", "Record")),
			h.P(h.ID("said"), h.Class("unseen"), h.Role("status")),
			h.Script(h.Type("application/json"), h.ID("document"), g.Raw(string(document))),
			h.Script(g.Raw(script)),
		)))
}

func (p *page) title() string {
	switch len(p.sections) {
	case 0:
		return "Incident report"
	case 1:
		return "Incident: " + p.sections[0].Name()
	}
	return fmt.Sprintf("Incident: %s and %d more", p.sections[0].Name(), len(p.sections)-1)
}

func (p *page) header() g.Node {
	span := "the inputs tell no times"
	if c := p.Coverage; !c.From.IsZero() {
		span = *p.Clock.Full(c.From) + " to " + *p.Clock.Full(c.To)
	}
	return h.Header(
		h.H1(g.Text("Incident report")),
		h.P(h.Class("aside"), text(span), h.Br(), textf("knforensics %s", p.Version),
			g.Map(p.Releases, func(r detectors.Release) g.Node { return g.Group{h.Br(), textf("Knative %s", r.Text())} })),
		g.If(len(p.sections) > 1, h.Nav(h.Aria("label", "Families"), h.Ul(g.Map(p.sections, (*section).link)))),
		g.If(len(p.LeftOut) > 0, note("%d more families have no room on this page: %s. --ksvc and the like ask for one.", len(p.LeftOut), some(p.LeftOut))),
		g.If(len(p.Undecided) > 0, note("In %s nothing was found, and something is undecided: --ksvc and the like show what.", some(p.Undecided))),
		g.If(p.Window.Unseen(), note("The inputs tell nothing of the time from --from to --to.")),
		g.If(p.Outside > 0, note("%d findings outside --from and --to are left out, though the harm may reach into that time.", p.Outside)),
	)
}

func note(format string, args ...any) g.Node { return h.P(h.Class("note"), textf(format, args...)) }

// some lists names, the first twenty if there are many.
func some(names []string) (list string) {
	const most = 20
	for i, name := range names {
		switch {
		case i == most:
			return list + " and more"
		case i > 0:
			list += ", "
		}
		list += name
	}
	return list
}

// when is the time of day of a moment.
func when(c render.Clock, t time.Time) g.Node {
	if t.IsZero() {
		return h.Time(g.Text("time unknown"))
	}
	return h.Time(h.DateTime(*render.Clock{}.Full(t)), text(c.Time(t)))
}

// stamp is date and time of a moment, nothing if it is unknown.
func stamp(c render.Clock, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return *c.Full(t)
}
