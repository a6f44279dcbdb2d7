//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"syscall"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// limitAllocations counts what is allocated for a line.
func limitAllocations(t *testing.T) {
	for _, d := range decoders {
		run, lines, _ := decodeAll(t, d.controller, d.decode())
		within(t, "allocations of decoder "+d.name+" a line", testing.AllocsPerRun(3, run)/float64(lines))
	}
	log := auditLog()
	lines := float64(1 + bytes.Count(log, []byte("\n")))
	read := testing.AllocsPerRun(3, func() { readAll(t, ingest.Options{}, log, func(*table.Batch) {}) })
	within(t, "allocations of a whole read a line", read/lines)
}

// limitNaive makes the history of a log, and in turn decodes each of its lines
// with encoding/json, five times both.
func limitNaive(t *testing.T) {
	log := auditLog()
	var ratios []float64
	for range 5 {
		ours := cpu(t, func() {
			builder := timeline.NewClusters(nil)
			readAll(t, ingest.Options{}, log, builder.Add)
			if len(builder.Build().Families) == 0 {
				t.Fatal("no families")
			}
		})
		theirs := cpu(t, func() {
			for line := range bytes.Lines(log) {
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
