package detectors

import (
	"strings"
	"testing"
)

func TestWorst(t *testing.T) {
	var list []*Finding
	for _, name := range []string{"low 1", "critical 1", "info 1", "low 2", "critical 2", "high 1", "medium 1"} {
		severity, _, _ := strings.Cut(name, " ")
		list = append(list, &Finding{Summary: name, Severity: Severity(severity)})
	}
	var got []string
	for _, f := range Worst(list) {
		got = append(got, f.Summary)
	}
	if text := strings.Join(got, ", "); text != "critical 1, critical 2, high 1, medium 1, low 1, low 2, info 1" {
		t.Error(text)
	}
	if list[0].Summary != "low 1" {
		t.Error("the list itself was sorted")
	}
}
