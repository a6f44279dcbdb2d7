package summary

import (
	"maps"
	"slices"
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// Reconciler is how the reconciles of one reconciler fared, as the log of
// Knative's controller tells.
type Reconciler struct {
	Name       string // revision, route, …
	Reconciles int
	Failed     int    // conflicts among them
	Took       *Times // of those whose end was logged, nil if there are none
}

// reconcilers sums up the reconciles that began at times that hold, by
// reconciler.
func reconcilers(families []*timeline.Family, holds func(time.Time) bool) (list []Reconciler) {
	rows, took := map[string]*Reconciler{}, map[string][]time.Duration{}
	for _, f := range families {
		for _, a := range f.Attempts {
			if !holds(a.Begin) {
				continue
			}
			row := rows[a.Reconciler]
			if row == nil {
				row = &Reconciler{Name: a.Reconciler}
				rows[a.Reconciler] = row
			}
			row.Reconciles++
			if a.Failed {
				row.Failed++
			}
			if !a.End.IsZero() {
				took[a.Reconciler] = append(took[a.Reconciler], a.End.Sub(a.Begin))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		rows[name].Took = timesOf(took[name])
		list = append(list, *rows[name])
	}
	return list
}
