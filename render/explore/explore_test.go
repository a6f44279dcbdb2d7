package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// told returns a browser at a timeline of many rows, of which each hundredth is an
// error, and each thousandth one by the webhook.
func told(t testing.TB, rows int, name string) *browser {
	ref := timeline.Ref{Kind: timeline.KindRevision, Namespace: "shop", Name: name}
	o := &timeline.Object{Ref: ref}
	s := &render.Story{Kind: ref.Kind, Object: o, Lives: []*timeline.Object{o}, Family: &timeline.Family{Cluster: &timeline.Cluster{}}, Coverage: &coverage.Coverage{}}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i := range rows {
		e := timeline.Entry{Time: at.Add(time.Duration(i) * time.Millisecond), Object: ref, Kind: timeline.EntryWrite, Verb: "update", Actor: timeline.Actor{Component: "controller"},
			Summary: fmt.Sprintf("write %d", i), Source: timeline.Source{File: "audit.log", Line: int64(i + 1), AuditID: fmt.Sprintf("id-%d", i)}}
		if i%100 == 0 {
			e.Kind, e.Summary = timeline.EntryError, fmt.Sprintf("refused %d %s", i, name)
		}
		if i%1000 == 0 {
			e.Actor.Component = "webhook"
		}
		s.Entries = append(s.Entries, e)
	}
	m := newModel(t.Context(), Data{Detection: &render.Detection{Coverage: s.Coverage, Result: &detectors.Result{}}}, newLook(false, false), true)
	m.open(newStory(m, s))
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	b := &browser{Model: m}
	b.t, _ = t.(*testing.T)
	return b
}

// at returns the line of the log that the selected row is of.
func (b *browser) at() int64 {
	s, _ := b.here().behind()
	return s.Line
}

func TestSelectedStaysSelected(t *testing.T) {
	b := told(t, 5000, "cart-00002")
	b.press(":", "type 2001", "enter")
	for _, keys := range [][]string{
		{"&", "type kind:error", "enter"}, // it passes
		{"&", "type  actor:webhook", "enter"},
		{"esc"},
		{"t"}, // only its kind
		{"t"},
		{"o"},
		{"a"},
		{"esc"},
	} {
		b.press(keys...)
		if got := b.at(); got != 2001 {
			t.Fatalf("after %q the row of line %d is selected", keys, got)
		}
	}
	b.press("j", "&", "type webhook", "enter") // what was selected is filtered out: the one before it
	if got := b.at(); got != 2001 {
		t.Errorf("line %d", got)
	}
}

func TestRowsThatMatterLess(t *testing.T) {
	b := browse(t, sample(t, "latched"), 80, 24, false, false)
	b.press("enter", "n", "n")
	before := b.at()
	few := b.here().length()
	b.press("v")
	if many := b.here().length(); many <= few {
		t.Errorf("%d rows, then %d", few, many)
	}
	if b.at() != before {
		t.Error("another row is selected")
	}
	b.press("v")
	if b.at() != before || b.here().length() != few {
		t.Error("another row is selected, or there are other rows")
	}
}

func TestSearchGoesRound(t *testing.T) {
	b := told(t, 1000, "cart-00002")
	for _, step := range []struct {
		keys []string
		line int64
		says string
	}{
		{[]string{"n"}, 1, "no other finding here"},
		{[]string{"/", "type Refused", "enter"}, 101, ""},
		{[]string{"n"}, 201, ""},
		{[]string{"N", "N"}, 1, ""},
		{[]string{"N"}, 901, "went round"},
		{[]string{"n"}, 1, "went round"},
		{[]string{"/", "type nobody", "enter"}, 1, "not found: nobody"},
		{[]string{"/", "type id-77", "esc", "j"}, 2, ""}, // given up
	} {
		b.press(step.keys...)
		if b.at() != step.line || b.note != step.says {
			t.Fatalf("after %q: line %d, says %q", step.keys, b.at(), b.note)
		}
	}
}

func TestMoving(t *testing.T) {
	b := told(t, 1000, "cart-00002")
	for _, step := range []struct {
		key  string
		line int64 // that is selected
		top  int   // place of the first row on the screen
	}{{"j", 2, 0}, {"down", 3, 0}, {"k", 2, 0}, {"space", 18, 16}, {"b", 2, 0}, {"ctrl+d", 10, 8}, {"ctrl+u", 2, 0}, {"k", 1, 0}, {"k", 1, 0},
		{"G", 1000, 984}, {"j", 1000, 984}, {"space", 1000, 984}, {"k", 999, 984}, {"g", 1, 0}, {"b", 1, 0}} {
		if b.press(step.key); b.at() != step.line || b.here().top != step.top {
			t.Fatalf("after %s: line %d below %d, want %d below %d", step.key, b.at(), b.here().top, step.line, step.top)
		}
		b.screen()
	}
}

