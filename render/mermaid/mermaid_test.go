package mermaid_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/mermaid"
	"github.com/knforensics/knforensics/render/rendertest"
	"github.com/knforensics/knforensics/timeline"
)

var update = flag.Bool("update", false, "rewrite testdata")

func written(t testing.TB, s *render.Story) (text string, left []render.Left) {
	t.Helper()
	var out bytes.Buffer
	w := mermaid.NewWriter(&out)
	rendertest.Write(t, w, []*render.Story{s})
	return out.String(), w.Left()
}

const moment = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}`

// The lines that a chart has: nothing of the cluster can make another one.
var (
	head = regexp.MustCompile(`^(gantt|    title [^:;#%]+|    dateFormat YYYY-MM-DDTHH:mm:ss\.SSS|    axisFormat %H:%M:%S|    todayMarker off|    section [^:;#%"<>]+)$`)
	task = regexp.MustCompile(`^    [▲░✓✗…] [^:;#%"<>` + "`" + `]+ :((?:done|crit|active|milestone), )*(` + moment + `), (` + moment + `)$`)
)

// check holds the form of a chart and returns how many rows it has.
func check(t *testing.T, text string) (rows int) {
	t.Helper()
	if len(text) > 50000 {
		t.Errorf("%d bytes", len(text))
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if head.MatchString(line) {
			continue
		}
		m := task.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a line of a chart: %q", line)
			continue
		}
		if m[3] < m[2] {
			t.Errorf("ends before it begins: %s", line)
		}
		rows++
	}
	if rows > mermaid.Rows {
		t.Errorf("%d rows", rows)
	}
	return rows
}

func TestSamples(t *testing.T) {
	for _, sample := range rendertest.Samples(t, "../..") {
		for _, s := range rendertest.Stories(t, sample) {
			text, left := written(t, s)
			rows := check(t, text)
			n := left[0].Rows + left[0].Findings + left[1].Rows + left[1].Findings
			if (n > 0) != strings.Contains(text, fmt.Sprintf(", %d of %d rows", rows, rows+n)) {
				t.Errorf("%s: %d rows were left out, and the title says otherwise: %s", sample, n, text)
			}
			for _, f := range s.Findings {
				if !strings.Contains(text, "▲ "+f.Detector) {
					t.Errorf("%s: no %s", sample, f.Detector)
				}
			}
		}
	}
}

func TestLatched(t *testing.T) {
	const golden = "testdata/latched.mmd"
	for _, s := range rendertest.Stories(t, "../../samples/latched") {
		if s.Family.Name != "rt" {
			continue
		}
		got, _ := written(t, s)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != got {
			t.Errorf("not as in %s (%v):\n%s", golden, err, got)
		}
	}
}

func TestHostile(t *testing.T) {
	for _, s := range rendertest.Hostile(t) {
		text, _ := written(t, s)
		if check(t, text) == 0 {
			t.Error("no rows")
		}
	}
}

// TestTooMany holds that findings, and the worst of them, are left out last.
func TestTooMany(t *testing.T) {
	s := &render.Story{Family: &timeline.Family{Name: "x", Namespace: "shop", Cluster: &timeline.Cluster{}}, Coverage: &coverage.Coverage{}}
	for i := range 100 {
		severity := detectors.Low
		if i%2 == 0 {
			severity = detectors.Critical
		}
		s.Findings = append(s.Findings, &detectors.Finding{Detector: fmt.Sprint("d", i), Severity: severity, Time: time.Unix(int64(i), 0)})
	}
	text, left := written(t, s)
	if rows := check(t, text); rows != mermaid.Rows || left[1].Findings != 60 {
		t.Errorf("%d rows, left out: %v", rows, left)
	}
	if strings.Contains(text, "d1 ") || !strings.Contains(text, "d78 ") {
		t.Errorf("not the worst: %s", text)
	}
}

// TestOpen holds that no chart looks as if all were known: gaps are drawn, doubts counted,
// and a finding without a time is drawn at the end, or counted where that is unknown.
func TestOpen(t *testing.T) {
	text, left := written(t, rendertest.Open(time.Unix(60, 0)))
	for _, want := range []string{"title shop/cart, times in UTC, 1 not known\n", "▲ d cart-00002 :milestone, crit, 1970-01-01T00:01:00.000",
		"section gaps\n    ░ the log is silent :1970-01-01T00:00:10.000, 1970-01-01T00:00:20.000\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if check(t, text); fmt.Sprint(left) != "[ ]" {
		t.Errorf("left out: %v", left)
	}
	text, left = written(t, rendertest.Open(time.Time{}))
	if !strings.Contains(text, ", 1 of 2 rows, 1 not known\n") || left[0].String() != "1 finding is left out: nothing tells the time" {
		t.Errorf("%s left out: %v", text, left)
	}
}

// FuzzWriter holds that a chart has no other lines than those of one, whatever the
// inputs say.
func FuzzWriter(f *testing.F) {
	f.Add(rendertest.HostileInput)
	f.Fuzz(func(t *testing.T, input string) {
		for _, s := range rendertest.Told(t, input) {
			text, _ := written(t, s)
			check(t, text)
		}
	})
}
