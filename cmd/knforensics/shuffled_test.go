package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestShuffledInputs shuffles the lines of logs, deals them out to files of other
// names and gives those in another order: what is said does not depend on where a
// record stands, but for its place.
func TestShuffledInputs(t *testing.T) {
	many(t)
	for sample, subject := range map[string][]string{
		"latched":             {"--rev", "rt-00002"},
		"latched-then-failed": {"--config", "rt"},
		"held":                {"--ksvc", "rt"},
		"route-race":          {"--route", "scale-005"},
	} {
		t.Run(sample, func(t *testing.T) {
			var logs [][]string
			for _, name := range []string{"audit.log.zst", "controller.log.zst"} {
				logs = append(logs, slices.DeleteFunc(sampleLines(t, sample+"/"+name), func(line string) bool {
					return sample == "route-race" && !strings.Contains(line, "scale-00") // some of 60 Services will do
				}))
			}
			paths := deal(t, logs, nil)
			findings, rows := placeless(t, append([]string{"detect"}, paths...)), placeless(t, append(append([]string{"timeline"}, subject...), paths...))
			if !strings.Contains(findings, `"captured"`) || len(rows) < 10000 {
				t.Fatalf("too little to compare: %d and %d bytes", len(findings), len(rows))
			}
			for seed := range uint64(20) {
				random := rand.New(rand.NewPCG(seed, 16649))
				paths := deal(t, logs, random)
				jobs := []string{"-j", strconv.Itoa(1 + random.IntN(4))}
				if got := placeless(t, append(append([]string{"detect"}, jobs...), paths...)); got != findings {
					t.Errorf("seed %d: other findings: %s", seed, firstDifference(findings, got))
				}
				if got := placeless(t, append(append(append([]string{"timeline"}, subject...), jobs...), paths...)); got != rows {
					t.Errorf("seed %d: another timeline: %s", seed, firstDifference(rows, got))
				}
			}
		})
	}
}

// deal writes the lines of each log to files, and returns their paths. With random,
// the lines are shuffled, and the files are up to five for each log, of random names
// and in random order.
func deal(t *testing.T, logs [][]string, random *rand.Rand) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, lines := range logs {
		parts := make([]bytes.Buffer, 1)
		if random != nil {
			lines = append([]string{}, lines...)
			random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			parts = make([]bytes.Buffer, 1+random.IntN(5))
		}
		for _, line := range lines {
			part := 0
			if random != nil {
				part = random.IntN(len(parts))
			}
			parts[part].WriteString(line + "\n")
		}
		for j := range parts {
			name := fmt.Sprintf("%d-%d.log", i, j)
			if random != nil {
				name = fmt.Sprintf("%x.log", random.Uint64())
			}
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, parts[j].Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
	}
	if random != nil {
		random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	}
	return paths
}

// placeless runs a command and returns its document without files and lines.
func placeless(t *testing.T, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(append(args, "-o", "json"), strings.NewReader(""), &out, &errs); code != exitFindings && code != exitOK && code != exitInconclusive {
		t.Fatalf("%q: exit %d: %s", args, code, errs.String())
	}
	var doc map[string]any
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc["coverage"].(map[string]any), "files")
	withoutPlaces(doc)
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutPlaces removes file and line from all of a document.
func withoutPlaces(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "file")
		delete(v, "line")
		for _, member := range v {
			withoutPlaces(member)
		}
	case []any:
		for _, element := range v {
			withoutPlaces(element)
		}
	}
}
