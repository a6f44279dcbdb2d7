package rules

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDocumented holds docs/rules.md to the variables that there are, and to the
// rules of the samples.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := append(documented(requests), documented(states)...)
	for _, row := range rows {
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/rules.md lacks the row\n%s", row)
		}
	}
	_, section, _ := strings.Cut(string(page), "\n## What a rule sees\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| `") && !slices.Contains(rows, line) {
			t.Errorf("docs/rules.md has the row\n%s", line)
		}
	}
	data, err := os.ReadFile(samples)
	if err != nil {
		t.Fatal(err)
	}
	if _, list, _ := strings.Cut(string(data), "rules:\n"); !strings.Contains(string(page), "```yaml\nrules:\n"+list+"```\n") {
		t.Errorf("docs/rules.md does not show the rules of %s as they are", samples)
	}
}

func documented[Row any](v *vocabulary[Row]) (rows []string) {
	for _, known := range v.variables {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", known.name, strings.ToLower(strings.TrimPrefix(known.typ.String(), "google.protobuf.")), known.doc))
	}
	return rows
}
