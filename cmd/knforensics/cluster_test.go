package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// twin rewrites a log as that of a second cluster on which the same was done at
// the same time: all is the same but for the uids and the audit IDs.
func twin(lines []string) string {
	return regexp.MustCompile(`[0-9a-f]{7}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllStringFunc(strings.Join(lines, "\n"), func(id string) string {
		return "0000000" + id[7:]
	})
}

// TestTwoClusters holds that what happened on two clusters is told apart, by
// --cluster, and that it is said where nothing tells.
func TestTwoClusters(t *testing.T) {
	log := sampleLines(t, "latched/audit.log.zst")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a/audit.log": strings.Join(log, "\n"), "b/audit.log": twin(log)} {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a := ask("detect", "a", "b"); !strings.Contains(a.err, "the inputs are of several clusters: ") || !strings.Contains(a.err, "--cluster NAME=PATH") {
		t.Errorf("two clusters in one: %q", a.err)
	}
	if a := ask("ingest", "-o", "mixed", "a", "b"); !strings.Contains(a.err, "the inputs are of several clusters: ") {
		t.Errorf("a case of two clusters in one: %q", a.err)
	}
	for _, name := range []string{"rt-00002", "nothing-00001"} {
		if a, logs := ask("timeline", "--rev", name, "mixed"), ask("timeline", "--rev", name, "a", "b"); a != logs || !strings.Contains(a.err, "the inputs are of several clusters: ") {
			t.Errorf("of a case of two clusters in one: %q, want %q", a.err, logs.err)
		}
	}
	if a := ask("detect", "--cluster", "east=elsewhere", "a"); a.code != exitUsage || !strings.Contains(a.err, "east=elsewhere: no input is there") {
		t.Errorf("a place without inputs: %+v", a)
	}
	if a := ask("detect", "a"); a.err != "" {
		t.Errorf("one cluster: %q", a.err)
	}
	places := []string{"--cluster", "east=a", "--cluster", "west=./b/"}
	both := ask(append([]string{"detect", "-o", "json", "a", "b"}, places...)...)
	if both.err != "" {
		t.Error(both.err)
	}
	alone := findings(t, ask("detect", "-o", "json", "a"))
	got := map[string][]map[string]any{}
	for _, f := range findings(t, both) {
		object := f["object"].(map[string]any)
		cluster, _ := object["cluster"].(string)
		delete(object, "cluster")
		got[cluster] = append(got[cluster], f)
	}
	if len(got) != 2 || len(got["east"]) != len(alone) || len(got["west"]) != len(alone) || len(alone) == 0 {
		t.Fatalf("%d findings, %d of the one cluster and %d of the other", len(alone), len(got["east"]), len(got["west"]))
	}
	for i, f := range got["east"] {
		for _, key := range []string{"fingerprint", "causedBy"} {
			delete(f, key)
			delete(alone[i], key)
		}
		x, _ := json.Marshal(f)
		y, _ := json.Marshal(alone[i])
		if string(x) != string(y) {
			t.Errorf("%s\nwant %s", x, y)
		}
	}

	if a := ask(append([]string{"timeline", "--rev", "rt-00002", "a", "b"}, places...)...); a.code != exitUsage || !strings.Contains(a.err, "repro/rt-00002 of cluster east, repro/rt-00002 of cluster west") {
		t.Errorf("a name in two clusters: %+v", a)
	}
	west := ask(append([]string{"timeline", "--rev", "rt-00002", "--cluster", "west", "a", "b"}, places...)...)
	if west.code != exitOK || !strings.HasPrefix(west.out, "west: Revision repro/rt-00002") || strings.Contains(west.out, "a/audit.log:") {
		t.Errorf("one of two clusters: %+v", west)
	}
	if a := ask(append([]string{"detect", "--cluster", "south", "a", "b"}, places...)...); a.code != exitNoMatch || !strings.Contains(a.err, "found: east, west") {
		t.Errorf("a cluster that is not there: %+v", a)
	}
	if a := ask("detect", "--cluster", "south", "a"); a.code != exitNoMatch || !strings.Contains(a.err, "they name no cluster") {
		t.Errorf("no clusters: %+v", a)
	}
	for _, wrong := range [][]string{{"--cluster", "=x"}, {"--cluster", "x="}, {"--cluster", "x", "--cluster", "y"}} {
		if a := ask(append([]string{"detect", "a"}, wrong...)...); a.code != exitUsage {
			t.Errorf("%v: %+v", wrong, a)
		}
	}

	dir := ingested(t, append([]string{"a", "b"}, places...)...)
	if kept := ask("detect", "-o", "json", dir); kept != both {
		t.Errorf("a case of two clusters: %s\nwant %s", kept.out, both.out)
	}
	one, other := ingested(t, "a"), ingested(t, "b")
	if kept := ask("detect", "-o", "json", "--cluster", "east="+one, "--cluster", "west="+other, one, other); kept != both {
		t.Errorf("two cases: %s\nwant %s", kept.out, both.out)
	}
	if kept := ask("timeline", "--rev", "rt-00002", "--cluster", "west="+other, "--cluster", "west", other); kept.code != exitOK {
		t.Errorf("a case of a cluster: %+v", kept)
	}
	if kept := ask("timeline", "--rev", "rt-00002", "--cluster", "west", dir); kept != west {
		t.Errorf("a case of two clusters: %s\nwant %s", kept.out, west.out)
	}
	if a := ask("ingest", "-o", dir, "--cluster", "west", "a"); a.code != exitUsage {
		t.Errorf("%+v", a)
	}
}

// TestNamedCluster holds that the name of the only cluster changes nothing.
func TestNamedCluster(t *testing.T) {
	for _, sample := range []string{"latched", "deployment-conflict"} {
		dir := "../../samples/" + sample
		if got, want := ask("detect", "-o", "json", "--cluster", "prod="+dir, dir), ask("detect", "-o", "json", dir); got != want {
			t.Errorf("%s: %s\nwant %s", sample, got.out, want.out)
		}
	}
}

// TestClusterLabels holds that wrappers that name a cluster are believed, and that
// a log that names none goes with the only one that is named.
func TestClusterLabels(t *testing.T) {
	lines, log := sampleLines(t, "latched/audit.log.zst"), "../../samples/latched/controller.log.zst"
	dir := t.TempDir()
	write := func(name, cluster, text string) string {
		var b strings.Builder
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString(`{"labels":{"cluster":"` + cluster + `"},"line":` + inString(line) + "}\n")
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	east := write("east.jsonl", "east", strings.Join(lines, "\n"))
	west := write("west.jsonl", "west", twin(lines))

	if got, want := found(t, east, log), found(t, "../../samples/latched/audit.log.zst", log); got != want {
		t.Errorf("one cluster that is named: %s\nwant %s", got, want)
	}
	if a := ask("detect", "--cluster", "east", east, log); a.code != exitFindings || strings.Contains(a.out, "east: ") {
		t.Errorf("the only cluster, by its name: %+v", a)
	}
	var named, unnamed []string
	for i, line := range sampleLines(t, "latched/controller.log.zst") {
		if i%2 == 0 {
			named = append(named, line)
		} else {
			unnamed = append(unnamed, line)
		}
	}
	half, rest := write("half.jsonl", "east", strings.Join(named, "\n")), filepath.Join(dir, "rest.log")
	if err := os.WriteFile(rest, []byte(strings.Join(unnamed, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := found(t, east, half, rest), found(t, east, log); got != want {
		t.Errorf("a log of which one half names the cluster: %s\nwant %s", got, want)
	}
	both := map[any]int{}
	for _, f := range findings(t, ask("detect", "-o", "json", east, west)) {
		both[f["object"].(map[string]any)["cluster"]]++
	}
	if len(both) != 2 || both["east"] == 0 || both["east"] != both["west"] {
		t.Errorf("findings by cluster: %v", both)
	}
	if a := ask("detect", "--cluster", "here="+east, "--cluster", "there="+west, "--cluster", "there", east, west); !strings.Contains(a.out, "there: Revision") {
		t.Errorf("--cluster wins: %+v", a)
	}
}

func findings(t *testing.T, a answer) []map[string]any {
	t.Helper()
	var doc struct{ Findings []map[string]any }
	if err := json.Unmarshal([]byte(a.out), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Findings
}
