package controllerlog

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

func TestConsole(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 491e6, time.UTC)
	const fields = `{"knative.dev/key": "shop/rt", "knative.dev/traceid": "t", "error": "a\nb", "message": "not this"}`
	for _, tt := range []struct {
		name, text string
		want       table.ControllerLog
	}{
		{"all", "2026-03-02T09:00:00.491Z\tERROR\tcontroller\tcontroller/controller.go:566\tReconcile error\t" + fields + "\nmain.run\n\t/x/y.go:1",
			table.ControllerLog{Level: "ERROR", Logger: "controller", Caller: "controller/controller.go:566", Message: "Reconcile error", Key: "shop/rt", TraceID: "t", Error: "a\nb"}},
		{"coloured, with an offset", "2026-03-02T10:00:00.491+0100\t\x1b[34minfo\x1b[0m\tcontroller/controller.go:566\tone\ttwo", table.ControllerLog{Level: "INFO", Caller: "controller/controller.go:566", Message: "one\ttwo"}},
		{"since 1970, no caller", "1772442000.491\tWARN\tactivator\tsome words\t{}", table.ControllerLog{Level: "WARN", Logger: "activator", Message: "some words"}},
		{"a message alone", "2026-03-02T09:00:00.491Z\tDEBUG\tsome words", table.ControllerLog{Level: "DEBUG", Message: "some words"}},
		{"a message of several lines", "2026-03-02T09:00:00.491Z\tINFO\tl\tone\n{two}\nthree\t{\"knative.dev/key\": \"a/b\"}\nf.g", table.ControllerLog{Level: "INFO", Logger: "l", Message: "one\n{two}\nthree", Key: "a/b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d Decoder
			var row table.ControllerLog
			if err := d.Console([]byte(tt.text), &row); err != nil {
				t.Fatal(err)
			}
			tt.want.Format, tt.want.Time = table.LogZap, at
			if row != tt.want {
				t.Errorf("got\n%+v\nwant\n%+v", row, tt.want)
			}
		})
	}
	for _, text := range []string{"", "2026-03-02T09:00:00Z INFO x", "2026-03-02T09:00:00Z\tx\ty", "a\tINFO\tb"} {
		if IsConsole([]byte(text)) {
			t.Errorf("%q is taken for an entry", text)
		}
	}
}

func TestContinues(t *testing.T) {
	const entry, open = "2026-03-02T09:00:00Z\tERROR\tl\tmessage\t{\"a\": 1}", "2026-03-02T09:00:00Z\tERROR\tl\tmessage"
	for _, tt := range []struct {
		entry, line string
		want        bool
	}{
		{entry, "knative.dev/pkg/controller.(*Impl).handleErr", true},
		{entry, "\t/go/src/controller.go:566", true},
		{entry, "panic: something else", false},
		{entry + "\nmain.main\n\t/a.go:1", "runtime.main", true},
		{entry + "\nmain.main\n\t/a.go:1", "goodbye to all", false},
		{entry, entry, false},
		{open, "more of the message", true},
		{open, "I0302 09:00:00.000000       1 a.go:1] x", false},
		{open, `{"message":"x"}`, false},
		{"{\n  \"a\": {", "  }", true},
		{"{\n  \"a\": {\n  }", "}", true},
		{"{\n}", " x", false},
		{"{", "x", false},
		{"some text", "\tmore", false},
	} {
		if got := Continues([]byte(tt.entry), []byte(tt.line)); got != tt.want {
			t.Errorf("%q after %q: %v", tt.line, tt.entry, got)
		}
	}
}

func TestConsoleTakesLongTexts(t *testing.T) {
	var d Decoder
	var row table.ControllerLog
	for _, line := range []string{"\t{\"a\n", "x y\n"} {
		text := "2026-03-02T09:00:00Z\tINFO\tl\t" + strings.Repeat(line, 1<<18) // what grows with the square takes minutes
		if err := d.Console([]byte(text), &row); err != nil || row.Logger != "l" {
			t.Errorf("%+v %v", row, err)
		}
	}
}

// What consoleStart and isCaller take, at length.
var (
	consolePattern = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)|\d+(?:\.\d+)?(?:e\+\d+)?)\t(?:\x1b\[\d+m)?((?i:DEBUG|INFO|WARN|ERROR|DPANIC|PANIC|FATAL))(?:\x1b\[0m)?\t`)
	callerPattern  = regexp.MustCompile(`^\S+\.go:\d+$`)
)

func TestConsoleStart(t *testing.T) {
	for _, at := range []string{"2026-03-02T09:00:00Z", "2026-03-02T09:00:00.5Z", "2026-03-02T09:00:00+0100", "2026-03-02T09:00:00.25-01:00", "2026-03-02T09:00:00", "2026-03-02T09:00:00.Z", "2026-03-02T09:00:00+01:0",
		"2026-03-02T09:00:00+01000", "1772442000", "1772442000.491", "1.5e+09", "1.e+09", "1e+", "1e9", "2026-03-02", "x"} {
		for _, severity := range []string{"INFO", "dpanic", "\x1b[34minfo\x1b[0m", "\x1b[1mWarn", "Error\x1b[0m", "\x1b[mINFO", "\x1b[12INFO", "NOTICE", "\u0131nfo", ""} {
			checkStart(t, []byte(at+"\t"+severity+"\trest\tof it"))
			checkStart(t, []byte(at+"\t"+severity))
		}
	}
	for _, cell := range []string{"a/b.go:12", "a.go:b.go:1", ".go:1", "a b.go:1", "a.go:", "a.go:1x", "a.go:1\n", "\xff.go:1", "a.goo:1"} {
		if isCaller([]byte(cell)) != callerPattern.MatchString(cell) {
			t.Errorf("%q is taken for a caller, or is not", cell)
		}
	}
}

func checkStart(t *testing.T, text []byte) {
	t.Helper()
	at, severity, rest, ok := consoleStart(text)
	want := consolePattern.FindSubmatch(text)
	if ok != (want != nil) || ok && (!bytes.Equal(at, want[1]) || !bytes.Equal(severity, want[2]) || !bytes.Equal(rest, text[len(want[0]):])) {
		t.Fatalf("%q starts with %q, %q (%v), want %q", text, at, severity, ok, want)
	}
}

// checkConsole: an entry that is taken for one has a level, and no more
// text than was there, and its lines continue it.
func checkConsole(t *testing.T, text []byte) {
	t.Helper()
	checkStart(t, text)
	var row table.ControllerLog
	end := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\n")
		if entry := bytes.TrimRight(text[:end], "\n"); len(entry) > 0 && len(line) > 0 { // blank lines are not asked about
			_ = Continues(entry, line)
		}
		end += len(line) + 1
	}
	if !IsConsole(text) || new(Decoder).Console(text, &row) != nil {
		return
	}
	if row.Level == "" || row.Format != table.LogZap || len(row.Message) > len(text) {
		t.Fatalf("%q gave %+v", text, row)
	}
}

func BenchmarkConsole(b *testing.B) {
	entry := []byte("2026-03-02T09:00:00.491Z\tERROR\tcontroller\tcontroller/controller.go:566\tReconcile error\t" +
		`{"knative.dev/controller": "nscert.reconciler", "knative.dev/key": "shop/rt", "knative.dev/traceid": "96a454ea-70b6-4d76-b373-28607465c571", "error": "a"}` + "\nmain.run\n\t/x/y.go:1")
	var d Decoder
	var row table.ControllerLog
	b.SetBytes(int64(len(entry)))
	b.ReportAllocs()
	for b.Loop() {
		_ = d.Console(entry, &row)
	}
}
