package timeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// TestSkew gives the writes of two API servers, of which one has a clock that
// is wrong by some seconds.
func TestSkew(t *testing.T) {
	for _, test := range []struct {
		name string
		off  float64 // of the clock of b.log
		both bool    // writes follow each other in both directions
		want string
	}{
		{"clocks agree", 0, true, "[]"},
		{"apart by less than a request takes", 0.008, true, "[]"},
		{"ahead", 1.5, true, "[{a.log b.log 1500}]"},
		{"behind", -0.7, true, "[{a.log b.log -700}]"},
		{"ahead, and nothing of a follows b", 1.5, false, "[]"},
		{"behind, and nothing of a follows b", -0.7, false, "[{a.log b.log -490}]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			write := func(id string, at float64, version int) string {
				return event{id: id, verb: "update", res: "revisions/status", name: "cart-00001", at: at, code: 200,
					resp: fmt.Sprintf(`{"metadata":{"name":"cart-00001","namespace":"shop","uid":"u1","resourceVersion":"%d"}}`, version)}.json()
			}
			a := []string{write("1", 1, 9), write("3", 1.4, 100)}
			b := []string{write("2", 1.2+test.off, 20)}
			if test.both {
				b = append(b, write("4", 1.6+test.off, 101))
			} else {
				a = a[:1]
			}
			dir := t.TempDir()
			t.Chdir(dir)
			for name, lines := range map[string][]string{"a.log": a[:1], "a.log.1": a[1:], "b.log": b} {
				if len(lines) == 0 {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := readPaths(t, []string{"."}).Skew()
			if text := fmt.Sprint(append([]coverage.Skew{}, got...)); text != test.want {
				t.Errorf("got %s, want %s", text, test.want)
			}
		})
	}
}
