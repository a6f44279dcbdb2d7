//go:build unix

package main

import (
	"flag"
	"io"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/knforensics/knforensics/ingest/synthetic"
)

// limits are what knforensics has to stay within. They hold on any machine,
// since none is a time. Behind each stands what was measured when it was set;
// who makes something better, tightens them.
var limits = map[string]float64{
	"MiB of timeline": 330, // 282, of an audit log of 256 MiB
	"MiB of detect":   330, // 279
	"MiB of ingest":   540, // 459

	"instructions of timeline a byte": 100, // 94.2, and the same every time
	"instructions of detect a byte":   100, // 94.8
	"instructions of ingest a byte":   178, // 168.8

	"allocations of decoder json a line":       0,   // none
	"allocations of decoder audit a line":      0.1, // 0.09
	"allocations of decoder controller a line": 0.3, // 0.25
	"allocations of a whole read a line":       13,  // 11.9

	"CPU of a history to that of encoding/json": 1.1, // 0.80
}

var measure = flag.Bool("limits", false, "hold knforensics against its limits")

// within fails if a measured value is over its limit.
func within(t *testing.T, name string, got float64) {
	t.Helper()
	limit, ok := limits[name]
	if !ok {
		t.Fatalf("no limit for %s", name)
	}
	t.Logf("%-52s %8.2f of %8.2f", name, got, limit)
	if got > limit {
		t.Errorf("%s: %.2f, more than %.2f", name, got, limit)
	}
}

// TestLimits holds the program against the limits. The memory comes first: see
// command.run.
func TestLimits(t *testing.T) {
	if !*measure {
		t.Skip("make bench runs it")
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "knforensics")
	if err := quietly(exec.Command("go", "build", "-o", bin, "../knforensics")); err != nil {
		t.Fatal(err)
	}
	t.Run("memory", func(t *testing.T) { limitMemory(t, bin, dir) })
	t.Run("instructions", func(t *testing.T) { limitInstructions(t, bin, dir) })
	t.Run("allocations", limitAllocations)
	t.Run("naive", limitNaive)
}

// generateTo writes an audit log of so many MiB.
func generateTo(t *testing.T, path string, size int64) {
	t.Helper()
	err := create(path, func(w io.Writer) error { return synthetic.Write(w, io.Discard, synthetic.Options{Audit: size << 20}) })
	if err != nil {
		t.Fatal(err)
	}
}
