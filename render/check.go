package render

import "fmt"

// CheckResult is how a fixture compares with its expectations.
type CheckResult struct {
	Fixture      string
	Expectations int
	Differences  []string
}

// Checks writes one line a fixture, and one for each difference below it.
func (p *Page) Checks(results []CheckResult) {
	passed := 0
	for _, r := range results {
		if len(r.Differences) == 0 {
			passed++
			p.line(p.look.good.Render("ok    "), Safe(r.Fixture), "  ", p.look.faint.Render(count(int64(r.Expectations), "expectation", "expectations")))
			continue
		}
		p.line(p.look.bad.Render("FAIL  "), Safe(r.Fixture))
		for _, d := range r.Differences {
			p.line("      ", Safe(d))
		}
	}
	p.line(count(int64(passed), "passed", "passed"), ", ", count(int64(len(results)-passed), "failed", "failed"))
}

// Answer is the verdict about one set of inputs.
type Answer struct{ Expected, Verdict, Reason string }

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

// ChecksJSON makes the document of "check -o json".
func ChecksJSON(results []CheckResult) any {
	docs := []checkDoc{}
	for _, r := range results {
		differences := r.Differences
		if differences == nil {
			differences = []string{}
		}
		docs = append(docs, checkDoc{r.Fixture, len(r.Differences) == 0, differences})
	}
	return struct {
		Schema string     `json:"schema"`
		Checks []checkDoc `json:"checks"`
	}{"knforensics.check/v1", docs}
}