// TestManyRows holds that a key costs no more where there are many rows.
func TestManyRows(t *testing.T) {
	cost := func(rows int) float64 {
		b := told(t, rows, "cart-00002")
		b.press(":", fmt.Sprintf("type %d", rows/2), "enter")
		return testing.AllocsPerRun(100, func() {
			b.press("j")
			b.screen()
		})
	}
	few, many := cost(1000), cost(100_000)
	if many > 1.1*few {
		t.Errorf("a key takes %.0f allocations among 1000 rows, and %.0f among 100,000", few, many)
	}
	b := told(t, 100_000, "cart-00002")
	b.press("&", "type actor:webhook kind:error", "enter")
	if n := len(b.here().shown); n != 100 {
		t.Errorf("%d rows", n)
	}
}

// TestHostileText: what comes from a cluster does nothing to the terminal.
func TestHostileText(t *testing.T) {
	const evil = "x\x1b]52;c;aGk=\a\x1b[2J\n\r\u202e\u009b31m"
	b := told(t, 200, evil)
	s := b.here().screen.(*story)
	for i := range s.rows {
		r := &s.rows[i]
		r.Actor = timeline.Actor{Component: evil, User: evil}
		r.Verb, r.Sub, r.Source.AuditID, r.Source.File = evil, evil, evil, evil
	}
	b.data.Records = func(context.Context, Proof) ([]render.Record, error) {
		r := render.Record{Raw: []byte(`{"a":"` + evil + `"}`), AuditID: evil, Stage: evil, DiffTo: "difference to " + evil, Diff: []string{"+ " + evil}}
		r.File = evil
		return []render.Record{r}, nil
	}
	for _, keys := range [][]string{{"j"}, {"c"}, {"/", "type " + evil, "enter"}, {"&", "type " + evil}, {"esc"}, {"a"}, {"esc"}, {"i"}, {"q", "enter"}, {"r"}, {"d"}, {"q"}, {":", "type " + evil, "enter"}} {
		b.press(keys...)
		if at := strings.IndexFunc(strings.ReplaceAll(b.screen(), "\n", ""), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e }); at >= 0 {
			t.Errorf("after %q: %q", keys, b.screen())
		}
	}
}

func TestColourSaysNothing(t *testing.T) {
	data := sample(t, "latched")
	plain, colored := browse(t, data, 80, 24, false, false), browse(t, data, 80, 24, true, false)
	for _, step := range tour {
		plain.press(step.keys...)
		colored.press(step.keys...)
		a, b := plain.screen(), colored.screen()
		if a, b = strings.ReplaceAll(a, "_\n", "\n"), ansi.Strip(b); step.name == "search is typed" {
			b = strings.ReplaceAll(b, " \n", "\n")
		}
		if trimmed(a) != trimmed(b) {
			t.Errorf("%s\n%s\n%s", step.name, a, b)
		}
	}
}

func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestResizing(t *testing.T) {
	b := browse(t, sample(t, "latched"), 80, 24, false, false)
	b.press("enter", "G", "enter")
	for _, size := range [][2]int{{40, 12}, {200, 60}, {20, 5}, {1, 1}, {3, 2}, {80, 24}} {
		b.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		b.screen()
	}
	b.press("C", "G", "?")
	b.Update(tea.WindowSizeMsg{Width: 160, Height: 24})
	b.press("q") // its text has fewer lines now
	b.screen()
	b.press("q", "q")
	if s := b.screen(); !strings.Contains(s, "30/30") {
		t.Errorf("it is not at the row where it was:\n%s", s)
	}
}

func TestLateAnswers(t *testing.T) {
	b := told(t, 10, "cart-00002")
	b.data.Records = func(context.Context, Proof) ([]render.Record, error) { return nil, nil }
	_, first := b.Update(keyPress("enter"))
	if !strings.Contains(b.note, "reading audit.log:1") {
		t.Errorf("says %q", b.note)
	}
	b.press("esc") // gives up
	b.Update(first())
	if len(b.pages) != 2 {
		t.Error("what was given up is shown")
	}
	b.data.Records = func(context.Context, Proof) ([]render.Record, error) {
		return nil, errors.New("the log is\x1b gone")
	}
	b.press("enter")
	if b.note != `the log is\x1b gone` {
		t.Errorf("says %q", b.note)
	}
}

