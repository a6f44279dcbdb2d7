package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// hostile is text that would act on whoever shows it: a terminal, a spreadsheet, a page of
// Markdown or HTML, a workflow of GitHub Actions, or an XML or YAML reader.
const hostile = "=cmd|'/c calc'!A0;+1 \x1b[31m\u202e\U000e0041\ufffe]]>&<script>\"'\n::error::x\r\n::set-env name=A::b %0A%2C |`` ` @admin #1 [x](http://evil) {0} \\"

// detection is one finding about which everything is hostile.
func detection() *Detection {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	ref := timeline.Ref{Kind: "Revision", Namespace: "shop" + hostile, Name: hostile}
	source := timeline.Source{File: hostile, Line: 7, AuditID: hostile}
	proof := detectors.Evidence{Role: "ready-write", Time: at, Source: source}
	f := &detectors.Finding{Detector: "d", Severity: detectors.High, Confidence: detectors.Strong, Object: ref, Cluster: hostile, Time: at, Summary: hostile,
		Facts: []detectors.Fact{{Name: "reason", Value: hostile}}, Evidence: []detectors.Evidence{proof}, Open: hostile, Hypotheses: []detectors.Hypothesis{{Cause: hostile, SettledBy: hostile}}}
	f.Chain = []detectors.Step{detectors.NewStep("trigger", hostile, proof), detectors.NewStep("phase", hostile, proof), detectors.NewStep("latch", hostile, proof)}
	return &Detection{Version: hostile, Inputs: []string{hostile}, FailOn: detectors.Medium, Asked: []*detectors.Detector{{Name: "d", Doc: func() string { return "title\n\nwhat it is\n" }}, {Name: "e", Doc: func() string { return "title" }}},
		Coverage: &coverage.Coverage{Files: []coverage.File{{Path: hostile, Rejected: 1}}}, Outside: 1, Window: Window{From: at},
		Result: &detectors.Result{Findings: []*detectors.Finding{f}, Rulings: []detectors.Ruling{{Detector: "e", Object: ref, Verdict: detectors.Inconclusive, Reason: hostile}},
			Blind: []detectors.Blindness{{Detector: "e", Needs: hostile, Reason: hostile}}}}
}

// differing is a check of which all differs.
func differing() *Check {
	found := detection().Result.Findings[0]
	return &Check{Version: hostile, Asked: detection().Asked, Results: []CheckResult{
		{Fixture: hostile, File: hostile, Differences: []Difference{{Detector: "d", Line: 3, Text: hostile}, {Detector: "d", Line: 2, Text: "another", Found: found}}}, {Fixture: "ok"},
		{Fixture: "open", Undecided: hostile, Open: []*detectors.Finding{found}}}}
}

func written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// hostileForms are all formats but text and JSON.
func hostileForms(t testing.TB) map[string]string {
	s := story()
	for i := range s.Entries {
		s.Entries[i].Summary, s.Entries[i].Object.Name, s.Entries[i].Actor.User, s.Entries[i].Source.File = hostile, hostile, hostile, hostile
	}
	d, c := detection(), differing()
	forms := map[string]func(io.Writer) error{
		"yaml":  func(w io.Writer) error { return WriteYAML(w, d.JSON()) },
		"jsonl": d.JSONLines, "csv": d.CSV, "markdown": d.Markdown, "sarif": d.SARIF, "junit": d.JUnit, "github": d.GitHub,
		"check junit": c.JUnit, "check sarif": c.SARIF, "check github": c.GitHub, "check markdown": c.Markdown,
		"timeline csv":      func(w io.Writer) error { return s.CSV(w, Clock{}) },
		"timeline jsonl":    func(w io.Writer) error { return s.JSONLines(w, Clock{}) },
		"timeline markdown": func(w io.Writer) error { return s.Markdown(w, Clock{}, true) },
		"coverage csv":      func(w io.Writer) error { return CoverageCSV(w, Clock{}, d.Coverage) },
		"coverage jsonl":    func(w io.Writer) error { return CoverageJSONLines(w, Clock{}, d.Coverage, d.Result.Blind) },
		"coverage markdown": func(w io.Writer) error { return CoverageMarkdown(w, Clock{}, d.Coverage, d.Result.Blind, true) },
	}
	texts := map[string]string{}
	for name, write := range forms {
		texts[name] = written(t, write)
	}
	return texts
}

func TestFormatsAreSafeToPrint(t *testing.T) {
	for name, text := range hostileForms(t) {
		for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
			if unsafe(r) && r != '\n' {
				t.Errorf("%s: %U in %q", name, r, text)
				break
			}
		}
	}
}

func TestSpreadsheetsComputeNothing(t *testing.T) {
	for name, text := range hostileForms(t) {
		if !strings.HasSuffix(name, "csv") {
			continue
		}
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("%s: a line that does not end with CRLF", name)
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			for _, cell := range row {
				if regexp.MustCompile(`(^|;)[=+@-]`).MatchString(cell) {
					t.Errorf("%s: cell %q", name, cell)
				}
			}
		}
	}
	if got, err := cellText(reflect.ValueOf(coverage.Skew{Millis: -120}), column{index: []int{2}}); err != nil || got != "-120" {
		t.Errorf("a number became %q", got)
	}
}

