package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse reads any text as a file of rules. It must not panic, every mistake
// has a place in the file, and rules that are taken can be asked.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(paths, samples) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(one(`when: "'\n' == \"\\t\""`, "by: user", "window: 2 within 1s")))
	f.Add([]byte("rules: &a [*a]"))
	f.Add([]byte(one("over: objects", "message: >\n\n      {object.kind}\r\n      {{\n")))
	h := historyOf(revision{second: 1, ready: "True", version: "1"})
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := Parse("f", data, []string{"latest-ready-latch"})
		var mistakes *Mistakes
		switch {
		case errors.As(err, &mistakes):
			lines := strings.Count(string(data), "\n") + 1
			for _, m := range mistakes.List {
				if m.Line < 1 || m.Line > lines || m.Column < 1 || m.Text == "" {
					t.Errorf("mistake without a place: %+v", m)
				}
			}
			_ = err.Error()
		case err != nil:
			t.Fatal(err)
		default:
			w := set.Watch(nil, "")
			for _, r := range every(3, nil) {
				w.Request(r)
			}
			w.Families(h.Families)
			w.Judge(h.Clusters, always)
			for _, d := range set.Detectors() {
				if d.Title() == "" {
					t.Errorf("%s has no title", d.Name)
				}
			}
		}
	})
}
