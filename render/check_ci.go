package render

import (
	"io"
	"strings"
)

// JUnit writes a test suite for each fixture, with a case for each detector, those that
// pass too: one that is gone is missed.
func (c *Check) JUnit(w io.Writer) error {
	var suites []junitSuite
	for _, r := range c.Results {
		s := junitSuite{Name: Safe(r.Fixture), Properties: []junitProperty{{"version", Safe(c.Version)}}}
		for _, asked := range c.Asked {
			test := junitCase{Name: asked.Name}
			if texts := r.differences(asked.Name); len(texts) > 0 {
				test.Failure = &junitFailure{texts[0], "difference", "\n" + strings.Join(texts, "\n") + "\n"}
			} else if r.Undecided != "" {
				test.Skipped = &junitSkip{Safe(r.Undecided)}
			}
			s.add(test)
		}
		suites = append(suites, s)
	}
	return writeJUnit(w, suites)
}

// differences tells how a fixture differs in what a detector says.
func (r *CheckResult) differences(detector string) (texts []string) {
	for _, d := range r.Differences {
		if d.Detector == detector {
			texts = append(texts, Safe(d.Text))
		}
	}
	return texts
}

// SARIF writes differences as results, at the line of the expectation.
func (c *Check) SARIF(w io.Writer) error {
	rules, index := sarifRules(c.Asked)
	results := []sarifResult{}
	for _, r := range c.Results {
		for _, d := range r.Differences {
			results = append(results, sarifResult{RuleID: d.Detector, RuleIndex: index[d.Detector], Kind: "fail", Level: "error",
				Message: sarifMessage{Text: linkText(d.Text)}, Locations: []sarifLocation{place(r.File, int64(d.Line))}})
		}
	}
	return writeSARIF(w, c.Version, rules, []sarifNotification{}, results)
}

// GitHub writes differences as annotations of GitHub Actions, at the line of the
// expectation.
func (c *Check) GitHub(w io.Writer) error {
	var list []annotation
	for _, r := range c.Results {
		for _, d := range r.Differences {
			list = append(list, annotation{"error", r.File, int64(d.Line), r.Fixture + " " + d.Detector, []string{d.Text}})
		}
		if r.Undecided != "" {
			list = append(list, annotation{kind: "warning", title: r.Fixture, text: []string{r.Undecided}})
		}
	}
	return writeAnnotations(w, list)
}

// Markdown writes the fixtures as a table, with what differs.
func (c *Check) Markdown(w io.Writer) error {
	var m markdown
	m.add("", "## "+c.tally()+"\n"+head("fixture", "", "differences"))
	for _, r := range c.Results {
		verdict, texts := "ok", []string{}
		if len(r.Differences) > 0 {
			verdict = "**FAIL**"
		}
		for _, d := range r.Differences {
			texts = append(texts, safeMarkdown(d.Text))
		}
		if r.Undecided != "" {
			verdict, texts = "undecided", []string{safeMarkdown(r.Undecided)}
		}
		m.add("fixtures", row(markdownCode(r.Fixture), verdict, strings.Join(texts, "<br>")))
	}
	return m.writeTo(w)
}