func TestLeaving(t *testing.T) {
	b := told(t, 10, "cart-00002")
	if _, ok := b.press("/", "ctrl+c").(tea.InterruptMsg); !ok {
		t.Error("ctrl-c does not interrupt while something is typed")
	}
	b.press("esc")
	if b.press("q"); len(b.pages) != 1 {
		t.Error("q does not go back")
	}
	if b.press("esc"); len(b.pages) != 1 {
		t.Error("esc leaves")
	}
	if _, ok := b.press("q").(tea.QuitMsg); !ok {
		t.Error("q does not leave")
	}
	if _, ok := b.press(":", "type q", "enter").(tea.QuitMsg); !ok {
		t.Error(":q does not leave")
	}
}

func TestFilter(t *testing.T) {
	w := words{kind: "error", object: "route/rt", actor: "webhook system:x", text: "create answered 403 two words"}
	for text, want := range map[string]bool{
		"": true, "403": true, "CREATE 403": true, "404": false, "!403": false, "!404": true, "kind:error": true, "kind:write": false,
		"!kind:write": true, "object:route/rt": true, "object:rev": false, "actor:webhook": true, `actor:"webhook system:x"`: true,
		`"two words"`: true, `"words two"`: false, "route": true, "foo:bar": false, "kind:": true, `"`: true, "!": false,
	} {
		if parseFilter(text).matches(w) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"", `kind:error !object:"a b" x`, `"`, "!!", "actor:", "\x1b[0m", "kind:kind:"} {
		f.Add(seed, "some text")
	}
	f.Fuzz(func(t *testing.T, text, said string) {
		w := words{text: strings.ToLower(said)}
		list := parseFilter(text)
		if list.matches(w) && len(list) > 0 && filter(list[:1]).matches(w) != true {
			t.Errorf("%q matches, and its first term does not", text)
		}
	})
}

// FuzzKeys presses keys at random, in terminals of all sizes: nothing panics, and what
// is drawn is as large as the terminal.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("jjkG/x\rnN&e\r\x1bvq?q"), uint8(80), uint8(24))
	f.Add([]byte("\r\r:5\rirdyqoatqFC"), uint8(40), uint8(12))
	f.Add([]byte("\x1b\x1bq/\x1b"), uint8(0), uint8(0))
	f.Add([]byte("CG?Gzqqz"), uint8(80), uint8(24))
	data := sample(f, "latched")
	f.Fuzz(func(t *testing.T, keys []byte, width, height uint8) {
		b := browse(t, data, int(width), int(height), false, false)
		for _, k := range keys[:min(len(keys), 100)] {
			switch k {
			case '\r':
				b.press("enter")
			case 0x1b:
				b.press("esc")
			case 'z':
				b.Update(tea.WindowSizeMsg{Width: b.height * 3, Height: b.width / 3})
			default:
				b.press(string(rune(k)))
			}
			b.screen()
		}
	})
}

func BenchmarkKey(bench *testing.B) {
	b := told(bench, 100_000, "cart-00002")
	bench.ReportAllocs()
	for bench.Loop() {
		b.Update(keyPress("j"))
		b.View()
	}
}

func BenchmarkFilter(bench *testing.B) {
	b := told(bench, 100_000, "cart-00002")
	bench.ReportAllocs()
	for bench.Loop() {
		b.filter(b.here(), "actor:webhook kind:error")
	}
}

// TestFindingsTellTheDoubts: the page of findings says what the inputs cannot tell, and
// where nothing was found, how far that goes.
func TestFindingsTellTheDoubts(t *testing.T) {
	b := told(t, 1, "cart-00002")
	b.data.Window, b.data.Outside = render.Window{From: time.Unix(1, 0)}, 3
	b.data.Result.Rulings = []detectors.Ruling{{Detector: "d", Object: timeline.Ref{Kind: "Revision", Name: "r"}, Verdict: detectors.Inconclusive, Reason: "no bodies"}}
	b.press("F")
	screen := ansi.Strip(strings.Join(b.lines(), "\n"))
	for _, want := range []string{"? the inputs tell nothing of the time from --from to --to", "? d: Revision r: no bodies", "? 3 findings that fall outside", "\n no finding: the inputs tell nothing"} {
		if !strings.Contains(screen, want) {
			t.Errorf("no %q in\n%s", want, screen)
		}
	}
	b.press("enter", "j", "enter", "n") // a doubt is no finding
	if _, ok := b.here().screen.(*findings); !ok {
		t.Errorf("it opened\n%s", strings.Join(b.lines(), "\n"))
	}
}

// TestRevisionsTellWhatIsUndecided: where nothing was found and something is open, the
// list does not look as if all were well.
func TestRevisionsTellWhatIsUndecided(t *testing.T) {
	row := revisionRow{RevisionRow: render.RevisionRow{Undecided: []string{"d"}}}
	if got := row.found(); got != "undecided" {
		t.Error(got)
	}
	row.Findings = []*detectors.Finding{{Detector: "e", Severity: detectors.Low}}
	if got := row.found(); got != "LOW e" {
		t.Error(got)
	}
}
