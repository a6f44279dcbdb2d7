package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/render/explore"
	"github.com/knforensics/knforensics/timeline"
)

// TestBrowsedRecords: what a name lets the browser skip changes nothing in what it
// shows, and it shows each record that the rows of a timeline are of.
func TestBrowsedRecords(t *testing.T) {
	many(t)
	o := &options{streams: &streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard}, jobs: 2, progress: "never"}
	for _, paths := range [][]string{{"../../samples/latched"}, {"../../samples/latched-metadata"}} {
		d, err := o.loadWith(t.Context(), paths, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := o.browsed(d, window{}, paths)
		row := b.Revisions[len(b.Revisions)-1].Revision
		story, err := b.Story("", row.Ref, row.UID)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range story.Entries {
			if i%17 != 0 || e.Source.File == "" {
				continue
			}
			slow, err := b.Records(t.Context(), explore.Proof{Source: e.Source})
			if err != nil {
				t.Fatal(err)
			}
			if len(slow) != 1 || slow[0].Line != e.Source.Line || slow[0].AuditID != e.Source.AuditID || len(slow[0].Raw) == 0 {
				t.Errorf("%s:%d: %d records", e.Source.File, e.Source.Line, len(slow))
			}
			fast, err := b.Records(t.Context(), explore.Proof{Source: e.Source, Name: e.Object.Name})
			if err != nil || !reflect.DeepEqual(fast, slow) {
				t.Errorf("%s:%d: with the name of %s other records, %v", e.Source.File, e.Source.Line, e.Object, err)
			}
		}
	}
}

func TestBrowsedStories(t *testing.T) {
	o := &options{streams: &streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard}, jobs: 2, progress: "never"}
	paths := []string{"../../samples/route-race"}
	d, err := o.loadWith(t.Context(), paths, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := o.browsed(d, window{}, paths)
	if len(b.Result.Findings) == 0 {
		t.Fatal("no finding")
	}
	for _, f := range b.Result.Findings { // those about Routes among them
		story, err := b.Story(f.Cluster, f.Object, f.UID)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, e := range story.Entries {
			found = found || story.Finding(e) != nil && e.Object == f.Object
		}
		if story.Object.Ref != f.Object || !found {
			t.Errorf("the timeline of %s is of %s, or its finding is not in it", f.Object, story.Object.Ref)
		}
	}
	if _, err := b.Story("", timeline.Ref{Kind: "Revision", Namespace: "a", Name: "b"}, ""); err == nil {
		t.Error("a timeline of what does not exist")
	}
}

// TestBrowsedTime: a timeline has the findings of the time that was asked for, as the
// list has.
func TestBrowsedTime(t *testing.T) {
	o := &options{streams: &streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard}, jobs: 2, progress: "never"}
	paths := []string{"../../samples/latched"}
	d, err := o.loadWith(t.Context(), paths, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := o.browsed(d, window{from: d.history.End().Add(-15 * time.Second)}, paths)
	row := b.Revisions[len(b.Revisions)-1]
	story, err := b.Story("", row.Revision.Ref, row.Revision.UID)
	if err != nil {
		t.Fatal(err)
	}
	if len(row.Findings) != 3 || len(story.Findings) != 3 || story.Outside != 1 {
		t.Errorf("%d findings in the list, %d in the timeline, %d left out", len(row.Findings), len(story.Findings), story.Outside)
	}
}

// TestBrowsedCoverage: what cannot be read is counted in the browser as coverage counts
// it, also where no timeline needs it.
func TestBrowsedCoverage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	damaged := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/pods/a","verb":"get","user":{"username":"\q"},` +
		`"objectRef":{"resource":"pods","namespace":"shop","name":"a","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-02T09:00:00Z","stageTimestamp":"2026-03-02T09:00:00Z"}` + "\n"
	whole := strings.Replace(damaged, `\q`, "u", 1)
	if err := os.WriteFile(path, []byte(whole+damaged+whole), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &options{streams: &streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard}, jobs: 2, progress: "never"}
	b, err := o.readToBrowse(t.Context(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Coverage.Files[0].Rejected; got != 1 {
		t.Errorf("%d rejected", got)
	}
}
