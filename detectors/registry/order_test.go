package registry

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// TestOrderOfInputsDoesNotMatter cuts the logs of a sample into pieces, reads
// these in many orders, and wants the same rows and findings each time.
func TestOrderOfInputsDoesNotMatter(t *testing.T) {
	for sample, seeds := range map[string]uint64{"latched": 4, "latched-then-failed": 1, "held": 1, "latched-metadata": 2} {
		t.Run(sample, func(t *testing.T) {
			pieces := cut(t, filepath.Join("../../samples", sample))
			want := everything(t, pieces)
			for seed := range seeds {
				random := rand.New(rand.NewPCG(seed, 1))
				random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
				got := everything(t, pieces)
				if got == want {
					continue
				}
				a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
				for i := range a {
					if i >= len(b) || a[i] != b[i] {
						t.Fatalf("seed %d: %d and %d rows, first difference:\n%s\n%s", seed, len(a), len(b), a[i], b[min(i, len(b)-1)])
					}
				}
			}
		})
	}
}

// cut writes the inputs of a folder to another one, the logs in ten pieces each,
// and returns the paths.
func cut(t *testing.T, dir string) (paths []string) {
	inputs, err := source.Find([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	for _, in := range inputs {
		stream, err := in.Open(false)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(stream)
		stream.Close()
		if err != nil {
			t.Fatal(err)
		}
		name, pieces := filepath.Base(in.Path), 1
		switch {
		case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".md"):
			continue
		case strings.Contains(name, ".log"):
			pieces = 10
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		for i := range pieces {
			path := filepath.Join(to, fmt.Sprintf("%s.%d", name, i))
			piece := bytes.Join(lines[i*len(lines)/pieces:(i+1)*len(lines)/pieces], nil)
			if err := os.WriteFile(path, piece, 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
	}
	return paths
}

// everything reads inputs and writes down all rows of all families, and all
// findings and verdicts.
func everything(t *testing.T, paths []string) string {
	inputs, err := source.Find(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := timeline.NewBuilder()
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{}, func(batch *table.Batch) error {
		b.Add(batch)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	h := b.Build()
	for _, f := range h.Families {
		fmt.Fprintln(&out, f.Namespace, f.Name, f.InferenceService)
		for _, e := range f.Entries(nil) {
			fmt.Fprintln(&out, e.Time, e.Object, e.UID, e.Kind, e.Level, e.Actor, e.Verb, e.Sub, e.Code, e.Outcome, e.Summary, e.Grade, e.Source, e.Echo, number(e.Ready), number(e.Want))
			for _, change := range e.Changes {
				fmt.Fprintln(&out, "  ", change.Path, value(change.From), value(change.To))
			}
		}
	}
	result := Run(nil, h.Families, c)
	for _, f := range result.Findings {
		fmt.Fprintln(&out, f.Fingerprint(), f.Detector, f.Object, f.UID, f.Severity, f.Confidence, f.Time, f.Related, f.Summary, f.Facts, f.Evidence, len(f.CausedBy))
	}
	fmt.Fprintln(&out, result.Rulings, result.Blind)
	if n := strings.Count(out.String(), "\n"); n < 100 {
		t.Fatalf("only %d rows", n)
	}
	return out.String()
}

func number(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

func value(s *string) string {
	if s == nil {
		return "?"
	}
	return *s
}
