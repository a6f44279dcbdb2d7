package timeline

import (
	"slices"
	"time"
)

// Level is a number that holds from a moment on, until the next one. Known is false
// where nothing tells it any more.
type Level struct {
	Time  time.Time
	Value int
	Known bool
}

// ReadyLevels returns the number of ready replicas of the Revision through a stretch
// of time, from where it is known on. From and to are as in Family.ConditionSpans; the
// life of the Revision and the inputs cut it too, after which nothing is known.
func (r *Revision) ReadyLevels(from, to time.Time) []Level {
	return r.levels(from, to, r.readyTurns(), func(t time.Time) (int, bool) {
		n, ok := r.Ready(t)
		return n.Count, ok
	})
}

// WantLevels returns the target of the Revision in the same way. One that is merely
// assumed is not known.
func (r *Revision) WantLevels(from, to time.Time) []Level {
	return r.levels(from, to, r.wantTurns(), func(t time.Time) (int, bool) {
		target := r.Target(t)
		return target.Documented, target.Grade != Assumed
	})
}

// ShareLevels returns the percentage of traffic that goes to the Revision in the same
// way.
func (r *Revision) ShareLevels(from, to time.Time) []Level {
	begin, end := r.within(from, to)
	return r.levels(from, to, r.Family.shareMoments(r.Name, begin, end), func(t time.Time) (int, bool) { return r.Family.Share(r.Name, t) })
}

// levels asks for a number at each moment at which it may have become another one, and
// keeps those at which it did.
func (r *Revision) levels(from, to time.Time, turns []time.Time, value func(time.Time) (int, bool)) (list []Level) {
	begin, end := r.within(from, to)
	if r.Family.Cluster.From.IsZero() || end.Before(begin) {
		return nil
	}
	over := end.Before(to) || end.Equal(r.Gone)
	add := func(l Level) {
		if n := len(list); n == 0 && l.Known || n > 0 && (list[n-1].Value != l.Value || list[n-1].Known != l.Known) {
			list = append(list, l)
		}
	}
	for _, t := range inOrder(turns, begin, end) {
		if over && t.Equal(end) {
			break
		}
		n, known := value(t)
		if !known {
			n = 0
		}
		add(Level{t, n, known})
	}
	if over && len(list) > 0 {
		add(Level{Time: end})
	}
	return list
}

// within cuts a stretch of time to what the inputs tell of the life of the Revision.
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

// inOrder returns a moment and those after it, up to another one, sorted and each once.
func inOrder(moments []time.Time, from, to time.Time) []time.Time {
	list := []time.Time{from}
	for _, t := range moments {
		if t.After(from) && !t.After(to) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return slices.CompactFunc(list, time.Time.Equal)
}

// readyTurns returns the moments at which what Ready tells may change: see counts.
func (r *Revision) readyTurns() (list []time.Time) {
	for _, step := range r.index().pods {
		list = append(list, step.from)
	}
	for _, objects := range [][]*Object{r.Deployments, r.ReplicaSets, r.PodAutoscalers, {r.Object}} {
		for _, o := range objects {
			x := o.index()
			list = append(append(list, x.counting.at...), x.first, o.Gone)
		}
	}
	return list
}

// wantTurns returns the moments at which what Target tells may change.
func (r *Revision) wantTurns() (list []time.Time) {
	for _, o := range append(slices.Clip(r.PodAutoscalers), r.Object) {
		list = append(list, o.turns(func(a, b *State) bool { return a != b && !slices.Equal(a.scaling(), b.scaling()) })...)
	}
	for _, o := range r.Family.Cluster.settings["config-autoscaler"] {
		list = append(list, o.turns(func(a, b *State) bool { return a != b })...)
	}
	return list
}

// scaling returns the values of the annotations that set scale.
func (s *State) scaling() (values []string) {
	if s == nil {
		return nil
	}
	for _, key := range slices.Concat(initialScaleKeys, minScaleKeys) {
		if value, has := s.Annotations.Find(key); has {
			values = append(values, key, value)
		}
	}
	return values
}

// turns returns the moments at which what At tells may become another state, of two
// of which differ tells whether it matters. A write that was done before the one that
// it followed brings what that one wrote.
func (o *Object) turns(differ func(a, b *State) bool) (list []time.Time) {
	for i, w := range o.Writes {
		if differ(w.Before, w.After) || i > 0 && w.Time.Before(o.Writes[i-1].Time) {
			list = append(list, w.Time)
		}
	}
	return list
}
