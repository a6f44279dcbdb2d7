//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/synthetic"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// limitAllocations counts what is allocated for a line.
func limitAllocations(t *testing.T) {
	var events, logs bytes.Buffer
	if err := synthetic.Write(&events, &logs, synthetic.Options{Audit: 4 << 20}); err != nil {
		t.Fatal(err)
	}
	for _, log := range []struct {
		of     string
		text   []byte
		decode func(line []byte) error
	}{
		{"the audit decoder", events.Bytes(), decodeAudit()},
		{"the controller's log decoder", logs.Bytes(), decodeLog()},
	} {
		lines := bytes.Split(bytes.TrimSuffix(log.text, []byte("\n")), []byte("\n"))
		within(t, "allocations of "+log.of+" a line", testing.AllocsPerRun(3, func() {
			for _, line := range lines {
				if err := log.decode(line); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
		})/float64(len(lines)))
	}
	inputs := inMemory(t, events.Bytes())
	lines := float64(bytes.Count(events.Bytes(), []byte("\n")))
	within(t, "allocations of a whole read a line", testing.AllocsPerRun(3, func() { readAll(t, inputs(), nil) })/lines)
}

func decodeAudit() func([]byte) error {
	var d audit.Decoder
	var event table.AuditEvent
	return func(line []byte) error {
		_, err := d.Decode(line, &event)
		return err
	}
}

func decodeLog() func([]byte) error {
	var d controllerlog.Decoder
	var row table.ControllerLog
	return func(line []byte) error { return d.Zap(line, &row) }
}

// inMemory returns inputs that are a text on standard input.
func inMemory(t *testing.T, text []byte) func() []source.Input {
	t.Helper()
	return func() []source.Input {
		inputs, err := source.Find([]string{source.Stdin}, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return inputs
	}
}

// readAll reads inputs with one worker.
func readAll(t *testing.T, inputs []source.Input, sink func(*table.Batch)) {
	t.Helper()
	_, err := ingest.Read(t.Context(), inputs, ingest.Options{Jobs: 1}, func(b *table.Batch) error {
		if sink != nil {
			sink(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// limitNaive makes the history of a log, and in turn decodes each of its lines
// with encoding/json, five times both.
func limitNaive(t *testing.T, dir string) {
	path := filepath.Join(dir, "8.log")
	generateTo(t, path, 8)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inputs := inMemory(t, text)
	var ratios []float64
	for range 5 {
		ours := cpu(t, func() {
			builder := timeline.NewClusters(nil)
			readAll(t, inputs(), func(b *table.Batch) { builder.Add(b) })
			if len(builder.Build().Families) == 0 {
				t.Fatal("no families")
			}
		})
		theirs := cpu(t, func() {
			for line := range bytes.Lines(text) {
				var e auditv1.Event
				if err := json.Unmarshal(line, &e); err != nil {
					t.Fatal(err)
				}
			}
		})
		ratios = append(ratios, ours/theirs)
	}
	within(t, "CPU of a history to that of encoding/json", median(ratios))
}

// cpu returns the seconds of CPU that something takes, with the garbage that
// it leaves.
func cpu(t *testing.T, do func()) float64 {
	t.Helper()
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	before := used()
	do()
	runtime.GC()
	return used() - before
}
