package render

import (
	"fmt"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// Answer is the verdict about one set of inputs.
type Answer struct {
	Expected, Verdict, Reason string
	Lost                      []string          // of the inputs
	Result                    *detectors.Result // the findings on which the verdict rests, and all rulings
}

// Check turns an answer into how the inputs compare with what was expected of them. Who
// was asked are detectors and rules.
func (a Answer) Check(clock Clock, version string, inputs []string, asked string) *Check {
	r := CheckResult{Fixture: strings.Join(inputs, " "), Expectations: 1, Lost: a.Lost}
	text := fmt.Sprintf("expected %s, got %s: ", a.Expected, a.Verdict)
	switch a.Verdict {
	case a.Expected:
	case string(detectors.Inconclusive):
		r.Undecided, r.Open = text+a.Reason, a.Result.Findings
	case string(detectors.Held):
		r.Differences = []Difference{{Detector: asked, Text: text + a.Reason}}
	default:
		for _, f := range a.Result.Findings {
			r.Differences = append(r.Differences, Difference{Detector: asked, Text: text + f.Summary, Found: f})
		}
	}
	return &Check{Clock: clock, Version: version, Asked: []*detectors.Detector{{Name: asked}}, Results: []CheckResult{r}}
}

// Answer writes the verdict, and below it what proves it.
func (p *Page) Answer(a Answer) {
	style := p.look.bad
	if a.Verdict == a.Expected {
		style = p.look.good
	}
	p.paragraph(style.Render(a.Verdict)+" ", Safe(fmt.Sprintf("(expected %s): %s", a.Expected, a.Reason)), p.look.title.UnsetBold())
	for _, text := range a.Lost {
		p.paragraph("  "+p.look.warn.Render("lost: "), Safe(text), p.look.title.UnsetBold())
	}
	for _, f := range a.Result.Findings {
		p.line("  ", p.look.faint.Render(fmt.Sprintf("%s, %s; %s, %s", f.Detector, f.Confidence, objectText(f.Cluster, f.Object), p.clock.orUnknown(f.Time))))
		for _, e := range f.Evidence {
			p.evidence("    ", e)
		}
	}
}

// AnswerJSON makes the document of "check --expect -o json".
func AnswerJSON(clock Clock, a Answer) any {
	return struct {
		Schema   string       `json:"schema"`
		Expected string       `json:"expected"`
		Verdict  string       `json:"verdict"`
		Reason   string       `json:"reason"`
		Lost     []string     `json:"lost"`
		Findings []findingDoc `json:"findings"`
		Verdicts []verdictDoc `json:"verdicts"`
	}{"knforensics.answer/v1", a.Expected, a.Verdict, a.Reason, append([]string{}, a.Lost...), findingDocs(clock, a.Result), verdictDocs(a.Result.Rulings)}
}
