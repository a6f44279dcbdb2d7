package casefolder_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

var tool = casefolder.Tool{Name: "knforensics", Version: "test"}

func keepAll([]byte, coverage.Format, *table.AuditEvent) bool { return true }

// rows prints the rows of a batch, those of records without their text.
func rows(b *table.Batch) (list []string) {
	b.EachAuditEvent(func(r *table.AuditEvent) { list = append(list, fmt.Sprintf("audit %+v", *r)) })
	b.EachLog(func(r *table.ControllerLog) { list = append(list, fmt.Sprintf("log %+v", *r)) })
	b.EachKubeEvent(func(r *table.KubeEvent) { list = append(list, fmt.Sprintf("event %+v", *r)) })
	b.EachObject(func(r *table.Object) { list = append(list, fmt.Sprintf("object %+v", *r)) })
	b.EachRecord(func(r *table.Record) { list = append(list, fmt.Sprintf("record %+v", *r)) })
	return list
}

// read returns the rows of some inputs by table, in their order.
func read(t *testing.T, paths []string, each func(*table.Batch) error) {
	t.Helper()
	inputs, err := source.Find(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Read(t.Context(), inputs, ingest.Options{Jobs: 2, Keep: keepAll}, each); err != nil {
		t.Fatal(err)
	}
}

// make makes a case of a sample, and returns the rows that went into it.
func makeCase(t *testing.T, paths ...string) (dir string, want []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "case")
	catalogue := timeline.NewCatalogue()
	w, err := casefolder.Create(dir, tool, "all", catalogue.Add)
	if err != nil {
		t.Fatal(err)
	}
	read(t, paths, func(b *table.Batch) error {
		want = append(want, rows(b)...)
		return w.Add(b)
	})
	if err := w.Finish(&coverage.Coverage{}, catalogue.Families(), nil); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

var everything = append(slices.Clone(casefolder.Rows), table.Records)

func gather(t *testing.T, c *casefolder.Case, sel casefolder.Selection) (got []string) {
	t.Helper()
	err := c.Each(sel, func(b *table.Batch) error {
		got = append(got, rows(b)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// byTable sorts rows by table and leaves their order within it.
func byTable(list []string) []string {
	list = slices.Clone(list)
	kind := func(s string) string { k, _, _ := strings.Cut(s, " "); return k }
	slices.SortStableFunc(list, func(a, b string) int { return strings.Compare(kind(a), kind(b)) })
	return list
}

const sample = "../../samples/latched/"

func TestRowsComeBackInTheirOrder(t *testing.T) {
	paths := []string{sample + "final.json.zst", sample + "audit.log.zst", sample + "controller.log.zst", sample + "events.json.zst"}
	dir, want := makeCase(t, paths...)
	c, err := casefolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := gather(t, c, casefolder.Selection{Tables: everything}); !slices.Equal(byTable(got), byTable(want)) {
		t.Errorf("%d rows come back, not the %d that went in, or in another order", len(got), len(want))
	}
	if c.Records == 0 || len(c.Segments) == 0 {
		t.Errorf("manifest: %d records in %d segments", c.Records, len(c.Segments))
	}
}

// TestSelection holds that all rows about an object are found, and no others.
func TestSelection(t *testing.T) {
	dir, all := makeCase(t, sample+"audit.log.zst", sample+"controller.log.zst")
	c, err := casefolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := gather(t, c, casefolder.Selection{Tables: casefolder.Rows, About: []table.Subject{{Namespace: "repro", Name: "rt"}}})
	named := regexp.MustCompile(`^audit .* (Group:\S*(knative.dev|apps) |Group: Version:v1 Resource:pods ).* Namespace:repro Name:(rt|rt-\d{5}\S*) `)
	logged := regexp.MustCompile(`(?s)^log .*( Key:repro/(rt|rt-\d{5}\S*) |Message:Adding to the (slow )?queue repro/(rt|rt-\d{5}\S*) |Namespace:"repro", Name:"rt(-\d{5}\S*)?")`)
	other := regexp.MustCompile(` Verb:(deletecollection|list|watch) `)
	auditID := regexp.MustCompile(` AuditID:(\S*)`)
	requests := map[string]bool{}
	for _, row := range all {
		if named.MatchString(row) && !other.MatchString(row) {
			requests[auditID.FindStringSubmatch(row)[1]] = true
		}
	}
	var want []string
	for _, row := range all {
		if m := auditID.FindStringSubmatch(row); m != nil && requests[m[1]] || logged.MatchString(row) {
			want = append(want, row)
		}
	}
	event := func(row string) bool {
		return strings.HasPrefix(row, "event ") || strings.HasPrefix(row, "record ") || strings.Contains(row, "Resource:events")
	}
	want = slices.DeleteFunc(want, event)
	got = slices.DeleteFunc(got, event)
	if len(want) < 100 || !slices.Equal(byTable(got), byTable(want)) {
		t.Errorf("%d rows, want %d", len(got), len(want))
		for _, row := range want {
			if !slices.Contains(got, row) {
				t.Log("missing", row)
			}
		}
		for _, row := range got {
			if !slices.Contains(want, row) {
				t.Log("more", row)
			}
		}
	}

	end := time.Date(2026, 11, 30, 6, 36, 58, 0, time.UTC)
	for _, sel := range []casefolder.Selection{{To: end}, {From: end}, {From: end.AddDate(0, 0, 1)}, {To: end.AddDate(0, 0, -1)}} {
		sel.Tables = []table.Kind{table.AuditEvents}
		n, inside := 0, 0
		err := c.Each(sel, func(b *table.Batch) error {
			b.EachAuditEvent(func(r *table.AuditEvent) {
				n++
				if (sel.To.IsZero() || !r.StageTime.After(sel.To)) && !r.StageTime.Before(sel.From) {
					inside++
				}
			})
			return nil
		})
		want := 0
		read(t, []string{sample + "audit.log.zst"}, func(b *table.Batch) error {
			b.EachAuditEvent(func(r *table.AuditEvent) {
				if (sel.To.IsZero() || !r.StageTime.After(sel.To)) && !r.StageTime.Before(sel.From) {
					want++
				}
			})
			return nil
		})
		if err != nil || inside != want || want == 0 && n != 0 {
			t.Errorf("from %s to %s: %d rows, %d of that time, want %d (%v)", sel.From, sel.To, n, inside, want, err)
		}
	}
}

// TestFamiliesLieTogether holds that the rows of a family are next to each
// other, whatever their objects are called.
func TestFamiliesLieTogether(t *testing.T) {
	dir, _ := makeCase(t, sample+"audit.log.zst")
	file, err := os.Open(filepath.Join(dir, "audit_events", "000001.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := table.AuditEvents.Open(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	var runs int
	inside := false
	for i := range f.Batches() {
		rec, err := f.Batch(i)
		if err != nil {
			t.Fatal(err)
		}
		namespace, name := rec.Column(rec.Schema().FieldIndices("namespace")[0]), rec.Column(rec.Schema().FieldIndices("name")[0])
		for row := range int(rec.NumRows()) {
			is := namespace.ValueStr(row) == "repro" && strings.HasPrefix(name.ValueStr(row), "rt")
			if is && !inside {
				runs++
			}
			inside = is
		}
		rec.Release()
	}
	if runs != 1 {
		t.Errorf("the rows of the family rt are in %d places", runs)
	}
}

func TestUnfinishedLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "case")
	w, err := casefolder.Create(dir, tool, "all", timeline.NewCatalogue().Add)
	if err != nil {
		t.Fatal(err)
	}
	read(t, []string{sample + "events.json.zst"}, w.Add)
	w.Discard()
	if entries, err := os.ReadDir(parent); err != nil || len(entries) > 0 {
		t.Errorf("left: %v %v", entries, err)
	}
}

// TestReplacing holds that a case is replaced as a whole, and that what is no
// case is not.
func TestReplacing(t *testing.T) {
	dir, _ := makeCase(t, sample+"events.json.zst")
	w, err := casefolder.Create(dir, tool, "none", timeline.NewCatalogue().Add)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(&coverage.Coverage{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	w.Discard()
	if c, err := casefolder.Open(dir); err != nil || c.Bodies != "none" || len(c.Segments) != 0 {
		t.Errorf("%+v %v", c, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("beside the case: %v %v", entries, err)
	}
	if _, err := casefolder.Create(filepath.Dir(dir), tool, "none", timeline.NewCatalogue().Add); !errors.Is(err, casefolder.ErrNoCase) {
		t.Errorf("a folder with something in it: %v", err)
	}
}

// readsWell reports whether all of a case can be read.
func readsWell(dir string) bool {
	c, err := casefolder.Open(dir)
	if err != nil {
		return false
	}
	all := casefolder.Selection{Tables: everything}
	family, err := c.Related("", "rt")
	one := casefolder.Selection{Tables: casefolder.Rows, About: family}
	nothing := func(*table.Batch) error { return nil }
	return err == nil && c.Each(all, nothing) == nil && c.Each(one, nothing) == nil
}

// TestDamage holds that a case of which any byte was changed gives an error.
func TestDamage(t *testing.T) {
	dir, _ := makeCase(t, sample+"events.json.zst")
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.arrow"))
	if err != nil || len(paths) < 2 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, filepath.Join(dir, "index.arrow"), filepath.Join(dir, "families.arrow"), filepath.Join(dir, "manifest.json")) {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 400 {
			bad := slices.Clone(good)
			at := (i*i*7919 + i) % len(bad)
			if i%2 == 0 {
				at = len(bad) - 1 - i%min(len(bad), 2000) // where the footer is
			}
			bad[at] ^= byte(1 + i%255)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if readsWell(dir) {
				t.Fatalf("%s: byte %d was changed, and reading does not see it", path, at)
			}
			if report, err := casefolder.Verify(dir, nil); err == nil && report.Unchanged {
				t.Fatalf("%s: byte %d was changed, and Verify does not see it", path, at)
			}
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChangedMeanwhile holds that a case that somebody else changed, or put
// something into, since the writing began is left as it is.
func TestChangedMeanwhile(t *testing.T) {
	for what, change := range map[string]func(dir string) error{
		"a file put into it": func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600) },
		"a folder put into it": func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, "mine", "too"), 0o700)
		},
		"another writer was faster": func(dir string) error {
			w, err := casefolder.Create(dir, tool, "none", timeline.NewCatalogue().Add)
			if err != nil {
				return err
			}
			return w.Finish(&coverage.Coverage{}, nil, nil)
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir, _ := makeCase(t, sample+"events.json.zst")
			w, err := casefolder.Create(dir, tool, "all", timeline.NewCatalogue().Add)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Discard()
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			before := listed(t, dir)
			if err := w.Finish(&coverage.Coverage{}, nil, nil); err == nil {
				t.Error("the case was replaced")
			}
			w.Discard()
			if after := listed(t, dir); !slices.Equal(before, after) {
				t.Errorf("%v before, %v after", before, after)
			}
			if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
				t.Errorf("beside the case: %v %v", entries, err)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "case")
	one, err := casefolder.Create(dir, tool, "all", timeline.NewCatalogue().Add)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Discard()
	two, err := casefolder.Create(dir, tool, "all", timeline.NewCatalogue().Add)
	if err != nil {
		t.Fatal(err)
	}
	defer two.Discard()
	if err := one.Finish(&coverage.Coverage{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := two.Finish(&coverage.Coverage{}, nil, nil); err == nil {
		t.Error("of two that make one case, both succeed")
	}
}

// listed returns what is in a folder, with sizes.
func listed(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			list = append(list, fmt.Sprint(path, info.Size()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBatchesDoNotShow holds that a case of several segments does not tell in which
// batches its rows came.
func TestBatchesDoNotShow(t *testing.T) {
	const records = 70_000
	var cases [][]string
	for _, size := range []int{1000, 777} {
		dir := filepath.Join(t.TempDir(), "case")
		w, err := casefolder.Create(dir, tool, "none", timeline.NewCatalogue().Add)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < records; from += size {
			b := table.NewBuilder()
			for i := from; i < min(records, from+size); i++ {
				at := table.Location{File: "audit.log", Line: int64(i), Offset: int64(i)}
				resource, name := "leases", fmt.Sprint("lease-", i%7)
				if i%3 == 0 {
					resource, name = "pods", fmt.Sprint("cart-00001-deployment-", i%100)
					b.Object(&table.Object{Location: at, Origin: table.OriginResponse, Kind: "Pod", Namespace: "shop", Name: name})
				}
				b.AuditEvent(&table.AuditEvent{Location: at, Verb: "update", Resource: resource, Namespace: "shop", Name: name, RequestURI: fmt.Sprint("/", i%1000)})
				b.Record(&table.Record{Location: at, Format: "audit", Identity: int64(i + 1)})
			}
			batch := b.Batch()
			if err := w.Add(batch); err != nil {
				t.Fatal(err)
			}
			batch.Release()
		}
		if err := w.Finish(&coverage.Coverage{}, nil, nil); err != nil {
			t.Fatal(err)
		}
		c, err := casefolder.Open(dir)
		if err != nil || len(c.Segments) != 2 {
			t.Fatalf("%d segments: %v", len(c.Segments), err)
		}
		n, last := 0, int64(-1)
		err = c.Each(casefolder.Selection{Tables: everything}, func(b *table.Batch) error {
			b.EachRecord(func(r *table.Record) {
				if n++; r.Offset != last+1 || r.Identity != r.Offset+1 || r.Format != "audit" {
					t.Fatalf("record %d after that at %d: %+v", n, last, r)
				}
				last = r.Offset
			})
			b.EachObject(func(o *table.Object) {
				if o.Offset%3 != 0 || o.File != "audit.log" {
					t.Fatalf("an object at %s:%d", o.File, o.Offset)
				}
			})
			return nil
		})
		if err != nil || n != records {
			t.Errorf("%d records of %d: %v", n, records, err)
		}
		found := gather(t, c, casefolder.Selection{Tables: casefolder.Rows, About: []table.Subject{{Namespace: "shop", Name: "cart"}}})
		if want := 2 * (records + 2) / 3; len(found) != want {
			t.Errorf("%d rows of the family, want %d", len(found), want)
		}
		cases = append(cases, sums(t, dir))
	}
	if !slices.Equal(cases[0], cases[1]) {
		t.Errorf("the batches show:\n%q\n%q", cases[0], cases[1])
	}
}

// sums returns what is in a folder, with hashes.
func sums(t *testing.T, dir string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(paths) < 4 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, filepath.Join(dir, "index.arrow"), filepath.Join(dir, "manifest.json")) {
		sum, err := casefolder.Sum(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filepath.Base(path)+" "+sum)
	}
	return list
}
