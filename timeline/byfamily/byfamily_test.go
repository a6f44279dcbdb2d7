package byfamily

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

func everything(string) bool { return true }

// TestParts holds that families come out of parts as they do of the whole.
func TestParts(t *testing.T) {
	samples, err := filepath.Glob("../../samples/*/*.zst")
	if err != nil || len(samples) < 10 {
		t.Fatal(samples, err)
	}
	h := whole(t, samples)
	want := told(h.Families)
	for _, jobs := range []int{1, 3} {
		for _, size := range []int64{0, 1 << 20} {
			r := sized(jobs, 100<<10, size)
			defer r.Close()
			shared, err := r.Settle(read(t, jobs, samples, r.Add))
			if err != nil {
				t.Fatal(err)
			}
			if end := shared.End(); end != h.End() || len(shared.Families) > 0 {
				t.Errorf("it ends at %s, want %s", end, h.End())
			}
			parts, err := Each(r, jobs, everything, func(h *timeline.History) []string { return told(h.Families) })
			if err != nil {
				t.Fatal(err)
			}
			if got, want := mixed(shared), mixed(h); got != want {
				t.Errorf("mixed: %s, want %s", got, want)
			}
			if size == 0 && len(parts) < len(want) {
				t.Errorf("%d parts of %d families", len(parts), len(want))
			}
			if got := slices.Concat(parts...); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("%d jobs, parts of %d bytes: %d families, want %d", jobs, size, len(got), len(want))
			}
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
