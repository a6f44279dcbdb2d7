package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

// finding tells of one finding: how it came about, on what proof.
func (s *section) finding(f *detectors.Finding) g.Node {
	at := "at an unknown time"
	if !f.Time.IsZero() {
		at = stamp(s.clock, f.Time)
	}
	return h.Article(h.Class("finding "+string(f.Severity)), anchor("finding", f.Fingerprint()), h.TabIndex("-1"),
		h.H4(severity(f), g.Text(" "), h.A(fragment("finding", f.Fingerprint()), text(f.Summary))),
		h.P(h.Class("aside"), textf("%s, %s; %s, %s", f.Detector, f.Confidence, f.Object, at), g.Map(f.CausedBy, cause)),
		g.If(f.Open != "", h.P(h.Strong(g.Text("not known ")), text(f.Open))),
		g.Map(f.Hypotheses, func(y detectors.Hypothesis) g.Node {
			return h.P(h.Strong(g.Text("may be ")), textf("%s; settled by %s", y.Cause, y.SettledBy))
		}),
		g.If(len(f.Chain) > 2, h.Ol(h.Class("chain"), h.Aria("label", "How it came about"), g.Map(f.Chain, s.chained))),
		h.Details(h.Summary(g.Text("Facts and evidence")),
			h.Dl(g.Map(f.Facts, s.fact)),
			h.Ul(h.Class("evidence"), g.Map(f.Evidence, s.evidence))),
	)
}

func cause(f *detectors.Finding) g.Node {
	return g.Group{g.Text("; caused by "), h.A(fragment("finding", f.Fingerprint()), text(f.Detector))}
}

// chained is a link of the chain from trigger to harm.
func (s *section) chained(step detectors.Step) g.Node {
	return h.Li(when(s.clock, step.Time), g.Text(" "), h.B(text(step.Role)), g.Text(" "),
		h.Span(text(step.What), g.Text(" "), h.Span(h.Class("aside"), g.Text("("), s.proof(step.Evidence), g.Text(")"))))
}

func (s *section) fact(f detectors.Fact) g.Node {
	if f.Value == nil {
		return nil
	}
	return h.Div(h.Dt(text(f.Name)), h.Dd(text(fmt.Sprint(render.FactValue(s.clock, f.Value)))))
}

func (s *section) evidence(e detectors.Evidence) g.Node {
	return h.Li(when(s.clock, e.Time), g.Text(" "), h.B(text(e.Role)), g.Text(" "), h.Span(s.proof(e), g.Text(" "), h.Code(text(e.ID()))))
}
