package summary

import (
	"slices"
	"time"
)

// Times are the quantiles of some durations, each by nearest rank: the smallest
// of the durations that at least so many percent do not exceed.
type Times struct{ Min, P50, P90, P99, Max time.Duration }

// timesOf returns the quantiles, nil of nothing.
func timesOf(took []time.Duration) *Times {
	if len(took) == 0 {
		return nil
	}
	took = slices.Sorted(slices.Values(took))
	rank := func(percent int) time.Duration { return took[(percent*len(took)+99)/100-1] }
	return &Times{took[0], rank(50), rank(90), rank(99), took[len(took)-1]}
}

// Bucket is how many took at least From and less than To, which is zero in the
// last.
type Bucket struct {
	From, To time.Duration
	Count    int
}

// bounds are where a Bucket ends and the next begins, in seconds.
var bounds = []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600}

// spread sorts objects that became Ready into buckets, from the first to the
// last that is not empty.
func spread(list []*Readiness) []Bucket {
	buckets := make([]Bucket, len(bounds)+1)
	for i, bound := range bounds {
		buckets[i].To = time.Duration(bound) * time.Second
		buckets[i+1].From = buckets[i].To
	}
	for _, r := range list {
		i := slices.IndexFunc(buckets, func(b Bucket) bool { return r.Took < b.To || b.To == 0 })
		buckets[i].Count++
	}
	empty := func(b Bucket) bool { return b.Count == 0 }
	for len(buckets) > 0 && empty(buckets[0]) {
		buckets = buckets[1:]
	}
	for len(buckets) > 0 && empty(buckets[len(buckets)-1]) {
		buckets = buckets[:len(buckets)-1]
	}
	return buckets
}
