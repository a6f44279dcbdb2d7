package render

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// What GitHub takes of a SARIF file at most
// (https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support).
const (
	mostResults   = 25_000 // in a run
	mostLocations = 1_000  // of a result
	mostSteps     = 10_000 // in the flows of a result
)

const homepage = "https://github.com/knforensics/knforensics"

// SARIF writes findings as SARIF 2.1.0, as GitHub code scanning reads it: rules are
// detectors, and results findings. What the inputs cannot tell has no place in them,
// which GitHub wants of a result, and is a notification.
func (d *Detection) SARIF(w io.Writer) error {
	rules, index := sarifRules(d.Asked)
	results, notes := []sarifResult{}, []sarifNotification{}
	shown := d.Result.Findings
	if len(shown) > mostResults {
		shown = detectors.Worst(shown)[:mostResults]
	}
	for _, f := range shown {
		results = append(results, d.sarifResult(f, index[f.Detector]))
	}
	for _, doubt := range d.doubts() {
		note := sarifNotification{Level: "note", Message: sarifMessage{Text: linkText(doubt.text)}}
		if i, ok := index[doubt.detector]; ok {
			note.Level, note.Rule = "warning", &sarifRuleRef{doubt.detector, i}
		}
		notes = append(notes, note)
	}
	if n := len(d.Result.Findings) - len(shown); n > 0 {
		notes = append(notes, sarifNotification{Level: "warning", Message: sarifMessage{Text: fmt.Sprintf("%d findings that weigh less are left out: GitHub takes %d", n, mostResults)}})
	}
	return writeSARIF(w, d.Version, rules, notes, results)
}

func writeSARIF(w io.Writer, version string, rules []sarifRule, notes []sarifNotification, results []sarifResult) error {
	return WriteJSON(w, sarifLog{sarifSchema, sarifVersion, []sarifRun{{
		Tool:        sarifTool{sarifDriver{"knforensics", version, homepage, rules}},
		Invocations: []sarifInvocation{{true, notes}},
		Results:     results,
	}}})
}

// sarifRules makes rules of detectors, and tells where each is.
func sarifRules(list []*detectors.Detector) (rules []sarifRule, index map[string]int) {
	rules, index = []sarifRule{}, map[string]int{}
	for i, d := range list {
		about := d.Title()
		if parts := strings.SplitN(d.Doc(), "\n\n", 3); len(parts) > 1 {
			about = strings.Join(strings.Fields(parts[1]), " ")
		}
		rules = append(rules, sarifRule{d.Name, sarifMessage{Text: d.Title()}, sarifMessage{Text: about}, sarifMessage{d.Doc(), d.Doc()}})
		index[d.Name] = i
	}
	return rules, index
}

// sarifLevels are the levels of severities.
var sarifLevels = map[detectors.Severity]string{detectors.Critical: "error", detectors.High: "error", detectors.Medium: "warning", detectors.Low: "note", detectors.Info: "note"}

func (d *Detection) sarifResult(f *detectors.Finding, rule int) sarifResult {
	moment := f.Moment()
	at := place(moment.File, moment.Line)
	at.Logical = []sarifLogical{{objectText(f.Cluster, f.Object), "object"}}
	r := sarifResult{RuleID: f.Detector, RuleIndex: rule, Kind: "fail", Level: sarifLevels[f.Severity], Locations: []sarifLocation{at}, CodeFlows: d.codeFlow(f),
		Fingerprints: fingerprints(f.Fingerprint()),
		Properties: struct {
			Severity   string    `json:"severity"`
			Confidence string    `json:"confidence"`
			Object     objectDoc `json:"object"`
			Time       *string   `json:"time"`
			Facts      factsDoc  `json:"facts"`
			CausedBy   []string  `json:"causedBy"`
		}{string(f.Severity), string(f.Confidence), refDoc(f.Cluster, f.Object, f.UID), d.Clock.Full(f.Time), factsDoc{d.Clock, f.Facts}, findingJSON(d.Clock, f).CausedBy}}
	var links []string
	for i, e := range f.Evidence {
		if i == mostLocations {
			links = append(links, count(int64(len(f.Evidence)-i), "more record", "more records")+" for which there is no room")
			break
		}
		r.Related = append(r.Related, d.proof(i+1, e))
		links = append(links, fmt.Sprintf("[%s](%d)", linkText(e.Role), i+1))
	}
	r.Message.Text = linkText(f.Summary) + ".\nEvidence: " + strings.Join(links, ", ") + "."
	if n := len(f.Chain) - mostSteps; n > 0 {
		r.Message.Text += "\n" + count(int64(n), "more step", "more steps") + " led to it."
	}
	if open := OpenText(f); open != "" {
		r.Message.Text += "\n" + linkText(open)
	}
	return r
}

// fingerprints names a result: GitHub knows it again by the second.
func fingerprints(of string) map[string]string {
	return map[string]string{"knforensics/v1": of, "primaryLocationLineHash": of}
}

// proof is the place of a record that proves something.
func (d *Detection) proof(id int, e detectors.Evidence) sarifLocation {
	at := place(e.File, e.Line)
	at.ID, at.Message, at.Properties = id, &sarifMessage{Text: linkText(e.Role)}, evidenceJSON(d.Clock, e)
	return at
}

// codeFlow tells how a finding came about: its chain, else its evidence in order.
func (d *Detection) codeFlow(f *detectors.Finding) []sarifCodeFlow {
	steps := f.Chain
	if len(steps) == 0 {
		for _, e := range f.Evidence {
			steps = append(steps, detectors.Step{What: e.Role, Evidence: e})
		}
	}
	var list []sarifStep
	for _, s := range steps[:min(len(steps), mostSteps)] {
		at := place(s.File, s.Line)
		at.Message = &sarifMessage{Text: linkText(s.What)}
		list = append(list, sarifStep{at, Clock{}.Full(s.Time)})
	}
	return []sarifCodeFlow{{[]sarifThreadFlow{{list}}}}
}

// place is a line of a file. A path is relative to where it was given, as GitHub wants
// it from the root of the repository.
func place(file string, line int64) sarifLocation {
	at := sarifLocation{Physical: &sarifPhysical{}}
	uri := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		uri.Scheme = "file"
	}
	at.Physical.Artifact.URI = uri.String()
	if line > 0 {
		at.Physical.Region = &sarifRegion{line}
	}
	return at
}

// linkText keeps text from making a link in a message, or from being the end of one
// (SARIF 2.1.0, 3.11.6).
func linkText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(Safe(s))
}
