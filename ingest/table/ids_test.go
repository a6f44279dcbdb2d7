package table

import (
	"strings"
	"testing"
)

// TestIDs holds that every text comes back, and that UUIDs take 16 bytes.
func TestIDs(t *testing.T) {
	uuid := "3abf6edc-a06a-4057-9dd1-bd0bf58d9c31"
	for _, text := range []string{uuid, strings.ToUpper(uuid), uuid[:35], uuid + "0", "", "x", "sixteen bytes of", "\x00fifteen bytes.", "\x00sixteen bytes of",
		strings.Replace(uuid, "-", "0", 1), strings.Replace(uuid, "3", "g", 1), strings.Repeat("-", 36)} {
		var c ids
		c.add(text)
		c.add(uuid)
		if got := textOfID(c.at(0)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
		if got := textOfID(c.at(1)); got != uuid || len(c.at(1)) != 16 {
			t.Errorf("%q comes back as %q, of %d bytes", uuid, got, len(c.at(1)))
		}
	}
}

// FuzzIDs holds the same of any text.
func FuzzIDs(f *testing.F) {
	f.Add("3abf6edc-a06a-4057-9dd1-bd0bf58d9c31")
	f.Add("\x00sixteen bytes of")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		var c ids
		c.add(text)
		if got := textOfID(c.at(0)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	})
}

// TestWords holds that equal values have equal codes, in the order in which they
// came, whatever came between.
func TestWords(t *testing.T) {
	var w words
	for range 2 {
		want := map[string]int32{"": none}
		for i := range 5000 {
			text := strings.Repeat("w", i*i%997%40) + string(rune('a'+i*7%26))
			if i%5 == 0 {
				text = ""
			}
			code, known := want[text]
			if !known {
				code = int32(len(want) - 1)
				want[text] = code
			}
			if got := w.code(text); got != code {
				t.Fatalf("%q has the code %d, want %d", text, got, code)
			}
		}
		if got := w.dictionary().Len(); got != len(want)-1 {
			t.Errorf("%d values, want %d", got, len(want)-1)
		}
		w.reset()
	}
}
