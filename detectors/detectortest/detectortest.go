// Package detectortest runs a detector over small recorded cases and compares
// what it says with what it should say, in the manner of
// golang.org/x/tools/go/analysis/analysistest.
//
// A case is a txtar archive. Its comment says what the case is, and where its
// records are from on a line that starts with "Source:". The file want holds
// the right answer; all others are the inputs, read as any input is:
//
//	Ready=True is written with 2 of 6 replicas after a refused image cache.
//	Source: knative/serving#16649, made by hand.
//
//	-- audit.log --
//	{"kind":"Event","apiVersion":"audit.k8s.io/v1",…}
//	-- want --
//	captured Revision shop/cart-00002 severity=critical confidence=confirmed readyReplicas=2 …
//
// A line of want is one of
//
//	captured KIND NS/NAME severity=… confidence=… FACT=VALUE … causedBy=DETECTOR
//	held KIND NS/NAME
//	inconclusive KIND NS/NAME
//	blind
//	evidence KIND NS/NAME ROLE …
//
// for each finding, each other verdict, and if the detector says that the
// inputs lack what it needs. A finding that leaves something open says open after
// its facts. A captured line names all facts; null is unknown, and a value with a
// space is quoted. An evidence line names the roles of a finding's evidence in
// order; a case has one for each finding, or none. Lines that are missing and
// lines that are extra are both errors. With the flag -update the test writes them.
package detectortest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

var update = flag.Bool("update", false, "write the want of each case instead of comparing")

// Run runs a detector of the registry, and those it requires, over the cases
// that pattern matches, each as a subtest.
func Run(t *testing.T, d *detectors.Detector, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no case at %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, d, path) })
	}
}

func runCase(t *testing.T, d *detectors.Detector, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if comment := string(archive.Comment); !strings.Contains("\n"+comment, "\nSource: ") {
		t.Errorf("%s: the comment has no line that starts with \"Source: \"", path)
	}
	dir, want, hasWant := unpack(t, archive)
	inputs, err := source.Find([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	result := ask(t, d, inputs)
	for _, f := range result.Findings {
		if f.Detector == d.Name {
			for _, defect := range defects(d, f) {
				t.Error(defect)
			}
		}
	}
	withEvidence := slices.ContainsFunc(want, func(line string) bool { return strings.HasPrefix(line, "evidence ") })
	got := lines(d, result, withEvidence)
	slices.Reverse(inputs)
	if other := lines(d, ask(t, d, inputs), withEvidence); !slices.Equal(got, other) {
		t.Errorf("%s: another order of the inputs gives another answer: %s", path, strings.Join(difference(got, other), "\n"))
	}
	switch {
	case *update:
		setWant(archive, got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	case !hasWant:
		t.Errorf("%s: no file want", path)
	default:
		if diff := difference(want, got); len(diff) > 0 {
			t.Errorf("%s:\n%s", path, strings.Join(diff, "\n"))
		}
	}
}

// unpack writes the inputs of a case to a folder and returns the lines of want,
// sorted.
func unpack(t *testing.T, archive *txtar.Archive) (dir string, want []string, hasWant bool) {
	dir = t.TempDir()
	for _, f := range archive.Files {
		if f.Name == wantName {
			hasWant = true
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" {
					want = append(want, line)
				}
			}
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	return dir, want, hasWant
}

// ask reads the inputs and puts the question. A record that cannot be read is
// an error of the case.
func ask(t *testing.T, d *detectors.Detector, inputs []source.Input) *detectors.Result {
	t.Helper()
	b := timeline.NewBuilder()
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{}, func(batch *table.Batch) error {
		b.Add(batch)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		if f.Format == coverage.Unknown || f.Rejected > 0 {
			t.Errorf("%s: format %s, %d records rejected: %s", filepath.Base(f.Path), f.Format, f.Rejected, f.Skipped)
		}
	}
	return registry.Run(withRequired(d.Name), b.Build().Families, c)
}

// withRequired returns the names of a detector and of all it requires.
func withRequired(name string) []string {
	names := []string{name}
	for i := 0; i < len(names); i++ {
		if d := registry.Find(names[i]); d != nil {
			names = append(names, d.Requires...)
		}
	}
	return names
}

const wantName = "want"

func setWant(archive *txtar.Archive, lines []string) {
	data := []byte(strings.Join(append(lines, ""), "\n"))
	for i := range archive.Files {
		if archive.Files[i].Name == wantName {
			archive.Files[i].Data = data
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: wantName, Data: data})
}

// difference lists the lines that only one of two sorted lists has.
func difference(want, got []string) (diff []string) {
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(want) > 0 && len(got) > 0 && want[0] == got[0]:
			want, got = want[1:], got[1:]
		case len(got) == 0 || len(want) > 0 && want[0] < got[0]:
			diff = append(diff, "missing: "+want[0])
			want = want[1:]
		default:
			diff = append(diff, "extra:   "+got[0])
			got = got[1:]
		}
	}
	return diff
}
