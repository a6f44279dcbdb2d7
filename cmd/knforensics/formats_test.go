package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// detectReaders read what detect says in each format, each finding as findingText has it.
var detectReaders = map[string]func(*testing.T, string) []string{
	"json": func(t *testing.T, text string) []string { return findingTexts(t, decoded(t, text)["findings"]) },
	"yaml": func(t *testing.T, text string) []string { return findingTexts(t, fromYAML(t, text)["findings"]) },
	"jsonl": func(t *testing.T, text string) []string {
		return findingTexts(t, linesOf(t, text)["knforensics.finding/v1"])
	},
	"csv": findingsOfCSV, "sarif": findingsOfSARIF, "junit": findingsOfJUnit, "markdown": findingsOfMarkdown, "github": findingsOfGitHub,
}

// TestDetectSaysTheSameInEachFormat reads the findings in each sample back, with their
// times and evidence.
func TestDetectSaysTheSameInEachFormat(t *testing.T) {
	t.Setenv("COLUMNS", "300") // wide enough for place and ID of a record beside each other
	for _, sample := range sampleNames(t) {
		dir := t.TempDir()
		args := []string{"detect", "--fail-on", "info", "-o", "text=" + filepath.Join(dir, "text")}
		for format := range detectReaders {
			args = append(args, "-o", format+"="+filepath.Join(dir, format))
		}
		if a := ask(append(args, sample)...); a.code != exitOK && a.code != exitFindings && a.code != exitInconclusive || a.out != "" {
			t.Fatalf("%s: exit %d: %s%s", sample, a.code, a.out, a.err)
		}
		want := detectReaders["json"](t, fileText(t, dir, "json"))
		slices.Sort(want)
		for format, read := range detectReaders {
			got := read(t, fileText(t, dir, format))
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: %s says\n%s\nand json\n%s", sample, format, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		checkText(t, fileText(t, dir, "text"), want)
		if a := ask("report", "-o", filepath.Join(dir, "page"), sample); a.code != exitOK {
			t.Fatalf("%s: exit %d: %s", sample, a.code, a.err)
		}
		if got := slices.Sorted(slices.Values(findingsOfPage(t, fileText(t, dir, "page")))); !slices.Equal(got, want) {
			t.Errorf("%s: the page says\n%s\nand json\n%s", sample, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestListsSayTheSameInEachFormat reads what other commands list back from CSV, JSON Lines
// and YAML, and holds it against the JSON document.
func TestListsSayTheSameInEachFormat(t *testing.T) {
	many(t)
	for _, sample := range sampleNames(t) {
		for _, list := range []struct {
			key, schema string
			args        []string
		}{
			{"revisions", "revision", []string{"timeline"}},
			{"services", "service", []string{"summary"}},
			{"files", "file", []string{"coverage"}},
			{"entries", "entry", []string{"timeline", "--ksvc", firstService(t, sample)}},
		} {
			dir, args := t.TempDir(), list.args
			for _, format := range []string{"json", "yaml", "jsonl", "csv"} {
				args = append(args, "-o", format+"="+filepath.Join(dir, format))
			}
			if a := ask(append(args, sample)...); a.code != exitOK {
				t.Fatalf("%v: exit %d: %s", list.args, a.code, a.err)
			}
			doc := decoded(t, fileText(t, dir, "json"))
			want, _ := doc[list.key].([]any)
			if !reflect.DeepEqual(fromYAML(t, fileText(t, dir, "yaml")), doc) {
				t.Errorf("%s: %v: YAML differs", sample, list.args)
			}
			if got := linesOf(t, fileText(t, dir, "jsonl"))["knforensics."+list.schema+"/v1"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v: JSON Lines differ: %v", sample, list.args, got)
			}
			rows := slices.DeleteFunc(rowsOf(t, fileText(t, dir, "csv")), func(row map[string]string) bool { return row["kind"] == "inconclusive" })
			if len(rows) != len(want) {
				t.Fatalf("%s: %v: %d rows of CSV, not %d", sample, list.args, len(rows), len(want))
			}
			for i, row := range rows {
				checkRow(t, row, "", want[i].(map[string]any))
			}
		}
	}
}

// TestTimelineOfMarkdownHasEachWrite looks for the rows of the JSON document that are never
// folded, by time and record.
func TestTimelineOfMarkdownHasEachWrite(t *testing.T) {
	sampleNames(t)
	args := []string{"timeline", "-v", "--rev", "rt-00002", "latched", "-o"}
	page := strings.ReplaceAll(ask(append(args, "markdown")...).out, "`", "")
	for _, e := range decoded(t, ask(append(args, "json")...).out)["entries"].([]any) {
		e := e.(map[string]any)
		source := e["source"].(map[string]any)
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %s .*\| %s:%v \|$`, orUnknown(e["time"]), regexp.QuoteMeta(source["file"].(string)), source["line"]))
		if kind := e["kind"]; (kind == "condition" || kind == "scale" || kind == "traffic") && !row.MatchString(page) {
			t.Errorf("no row for %v", e)
		}
	}
}
