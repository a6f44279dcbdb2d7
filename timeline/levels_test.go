package timeline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func levelTexts(levels []Level) string {
	var list []string
	for _, l := range levels {
		value := "?"
		if l.Known {
			value = fmt.Sprint(l.Value)
		}
		list = append(list, fmt.Sprintf("%s at %v", value, l.Time.Sub(start).Seconds()))
	}
	return strings.Join(list, ", ")
}

func TestLevels(t *testing.T) {
	ingress := func(f *family, at float64, split string) *family {
		e := event{at: at, verb: "update", res: "ingresses", name: "r", uid: "i"}
		if split == "" {
			e.level = "Metadata"
			return f.add(e)
		}
		return f.add(e.both("", object("ingresses", "r", "i", labels("route=r configuration=r"), `"spec":{"rules":[`+rule("r.shop.example.test", split)+`]}`)))
	}
	pa := func(f *family, at float64, annotations string) *family {
		return f.pa(at, "", annotations, "", `"status":{}`)
	}
	end := func(f *family, at float64) *family {
		return f.add(event{at: at, verb: "update", res: "revisions", name: "r-00001", level: "Metadata"})
	}
	gone := func(f *family, at float64) *family {
		return f.add(event{at: at, verb: "delete", res: "revisions", name: "r-00001", level: "Metadata"})
	}
	ready, want, share := (*Revision).ReadyLevels, (*Revision).WantLevels, (*Revision).ShareLevels
	for _, test := range []struct {
		name     string
		family   *family
		of       func(*Revision, time.Time, time.Time) []Level
		from, to time.Time
		want     string
	}{
		{"ready, as it was when the request came in", newFamily("").deployment(2, 0).deployment(4, 2).deployment(5, 2), ready, time.Time{}, time.Time{}, "0 at 2, 2 at 3.99"},
		{"of a stretch", newFamily("").deployment(2, 0).deployment(4, 2).deployment(6, 3), ready, sec(3), sec(5), "0 at 3, 2 at 3.99"},
		{"no more once the Revision is gone", gone(newFamily("").deployment(2, 1).deployment(4, 2), 6).deployment(7, 3), ready, time.Time{}, time.Time{}, "1 at 2, 2 at 3.99, ? at 6"},
		{"nor after the inputs end", end(newFamily("").deployment(2, 1), 8), ready, time.Time{}, sec(9), "1 at 2, ? at 8"},
		{"nothing of another time", newFamily("").deployment(2, 1), ready, sec(20), sec(30), ""},
		{"the target, from the first on", end(newFamily("initial-scale=3"), 9), want, time.Time{}, time.Time{}, "3 at 1.5"},
		{"another target", end(pa(newFamily("initial-scale=3"), 4, "initial-scale=7"), 9), want, time.Time{}, time.Time{}, "3 at 1.5, 7 at 4"},
		{"an assumed target is not known", end(newFamily(""), 9), want, time.Time{}, time.Time{}, ""},
		{"a share that is hidden for a while", ingress(ingress(ingress(newFamily(""), 3, "r-00001=100"), 5, ""), 7, "r-00001=40"), share, time.Time{}, time.Time{}, "100 at 3, ? at 5, 40 at 7"},
		{"no share after the inputs end", end(ingress(newFamily(""), 3, "r-00001=100"), 8), share, time.Time{}, sec(9), "100 at 3, ? at 8"},
		{"no share", ingress(newFamily(""), 3, "r-00002=100"), share, time.Time{}, time.Time{}, "0 at 3"},
	} {
		if got := levelTexts(test.of(test.family.read(t), test.from, test.to)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestLevelsTellWhatHolds compares levels with what is asked anew at any moment.
func TestLevelsTellWhatHolds(t *testing.T) {
	revisions := []*Revision{busy(t, 400)}
	samples, err := filepath.Glob("../samples/*/audit.log.zst")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	for _, sample := range samples {
		for _, f := range readPaths(t, []string{sample, filepath.Join(filepath.Dir(sample), "controller.log.zst")}).Families {
			revisions = append(revisions, f.Revisions...)
		}
	}
	for _, r := range revisions {
		var moments []time.Time
		for _, o := range r.Family.Objects() {
			for _, w := range o.Writes {
				moments = append(moments, w.Began().Add(-1), w.Began(), w.Time.Add(-1), w.Time)
			}
		}
		begin, end := r.within(time.Time{}, time.Time{})
		for name, number := range map[string]struct {
			levels []Level
			asked  func(time.Time) (int, bool)
		}{
			"ready": {r.ReadyLevels(begin, end), func(t time.Time) (int, bool) { n, ok := r.Ready(t); return n.Count, ok }},
			"want":  {r.WantLevels(begin, end), func(t time.Time) (int, bool) { n := r.Target(t); return n.Documented, n.Grade != Assumed }},
			"share": {r.ShareLevels(begin, end), func(t time.Time) (int, bool) { return r.Family.Share(r.Name, t) }},
		} {
			for _, m := range moments {
				if m.Before(begin) || !m.Before(end) {
					continue
				}
				var now Level
				if i, ok := slices.BinarySearchFunc(number.levels, m, func(l Level, m time.Time) int { return l.Time.Compare(m) }); ok {
					now = number.levels[i]
				} else if i > 0 {
					now = number.levels[i-1]
				}
				if n, known := number.asked(m); known != now.Known || known && n != now.Value {
					t.Fatalf("%s: %s at %v: level %d %v, asked %d %v", r.Ref, name, m, now.Value, now.Known, n, known)
				}
			}
		}
	}
}

func BenchmarkLevels(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := busy(b, n)
			b.ReportAllocs()
			for b.Loop() {
				r.ReadyLevels(time.Time{}, time.Time{})
				r.WantLevels(time.Time{}, time.Time{})
			}
		})
	}
}
