package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/redact"
	"github.com/knforensics/knforensics/ingest/source"
)

var captures = flag.String("captures", "", "`folder` of captures to redact too")

// TestRedacted: of the redacted copy of a capture, the same is told as of the capture,
// but for names.
func TestRedacted(t *testing.T) {
	folders, err := filepath.Glob("../../samples/*/audit.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	if *captures != "" {
		more, _ := filepath.Glob(filepath.Join(*captures, "*", "audit*.log*"))
		folders = append(folders, more...)
	}
	for i := range folders {
		folders[i] = filepath.Dir(folders[i])
	}
	for _, dir := range slices.Compact(folders) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			many(t)
			key := filepath.Join(t.TempDir(), "key")
			copied := filepath.Join(t.TempDir(), "copied")
			printed(t, exitOK, "redact", "-q", "--key", key, "-o", copied, dir)
			k, err := redact.LoadKey(key)
			if err != nil {
				t.Fatal(err)
			}
			m := matcher{t: t, r: redact.New(k, nil)}
			m.findings(dir, copied)
			m.timelines(dir, copied)
			m.coverage(dir, copied)
		})
	}
}

// printed runs the program, and returns what it prints.
func printed(t *testing.T, want int, args ...string) []byte {
	t.Helper()
	var out, problems bytes.Buffer
	if code := run(args, nil, &out, &problems); code != want && want >= 0 {
		t.Fatalf("%v: exit %d: %s", args, code, problems.String())
	}
	return out.Bytes()
}

// matcher holds what is told of a copy against what is told of its original.
type matcher struct {
	t *testing.T
	r *redact.Redactor
}

func parsedAs[T any](t *testing.T, text []byte) (doc T) {
	t.Helper()
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

type document struct {
	Findings  []map[string]any `json:"findings"`
	Verdicts  []map[string]any `json:"verdicts"`
	Revisions []map[string]any `json:"revisions"`
	Entries   []map[string]any `json:"entries"`
	Revision  map[string]any   `json:"revision"`
	Resources []map[string]any `json:"resources"`
	Gaps      []map[string]any `json:"gaps"`
	Blind     []map[string]any `json:"blind"`
	Files     []map[string]any `json:"files"`
}

func (m *matcher) findings(dir, copied string) {
	want := parsedAs[document](m.t, printed(m.t, -1, "detect", "-o", "json", dir))
	got := parsedAs[document](m.t, printed(m.t, -1, "detect", "-o", "json", copied))
	m.lists("findings", want.Findings, got.Findings)
	m.lists("verdicts", want.Verdicts, got.Verdicts)
}

func (m *matcher) timelines(dir, copied string) {
	want := parsedAs[document](m.t, printed(m.t, exitOK, "timeline", "-o", "json", dir))
	got := parsedAs[document](m.t, printed(m.t, exitOK, "timeline", "-o", "json", copied))
	m.lists("revisions", want.Revisions, got.Revisions)
	const most = 3
	for _, rev := range want.Revisions[:min(most, len(want.Revisions))] {
		name := fmt.Sprintf("%v/%v", rev["namespace"], rev["name"])
		want := parsedAs[document](m.t, printed(m.t, exitOK, "timeline", "-o", "json", "--rev", name, dir))
		got := parsedAs[document](m.t, printed(m.t, exitOK, "timeline", "-o", "json", "--rev", m.r.Line(name), copied))
		m.lists("revision", []map[string]any{want.Revision}, []map[string]any{got.Revision})
		m.lists(name, want.Entries, got.Entries)
	}
}

func (m *matcher) coverage(dir, copied string) {
	want := parsedAs[document](m.t, printed(m.t, exitOK, "coverage", "-o", "json", dir))
	got := parsedAs[document](m.t, printed(m.t, exitOK, "coverage", "-o", "json", copied))
	known := slices.DeleteFunc(want.Files, func(f map[string]any) bool { return f["format"] == "unknown" })
	m.lists("files", known, got.Files)
	m.lists("resources", want.Resources, got.Resources)
	m.lists("gaps", want.Gaps, got.Gaps)
	m.lists("blind", want.Blind, got.Blind)
}

// lists holds rows against each other, whatever the order of those of one time, which
// is that of names.
func (m *matcher) lists(what string, want, got []map[string]any) {
	m.t.Helper()
	if len(want) != len(got) {
		m.t.Errorf("%s: %d of the copy, %d of the original", what, len(got), len(want))
		return
	}
	left := slices.Clone(got)
	for _, row := range want {
		i := slices.IndexFunc(left, func(other map[string]any) bool { return m.same("", row, other) })
		if i < 0 {
			m.t.Errorf("%s: the copy has no %s", what, text(row))
			for _, other := range left {
				if row["time"] == other["time"] && row["detector"] == other["detector"] {
					m.t.Logf("it has %s", text(other))
				}
			}
			return
		}
		left = slices.Delete(left, i, i+1)
	}
}

func text(row any) string {
	b, _ := json.Marshal(row)
	return string(b)
}

// differ are members that tell of files, and identities made of names.
var differ = map[string]bool{"fingerprint": true, "causedBy": true, "explainedBy": true, "file": true, "path": true, "sha256": true, "bytes": true}

var hashed = regexp.MustCompile(`^[0-9a-f]{12,16}$`)

// same reports whether a value of the original is that of the copy.
func (m *matcher) same(key string, want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(want) != len(got) {
			return false
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if _, has := got[key]; !has || !differ[key] && !m.same(key, want[key], got[key]) {
				return false
			}
		}
		return true
	case []any:
		got, ok := got.([]any)
		return ok && len(want) == len(got) && !slices.ContainsFunc(want, func(w any) bool {
			return !slices.ContainsFunc(got, func(g any) bool { return m.same(key, w, g) })
		})
	case string:
		got, ok := got.(string)
		return ok && m.sameText(want, got)
	}
	return want == got
}

