package timeline

import (
	"slices"
	"time"
)

// Level is a number that holds from a moment on, until the next one.
type Level struct {
	Time  time.Time
	Value int
}

// ReadyLevels returns the number of ready replicas of the Revision through a stretch
// of time, as far as it is known. From and to are as in Family.ConditionSpans; the
// life of the Revision cuts it too.
func (r *Revision) ReadyLevels(from, to time.Time) []Level {
	from, to = r.within(from, to)
	return levels(r.ReadyMoments(from, to), func(t time.Time) (int, bool) {
		n, ok := r.Ready(t)
		return n.Count, ok
	})
}

// WantLevels returns the target of the Revision in the same way, where it is not
// merely assumed.
func (r *Revision) WantLevels(from, to time.Time) []Level {
	from, to = r.within(from, to)
	return levels(moments(from, to, r.Object, r.PodAutoscalers, r.Deployments), func(t time.Time) (int, bool) {
		target := r.Target(t)
		return target.Documented, target.Grade != Assumed
	})
}

// ShareLevels returns the percentage of traffic that goes to the Revision in the same
// way.
func (r *Revision) ShareLevels(from, to time.Time) []Level {
	from, to = r.within(from, to)
	return levels(r.Family.shareMoments(r.Name, from, to), func(t time.Time) (int, bool) { return r.Family.Share(r.Name, t) })
}

// within cuts a stretch of time to what the audit events tell of the life of the
// Revision.
func (r *Revision) within(from, to time.Time) (time.Time, time.Time) {
	for _, t := range []time.Time{r.Family.Cluster.From, r.Born} {
		if t.After(from) {
			from = t
		}
	}
	for _, t := range []time.Time{r.Family.Cluster.End(), r.Gone} {
		if !t.IsZero() && (to.IsZero() || t.Before(to)) {
			to = t
		}
	}
	return from, to
}

// moments returns when objects were written in a stretch of time, in order, its ends
// included.
func moments(from, to time.Time, one *Object, more ...[]*Object) []time.Time {
	list := []time.Time{from}
	for _, objects := range append(more, []*Object{one}) {
		for _, o := range objects {
			for _, w := range o.Writes {
				if w.Time.After(from) && w.Time.Before(to) {
					list = append(list, w.Time)
				}
			}
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return slices.Compact(append(list, to))
}

// levels keeps the moments at which a number is another one than before. Those at
// which it is not known are passed over.
func levels(at []time.Time, value func(time.Time) (int, bool)) (list []Level) {
	for _, t := range at {
		n, known := value(t)
		if t.IsZero() || !known || len(list) > 0 && (list[len(list)-1].Value == n || t.Before(list[len(list)-1].Time)) {
			continue
		}
		list = append(list, Level{t, n})
	}
	return list
}
