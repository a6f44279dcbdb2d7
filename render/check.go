package render

import (
	"fmt"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// CheckResult is how a fixture compares with its expectations.
type CheckResult struct {
	Fixture      string
	File         string // with the expectations, empty if there is none
	Expectations int
	Differences  []Difference
	Undecided    string // why there is no answer, empty if there is one
}

// Difference is an expectation that is not met, or something that is not expected.
type Difference struct {
	Detector string
	Line     int // of the expectation, 0 if there is none
	Text     string
}

// Check is how fixtures compare with their expectations, to be shown.
type Check struct {
	Version string
	Asked   []*detectors.Detector // and rules
	Results []CheckResult
}

// Failed reports whether a fixture differs.
func (c *Check) Failed() bool {
	for _, r := range c.Results {
		if len(r.Differences) > 0 {
			return true
		}
	}
	return false
}

// passed reports whether all is as expected.
func (r *CheckResult) passed() bool { return len(r.Differences) == 0 && r.Undecided == "" }

// tally counts the fixtures that passed and those that failed, and those without an
// answer if there are any.
func (c *Check) tally() string {
	passed, failed := 0, 0
	for _, r := range c.Results {
		switch {
		case r.passed():
			passed++
		case len(r.Differences) > 0:
			failed++
		}
	}
	text := fmt.Sprintf("%d passed, %d failed", passed, failed)
	if n := len(c.Results) - passed - failed; n > 0 {
		text += fmt.Sprintf(", %d undecided", n)
	}
	return text
}

// Checks writes one line a fixture, and one for each difference below it.
func (p *Page) Checks(c *Check) {
	for _, r := range c.Results {
		if len(r.Differences) == 0 {
			p.line(p.look.good.Render("ok    "), Safe(r.Fixture), "  ", p.look.faint.Render(count(int64(r.Expectations), "expectation", "expectations")))
			continue
		}
		p.line(p.look.bad.Render("FAIL  "), Safe(r.Fixture))
		for _, d := range r.Differences {
			p.line("      ", Safe(d.Text))
		}
	}
	p.line(c.tally())
}

// Answer is the verdict about one set of inputs.
type Answer struct{ Expected, Verdict, Reason string }

// Check turns an answer into how the inputs compare with what was expected of them. Who
// was asked are detectors and rules.
func (a Answer) Check(version string, inputs []string, asked string) *Check {
	r := CheckResult{Fixture: strings.Join(inputs, " "), Expectations: 1}
	switch text := fmt.Sprintf("expected %s, got %s: %s", a.Expected, a.Verdict, a.Reason); a.Verdict {
	case a.Expected:
	case string(detectors.Inconclusive):
		r.Undecided = text
	default:
		r.Differences = []Difference{{asked, 0, text}}
	}
	return &Check{Version: version, Asked: []*detectors.Detector{{Name: asked}}, Results: []CheckResult{r}}
}

// Answer writes the verdict in one line.
func (p *Page) Answer(a Answer) {
	style := p.look.bad
	if a.Verdict == a.Expected {
		style = p.look.good
	}
	p.paragraph(style.Render(a.Verdict)+" ", Safe(fmt.Sprintf("(expected %s): %s", a.Expected, a.Reason)), p.look.title.UnsetBold())
}

// AnswerJSON makes the document of "check --expect -o json".
func AnswerJSON(a Answer) any {
	return struct {
		Schema   string `json:"schema"`
		Expected string `json:"expected"`
		Verdict  string `json:"verdict"`
		Reason   string `json:"reason"`
	}{"knforensics.answer/v1", a.Expected, a.Verdict, a.Reason}
}

type checkDoc struct {
	Fixture     string   `json:"fixture"`
	Passed      bool     `json:"passed"`
	Differences []string `json:"differences"`
}

// JSON makes the document of "check -o json".
func (c *Check) JSON() any {
	docs := []checkDoc{}
	for _, r := range c.Results {
		differences := []string{}
		for _, d := range r.Differences {
			differences = append(differences, d.Text)
		}
		docs = append(docs, checkDoc{r.Fixture, r.passed(), differences})
	}
	return struct {
		Schema string     `json:"schema"`
		Checks []checkDoc `json:"checks"`
	}{"knforensics.check/v1", docs}
}
