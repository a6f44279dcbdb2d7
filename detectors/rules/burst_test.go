package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBursts gives the seconds of matches, and wants those of each burst.
func TestBursts(t *testing.T) {
	w := Window{Count: 3, Within: 10 * time.Second}
	for seconds, want := range map[string]string{
		"":                           "",
		"0 1":                        "",
		"0 1 2":                      "0 1 2",
		"0 5 10":                     "0 5 10",
		"0 5 10.001":                 "",
		"0 1 2 3 4 5":                "0 1 2 3 4 5",
		"0 1 2 30 31 60 61 62 63":    "0 1 2|60 61 62 63",
		"0 1 2 10 11 12":             "0 1 2 10 11 12",
		"0 1 2 13 14 15":             "0 1 2|13 14 15",
		"0 4 8 12 16 20":             "0 4 8 12 16 20",
		"0 8 16 17 18 40 49 50 1000": "8 16 17 18|40 49 50",
		"7 7 7":                      "7 7 7",
	} {
		var list []match
		for _, s := range strings.Fields(seconds) {
			d, _ := time.ParseDuration(s + "s")
			list = append(list, match{origin: &origin{time: start.Add(d)}})
		}
		var got []string
		for _, burst := range w.bursts(list) {
			var times []string
			for _, m := range burst {
				times = append(times, fmt.Sprint(m.time.Sub(start).Seconds()))
			}
			got = append(got, strings.Join(times, " "))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", seconds, got, want)
		}
	}
}

// TestWindow has two objects with enough matches together, and one of them with
// enough alone.
func TestWindow(t *testing.T) {
	set := parse(t, one("window: 4 within 3s"))
	var list []*request
	for i := range 8 {
		list = append(list, at(float64(i)/2, func(r *request) { r.Name = "a" }))
		if i%4 == 0 {
			list = append(list, at(float64(i)/2+0.1, func(r *request) { r.Name = "b" }))
		}
	}
	want(t, said(judge(set, list)), "Pod shop/a: 8 of Pod shop/a")
	slices.Reverse(list)
	want(t, said(judge(set, list[:3])))

	// Two bursts are two findings about one object, and one verdict.
	later := every(4, func(r *request) { r.Name, r.StageTime, r.AuditID = "a", r.StageTime.Add(time.Hour), r.AuditID+"-later" })
	result := judge(set, append(list, later...))
	want(t, said(result), "Pod shop/a: 8 of Pod shop/a", "Pod shop/a: 4 of Pod shop/a")
	if len(result.Rulings) != 1 || result.Rulings[0].Reason != "8 of Pod shop/a" {
		t.Errorf("%+v", result.Rulings)
	}
}

// TestStretch asks for stretches of time, in seconds, of rules that match at 0, 1,
// 2 and 10.
func TestStretch(t *testing.T) {
	for _, test := range []struct {
		from, to float64
		window   string
		said     string // empty if it is outside
	}{
		{0, 20, "", "4 from 2026-03-02T09:00:00Z"},
		{2, 20, "", "2 from 2026-03-02T09:00:02Z"},
		{3, 5, "", ""},
		{11, 20, "", ""},
		{2, 20, "window: 3 within 2s", "3 from 2026-03-02T09:00:00Z"},
		{1.2, 1.8, "window: 3 within 2s", ""},
		{3, 20, "window: 3 within 2s", ""},
	} {
		w := parse(t, one(`message: "{count} from {from}"`, cmp.Or(test.window, "by: object"))).Watch(nil, "")
		for _, second := range []float64{0, 1, 2, 10} {
			w.Request(at(second, nil))
		}
		result, outside := w.Judge(oneCluster, func(t time.Time) bool {
			second := t.Sub(start).Seconds()
			return second >= test.from && second <= test.to
		})
		switch got := said(result); {
		case test.said == "" && (len(got) > 0 || outside != 1):
			t.Errorf("%v: %q, %d outside", test, got, outside)
		case test.said != "":
			want(t, got, "Pod shop/cart: "+test.said)
		}
	}
}
