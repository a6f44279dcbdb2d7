package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// The elements of a JUnit report, in the order in which both the schema of Jenkins
// (xunit-plugin, junit-10.xsd) and that of Surefire (surefire-test-report.xsd) take
// them. Nothing is timed: the same inputs give the same report.

type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    int           `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkip    `xml:"skipped"`
	Output  *junitText    `xml:"system-out"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitSkip struct {
	Message string `xml:"message,attr"`
}

// JUnit writes a test suite for the inputs, with a case for each detector that was
// asked. One that found something that makes the run fail is a failure, and what it could
// not tell is in its output; one that only could not tell is skipped. What is missing of
// the inputs is a case of its own, skipped: readers show no properties.
func (d *Detection) JUnit(w io.Writer) error {
	s := junitSuite{Name: Safe(strings.Join(d.Inputs, " ")), Properties: []junitProperty{{"version", Safe(d.Version)}}}
	doubts := d.doubts()
	general := of("", doubts)
	for _, text := range general {
		s.Properties = append(s.Properties, junitProperty{"not known", Safe(text)})
	}
	for _, asked := range d.Asked {
		unsure := of(asked.Name, doubts)
		if d.Window.Unseen() {
			unsure = append(unsure, general...)
		}
		s.add(d.junitCase(asked.Name, unsure))
	}
	if !d.Window.Unseen() && (d.Outside > 0 || len(Losses(d.Clock, d.Coverage)) > 0) {
		s.add(skipped("coverage", general))
	}
	return writeJUnit(w, []junitSuite{s})
}

// junitCase tells of a detector what it found, and of what it is unsure.
func (d *Detection) junitCase(detector string, unsure []string) junitCase {
	failures, others := d.failures(detector)
	c := junitCase{Name: detector}
	if len(failures) == 0 && len(unsure) > 0 {
		c = skipped(detector, unsure)
	}
	output := d.findingLines(others)
	if len(failures) > 0 {
		c.Failure = &junitFailure{Message: Safe(failures[0].Summary), Type: string(failures[0].Severity), Text: d.findingLines(failures)}
		if n := len(failures) - 1; n > 0 {
			c.Failure.Message += fmt.Sprintf(" (and %d more)", n)
		}
		for _, text := range unsure {
			output += "\nnot known: " + Safe(text) + "\n"
		}
	}
	if output != "" {
		c.Output = &junitText{output}
	}
	return c
}

// skipped is a case that tells why there is no answer.
func skipped(name string, why []string) junitCase {
	return junitCase{Name: name, Skipped: &junitSkip{Safe(strings.Join(why, "; "))}}
}

func (s *junitSuite) add(c junitCase) {
	c.Class = s.Name
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// findingLines tells findings with their evidence.
func (d *Detection) findingLines(list []*detectors.Finding) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "\n%s %s, %s: %s\n", strings.ToUpper(string(f.Severity)), objectText(f.Cluster, f.Object), d.Clock.orUnknown(f.Time), Safe(f.Summary))
		for _, e := range f.Evidence {
			fmt.Fprintf(&b, "  %s  %s  %s  %s\n", d.Clock.orUnknown(e.Time), e.Role, Safe(fmt.Sprintf("%s:%d", e.File, e.Line)), Safe(e.ID()))
		}
		if open := OpenText(f); open != "" {
			for line := range strings.SplitSeq(open, "\n") {
				fmt.Fprintf(&b, "  %s\n", Safe(line))
			}
		}
	}
	return b.String()
}

func writeJUnit(w io.Writer, suites []junitSuite) error {
	r := junitReport{Name: "knforensics", Suites: suites}
	for _, s := range suites {
		r.Tests += s.Tests
		r.Failures += s.Failures
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
