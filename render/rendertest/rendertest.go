// Package rendertest makes stories for the tests of formats: of the samples, and of
// records that do harm where a format does not take care.
package rendertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Samples names the folders of samples, which is at root from the package that is
// tested. It skips a test where only a short run is wanted, as with the race detector:
// they are many logs.
func Samples(t testing.TB, root string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("reads many logs")
	}
	paths, err := filepath.Glob(filepath.Join(root, "samples", "*", "expect.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples at %s: %v", root, err)
	}
	for i := range paths {
		paths[i] = filepath.Dir(paths[i])
	}
	return paths
}

// Stories returns what happened in each family of the inputs at paths.
func Stories(t testing.TB, paths ...string) (stories []*render.Story) {
	t.Helper()
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
	for _, f := range b.Build().Families {
		result := registry.Run(nil, []*timeline.Family{f}, c)
		stories = append(stories, &render.Story{Family: f, Entries: f.Entries(nil), Findings: result.Findings, Coverage: c})
	}
	return stories
}

// Told returns what happened in each family of an input with some text.
func Told(t testing.TB, input string) []*render.Story {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
		t.Fatal(err)
	}
	return Stories(t, path)
}

// Hostile returns the story of a Service whose names, reasons and messages are made
// to break out of where they are put, and are not all UTF-8.
func Hostile(t testing.TB) []*render.Story { return Told(t, HostileInput) }

// Write has a writer write stories.
func Write(t testing.TB, w interface {
	Add(*render.Story) error
	Close() error
}, stories []*render.Story) {
	t.Helper()
	for _, s := range stories {
		if err := w.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Evil is in the texts of Hostile.
const Evil = "\x1b]0;owned\a\u202e\n```\n: crit, x;#%% click a call alert() </script>"

// HostileInput is the input of Hostile.
const HostileInput = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"hostile-1","stage":"ResponseComplete","requestURI":"/x","verb":"update","user":{"username":"` + evil + `"},"userAgent":"` + evil + `","objectRef":{"resource":"services","namespace":"shop","name":"nasty","apiGroup":"serving.knative.dev","apiVersion":"v1","subresource":"status"},"responseStatus":{"code":200},"responseObject":{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":"nasty","namespace":"shop","uid":"u1","resourceVersion":"2"},"status":{"conditions":[{"type":"Ready","status":"False","reason":"` + evil + `","message":"m"},{"type":"` + evil + `","status":"` + evil + `"}]}},"requestReceivedTimestamp":"2026-03-02T09:00:00Z","stageTimestamp":"2026-03-02T09:00:00Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"hostile-2","stage":"ResponseComplete","requestURI":"/x","verb":"update","user":{"username":"u"},"objectRef":{"resource":"services","namespace":"shop","name":"nasty","apiGroup":"serving.knative.dev","apiVersion":"v1","subresource":"status"},"responseStatus":{"code":500,"message":"` + evil + "\xff\xfe" + `"},"requestReceivedTimestamp":"2026-03-02T09:00:01Z","stageTimestamp":"2026-03-02T09:00:01Z"}
`

// evil is Evil as JSON has it.
const evil = `\u001b]0;owned\u0007\u202e\n` + "```" + `\n: crit, x;#%% click a call alert() </script>`
