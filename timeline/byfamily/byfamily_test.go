package byfamily

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

func read(t *testing.T, jobs int, paths []string, add func(*table.Batch)) map[string]coverage.Reach {
	t.Helper()
	inputs, err := source.Find(paths, strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{Jobs: jobs}, func(b *table.Batch) error {
		add(b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.Reach
}

// whole is what a Builder makes of all rows.
func whole(t *testing.T, paths []string) *timeline.History {
	t.Helper()
	all := timeline.NewClusters(nil)
	for name, reach := range read(t, 1, paths, all.Add) {
		all.Of(name).Reaches(reach)
	}
	return all.Build()
}

// told is all that is told of families.
func told(families []*timeline.Family) (list []string) {
	for _, f := range families {
		var b strings.Builder
		fmt.Fprintf(&b, "%s/%s %v %v %v: %d notes, %d attempts, %d enqueued\n", f.Namespace, f.Name, f.Cluster.From, f.Cluster.LogTo, f.Release(), len(f.Notes), len(f.Attempts), len(f.Enqueued))
		for _, e := range f.Entries(nil) {
			line, err := json.Marshal(e)
			fmt.Fprintf(&b, "%s %v\n", line, err)
		}
		list = append(list, b.String())
	}
	return list
}

func mixed(h *timeline.History) (text string) {
	for _, c := range h.Clusters {
		if m := c.Mixed; m != nil {
			text += fmt.Sprintln(c.Name, m.Ref, m.UIDs, m.Proof)
		}
	}
	return text
}

// TestParts holds that families come out of parts as they do of the whole.
func TestParts(t *testing.T) {
	samples, err := filepath.Glob("../../samples/*/*.zst")
	if err != nil || len(samples) < 10 {
		t.Fatal(samples, err)
	}
	same(t, samples...)
}

// same holds the families of parts against those of the whole.
func same(t *testing.T, paths ...string) {
	t.Helper()
	h := whole(t, paths)
	want := told(h.Families)
	for _, jobs := range []int{1, 3} {
		for _, size := range []int64{0, 1 << 20} {
			r := sized(jobs, 100<<10, size)
			defer r.Close()
			shared, err := r.Settle(read(t, jobs, paths, r.Add))
			if err != nil {
				t.Fatal(err)
			}
			if end := shared.End(); end != h.End() || len(shared.Families) > 0 {
				t.Errorf("it ends at %s, want %s", end, h.End())
			}
			parts, err := Each(r, jobs, func(h *timeline.History) []string { return told(h.Families) })
			if err != nil {
				t.Fatal(err)
			}
			if got, want := mixed(shared), mixed(h); got != want {
				t.Errorf("mixed: %s, want %s", got, want)
			}
			if size == 0 && !r.unplaced && len(parts) < len(want) {
				t.Errorf("%d parts of %d families", len(parts), len(want))
			}
			if got := slices.Concat(parts...); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("%d jobs, parts of %d bytes: %d families, want %d", jobs, size, len(got), len(want))
			}
		}
	}
}

// lines returns the lines of a sample's audit log about the namespace of its Service,
// which is called rt, with another name.
func lines(t *testing.T, sample, name string) (list []string) {
	t.Helper()
	f, err := os.Open("../../samples/" + sample + "/audit.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		if strings.Contains(line, `"namespace":"repro"`) {
			line = ids.ReplaceAllString(line, fmt.Sprintf("${1}%x$2", name[0]))
			list = append(list, service.ReplaceAllString(line, name))
		}
	}
	return list
}

var (
	service = regexp.MustCompile(`\brt\b`)
	ids     = regexp.MustCompile(`\b([0-9a-f]{6})[0-9a-f]{2}(-[0-9a-f]{4}-[0-9a-f]{4}-)`) // audit IDs and uids
)

func write(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNameOfSetting holds that Services can have names as Knative's settings do.
func TestNameOfSetting(t *testing.T) {
	same(t, write(t, lines(t, "latched", "config-rt")...))
}

// TestNameOf47 holds that the Pods of a Revision are found whose Deployment has a name
// that is just as long as names may be.
func TestNameOf47(t *testing.T) {
	var list []string
	blue := strings.Repeat("b", 47)
	for _, line := range lines(t, "latched", "rt") {
		line = strings.ReplaceAll(line, "rt-00002", blue)
		line = labels.ReplaceAllString(line, `"labels":{}`)
		list = append(list, pods.ReplaceAllString(line, blue+"-deployment$1"))
	}
	same(t, write(t, list...))
}

var (
	labels = regexp.MustCompile(`"labels":\{[^}]*\}`)
	pods   = regexp.MustCompile(`b{47}-deployment-[a-z0-9]+-([a-z0-9]{5})\b`)
)

// TestCollection holds that a collection that was deleted brings no family twice.
func TestCollection(t *testing.T) {
	one, two := lines(t, "held", "cart"), lines(t, "held", "shop")
	item := func(name string) string {
		return `{"apiVersion":"serving.knative.dev/v1","kind":"Revision","metadata":{"name":"` + name + `-00001","namespace":"repro","uid":"` + name + `"}}`
	}
	deleted := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a1","stage":"ResponseComplete",` +
		`"requestURI":"/apis/serving.knative.dev/v1/namespaces/repro/revisions","verb":"deletecollection","user":{"username":"u"},` +
		`"objectRef":{"resource":"revisions","namespace":"repro","apiGroup":"serving.knative.dev","apiVersion":"v1"},"responseStatus":{"code":200},` +
		`"requestReceivedTimestamp":"2026-11-30T23:00:00.000000Z","stageTimestamp":"2026-11-30T23:00:00.100000Z",` +
		`"responseObject":{"kind":"RevisionList","apiVersion":"serving.knative.dev/v1","items":[` + item("cart") + "," + item("shop") + "," + item("alone") + `]}}`
	same(t, write(t, slices.Concat(one, two, []string{deleted})...))
}

// TestWithoutNamespace holds that rows that do not tell the namespace are found with
// the family that they are of.
func TestWithoutNamespace(t *testing.T) {
	var sent []string
	for _, line := range lines(t, "latched", "rt") {
		if strings.Contains(line, `"resource":"routes"`) {
			line = strings.ReplaceAll(line, `"name":"rt","namespace":"repro"`, `"name":"rt"`)
		}
		sent = append(sent, line)
	}
	table := write(t, "NAME   LATESTCREATED   LATESTREADY   READY   REASON", "rt     rt-00002        rt-00002      True    ")
	same(t, write(t, sent...))
	same(t, write(t, sent...), table)
}

// TestSameUID holds that a uid that two objects tell is taken for the same of them every
// time.
func TestSameUID(t *testing.T) {
	one := lines(t, "held", "rt")
	two := strings.ReplaceAll(strings.Join(one, "\n"), "repro", "other")
	gone := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1","stage":"ResponseComplete","requestURI":"/apis/serving.knative.dev/v1/namespaces/other/revisions/rt-00002","verb":"delete","user":{"username":"u"},` +
		`"objectRef":{"resource":"revisions","namespace":"other","name":"rt-00002","apiGroup":"serving.knative.dev","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-30T23:00:00.000000Z","stageTimestamp":"2026-11-30T23:00:00.100000Z"}`
	path := write(t, strings.Join(one, "\n"), two, gone)
	want := told(whole(t, []string{path}).Families)
	for range 8 {
		if got := told(whole(t, []string{path}).Families); !slices.Equal(got, want) {
			t.Fatal("the same inputs tell something else")
		}
	}
}

// TestCloseEarly holds that rows can be closed while batches are looked at.
func TestCloseEarly(t *testing.T) {
	r := sized(2, 0, partSize)
	read(t, 2, []string{"../../samples/latched/audit.log.zst"}, r.Add)
	r.Close()
	for _, k := range r.keepers {
		if len(k.keys) == 0 {
			continue
		}
		return
	}
	t.Error("nothing was added")
}
