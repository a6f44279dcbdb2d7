package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
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

func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[0m\u202e\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Safe(text)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("Safe(%q) leaves %U", text, r)
			}
		}
		if Safe(got) != got {
			t.Fatalf("Safe(%q) is not stable", text)
		}
		// JSON says the same after its controls are escaped.
		doc, err := json.Marshal(strings.ToValidUTF8(text, "?"))
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if json.Unmarshal(doc, &before) != nil || json.Unmarshal(escapeControls(doc), &after) != nil || before != after {
			t.Fatalf("%q became %q", before, after)
		}
	})
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
