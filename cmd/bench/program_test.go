//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/knforensics/knforensics/ingest/synthetic"
)

// measured are the commands that have limits.
var measured = []string{"timeline", "detect", "ingest"}

// commandOn returns one of them, on a log.
func commandOn(name, bin, log string) []string {
	argv := []string{bin, name, "-q", "-j", "1"}
	switch name {
	case "timeline":
		argv = append(argv, "--rev", synthetic.Revision)
	case "detect":
		argv = append(argv, "--fail-on", "none", "--allow-inconclusive")
	case "ingest":
		argv = append(argv, "--bodies", "none", "-o", log+".case")
	}
	return append(argv, log)
}

func limitMemory(t *testing.T, bin, dir string) {
	log := filepath.Join(dir, "256.log")
	generateTo(t, log, 256)
	defer func() { _ = os.Remove(log) }()
	for _, name := range measured {
		used, err := (&command{argv: commandOn(name, bin, log), env: []string{"GOMAXPROCS=1"}}).run()
		if err != nil || used.code != 0 {
			t.Fatalf("%s: exit %d, %v", name, used.code, err)
		}
		within(t, "MiB of "+name, used.peak)
	}
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// limitInstructions counts those that a longer log takes beside a shorter one,
// so that those of the start do not count. Callgrind counts the same ones every
// time if the garbage collector does not come in; it cannot take the signals
// with which Go preempts.
func limitInstructions(t *testing.T, bin, dir string) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("valgrind is not installed")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the limits are those of amd64")
	}
	short, long := filepath.Join(dir, "2.log"), filepath.Join(dir, "4.log")
	generateTo(t, short, 2)
	generateTo(t, long, 4)
	count := func(argv []string) float64 {
		cmd := exec.Command("valgrind", append([]string{"--tool=callgrind", "--callgrind-out-file=/dev/null"}, argv...)...) //nolint:gosec // ours
		cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1", "GOGC=off", "GOMAXPROCS=1")
		said, err := cmd.CombinedOutput()
		found := collected.FindSubmatch(said)
		if err != nil || found == nil {
			t.Skipf("valgrind cannot run it: %v\n%s", err, said)
		}
		n, _ := strconv.ParseFloat(string(found[1]), 64)
		return n
	}
	for _, name := range measured {
		more := count(commandOn(name, bin, long)) - count(commandOn(name, bin, short))
		within(t, "instructions of "+name+" a byte", more/(2<<20))
	}
}
