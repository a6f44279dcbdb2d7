package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestClocksThatDisagree splits a log in two, as of two API servers of which one
// has a clock that is two seconds ahead.
func TestClocksThatDisagree(t *testing.T) {
	stamp := regexp.MustCompile(`("requestReceivedTimestamp"|"stageTimestamp"):"([^"]+)"`)
	log := sampleLines(t, "latched/audit.log.zst")
	for _, ahead := range []time.Duration{0, 2 * time.Second} {
		var one, other []string
		for _, line := range log {
			if !strings.Contains(line, `"userAgent":"kube-controller-manager/`) {
				one = append(one, line)
				continue
			}
			other = append(other, stamp.ReplaceAllStringFunc(line, func(m string) string {
				parts := stamp.FindStringSubmatch(m)
				at, err := time.Parse(time.RFC3339Nano, parts[2])
				if err != nil {
					t.Fatal(err)
				}
				return fmt.Sprintf("%s:%q", parts[1], at.Add(ahead).Format(time.RFC3339Nano))
			}))
		}
		t.Chdir(t.TempDir())
		for name, lines := range map[string][]string{"a.log": one, "b.log": other} {
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		document, page := ask("coverage", "-o", "json", "a.log", "b.log"), ask("coverage", "a.log", "b.log")
		if ahead == 0 {
			if !strings.Contains(document.out, `"skew": [],`) || strings.Contains(page.out, "clock:") {
				t.Errorf("clocks that agree: %s", page.out)
			}
			continue
		}
		millis := regexp.MustCompile(`"skew": \[\s+\{\s+"a": "a.log",\s+"b": "b.log",\s+"millis": (19|20)\d\d\s`)
		if !millis.MatchString(document.out) || !regexp.MustCompile(`clock: that of b.log is \d{4} ms ahead of that of a.log`).MatchString(page.out) {
			t.Errorf("two seconds ahead: %s", page.out)
		}
	}
}
