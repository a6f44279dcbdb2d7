package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// GitHub shows so many annotations of a step of each kind
// (https://docs.github.com/en/rest/checks/runs). All are in its log.
const mostAnnotations = 10

// annotation is a command that a workflow of GitHub Actions reads from the output of a
// step (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
type annotation struct {
	kind  string // error, warning or notice
	file  string // relative to the root of the repository, empty if there is none
	line  int64
	title string
	text  []string // lines
}

// String returns the command, of one line.
func (a annotation) String() string {
	var properties []string
	if a.file != "" {
		properties = append(properties, "file="+annotationProperty(a.file))
		if a.line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", a.line))
		}
	}
	properties = append(properties, "title="+annotationProperty(a.title))
	lines := make([]string, len(a.text))
	for i, l := range a.text {
		lines[i] = annotationText(l)
	}
	return fmt.Sprintf("::%s %s::%s\n", a.kind, strings.Join(properties, ","), strings.Join(lines, "%0A"))
}

// annotationText makes text fit for the message of an annotation. The signs that mean
// something in it, and no others, are written as % and two digits
// (actions/toolkit, packages/core/src/command.ts).
func annotationText(s string) string { return strings.ReplaceAll(Safe(s), "%", "%25") }

// annotationProperty makes text fit for a property of an annotation.
func annotationProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(annotationText(s))
}

var annotationKinds = map[detectors.Severity]string{detectors.Critical: "error", detectors.High: "error", detectors.Medium: "warning", detectors.Low: "notice", detectors.Info: "notice"}

// GitHub writes what the inputs cannot tell as an annotation of GitHub Actions, and then
// each finding, the worst first.
func (d *Detection) GitHub(w io.Writer) error {
	var list []annotation
	if doubts := d.Doubts(); len(doubts) > 0 { // first, or it may not be shown
		list = append(list, annotation{kind: "notice", title: "what the logs cannot tell", text: doubts})
	}
	for _, f := range detectors.Worst(d.Result.Findings) {
		at := f.Moment()
		list = append(list, annotation{annotationKinds[f.Severity], at.File, at.Line, f.Detector + " " + objectText(f.Cluster, f.Object),
			append([]string{f.Summary}, proofLines(d.Clock, f)...)})
	}
	return writeAnnotations(w, list)
}

// proofLines tells of findings, in a line each, how bad and how sure they are and when it
// was, what proves them, and what is not known.
func proofLines(clock Clock, findings ...*detectors.Finding) (lines []string) {
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s, %s, %s", f.Severity, f.Confidence, clock.orUnknown(f.Time)))
		for _, e := range f.Evidence {
			lines = append(lines, fmt.Sprintf("%s %s %s:%d %s", clock.orUnknown(e.Time), e.Role, e.File, e.Line, e.ID()))
		}
		if open := OpenText(f); open != "" {
			lines = append(lines, strings.Split(open, "\n")...)
		}
	}
	return lines
}

// writeAnnotations writes annotations, and says how many GitHub will not show.
func writeAnnotations(w io.Writer, list []annotation) error {
	if n := hidden(list); n > 0 {
		first := annotation{kind: "notice", title: "not all are shown"} // or it would not be shown either
		list = slices.Insert(list, 0, first)
		list[0].text = []string{fmt.Sprintf("%d more are in the log of this step: GitHub shows %d of a kind", hidden(list), mostAnnotations)}
	}
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hidden counts the annotations that GitHub does not show.
func hidden(list []annotation) (n int) {
	kinds := map[string]int{}
	for _, a := range list {
		if kinds[a.kind]++; kinds[a.kind] > mostAnnotations {
			n++
		}
	}
	return n
}
