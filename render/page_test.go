package render

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

func page(width int, colored bool, fn func(*Page)) string {
	var buf bytes.Buffer
	p := NewPage(&buf, Clock{}, width, colored)
	fn(p)
	if err := p.Flush(); err != nil {
		panic(err)
	}
	return buf.String()
}

func TestWrapKeepsEveryWord(t *testing.T) {
	text := "a word " + strings.Repeat("x", 70) + " and 中文字 more"
	for _, width := range []int{1, 10, 30, 200} {
		lines := wrap(text, width)
		if strings.Join(lines, " ") != text {
			t.Errorf("width %d: %q", width, lines)
		}
		for _, l := range lines {
			if strings.Contains(l, " ") && lipgloss.Width(l) > width {
				t.Errorf("width %d: line %q is longer", width, l)
			}
		}
	}
}

func TestClock(t *testing.T) {
	at := time.Date(2026, 11, 30, 6, 36, 58, 818231000, time.UTC)
	kathmandu := time.FixedZone("+0545", 5*3600+45*60)
	if got := *(Clock{}).Full(at); got != "2026-11-30T06:36:58.818231Z" {
		t.Error(got)
	}
	if got := *(Clock{kathmandu}).Full(at); got != "2026-11-30T12:21:58.818231+05:45" {
		t.Error(got)
	}
	if (Clock{}).Full(time.Time{}) != nil {
		t.Error("the zero time is null")
	}
}

// story is a timeline of one Revision with a flap, repeated errors and a long
// name.
func story() *Story {
	at := func(ms int) time.Time { return time.Date(2026, 3, 2, 9, 0, 0, ms*1e6, time.UTC) }
	text := func(s string) *string { return &s }
	ref := timeline.Ref{Kind: "Revision", Namespace: "shop", Name: "cart-00002"}
	ready := func(ms int, from, to string) timeline.Entry {
		return timeline.Entry{Time: at(ms), Object: ref, Kind: timeline.EntryCondition, Summary: "Ready " + from + " → " + to,
			Changes: []timeline.Change{{Path: "conditions.Ready", From: text(from), To: text(to)}}, Source: timeline.Source{File: "a", Line: 1, AuditID: "11111111-2222"}}
	}
	refused := func(ms int) timeline.Entry {
		return timeline.Entry{Time: at(ms), Object: timeline.Ref{Kind: "Image", Namespace: "shop", Name: strings.Repeat("n", 63)}, Kind: timeline.EntryError,
			Summary: "create answered 403", Code: 403, Outcome: timeline.Refused}
	}
	o := &timeline.Object{Ref: ref}
	return &Story{Kind: "Revision", Object: o, Lives: []*timeline.Object{o}, Family: &timeline.Family{Cluster: &timeline.Cluster{To: at(9000)}}, Coverage: &coverage.Coverage{},
		Entries: []timeline.Entry{refused(1), ready(2, "Unknown", "True"), refused(3), ready(16, "True", "Unknown"), ready(30, "Unknown", "True"), refused(40)}}
}

func TestTimelineShowsFlapsAndFoldsRepeats(t *testing.T) {
	got := page(0, false, func(p *Page) { p.Timeline(story(), false) })
	if n := strings.Count(got, "Ready Unknown → True"); n != 2 {
		t.Errorf("a flap is shown %d times, want 2:\n%s", n, got)
	}
	if !strings.Contains(got, "create answered 403 ×3, last 09:00:00.040000") {
		t.Errorf("repeats are not folded:\n%s", got)
	}
	if !strings.Contains(got, strings.Repeat("n", 63)) {
		t.Errorf("a long name is cut:\n%s", got)
	}
	if !strings.Contains(got, "09:00:00.016000") {
		t.Errorf("a write that lasted 14 ms is missing:\n%s", got)
	}
}

func TestColourAddsNothing(t *testing.T) {
	plain := page(100, false, func(p *Page) { p.Timeline(story(), true) })
	colored := page(100, true, func(p *Page) { p.Timeline(story(), true) })
	if !strings.Contains(colored, "\x1b[") {
		t.Fatal("no colour")
	}
	if got := stripSGR(colored); got != plain {
		t.Errorf("without its colours the page differs:\n%s\n---\n%s", got, plain)
	}
	if strings.Contains(plain, "\x1b") {
		t.Error("colour in a plain page")
	}
}

func stripSGR(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		for s[i] != 'm' {
			i++
		}
	}
	var lines []string
	for l := range strings.SplitSeq(b.String(), "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	return strings.Join(lines, "\n")
}

// TestManyFindings holds that the work for each finding does not grow with their
// number.
func TestManyFindings(t *testing.T) {
	result := &detectors.Result{}
	for range 30_000 {
		result.Findings = append(result.Findings, &detectors.Finding{Detector: "d", Summary: "s"})
	}
	start := time.Now()
	page(0, false, func(p *Page) { p.Findings(&Detection{Coverage: &coverage.Coverage{}, Result: result}, false) })
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%d findings took %s", len(result.Findings), took)
	}
}

func TestRedact(t *testing.T) {
	raw := `{"objectRef":{"resource":"secrets"},"requestObject":{"kind":"Secret","data":{"p":"c2VjcmV0"},"stringData":{"q":"plain"},"n":9007199254740993}}`
	r := Record{Raw: []byte(raw)}
	r.Redact(false)
	if strings.Contains(string(r.Raw), "c2VjcmV0") || strings.Contains(string(r.Raw), "plain") {
		t.Errorf("secret in %s", r.Raw)
	}
	if !strings.Contains(string(r.Raw), "9007199254740993") {
		t.Errorf("a number was rounded: %s", r.Raw)
	}
	r = Record{Raw: []byte(raw)}
	if r.Redact(true); string(r.Raw) != raw {
		t.Errorf("shown otherwise: %s", r.Raw)
	}
}
