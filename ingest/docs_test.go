package ingest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// exampleRow is a row of a table in docs/inputs.md that starts with a name and
// examples.
var exampleRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (`[^|]*`) \\|")

// TestDocumentedExamples holds docs/inputs.md against what is read: each example
// of a format or a wrapper is one record of it.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	formats := []coverage.Format{coverage.Audit, coverage.AuditLegacy, coverage.ControllerLog, coverage.Klog, coverage.Events, coverage.Snapshot, coverage.Admission}
	record := strings.TrimSpace(auditLine(1))
	inString := strings.Trim(inJSON(record), `"`)
	seen := 0
	for _, row := range exampleRow.FindAllStringSubmatch(string(page), -1) {
		for _, example := range strings.Split(strings.Trim(row[2], "`"), "` `") {
			seen++
			text := strings.NewReplacer("⇥", "\t", `"RECORD`, `"`+inString, "RECORD", record).Replace(example)
			c, _ := readText(t, text+"\n")
			f := c.Files[0]
			told := slices.Contains(f.Wrappers, row[1]) || slices.Contains(formats, coverage.Format(row[1])) && f.Format == coverage.Format(row[1])
			if !told || f.Records != 1 || f.Rejected != 0 {
				t.Errorf("%s: %s is read as %s %v, %d records, %d rejected", row[1], example, f.Format, f.Wrappers, f.Records, f.Rejected)
			}
		}
	}
	if seen < 35 {
		t.Errorf("only %d examples were found", seen)
	}
}
