package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// answer is what the program prints and returns.
type answer struct {
	code     int
	out, err string
}

func ask(args ...string) answer {
	var out, errs bytes.Buffer
	code := run(args, strings.NewReader(""), &out, &errs)
	return answer{code, out.String(), errs.String()}
}

func ingested(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "case")
	if a := ask(append([]string{"ingest", "-q", "-o", dir}, args...)...); a.code != exitOK {
		t.Fatalf("ingest: exit %d: %s", a.code, a.err)
	}
	return dir
}

// tree returns the files of a folder with their content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, readErr := os.ReadFile(filepath.Join(dir, path))
			files[path], err = string(data), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameTree(t *testing.T, got, want string) {
	t.Helper()
	a, b := tree(t, got), tree(t, want)
	for path := range b {
		if a[path] != b[path] {
			t.Errorf("%s differs", path)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, want %d", len(a), len(b))
	}
}

// TestCaseGivesTheSame holds every answer from a case against that from the logs.
func TestCaseGivesTheSame(t *testing.T) {
	many(t)
	samples, err := filepath.Glob("../../samples/*/expect.yaml")
	if err != nil || len(samples) < 7 {
		t.Fatal(samples, err)
	}
	for _, expect := range samples {
		logs := filepath.Dir(expect)
		t.Run(filepath.Base(logs), func(t *testing.T) {
			t.Parallel()
			dir := ingested(t, "--bodies", "all", logs)
			same := func(args ...string) {
				t.Helper()
				got, want := ask(append(args, dir)...), ask(append(args, logs)...)
				if got != want {
					t.Errorf("%v: exit %d %s\n%s\nwant exit %d %s\n%s", args, got.code, got.err, got.out, want.code, want.err, want.out)
				}
			}
			revisions := names(t, logs)
			same("detect", "-o", "json")
			same("summary", "-o", "json")
			same("timeline", "-o", "json", "--rev", revisions[len(revisions)-1])
			if filepath.Base(logs) != "latched" {
				return
			}
			for _, args := range [][]string{{"timeline"}, {"detect"}, {"coverage", "-o", "json"}, {"timeline", "--rev", "nothing-00001"},
				{"timeline", "--rev", revisions[0]}, {"timeline", "-o", "json", "--ksvc", "rt"}, {"timeline", "-o", "json", "--route", "rt"}} {
				same(args...)
			}
			for _, id := range evidence(t, logs) {
				same("show", "-o", "json", id)
				same("show", "--diff", id)
			}
		})
	}
}

// names returns the names of the Revisions in some logs.
func names(t *testing.T, logs string) (list []string) {
	t.Helper()
	var doc struct {
		Revisions []struct{ Namespace, Name string }
	}
	if err := json.Unmarshal([]byte(ask("timeline", "-o", "json", logs).out), &doc); err != nil || len(doc.Revisions) == 0 {
		t.Fatal(err, doc)
	}
	for _, r := range doc.Revisions {
		list = append(list, r.Namespace+"/"+r.Name)
	}
	return list
}

// evidence returns IDs that findings refer to, and places.
func evidence(t *testing.T, logs string) (ids []string) {
	t.Helper()
	var doc struct {
		Findings []struct {
			Evidence []struct{ AuditID, TraceID string }
		}
	}
	if err := json.Unmarshal([]byte(ask("detect", "-o", "json", logs).out), &doc); err != nil {
		t.Fatal(err)
	}
	for _, f := range doc.Findings {
		for _, e := range f.Evidence {
			ids = append(ids, max(e.AuditID, e.TraceID))
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return append(ids[:min(len(ids), 2)], "audit.log.zst:7", "final.json.zst:40")
}

// TestCaseOfWrappedLogs holds that a case keeps records of every form, in their
// order.
func TestCaseOfWrappedLogs(t *testing.T) {
	many(t)
	logs := t.TempDir()
	audit, controller := sampleLines(t, "latched/audit.log.zst"), sampleLines(t, "latched/controller.log.zst")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(logs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.log", strings.Join(audit[:1000], "\n"))
	write("b.log", "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"items\":["+strings.Join(audit[900:], ",\n")+"]}")
	write("c.log", "2026-03-02T09:00:00Z stdout F "+strings.Join(controller, "\n2026-03-02T09:00:00Z stdout F "))
	write("d.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config-features, namespace: knative-serving, uid: u, resourceVersion: \"3\"}\ndata: {a: b}\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}}\n")
	write("e.txt", "NAME   READY   STATUS    RESTARTS   AGE\np-1    1/1     Running   0          5m\n")
	write("f.log", "I1130 06:35:16.571340   13223 main.go:1] started\n{broken\nno record\n")
	other := func(line string) string { // what was not given before
		return strings.NewReplacer(`"auditID":"`, `"auditID":"x`, `"message":"`, `"message":"x`).Replace(line)
	}
	write("g.csv", "@timestamp,@message\n1,"+inCell(other(audit[0]))+"\n2,some words\n")
	write("h.log", console(other(controller[3]))+"\n"+console(other(controller[4])))
	write("i.log", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"review-1"}}`+"\n")
	write("j.json", `{"records":[{"category":"c","properties":{"log":`+inString(other(audit[1]))+`}},{"category":"c","prop`)
	write("k.log", other(audit[2])[:len(audit[2])-60]+"\n"+other(audit[4])[:len(audit[4])-40]+"\n"+audit[3])
	dir := ingested(t, "--bodies", "all", logs)
	for _, args := range [][]string{{"show", "-o", "json", "g.csv:2"}, {"show", "g.csv:3"}, {"show", "h.log:2"}, {"show", "-o", "json", "review-1"}, {"show", "j.json:1"}, {"show", "k.log:1"}, {"show", "k.log:2"},
		{"timeline"}, {"detect", "-o", "json"}, {"coverage", "-o", "json"}, {"timeline", "-o", "json", "--rev", "rt-00002"},
		{"show", "-o", "json", "a.log:1000"}, {"show", "-o", "json", "b.log:700"}, {"show", "-o", "json", "c.log:5"}, {"show", "-o", "json", "d.yaml:2"},
		{"show", "-o", "json", "d.yaml:9"}, {"show", "e.txt:2"}, {"show", "-o", "json", "f.log:1"}, {"show", "f.log:2"}} {
		got, want := ask(append(args, dir)...), ask(append(args, logs)...)
		if got != want || want.code > exitFindings && args[1] != "f.log:2" && args[1] != "j.json:1" {
			t.Errorf("%v: %+v\nwant %+v", args, got, want)
		}
	}
}

// TestCaseOfABatch makes a case of one answer of Loki's with many lines: each of
// its records has the place and the length of all of it.
func TestCaseOfABatch(t *testing.T) {
	var answer strings.Builder
	answer.WriteString(`{"data":{"result":[{"stream":{},"values":[["0","x"]`)
	for i := range 20000 {
		line := fmt.Sprintf(`{"severity":"INFO","timestamp":"2026-03-02T09:00:00.%06dZ","logger":"controller","message":"Reconcile succeeded"}`, i)
		fmt.Fprintf(&answer, `,["%d",%q]`, i, line)
	}
	answer.WriteString("]}]}}")
	log := filepath.Join(t.TempDir(), "loki.json")
	if err := os.WriteFile(log, []byte(answer.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := ingested(t, "--bodies", "all", log)
	if got, want := ask("coverage", "-o", "json", dir), ask("coverage", "-o", "json", log); got != want {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if size := len(tree(t, dir)["records/000001.arrow"]); size == 0 || size > answer.Len() {
		t.Errorf("the texts of %d bytes take %d", answer.Len(), size)
	}
}

// TestAddingToACase holds that it makes no difference in how many steps logs are
// added, how often, and by how many workers.
func TestAddingToACase(t *testing.T) {
	const logs = "../../samples/latched/"
	files := []string{logs + "audit.log.zst", logs + "controller.log.zst", logs + "events.json.zst", logs + "final.json.zst"}
	whole := ingested(t, append([]string{"-j", "3"}, files...)...)
	steps := ingested(t, "-j", "1", files[0])
	for i := range files {
		if a := ask("ingest", "-q", "-o", steps, files[i]); a.code != exitOK {
			t.Fatal(a)
		}
	}
	sameTree(t, steps, whole)
	if a := ask("ingest", "-q", "-o", steps, "--bodies", "none", files[0]); a.code != exitUsage || !strings.Contains(a.err, "--bodies knative") {
		t.Errorf("another --bodies: %+v", a)
	}
	sameTree(t, steps, whole)

	got := ask("coverage", "-o", "json", whole, files[0])
	want := ask("coverage", "-o", "json", files[0], files[1], files[2], files[3], files[0])
	if got != want {
		t.Errorf("a case and one of its logs: %s\nwant %s", got.out, want.out)
	}
}

func TestBodies(t *testing.T) {
	const ready = "3abf6edc-a06a-4057-9dd1-bd0bf58d9c31"
	logs := t.TempDir()
	lines := []string{
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"secret-1","stage":"ResponseComplete","requestURI":"/s","verb":"create","user":{"username":"u"},"objectRef":{"resource":"secrets","namespace":"one","name":"s","apiVersion":"v1"},"responseStatus":{"code":201},"responseObject":{"kind":"Secret","metadata":{"labels":{"serving.knative.dev/x":"y"}}},"stageTimestamp":"2026-03-02T09:00:00Z"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"other-1","stage":"ResponseComplete","requestURI":"/s","verb":"create","user":{"username":"u"},"objectRef":{"resource":"pods","namespace":"one","name":"s","apiVersion":"v1"},"responseStatus":{"code":201},"responseObject":{"kind":"Pod"},"stageTimestamp":"2026-03-02T09:00:00Z"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"bare-1","stage":"ResponseComplete","requestURI":"/s","verb":"create","user":{"username":"u"},"objectRef":{"resource":"pods","namespace":"one","name":"s","apiVersion":"v1"},"responseStatus":{"code":201},"stageTimestamp":"2026-03-02T09:00:00Z"}`,
	}
	if err := os.WriteFile(filepath.Join(logs, "audit.log"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := map[string]map[string]bool{
		"all":     {ready: true, "secret-1": true, "other-1": true, "bare-1": true},
		"knative": {ready: true, "bare-1": true},
		"none":    {},
	}
	for bodies, texts := range kept {
		dir := ingested(t, "--bodies", bodies, logs, "../../samples/latched")
		for _, id := range []string{ready, "secret-1", "other-1", "bare-1"} {
			a := ask("show", id, dir)
			if has := strings.Contains(a.out, `"auditID"`); has != texts[id] || a.code != exitOK {
				t.Errorf("--bodies %s: the text of %s is kept: %v", bodies, id, has)
			}
			if !texts[id] && !strings.Contains(a.out, "--bodies all keeps") {
				t.Errorf("--bodies %s: not said that %s is not kept: %s", bodies, id, a.out)
			}
		}
		if got, want := ask("detect", "-o", "json", dir), ask("detect", "-o", "json", logs, "../../samples/latched"); got != want {
			t.Errorf("--bodies %s: other findings", bodies)
		}
	}
}
