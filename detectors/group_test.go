package detectors

import (
	"fmt"
	"strings"
	"testing"
)

func TestGroups(t *testing.T) {
	finding := func(detector, uid string, s Severity) *Finding {
		return &Finding{Detector: detector, UID: uid, Severity: s}
	}
	findings := []*Finding{finding("a", "2", Low), finding("a", "1", Low), finding("b", "2", Critical), finding("c", "3", High), finding("c", "1", Low)}
	for _, tt := range []struct {
		by   Grouping
		want string
	}{
		{Grouping{Of: func(f *Finding) string { return f.Detector }}, "b 1 critical, c 2 high low, a 2 low"},
		{Grouping{Of: func(f *Finding) string { return f.UID }}, "2 2 critical low, 3 1 high, 1 2 low"},
		{Grouping{Of: func(f *Finding) string { return f.UID }, Ordered: true}, "1 2 low, 2 2 critical low, 3 1 high"},
	} {
		var got []string
		for _, g := range tt.by.Groups(findings) {
			text := fmt.Sprint(g.Name, " ", g.Findings)
			for _, s := range Severities {
				if g.Severities[s] > 0 {
					text += " " + string(s)
				}
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s, want %s", text, tt.want)
		}
	}
}