func TestAnnotationsAreOneCommandEach(t *testing.T) {
	for _, name := range []string{"github", "check github"} {
		for line := range strings.Lines(hostileForms(t)[name]) {
			if !regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]*,(line=\d+,)?)?title=[^,:]*::.*\n$`).MatchString(line) {
				t.Errorf("%s: %q", name, line)
			}
			if decoded := regexp.MustCompile(`%(25|0A|3A|2C)`).ReplaceAllString(line, ""); strings.Contains(decoded, "%") {
				t.Errorf("%s: a sign is not escaped: %q", name, line)
			}
		}
	}
}

func TestYAMLSaysWhatJSONSays(t *testing.T) {
	doc := map[string]any{"no": "no", "n": nil, "on": true, "true": 1, "2026": "2026-11-30T06:36:58Z", "x": []any{}, "y": map[string]any{}, "big": json.Number("9007199254740993"),
		"float": 1.5, "exp": json.Number("1e3"), hostile: hostile, strings.Repeat("k", 2000): "long", "lines": "a\nb", "": "  "}
	var fromJSON, fromYAML any
	if err := json.Unmarshal([]byte(written(t, func(w io.Writer) error { return WriteJSON(w, doc) })), &fromJSON); err != nil {
		t.Fatal(err)
	}
	text := written(t, func(w io.Writer) error { return WriteYAML(w, doc) })
	if err := yaml.Unmarshal([]byte(text), &fromYAML); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
	a, _ := json.Marshal(fromJSON)
	b, _ := json.Marshal(fromYAML)
	if got := strings.Replace(string(b), "9007199254740993", "9007199254740992", 1); got != string(a) {
		t.Errorf("JSON %s\nYAML %s", a, got)
	}
}

func sarifFileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/schemas/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIFIsValid(t *testing.T) {
	schema := sarifFileSchema(t)
	forms := hostileForms(t)
	for _, name := range []string{"sarif", "check sarif"} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(forms[name]))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
		if regexp.MustCompile(`"text": ".*[^\\]\]\(http`).MatchString(forms[name]) {
			t.Errorf("%s: a link of the cluster's: %s", name, forms[name])
		}
	}
}

// TestSARIFKeepsToTheLimits holds that GitHub takes what is written of many findings, the
// worst among them, and that what is left out is said.
func TestSARIFKeepsToTheLimits(t *testing.T) {
	d := detection()
	worst := &detectors.Finding{Detector: "d", Severity: detectors.High, Evidence: make([]detectors.Evidence, mostLocations+1), Chain: make([]detectors.Step, mostSteps+1)}
	low := &detectors.Finding{Detector: "d", Severity: detectors.Low, Evidence: make([]detectors.Evidence, 1)}
	d.Result = &detectors.Result{Findings: append(slices.Repeat([]*detectors.Finding{low}, mostResults), worst)}
	var doc sarifLog
	text := written(t, d.SARIF)
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	if len(run.Results) != mostResults || run.Results[0].Level != "error" {
		t.Errorf("%d results, first %s", len(run.Results), run.Results[0].Level)
	}
	if n := len(run.Results[0].Related); n != mostLocations {
		t.Errorf("%d locations", n)
	}
	if n := len(run.Results[0].CodeFlows[0].ThreadFlows[0].Locations); n != mostSteps {
		t.Errorf("%d steps", n)
	}
	if !strings.Contains(text, "1 findings that weigh less are left out") {
		t.Error("what is left out is not said")
	}
	if m := run.Results[0].Message.Text; !strings.HasSuffix(m, "(1000), 1 more record for which there is no room.\n1 more step led to it.") {
		t.Errorf("the message of a result that is cut ends with %q", m[len(m)-80:])
	}
	if m := run.Results[1].Message.Text; strings.Contains(m, "more") {
		t.Errorf("%q of a result that is whole", m)
	}
}

func TestMarkdownKeepsToTheLimit(t *testing.T) {
	d := detection()
	d.Result.Findings = slices.Repeat(d.Result.Findings, 3000)
	text := written(t, d.Markdown)
	if len(text) > 1<<20 || !regexp.MustCompile(`\*\*Left out\*\*, since GitHub takes 1 MiB: \d+ `).MatchString(text) {
		t.Errorf("%d bytes, ending with %q", len(text), text[len(text)-200:])
	}
}

func TestGitHubSaysWhatItWillNotShow(t *testing.T) {
	d := detection()
	d.Result.Findings = slices.Repeat(d.Result.Findings, mostAnnotations+1)
	if text := written(t, d.GitHub); !strings.HasPrefix(text, "::notice title=not all are shown::1 more") {
		t.Error(text[:200])
	}
}

func TestPlaceIsAURI(t *testing.T) {
	for path, want := range map[string]string{"logs/a b.log": "logs/a%20b.log", "c:d.log": "./c:d.log", "/var/log/a.log": "file:///var/log/a.log", "x?y#z.log": "x%3Fy%23z.log"} {
		if got := place(path, 1).Physical.Artifact.URI; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if place("a", 0).Physical.Region != nil {
		t.Error("a line 0")
	}
}

func ExampleDetection_GitHub() {
	d := detection()
	f := d.Result.Findings[0]
	f.Summary, f.Open, f.Hypotheses, f.Cluster = "100 % of traffic", "", nil, ""
	f.Object, f.Evidence[0].Source = timeline.Ref{Kind: "Revision", Namespace: "shop", Name: "cart-00002"}, timeline.Source{File: "logs/a,b.log", Line: 7, AuditID: "id"}
	d.Result.Rulings, d.Result.Blind, d.Outside, d.Window, d.Coverage = nil, nil, 0, Window{}, &coverage.Coverage{Files: []coverage.File{{Records: 1}}}
	if err := d.GitHub(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ::error file=logs/a%2Cb.log,line=7,title=d Revision shop/cart-00002::100 %25 of traffic%0Ahigh, strong, 2026-03-02T09:00:00.000000Z%0A2026-03-02T09:00:00.000000Z ready-write logs/a,b.log:7 id
}
