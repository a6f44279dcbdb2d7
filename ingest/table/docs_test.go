package table

import (
	goflag "flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

var update = goflag.Bool("update", false, "write docs/tables.md")

const documentation = "../../docs/tables.md"

// TestDocumentation holds docs/tables.md against the schemas.
func TestDocumentation(t *testing.T) {
	got := render(Schemas())
	if *update {
		if err := os.WriteFile(documentation, []byte(got), 0o644); err != nil { //nolint:gosec // a page for everyone
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("docs/tables.md is not what the schemas say: go test ./ingest/table -run Documentation -update")
	}
}

func render(schemas map[string]*arrow.Schema) string {
	var b strings.Builder
	b.WriteString("# Tables\n\nWhat is read becomes rows of Arrow tables. `ingest -o CASE` keeps them as Arrow IPC files, `export` writes them for other tools. " +
		"This page is made from their schemas by `go test ./ingest/table -run Documentation -update`.\n\n" +
		"Each row tells where it was read; the rows of `kube_events` and `objects` that were read in the body of an audit event have the place of that event and its `audit_id`. In a case they leave both to that event, which has the same `record`. " +
		"What is empty, zero or not told is null where a column can be null. Times are UTC.\n\n" +
		"`index` and `families` are in a case only: the one tells where the rows about an object are, the other which objects belong together though their names do not tell. " +
		"So are `record_format` and `record_identity`: they stand for the row of `records`, which a case has only where the text was kept. " +
		"In a case, columns with a dictionary share it among all record batches of a file, and an identifier of type binary is the 16 bytes of a UUID, or else its text, after a byte ff if that has 16 bytes, too; what is exported has plain strings.\n\n" +
		"The metadata of a schema tell the `table` and its `version`, now " + Version + ": it changes when a column changes its type or meaning, or goes, and not when one is added.\n")
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		fmt.Fprintf(&b, "\n## %s\n\n| column | type | null | meaning |\n|---|---|---|---|\n", name)
		for _, f := range schemas[name].Fields() {
			doc, _ := f.Metadata.GetValue("doc")
			null := "never"
			if f.Nullable {
				null = "can be"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, typeName(f.Type), null, strings.ReplaceAll(doc, "|", `\|`))
		}
	}
	return b.String()
}

// typeName writes an Arrow type for people.
func typeName(typ arrow.DataType) string {
	switch typ := typ.(type) {
	case *arrow.ListType:
		return "list of " + typeName(typ.Elem())
	case *arrow.StructType:
		var members []string
		for _, f := range typ.Fields() {
			members = append(members, "`"+f.Name+"` "+typeName(f.Type))
		}
		return "struct (" + strings.Join(members, ", ") + ")"
	case *arrow.TimestampType:
		return "timestamp, " + typ.Unit.String()
	case *arrow.DictionaryType:
		return typeName(typ.ValueType) + ", dictionary"
	case *arrow.StringType:
		return "string"
	case *arrow.BinaryType:
		return "binary, identifier"
	}
	return typ.Name()
}

func TestEveryColumnIsDescribed(t *testing.T) {
	for name, schema := range Schemas() {
		seen := map[string]bool{}
		for _, f := range schema.Fields() {
			if doc, ok := f.Metadata.GetValue("doc"); !ok || doc == "" || strings.ContainsAny(doc, "\n") {
				t.Errorf("%s.%s: doc %q", name, f.Name, doc)
			}
			if seen[f.Name] {
				t.Errorf("%s has two columns %s", name, f.Name)
			}
			seen[f.Name] = true
		}
	}
}
