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
			if first, text := c.failure(&r, asked.Name); first != "" {
				test.Failure = &junitFailure{first, "difference", text}
			} else if r.Undecided != "" {
				test.Skipped = &junitSkip{Safe(r.Undecided)}
				if proof := proofLines(c.Clock, r.Open...); len(proof) > 0 {
					test.Output = &junitText{safeBlock(proof)}
				}
			}
			s.add(test)
		}
		if len(r.Lost) > 0 {
			s.add(skipped("coverage", r.Lost))
		}
		suites = append(suites, s)
	}
	return writeJUnit(w, suites)
}

// failure tells how a fixture differs in what a detector says: the first difference, and
// all with what proves them. The first is empty if there is none.
func (c *Check) failure(r *CheckResult, detector string) (first, text string) {
	var lines []string
	for _, d := range r.Differences {
		if d.Detector != detector {
			continue
		}
		if first == "" {
			first = Safe(d.Text)
		}
		lines = append(append(lines, d.Text), c.proof(&d)...)
	}
	return first, safeBlock(lines)
}

// safeBlock makes lines a block of text.
func safeBlock(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("\n" + Safe(l))
	}
	return b.String() + "\n"
}

// proof tells in a line each what proves a finding that is not expected.
func (c *Check) proof(d *Difference) []string {
	if d.Found == nil {
		return nil
	}
	return proofLines(c.Clock, d.Found)
}

// SARIF writes differences as results, at the line of the expectation.
func (c *Check) SARIF(w io.Writer) error {
	rules, index := sarifRules(c.Asked)
	results := []sarifResult{}
	for _, r := range c.Results {
		for _, d := range r.Differences {
			results = append(results, sarifResult{RuleID: d.Detector, RuleIndex: index[d.Detector], Kind: "fail", Level: "error",
				Message: sarifMessage{Text: linkText(d.Text)}, Locations: []sarifLocation{place(r.File, int64(d.Line))},
				Fingerprints: fingerprints(d.fingerprint())})
		}
	}
	return writeSARIF(w, c.Version, rules, []sarifNotification{}, results)
}

// GitHub writes differences as annotations of GitHub Actions, at the line of the
// expectation, or where there is no file of those, at the record of the finding.
func (c *Check) GitHub(w io.Writer) error {
	var list []annotation
	for _, r := range c.Results {
		for _, d := range r.Differences {
			a := annotation{"error", r.File, int64(d.Line), r.Fixture + " " + d.Detector, append([]string{d.Text}, c.proof(&d)...)}
			if d.Found != nil && r.File == "" {
				at := d.Found.Moment()
				a.file, a.line = at.File, at.Line
			}
			list = append(list, a)
		}
		if len(r.Lost) > 0 {
			list = append(list, annotation{kind: "notice", title: "what the logs cannot tell", text: r.Lost})
		}
		if r.Undecided != "" {
			list = append(list, annotation{kind: "warning", title: r.Fixture, text: append([]string{r.Undecided}, proofLines(c.Clock, r.Open...)...)})
		}
	}
	return writeAnnotations(w, list)
}

// Markdown writes the fixtures as a table, with what differs.
func (c *Check) Markdown(w io.Writer) error {
	var m markdown
	m.add("", "## "+c.tally()+"\n"+head("fixture", "", "differences"))
	for _, r := range c.Results {
		verdict, texts := "ok", []string(nil)
		if len(r.Differences) > 0 {
			verdict = "**FAIL**"
		}
		for _, d := range r.Differences {
			texts = append(append(texts, d.Text), c.proof(&d)...)
		}
		if r.Undecided != "" {
			verdict, texts = "undecided", append([]string{r.Undecided}, proofLines(c.Clock, r.Open...)...)
		}
		texts = append(texts, r.Lost...)
		for i, text := range texts {
			texts[i] = safeMarkdown(text)
		}
		m.add("fixtures", row(markdownCode(r.Fixture), verdict, strings.Join(texts, "<br>")))
	}
	return m.writeTo(w)
}