// sameText reports whether the words of a text are those of another, with names
// replaced.
func (m *matcher) sameText(want, got string) bool {
	a, b := strings.Fields(want), strings.Fields(got)
	if n := min(len(a), len(b)); strings.HasSuffix(want, "…") && strings.HasSuffix(got, "…") { // names differ in length
		a, b = a[:n-1], b[:n-1]
	}
	return slices.EqualFunc(a, b, func(want, got string) bool {
		sealed := func(s string) string { return fmt.Sprintf(`{"args":%q}`, strings.Trim(s, `",`)) } // as a value that is replaced as a whole
		return want == got || m.r.Line(want) == got || m.r.Line(sealed(want)) == sealed(got) || hashed.MatchString(want) && hashed.MatchString(got)
	})
}

// TestRedactedBytes: a copy has nothing of what its original is told by, is the same
// with the same key, and another with another.
func TestRedactedBytes(t *testing.T) {
	dir := t.TempDir()
	var keys []string
	for _, name := range []string{"a", "b"} {
		keys = append(keys, filepath.Join(dir, "key-"+name))
	}
	sums := map[string]string{}
	for name, args := range map[string][]string{"first": {"--key", keys[0], "-j", "1"}, "again": {"--key", keys[0], "-j", "4"}, "other": {"--key", keys[1]}, "none": nil} {
		out := filepath.Join(dir, name)
		printed(t, exitOK, append(append([]string{"redact", "-q", "-o", out}, args...), "../../samples/latched")...)
		sums[name] = string(plain(t, out))
	}
	if sums["first"] != sums["again"] {
		t.Error("two copies with one key differ")
	}
	for _, name := range []string{"other", "none"} {
		if sums["first"] == sums[name] {
			t.Error("copies with two keys are the same")
		}
	}
	key, err := os.ReadFile(keys[0])
	if err != nil {
		t.Fatal(err)
	}
	original := string(plain(t, "../../samples/latched"))
	for _, secret := range append(addresses(original), "repro", "capimg", "kubernetes-admin", "node-0", "ghcr.io/knative/helloworld", strings.TrimSpace(string(key))) {
		if strings.Contains(sums["first"], secret) {
			t.Errorf("%s is in the copy", secret)
		}
	}
	if regexp.MustCompile(`\brt\b`).MatchString(sums["first"]) {
		t.Error("rt is in the copy")
	}
}

// addresses returns what is told by numbers alone: the IP addresses of Pods and nodes,
// and uids.
func addresses(text string) []string {
	found := map[string]bool{}
	for _, s := range regexp.MustCompile(`\b10\.\d+\.\d+\.\d+\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`).FindAllString(text, -1) {
		found[s] = true
	}
	return slices.Collect(maps.Keys(found))
}

// plain returns what the files of a folder hold, one after the other.
func plain(t *testing.T, dir string) []byte {
	t.Helper()
	inputs, err := source.Find([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for i := range inputs {
		if strings.HasSuffix(inputs[i].Path, ".md") {
			continue
		}
		err := inputs[i].Each(false, func(_ string, s *source.Stream) error {
			_, err := io.Copy(&all, s)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}
