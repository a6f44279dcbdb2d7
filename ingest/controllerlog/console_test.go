package controllerlog

import (
	"bytes"
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

// checkConsole: an entry that is taken for one has a level, and no more
// text than was there, and its lines continue it.
func checkConsole(t *testing.T, text []byte) {
	t.Helper()
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
