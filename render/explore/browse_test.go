package explore

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

// browser is a Model that is driven by keys, without a terminal.
type browser struct {
	*Model
	t *testing.T
}

func browse(t *testing.T, data Data, width, height int, colored, ascii bool) *browser {
	m := newModel(t.Context(), data, newLook(colored, ascii), false)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return &browser{m, t}
}

var named = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}

func keyPress(key string) tea.KeyPressMsg {
	if code, ok := named[key]; ok {
		k := tea.KeyPressMsg{Code: code}
		if key == "space" {
			k.Text = " "
		}
		return k
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
}

// press presses keys, and has what they ask for answered at once. Text in slashes is
// typed letter by letter.
func (b *browser) press(keys ...string) (last tea.Msg) {
	for _, key := range keys {
		if text, ok := strings.CutPrefix(key, "type "); ok {
			for _, r := range text {
				b.Update(keyPress(string(r)))
			}
			continue
		}
		_, cmd := b.Update(keyPress(key))
		if cmd == nil {
			continue
		}
		last = cmd()
		b.Update(last)
	}
	return last
}

// screen returns what is on the screen, and holds it to its size.
func (b *browser) screen() string {
	b.t.Helper()
	lines := b.lines()
	if len(lines) != b.height {
		b.t.Errorf("%d lines of %d", len(lines), b.height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > b.width {
			b.t.Errorf("line %d is %d columns wide: %q", i, w, l)
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// sample is what there is to browse of a sample.
func sample(t testing.TB, name string) Data {
	t.Helper()
	dir := filepath.Join("..", "..", "samples", name)
	inputs, err := source.Find([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	builder := timeline.NewClusters(nil)
	c, err := ingest.Read(t.Context(), inputs, ingest.Options{Jobs: 2}, func(b *table.Batch) error {
		builder.Add(b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h := builder.Build()
	result := registry.Run(nil, h.Families, c)
	d := Data{Detection: &render.Detection{Coverage: c, Result: result}, Manual: func(name string) string { return registry.Find(name).Doc() }}
	for _, f := range h.Families {
		for _, r := range f.Revisions {
			row := render.RevisionRow{Revision: r}
			for _, found := range result.Findings {
				if found.UID == r.UID {
					row.Findings = append(row.Findings, found)
				}
			}
			d.Revisions = append(d.Revisions, row)
		}
	}
	d.Story = func(_ string, object timeline.Ref, _ string) (*render.Story, error) {
		i := slices.IndexFunc(d.Revisions, func(row render.RevisionRow) bool { return row.Revision.Ref == object })
		r := d.Revisions[i].Revision
		s := &render.Story{Kind: r.Kind, Revision: r, Object: r.Object, Lives: []*timeline.Object{r.Object}, Family: r.Family, Coverage: c,
			Entries: r.Family.Entries(r), Findings: result.Findings}
		for _, f := range result.Findings {
			s.Entries = append(s.Entries, render.FindingEntry(f))
		}
		timeline.SortEntries(s.Entries)
		return s, nil
	}
	d.Records = func(_ context.Context, s Proof) ([]render.Record, error) {
		return []render.Record{{Location: table.Location{File: s.File, Line: s.Line}, Format: "audit", AuditID: s.AuditID, Time: time.Unix(0, 0),
			Raw:    []byte(`{"kind":"Event","auditID":"` + s.AuditID + `","objectRef":{"resource":"revisions","name":"rt-00002"}}`),
			DiffTo: "difference to audit.log:12", Diff: []string{"  {", `-   "status": "Unknown"`, `+   "status": "True"`, "  }"}}}, nil
	}
	return d
}

// tour leads through every screen. Each step goes on from the one before.
var tour = []struct {
	name string
	keys []string
}{
	{"Revisions", nil},
	{"Revisions by name, turned round", []string{"N", "N"}},
	{"timeline", []string{"S", "g", "enter"}},
	{"at a finding", []string{"n"}},
	{"search is typed", []string{"/", "type readyreplicas"}},
	{"search found", []string{"enter"}},
	{"copied", []string{"c"}},
	{"filter", []string{"&", "type kind:error !deploy", "enter"}},
	{"filter taken off", []string{"esc"}},
	{"nothing passes the filter", []string{"&", "type nobody", "enter"}},
	{"rows that matter less", []string{"esc", "v"}},
	{"about", []string{"v", "i"}},
	{"record", []string{"esc", "enter"}},
	{"raw record", []string{"r"}},
	{"diff", []string{"d"}},
	{"finding", []string{"q", "g", "&", "type kind:finding", "enter", "enter"}},
	{"its evidence", []string{"G", "ctrl+u"}},
	{"its place in the timeline", []string{"t"}},
	{"findings", []string{"F"}},
	{"coverage", []string{"C"}},
	{"its end", []string{"G"}},
	{"help", []string{"?"}},
	{"back at the Revisions", []string{":", "type revisions", "enter"}},
}

func TestScreens(t *testing.T) {
	data := sample(t, "latched")
	for name, look := range map[string]struct {
		width, height  int
		colored, ascii bool
	}{"80x24": {80, 24, false, false}, "40x12": {40, 12, false, false}, "80x24-colour": {80, 24, true, false}, "40x12-ascii": {40, 12, false, true}} {
		t.Run(name, func(t *testing.T) {
			b := browse(t, data, look.width, look.height, look.colored, look.ascii)
			var got strings.Builder
			for _, step := range tour {
				b.press(step.keys...)
				fmt.Fprintf(&got, "-- %s: %s\n%s", step.name, strings.Join(step.keys, " "), strings.ReplaceAll(b.screen(), "\x1b", "␛"))
			}
			golden(t, filepath.Join("testdata", name+".txt"), got.String())
		})
	}
}

// golden holds text to that of a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := "", ""
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Fatalf("%s:%d\n got %q\nwant %q", file, i+1, g, w)
		}
	}
}
