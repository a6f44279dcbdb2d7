package summary

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	if timesOf(nil) != nil {
		t.Error("nothing has no quantiles")
	}
	for n, want := range map[int]Times{1: {1, 1, 1, 1, 1}, 2: {1, 1, 2, 2, 2}, 10: {1, 5, 9, 10, 10}, 150: {1, 75, 135, 149, 150}, 1000: {1, 500, 900, 990, 1000}} {
		var list []time.Duration
		for i := range n {
			list = append(list, time.Duration(n-i))
		}
		if got := *timesOf(list); got != want {
			t.Errorf("1 to %d: %v, want %v", n, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	var list []*Readiness
	for _, s := range []float64{0.5, 2, 2.9, 3600, 90000} {
		list = append(list, &Readiness{Took: time.Duration(s * float64(time.Second))})
	}
	buckets := spread(list)
	first, third, last := buckets[0], buckets[2], buckets[len(buckets)-1]
	if first != (Bucket{0, time.Second, 1}) || third != (Bucket{2 * time.Second, 3 * time.Second, 2}) || last != (Bucket{time.Hour, 0, 2}) {
		t.Errorf("%+v", buckets)
	}
	if one, none := spread(list[1:2]), spread(nil); len(one) != 1 || len(none) != 0 {
		t.Errorf("%+v, %+v", one, none)
	}
}
