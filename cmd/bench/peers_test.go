//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakes makes a folder of programs that write down that they were called.
func fakes(t *testing.T, names ...string) (dir, called string) {
	t.Helper()
	dir = t.TempDir()
	called = filepath.Join(dir, "called")
	for _, name := range names {
		script := "#!/bin/sh\necho " + name + " >> " + called + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil { //nolint:gosec // has to be run
			t.Fatal(err)
		}
	}
	return dir, called
}

// TestPeers compares with a peer that is there and says that others are not.
func TestPeers(t *testing.T) {
	dir, called := fakes(t, "knforensics", "duckdb")
	log := filepath.Join(dir, "audit.log")
	if err := os.WriteFile(log, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "/nowhere:/bin:/usr/bin")
	var out strings.Builder
	err := run([]string{"peers", "-bin", filepath.Join(dir, "knforensics"), "-peers", dir, "-dir", dir, "-log", log, "-rev", "a/b-00001", "-pairs", "2", "-only", "detect,growth,families,controller"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	want := `^log .*audit.log: 0.00 GB, revision a/b-00001, 1 thread\(s\), 2 pairs after one warm-up; A = knforensics
detect     vs duckdb   cpu +[\d.]+ / +[\d.]+ s   wall +[\d.]+ / +[\d.]+ s   peak +\d+ / +\d+ MiB   A/B cpu [\d.]+  wall [\d.]+
detect     vs naive go skipped: it did not build
growth     vs 1x       skipped: only generated logs can grow
families   vs 1x       skipped: only generated logs can grow
controller vs audit    skipped: no -controller with -log
$`
	if !regexp.MustCompile(want).MatchString(out.String()) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	order, err := os.ReadFile(called)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(order)); strings.Join(got, " ") != "knforensics duckdb knforensics duckdb knforensics duckdb" {
		t.Errorf("called %v", got)
	}
}

func TestPeersRefuse(t *testing.T) {
	for args, want := range map[string]string{
		"peers -only nothing":                      "no job",
		"peers -log /dev/null -dir " + t.TempDir(): "needs -rev",
		"compress -to z peers_test.go":             "no format",
		"nothing":                                  "unknown command",
		"":                                         "what to do",
	} {
		if err := run(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestFailureIsSaid(t *testing.T) {
	c := comparison{job: "x", peer: "y", a: &command{argv: []string{"sh", "-c", "exit 2"}}, b: &command{argv: []string{"true"}}, pairs: 1}
	if line, err := c.line(); err != nil || line != "x          vs y        failed: exit 2 / 0: sh -c exit 2" {
		t.Errorf("%q, %v", line, err)
	}
	c.a.argv = []string{"/nowhere"}
	if _, err := c.line(); err == nil {
		t.Error("a program that is not there: no error")
	}
}

func TestPeakIsOfTheCommand(t *testing.T) {
	used, err := (&command{argv: []string{"sh", "-c", `x=$(head -c 50000000 /dev/zero | tr "\0" a); echo answer; exit 3`}}).run()
	if err != nil || used.code != 3 || used.peak < 40 || used.cpu <= 0 || used.wall <= 0 || used.answer != 7 {
		t.Errorf("%+v, %v", used, err)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.values, got, tt.want)
		}
	}
}

// TestCompressed holds that what is compressed is what was given.
func TestCompressed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gz")
	err := create(path, func(w io.Writer) error { return run([]string{"compress", "-to", "gz", "peers_test.go"}, w) })
	if err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"decompress", path}, io.Discard); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"decompress", path}, io.Discard); err == nil {
		t.Error("no error of a cut file")
	}
}
