package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"rt-00002":                   "rt-00002",
		"größer ⇒ 中文":                "größer ⇒ 中文",
		`literal \x1b[31m stays`:     `literal \x1b[31m stays`,
		"\x1b[31mred\x07":            `\x1b[31mred\x07`,
		"two\nlines\tand\r":          `two\nlines\tand\r`,
		"\u202eevil\u2066":           `\u202eevil\u2066`,
		"\u009b31m":                  `\x9b31m`,
		"bad \xff byte":              `bad \ufffd byte`,
		"\U000e0041 tag, \ufeff BOM": `\U000e0041 tag, \ufeff BOM`,
	} {
		if got := Safe(text); got != want {
			t.Errorf("Safe(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzSafe: nothing that acts on a terminal gets through, and JSON says the same
// after its controls are escaped, and is indented as encoding/json does it. What of a Secret was blanked is gone. In Markdown it is
// text, a cell of a spreadsheet is no formula, an annotation is one command, and XML
// and YAML can be read.
func FuzzSafe(f *testing.F) {
	for _, text := range []string{"a\x1b[0m\u202e\x00\xff", "\U000e0041\ufeff\u2028\u009b", "hunter2-hunter2", `{"a":["b",{"c":"d"}]}`, `"`, hostile, "- [x] a_b_c ~~d~~ | `e", "a@b.example www.c.example"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fuzzing.Bounded(t, len(text), func() {
			checkSafe(t, text)
			checkEscaped(t, strings.ToValidUTF8(text, "?"))
			checkRedacted(t, text)
			checkMarkdown(t, text)
			checkForms(t, text)
		})
	})
}

func checkSafe(t *testing.T, text string) {
	t.Helper()
	got := Safe(text)
	for _, r := range got {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Fatalf("Safe(%q) leaves %U", text, r)
		}
	}
	if Safe(got) != got {
		t.Fatalf("Safe(%q) is not stable", text)
	}
}

func checkEscaped(t *testing.T, text string) {
	t.Helper()
	doc := map[string]any{text: []any{text, 1.5, nil, []string{}, map[string]any{}}, "and": map[string]any{"b": text}}
	var written, indented bytes.Buffer
	if err := WriteJSON(&written, doc); err != nil {
		t.Fatal(err)
	}
	enc := json.NewEncoder(&indented)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		t.Fatal(err)
	}
	var after map[string]any
	if err := json.Unmarshal(written.Bytes(), &after); err != nil || after["and"].(map[string]any)["b"] != text {
		t.Fatalf("%q became %s", text, written.Bytes())
	}
	if strings.IndexFunc(text, unsafe) < 0 && !bytes.Equal(written.Bytes(), indented.Bytes()) {
		t.Fatalf("%s\nencoding/json indents it as\n%s", written.Bytes(), indented.Bytes())
	}
}

func checkForms(t *testing.T, text string) {
	t.Helper()
	if cell := safeCell(text); cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
		t.Fatalf("a formula: %q", cell)
	}
	if a := (annotation{"error", text, 1, text, []string{text}}).String(); strings.Count(a, "\n") != 1 || strings.Count(a[2:], "::") < 1 {
		t.Fatalf("an annotation of more than a line: %q", a)
	}
	var report junitReport
	suite := junitSuite{Name: Safe(text)}
	suite.add(junitCase{Name: "d", Failure: &junitFailure{Message: Safe(text), Text: Safe(text)}})
	if err := xml.Unmarshal([]byte(written(t, func(w io.Writer) error { return writeJUnit(w, []junitSuite{suite}) })), &report); err != nil {
		t.Fatalf("%q: %s", text, err)
	}
	if got := report.Suites[0].Cases[0].Failure; got.Message != Safe(text) || got.Text != Safe(text) {
		t.Fatalf("%q became %q and %q", text, got.Message, got.Text)
	}
	valid, doc := strings.ToValidUTF8(text, "?"), map[string]string{}
	if err := yaml.Unmarshal([]byte(written(t, func(w io.Writer) error { return WriteYAML(w, map[string]string{valid: valid}) })), doc); err != nil || len(doc) != 1 || doc[valid] != valid {
		t.Fatalf("%q became %q: %v", valid, doc, err)
	}
}

// checkRedacted puts the text into a Secret, beside a mark that must not be
// seen, and that into others, whole and cut; and takes the text for a record.
func checkRedacted(t *testing.T, text string) {
	t.Helper()
	const mark = "hunter2-9d1f"
	value := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	secret := `{"kind":"Secret","metadata":{"name":` + value(text) + `},"data":{` + value(text) + `:` + value(mark+text) + `,"b":"` + mark + `"}}`
	for _, record := range []string{
		secret, `{"kind":"Secret","apiVersion":"v1","data":` + value(mark+text) + `}`, `{"log":` + value(secret) + `}`, secret[:len(secret)-1],
		`{"objectRef":{"resource":"secrets"},"requestObject":[{"op":"add","path":` + value(text) + `,"value":"` + mark + `"}]}`,
		text + secret, secret + text,
	} {
		r := Record{Raw: []byte(record)}
		if r.Redact(false); bytes.Contains(r.Raw, []byte(mark)) {
			t.Fatalf("%q became %q", record, r.Raw)
		}
	}
}

func TestWriteJSONIsSafeToPrint(t *testing.T) {
	var buf bytes.Buffer
	if err := WriteJSON(&buf, map[string]string{"k": "\x1b[31m<b>\u202e\U000e0041\x9b"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range buf.String() {
		if unsafe(r) && r != '\n' {
			t.Errorf("%U in %q", r, buf.String())
		}
	}
	if !strings.Contains(buf.String(), "<b>") {
		t.Errorf("HTML is escaped: %s", buf.String())
	}
	var doc map[string]string
	if err := json.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
}
