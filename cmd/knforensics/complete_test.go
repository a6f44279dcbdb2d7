package main

import (
	"slices"
	"strings"
	"testing"
)

// The shell is offered the formats that a command takes.
func TestFormatsAreCompleted(t *testing.T) {
	for name, args := range map[string][]string{
		"timeline": {"x"}, "detect": {"x"}, "check": {"x"}, "coverage": {"x"}, "summary": {"x"}, "show": {"id", "x"}, "explain": nil, "version": nil,
	} {
		var out, errs strings.Builder
		run(append([]string{name, "-o", "nosuch"}, args...), strings.NewReader(""), &out, &errs)
		_, known, _ := strings.Cut(errs.String(), "known: ")
		taken := strings.Split(strings.TrimSpace(known), ", ")
		slices.Sort(taken)
		root := newRoot(&streams{})
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if offered, _ := completeFormats(cmd, nil, ""); !slices.Equal(offered, taken) {
			t.Errorf("%s: %v are offered, %v are taken", name, offered, taken)
		}
	}
}
