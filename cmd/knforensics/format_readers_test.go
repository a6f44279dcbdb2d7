package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/render"
)

var folders = flag.String("folders", "", "`pattern` of folders to be treated as samples too, from the samples or /")

// sampleNames goes to the samples and lists them, and the folders that -folders tells.
func sampleNames(t *testing.T) []string {
	t.Helper()
	t.Chdir("../../samples")
	names, err := filepath.Glob("*/expect.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no sample", err)
	}
	for i, name := range names {
		names[i] = filepath.Dir(name)
	}
	more, err := filepath.Glob(*folders)
	if err != nil {
		t.Fatal(err)
	}
	return append(names, more...)
}

func fileText(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decoded(t *testing.T, text string) (doc map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
	return doc
}

// fromYAML reads YAML, and gives values the types that JSON has.
func fromYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, string(again))
}

// linesOf reads JSON Lines, by their schema.
func linesOf(t *testing.T, text string) map[string][]any {
	t.Helper()
	lines := map[string][]any{}
	for line := range strings.Lines(text) {
		doc := decoded(t, line)
		schema, _ := doc["schema"].(string)
		delete(doc, "schema")
		lines[schema] = append(lines[schema], doc)
	}
	return lines
}

// rowsOf reads CSV, by the names of the columns.
func rowsOf(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// findingText is what all formats say of a finding.
func findingText(detector, object, time, summary string, evidence []string) string {
	return strings.Join([]string{detector, object, time, summary, strings.Join(evidence, " + ")}, " | ")
}

func findingTexts(t *testing.T, list any) (texts []string) {
	t.Helper()
	found, _ := list.([]any)
	for _, f := range found {
		f := f.(map[string]any)
		object := f["object"].(map[string]any)
		texts = append(texts, findingText(f["detector"].(string), objectName(object["kind"], object["namespace"], object["name"]), orUnknown(f["time"]), f["summary"].(string), evidenceTexts(f["evidence"])))
	}
	return texts
}

func objectName(kind, namespace, name any) string {
	if namespace == "" || namespace == nil {
		return fmt.Sprintf("%s %s", kind, name)
	}
	return fmt.Sprintf("%s %s/%s", kind, namespace, name)
}

func orUnknown(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	return "unknown"
}

func evidenceTexts(list any) (texts []string) {
	records, _ := list.([]any)
	for _, e := range records {
		texts = append(texts, evidenceText(e.(map[string]any)))
	}
	return texts
}

func evidenceText(e map[string]any) string {
	id := e["auditID"]
	for _, key := range []string{"traceID", "eventID"} {
		if id == nil {
			id = e[key]
		}
	}
	if id == nil {
		id = ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s:%v %v", orUnknown(e["time"]), e["role"], e["file"], e["line"], id))
}

func findingsOfCSV(t *testing.T, text string) (texts []string) {
	for _, row := range rowsOf(t, text) {
		if row["verdict"] != "captured" {
			continue
		}
		var evidence []any
		if err := json.Unmarshal([]byte(row["evidence"]), &evidence); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, findingText(row["detector"], objectName(row["object.kind"], row["object.namespace"], row["object.name"]), orUnknown(row["time"]), row["summary"], evidenceTexts(evidence)))
	}
	return texts
}

func findingsOfSARIF(t *testing.T, text string) (texts []string) {
	schema, err := jsonschema.NewCompiler().Compile("../render/testdata/schemas/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(decoded(t, text)); err != nil {
		t.Errorf("%#v", err)
	}
	type location struct {
		ID               int
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine int }
		}
		LogicalLocations []struct{ FullyQualifiedName string }
		Properties       map[string]any
	}
	var doc struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID                      string
				RuleIndex                   int
				Message                     struct{ Text string }
				Locations, RelatedLocations []location
				Properties                  map[string]any
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	for _, r := range run.Results {
		var evidence []string
		for i, l := range r.RelatedLocations {
			file, err := url.PathUnescape(strings.TrimPrefix(l.PhysicalLocation.ArtifactLocation.URI, "file://"))
			if err != nil || !strings.Contains(r.Message.Text, fmt.Sprintf("](%d)", i+1)) || l.ID != i+1 {
				t.Errorf("location %d of %q is not linked, or %v", i+1, r.Message.Text, err)
			}
			l.Properties["file"], l.Properties["line"] = file, l.PhysicalLocation.Region.StartLine
			evidence = append(evidence, evidenceText(l.Properties))
		}
		summary, _, _ := strings.Cut(r.Message.Text, ".\nEvidence: ")
		summary = regexp.MustCompile(`\\(.)`).ReplaceAllString(summary, "$1")
		texts = append(texts, findingText(run.Tool.Driver.Rules[r.RuleIndex].ID, r.Locations[0].LogicalLocations[0].FullyQualifiedName, orUnknown(r.Properties["time"]), summary, evidence))
	}
	return texts
}

