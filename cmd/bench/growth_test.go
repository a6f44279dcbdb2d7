//go:build unix

package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/synthetic"
)

const (
	// fewRecords and manyRecords are how many requests the logs have of which one is
	// held against the other.
	fewRecords, manyRecords = 500, 4 * fewRecords
	// limit is how many times as often a statement may run on the longer log: what is
	// in proportion runs 4 times as often, sorting 5 times, and what goes through all
	// writes for each of them 16 times.
	limit = 10
	// seldom is how often a statement may run a record whatever it did on the shorter
	// log: less weighs nothing.
	seldom = 10
	// mostTold is how many statements are told of that ran too often.
	mostTold = 10
)

// counted are the packages whose statements are counted. How often those of ingest run
// goes by blocks of the input, which are large.
var counted = []string{"timeline", "detectors", "render", "cmd/knforensics"}

// limitGrowth holds that no command does work that grows faster than the log of one
// family. Which statements ran how often is counted, as for test coverage, so that it is
// the same on any machine; one that ran too often is named.
func limitGrowth(t *testing.T, dir string) {
	bin := filepath.Join(dir, "counting")
	packages := make([]string, len(counted))
	for i, name := range counted {
		packages[i] = module + name + "/..."
	}
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+strings.Join(packages, ","), "-o", bin, "../knforensics") //nolint:gosec // ours
	if err := quietly(build); err != nil {
		t.Fatal(err)
	}
	for _, way := range synthetic.Ways() {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			few, many := countRuns(t, bin, filepath.Join(dir, "few"), way, fewRecords), countRuns(t, bin, filepath.Join(dir, "many"), way, manyRecords)
			steep := steepest(few, many)
			for i, s := range steep {
				if s.times > limit && i < mostTold {
					t.Errorf("%s ran %d times of %d records, and %d times of %d", s.statement, few[s.statement], fewRecords, many[s.statement], manyRecords)
				}
			}
			t.Logf("%-52s %8.2f of %8.2f", steep[0].statement, steep[0].times, float64(limit))
		})
	}
}

// growth is how many times as often a statement ran on the longer log.
type growth struct {
	statement string
	times     float64
}

// steepest returns what there is to tell of statements that ran often, the steepest first.
func steepest(few, many map[string]int64) (list []growth) {
	for statement, n := range many {
		if n >= seldom*manyRecords {
			list = append(list, growth{statement, float64(n) / float64(max(few[statement], 1))})
		}
	}
	slices.SortFunc(list, func(a, b growth) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.statement, b.statement))
	})
	return list
}

const module = "github.com/knforensics/knforensics/"

// asked are the commands that build a history, and look at all of it.
var asked = [][]string{
	{"detect", "-o", "json", "--fail-on", "none", "--allow-inconclusive"},
	{"timeline", "-o", "json"},
	{"timeline", "-o", "json", "--ksvc", "checkout-000"},
	{"timeline", "-v", "--ksvc", "checkout-000"},
	{"summary", "-o", "json"},
	{"report", "-o", "report.html"},
	{"export", "--to", "perfetto", "-o", "perfetto"},
	{"export", "--to", "otlp", "-o", "otlp"},
	{"export", "--to", "timesketch", "-o", "timesketch"},
}

// countRuns asks about a log that grew in some way, and returns how often each statement
// ran, by its place.
func countRuns(t *testing.T, bin, dir, way string, records int) map[string]int64 {
	t.Helper()
	counts := filepath.Join(dir, "counts")
	if err := os.MkdirAll(counts, 0o750); err != nil {
		t.Fatal(err)
	}
	err := create(filepath.Join(dir, "audit.log"), func(audit io.Writer) error {
		return create(filepath.Join(dir, "controller.log"), func(log io.Writer) error { return synthetic.Grow(audit, log, way, records) })
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, argv := range asked {
		cmd := exec.Command(bin, append(argv, "-q", "-j", "1", "audit.log", "controller.log")...) //nolint:gosec // ours
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOCOVERDIR="+counts, "GOMAXPROCS=1")
		if err := quietly(cmd); err != nil {
			t.Fatalf("%s: %v", argv[0], err)
		}
	}
	text := filepath.Join(dir, "counts.txt")
	if err := quietly(exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+text)); err != nil { //nolint:gosec // ours
		t.Fatal(err)
	}
	return readCounts(t, text)
}

// readCounts reads a profile of test coverage: below a line about its mode, each line has
// a stretch of a file, how many statements that has, and how often they ran.
func readCounts(t *testing.T, path string) map[string]int64 {
	t.Helper()
	f, err := os.Open(path) //nolint:gosec // ours
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	counts := map[string]int64{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the mode
		}
		n, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", path, err))
		}
		counts[strings.TrimPrefix(fields[0], module)] += n
	}
	if err := lines.Err(); err != nil || len(counts) == 0 {
		t.Fatalf("%s: nothing was counted (%v)", path, err)
	}
	return counts
}
