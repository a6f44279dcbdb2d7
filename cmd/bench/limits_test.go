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
	"MiB of timeline": 50,  // 39.6, of an audit log of 256 MiB
	"MiB of detect":   110, // 84.7
	"MiB of ingest":   140, // 104.6

	"instructions of timeline a byte": 6,  // 5.4, and the same every time
	"instructions of detect a byte":   15, // 14.0
	"instructions of ingest a byte":   61, // 57.2

	"allocations of decoder json a line":       0,    // none
	"allocations of decoder audit a line":      0.03, // 0.01
	"allocations of decoder controller a line": 0.03, // 0.01
	"allocations of a whole read a line":       2.5,  // 2.1

	"CPU of a history to that of encoding/json": 0.35, // 0.21
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
	t.Run("growth", func(t *testing.T) { limitGrowth(t, dir) })
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