// findingsOfJUnit reads what stands in the failures: a line for each finding, and below
// it one for each record, of which the parts are two blanks apart.
func findingsOfJUnit(t *testing.T, text string) (texts []string) {
	var doc struct {
		Suites []struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`^[A-Z]+ (.*?), (\S+): (.*)$`)
	for _, c := range doc.Suites[0].Cases {
		for block := range strings.SplitSeq(strings.TrimSpace(c.Failure), "\n\n") {
			lines := strings.Split(block, "\n")
			if m := first.FindStringSubmatch(lines[0]); m != nil {
				texts = append(texts, findingText(c.Name, m[1], m[2], m[3], recordLines(lines[1:])))
			}
		}
	}
	return texts
}

// recordLines reads lines about records, and leaves others out.
func recordLines(lines []string) (texts []string) {
	for _, l := range lines {
		if parts := strings.Fields(l); (len(parts) == 3 || len(parts) == 4) && regexp.MustCompile(`^(unknown|\d{4}-.*Z)$`).MatchString(parts[0]) {
			texts = append(texts, strings.Join(parts, " "))
		}
	}
	return texts
}

func findingsOfMarkdown(_ *testing.T, text string) (texts []string) {
	sections := strings.Split(text, "\n### ")
	title, about := regexp.MustCompile(`^\d+\. [A-Z]+: (.*)$`), regexp.MustCompile(`(?m)^(\S+), \w+; (.*), (\S+); fingerprint `)
	for _, s := range sections[1:] {
		s = strings.ReplaceAll(s, "`", "")
		first, rest, _ := strings.Cut(s, "\n")
		m, a := title.FindStringSubmatch(first), about.FindStringSubmatch(rest)
		if m == nil {
			continue // what the logs cannot tell
		}
		var evidence []string
		_, table, _ := strings.Cut(rest, "| evidence | time | record | ID |\n")
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |\n"), " | ")
			if len(cells) != 4 {
				break
			}
			if cells[0] != "---" {
				evidence = append(evidence, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", cells[1], cells[0], cells[2], cells[3])))
			}
		}
		texts = append(texts, findingText(a[1], a[2], a[3], m[1], evidence))
	}
	return texts
}

// findingsOfGitHub reads annotations as the runner of GitHub Actions does: what was found,
// how bad it is, how sure and when, and a line for each record.
func findingsOfGitHub(t *testing.T, text string) (texts []string) {
	command := regexp.MustCompile(`^::(?:error|warning|notice) file=(.*),line=(\d+),title=(\S+) (.*?)::(.*)\n$`)
	decode := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(text) {
		m := command.FindStringSubmatch(line)
		if m == nil {
			continue // what the logs cannot tell
		}
		lines := strings.Split(decode.Replace(m[5]), "\n")
		graded := strings.Split(lines[1], ", ")
		texts = append(texts, findingText(m[3], decode.Replace(m[4]), graded[2], lines[0], recordLines(lines[2:])))
	}
	return texts
}

// checkText looks for what the findings say in the text for people, in which lines are
// wrapped.
func checkText(t *testing.T, text string, want []string) {
	t.Helper()
	words := strings.Join(strings.Fields(text), " ")
	if n := len(regexp.MustCompile(`(?m)^\d+\. [A-Z]+ `).FindAllString(text, -1)); n != len(want) {
		t.Errorf("%d findings, not %d, in\n%s", n, len(want), text)
	}
	day := regexp.MustCompile(`^(?:[0-9-]+T(.*)Z|unknown) `)
	for _, w := range want {
		parts := strings.Split(w, " | ")
		pieces := append([]string{parts[3]}, strings.Split(parts[4], " + ")...)
		if parts[2] != "unknown" {
			pieces = append(pieces, parts[1]+", "+parts[2])
		}
		for _, piece := range pieces {
			if piece = strings.TrimPrefix(day.ReplaceAllString(piece, "$1 "), " "); !strings.Contains(words, piece) {
				t.Errorf("%q is not in\n%s", piece, text)
			}
		}
	}
}

// firstService is the name of the first Service of a sample.
func firstService(t *testing.T, sample string) string {
	t.Helper()
	services := decoded(t, ask("summary", "-o", "json", sample).out)["services"].([]any)
	object := services[0].(map[string]any)["object"].(map[string]any)
	return fmt.Sprintf("%s/%s", object["namespace"], object["name"])
}

// checkRow holds a row of CSV against an object of JSON.
func checkRow(t *testing.T, row map[string]string, prefix string, object map[string]any) {
	t.Helper()
	for key, value := range object {
		cell, ok := row[prefix+key]
		inner, nested := value.(map[string]any)
		if nested && !ok {
			checkRow(t, row, prefix+key+".", inner)
			continue
		}
		want := ""
		switch v := value.(type) {
		case nil:
			ok = true // in a row, what is in it has columns of its own
		case string:
			cell, want = unguarded.Replace(cell), unguarded.Replace(render.Safe(v))
		default:
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			cell, want = sameJSON(t, unguarded.Replace(cell)), unguarded.Replace(sameJSON(t, string(text)))
		}
		if !ok || cell != want {
			t.Errorf("%s%s is %q, not %q", prefix, key, cell, want)
		}
	}
}

// unguarded leaves out what keeps a cell from being a formula.
var unguarded = strings.NewReplacer("'", "")

// sameJSON gives JSON that says the same one text.
func sameJSON(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %q", err, text)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}
