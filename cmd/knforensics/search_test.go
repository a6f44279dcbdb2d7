package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// told runs timeline of a Revision, and returns what it printed. The last of the
// paths is given on standard input if all is to be read.
func told(t *testing.T, all bool, paths ...string) string {
	t.Helper()
	args, last := append([]string{"timeline", "-q", "--rev", "repro/zork-00001", "-o", "json"}, paths...), paths[len(paths)-1]
	text, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	if all {
		args[len(args)-1] = "-"
	}
	var out, errs bytes.Buffer
	code := run(args, bytes.NewReader(text), &out, &errs)
	lines := strings.Split(out.String(), "\n")
	kept := lines[:0]
	for _, line := range lines {
		if !strings.Contains(line, `"bytes":`) { // of standard input they are as read
			kept = append(kept, strings.ReplaceAll(line, `"-"`, fmt.Sprintf("%q", last)))
		}
	}
	return fmt.Sprintf("exit %d %s\n%s", code, errs.String(), strings.Join(kept, "\n"))
}

// TestSearch holds that a search tells what reading everything does, of logs in
// which it has to see more than the lines with the name: lines of a container log
// that are cut in two, two events in one line, an event that was cut before its
// time, a table without namespaces, and copies that overlap.
func TestSearch(t *testing.T) {
	const dir = "testdata/search/"
	log, twin := overlapping(t)
	for _, paths := range [][]string{{dir + "cri.log"}, {dir + "joined.log"}, {dir + "cutdate.log"}, {dir + "table.log", dir + "table.txt"}, {dir + "table.txt", dir + "table.log"},
		{log, twin}, {twin, log}, {dir + "joined.log", log}} {
		t.Run(strings.Join(paths, "+"), func(t *testing.T) {
			got, want := told(t, false, paths...), told(t, true, paths...)
			if !strings.HasPrefix(want, "exit 0") {
				t.Fatal(want)
			}
			if got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// overlapping returns two logs of which the second is a copy of the start and the
// end of the first, which is busy all the time.
func overlapping(t *testing.T) (log, twin string) {
	t.Helper()
	created, err := os.ReadFile("testdata/search/joined.log")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, 11, 30, 6, 36, 0, 0, time.UTC)
	var all, ends bytes.Buffer
	all.Write(created)
	for i := range 100 {
		at := begin.Add(time.Duration(2*i) * time.Second).Format("2006-01-02T15:04:05.000000Z")
		line := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"lease-%d","stage":"ResponseComplete","requestURI":"/apis/coordination.k8s.io/v1/namespaces/n/leases/l","verb":"update","user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"n","name":"l","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":%q,"stageTimestamp":%q}`, i, at, at)
		fmt.Fprintln(&all, line)
		if i < 25 || i > 75 {
			fmt.Fprintln(&ends, line)
		}
	}
	dir := t.TempDir()
	log, twin = filepath.Join(dir, "log"), filepath.Join(dir, "twin")
	for path, text := range map[string][]byte{log: all.Bytes(), twin: ends.Bytes()} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return log, twin
}
