package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"go.yaml.in/yaml/v3"
)

const yamlList = `apiVersion: v1
items:
- apiVersion: v1
  kind: A
  data:
    text: |
      ---
      not a document
- kind: B # the second

  # belongs to B
- kind: C
kind: List
`

// readYAML reads a text to its end, holds the places of the records against
// it, and returns the records as JSON too.
func readYAML(t *testing.T, text string) (g got, values []string) {
	t.Helper()
	g = readAll(t, text, NewYAML(strings.NewReader(text)))
	for r := NewYAML(strings.NewReader(text)); ; {
		b, err := r.Next()
		if err != nil {
			return g, values
		}
		for _, rec := range b.Records {
			if !json.Valid(rec.JSON) {
				t.Fatalf("not JSON: %s", rec.JSON)
			}
			values = append(values, string(rec.JSON))
		}
	}
}

func TestYAML(t *testing.T) {
	for _, tt := range []struct {
		name, text, kinds string
		starts            []string // how the text of each record starts
	}{
		{"nothing", "\n# x\n---\n", "", nil},
		{"one object", "# x\n\nkind: A\nx: 1\n", "A", []string{"kind: A\nx: 1"}},
		{"a list", yamlList, "A B C", []string{"- apiVersion: v1\n  kind: A", "- kind: B # the second", "- kind: C"}},
		{"an indented list", "kind: List\nitems:\n  - kind: A\n  - kind: B\n", "A B", []string{"  - kind: A", "  - kind: B"}},
		{"a sequence at the top", "- kind: A\n- kind: B", "A B", []string{"- kind: A", "- kind: B"}},
		{"a dash on a line of its own", "items:\n-\n  kind: A\n-\n  kind: B\n", "A B", []string{"  kind: A", "  kind: B"}},
		{"several documents", "kind: A\n---\nkind: B\n--- # x\nkind: C\n---\n---\n", "A B C", []string{"kind: A", "kind: B", "kind: C"}},
		{"documents that end", "---\nkind: A\n...\n---\nkind: B\n...\nkind: C\n...\n", "A B C", []string{"kind: A", "kind: B", "kind: C"}},
		{"directives", "%YAML 1.2\n# x\n---\nkind: A\n...\n%YAML 1.2\n---\nkind: B\n", "A B", []string{"kind: A", "kind: B"}},
		{"a document on the line of its start", "--- {kind: A}\n--- {kind: B}", "A B", []string{"{kind: A}", "{kind: B}"}},
		{"flow style", "items: [{kind: A, x: 'it''s }'}, {kind: B, y: \"\\\"}\", z: it's}, { kind: C }] # x\n", "A B C", []string{"{kind: A, x: 'it''s }'}", "{kind: B, y: \"\\\"}\", z: it's}", "{ kind: C }"}},
		{"flow style over lines", "items: [\n  {kind: A,\n   x: 1},\n  {kind: B}\n]\n", "A B", []string{"  {kind: A,\n   x: 1}", "  {kind: B}"}},
		{"characters of several bytes", "items: [{kind: A, x: 'éé€'}, {kind: B}]\n", "A B", []string{"{kind: A, x: 'éé€'}", "{kind: B}"}},
		{"CRLF", strings.ReplaceAll(yamlList, "\n", "\r\n"), "A B C", []string{"- apiVersion: v1\r\n", "- kind: B", "- kind: C"}},
		{"anchors", "items:\n- &a\n  kind: A\n- *a\n- {<<: *a, kind: B}", "A A B", nil},
		{"line breaks that only YAML knows", "items:\n- kind: A\n  x: \"1\u20282\u00853\"\n- kind: B\n", "A B", []string{"- kind: A", "- kind: B"}},
		{"JSON", `{"kind": "A", "x": [1, "}"]}`, "A", []string{`{"kind": "A", "x": [1, "}"]}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, values := readYAML(t, tt.text)
			if len(g.errs) > 0 {
				t.Fatal(g.errs)
			}
			if got := strings.Join(names(t, values), " "); got != tt.kinds {
				t.Fatalf("kinds %q, want %q", got, tt.kinds)
			}
			for i, start := range tt.starts {
				if !strings.HasPrefix(g.records[i], start) {
					t.Errorf("record %d starts %.60q, want %q", i, g.records[i], start)
				}
				if strings.TrimRight(g.records[i], " \r\n") != g.records[i] {
					t.Errorf("record %d has its line end: %q", i, g.records[i])
				}
			}
		})
	}
}

func TestYAMLRecordsEndBeforeTheNext(t *testing.T) {
	g, _ := readYAML(t, "items: [{kind: A}, {kind: B}]\n---\n- {kind: C}\n- kind: D\n...\n")
	checkRecords(t, g.records, []string{"{kind: A}", "{kind: B}", "- {kind: C}", "- kind: D"})
	g, _ = readYAML(t, yamlList)
	if last := g.records[2]; last != "- kind: C" {
		t.Errorf("the last item is %q", last)
	}
	g, _ = readYAML(t, "{items: [{kind: A}, {kind: B}], kind: List}")
	checkRecords(t, g.records, []string{"{kind: A}", "{kind: B}"})
}

func TestYAMLTellsTheTypeOfTheList(t *testing.T) {
	b, err := NewYAML(strings.NewReader("items: [{a: 1}]\nkind: PodList\napiVersion: v1\n")).Next()
	if err != nil || len(b.Records) != 1 || b.Records[0].List != (List{APIVersion: "v1", Kind: "PodList"}) {
		t.Errorf("got %+v, %v", b, err)
	}
}

func TestBrokenYAML(t *testing.T) {
	for _, tt := range []struct {
		name, text, kinds string
		errs              []string // line and reason of each
	}{
		{"one of three documents", "kind: A\n---\nkind: B\n  x: : 1\n---\nkind: C\n", "A C", []string{"2: invalid YAML at line 4: mapping values are not allowed"}},
		{"the first and the last", "a: [\n---\nkind: B\n---\nb: \"\n", "B", []string{"1: invalid YAML", "4: invalid YAML"}},
		{"an unknown alias", "kind: A\n---\nx: *a\n", "A", []string{"2: unknown anchor 'a'"}},
		{"not UTF-8", "kind: A\n---\nx: \xff\n---\nkind: B\n", "A B", []string{"2: invalid YAML"}},
		{"an alias to itself", "- &a {x: *a}\n- kind: B", "", []string{"1: expands without end"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, values := readYAML(t, tt.text)
			if got := strings.Join(names(t, values), " "); got != tt.kinds {
				t.Errorf("kinds %q, want %q", got, tt.kinds)
			}
			if len(g.errs) != len(tt.errs) {
				t.Fatalf("errors %v, want %q", g.errs, tt.errs)
			}
			for i, err := range g.errs {
				line, reason, _ := strings.Cut(tt.errs[i], ": ")
				if fmt.Sprint(g.lines[i]) != line || !strings.Contains(err.Error(), reason) {
					t.Errorf("on line %d: %v, want %q", g.lines[i], err, tt.errs[i])
				}
			}
		})
	}
}

// TestYAMLBombs holds the size of what aliases expand to against the text.
func TestYAMLBombs(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	for name, text := range map[string]string{
		"in one document": bomb,
		"in a list":       "x: &x [" + strings.Repeat("y, ", 100_000) + "y]\nitems: [" + strings.Repeat("{a: *x}, ", 1000) + "{a: *x}]",
	} {
		t.Run(name, func(t *testing.T) {
			g, values := readYAML(t, text)
			if len(g.errs) != 1 || !errors.Is(g.errs[0], errYAMLExpands) {
				t.Errorf("errors %v", g.errs)
			}
			if size := len(strings.Join(values, "")); size > 8*len(text)+2<<20 {
				t.Errorf("%d bytes of text became %d", len(text), size)
			}
		})
	}
}

// TestManyYAMLRecords holds the time that many records take against that of
// the parser: to count lines or characters before each would take more than ten
// times as long. A busy machine gets several tries.
func TestManyYAMLRecords(t *testing.T) {
	const n = 32 << 10
	word := strings.Repeat("x", 60)
	for _, text := range []string{strings.Repeat("- "+word+"\n", n), "[" + strings.Repeat(word+", ", n) + "]"} {
		for try := 1; ; try++ {
			start := time.Now()
			if err := yaml.Unmarshal([]byte(text), new(yaml.Node)); err != nil {
				t.Fatal(err)
			}
			parsed := time.Since(start)
			if b, err := NewYAML(strings.NewReader(text)).Next(); err != nil || len(b.Records) != n {
				t.Fatal(err)
			}
			took := time.Since(start) - parsed
			if took < 6*parsed {
				break
			}
			if try == 5 {
				t.Fatalf("%.10q: %v, the parser alone takes %v", text, took, parsed)
			}
		}
	}
}

func TestYAMLTooLong(t *testing.T) {
	text := "kind: A\n---\nkind: X\nx: " + strings.Repeat("x", 200) + "\ny: 1\n---\nkind: B\n"
	r := NewYAML(strings.NewReader(text))
	r.limit = 100
	g := readAll(t, text, r)
	checkRecords(t, g.records, []string{"kind: A", "kind: B"})
	if len(g.errs) != 1 || !errors.Is(g.errs[0], errYAMLTooLong) || g.lines[0] != 2 {
		t.Errorf("errors %v on lines %v", g.errs, g.lines)
	}
}

func TestYAMLBrokenOff(t *testing.T) {
	for _, err := range []error{errors.New("the disk is gone"), io.ErrUnexpectedEOF} {
		text := "kind: A\n---\nkind: B\n"
		g := readAll(t, text, NewYAML(io.MultiReader(strings.NewReader(text), iotest.ErrReader(err))))
		checkRecords(t, g.records, []string{"kind: A"})
		if len(g.errs) != 1 || g.errs[0] != err || g.lines[0] != 2 {
			t.Errorf("errors %v on lines %v, want %v on line 2", g.errs, g.lines, err)
		}
	}
}

func TestYAMLScalars(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "-1.5e3": "-1.5e3", "0x1F": `"0x1F"`, "0123": `"0123"`, "1_000": `"1_000"`, ".inf": `".inf"`,
		"true": "true", "True": "true", "FALSE": "false", "yes": `"yes"`, "null": "null", "~": "null", "": "null",
		`"1"`: `"1"`, "'true'": `"true"`, "!!str 1": `"1"`, "2026-03-02T09:00:00Z": `"2026-03-02T09:00:00Z"`,
		"|\n  two\n  lines": `"two\nlines"`, "\"\\u00e9\\t\"": `"é\t"`,
	} {
		_, values := readYAML(t, "a: "+text)
		if len(values) != 1 || values[0] != `{"a":`+want+`}` {
			t.Errorf("%s gives %s, want %s", text, values, want)
		}
	}
}

func TestYAMLAliases(t *testing.T) {
	_, values := readYAML(t, "a: &a x\nb: &b [1, *a]\n*a : {c: *b}\n")
	if want := `{"a":"x","b":[1,"x"],"x":{"c":[1,"x"]}}`; len(values) != 1 || values[0] != want {
		t.Errorf("got %s, want %s", values, want)
	}
}
