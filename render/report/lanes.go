package report

import (
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// lane is what the picture shows of one object: a bar for each condition.
type lane struct {
	Kind       string      `json:"kind"`
	Name       string      `json:"name"`
	Revision   string      `json:"revision,omitempty"` // that it exists for
	Conditions []condition `json:"conditions"`         // the one that counts most first
}

// condition is the course of one condition.
type condition struct {
	Type  string `json:"type"`
	Spans []span `json:"spans"`
}

// span is a stretch of time in one status.
type span struct {
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Status string `json:"status"` // True, False, Unknown, exists, or empty where it is not known
	Reason string `json:"reason,omitempty"`
}

// The statuses of spans that no condition has.
const (
	absent = "absent" // the object is known and has no such condition: nothing is drawn
	exists = "exists" // the object has no conditions at all
)

// leading are the conditions that tell most of an object, best first.
var leading = []string{"Ready", "Available", "Succeeded"}

// lanes are the lanes of a family, and where to find that of an object.
type lanes struct {
	list   []lane
	byUID  map[string]int
	byName map[timeline.Ref]int // the last of each name
}

// identity tells objects apart that bore one name.
func identity(r timeline.Ref, uid string) string { return r.String() + " " + uid }

func newLanes(f *Family, a axis, from, to time.Time) *lanes {
	l := &lanes{list: []lane{}, byUID: map[string]int{}, byName: map[timeline.Ref]int{}}
	for _, o := range inOrder(f.Family) {
		l.byUID[identity(o.Ref, o.UID)], l.byName[o.Ref] = len(l.list), len(l.list)
		l.list = append(l.list, lane{Kind: o.Kind, Name: render.Safe(o.Name), Revision: o.revision, Conditions: conditions(f.Family, o.Object, a, from, to)})
	}
	return l
}

// of returns the number of an object's lane, and makes one for what is only spoken
// of. What is about no object has lane -1.
func (l *lanes) of(r timeline.Ref, uid string) int {
	if r == (timeline.Ref{}) {
		return -1
	}
	if n, ok := l.byUID[identity(r, uid)]; ok {
		return n
	}
	n, ok := l.byName[r]
	if !ok {
		n = len(l.list)
		l.byName[r] = n
		l.list = append(l.list, lane{Kind: render.Safe(r.Kind), Name: render.Safe(r.Name), Conditions: []condition{}})
	}
	return n
}

// member is an object in its place.
type member struct {
	*timeline.Object
	revision string
}

// inOrder lists the objects of a family from the top down, and with each Revision
// what exists for it.
func inOrder(f *timeline.Family) (list []member) {
	placed := map[*timeline.Object]bool{}
	add := func(revision string, objects ...*timeline.Object) {
		for _, o := range objects {
			if !placed[o] {
				placed[o] = true
				list = append(list, member{o, revision})
			}
		}
	}
	add("", slices.Concat(f.InferenceServices, f.Services, f.Configurations, f.Routes, f.Ingresses)...)
	for _, r := range f.Revisions {
		add(render.Safe(r.Name), slices.Concat([]*timeline.Object{r.Object}, r.PodAutoscalers, r.ServerlessServices, r.Deployments, r.ReplicaSets, r.Pods, r.Images)...)
	}
	add("", f.Objects()...)
	return list
}

// conditions returns the courses of all conditions of an object, or of its
// existence if it has none.
func conditions(f *timeline.Family, o *timeline.Object, a axis, from, to time.Time) []condition {
	list := []condition{}
	for _, typ := range conditionTypes(o) {
		list = append(list, condition{render.Safe(typ), course(f, o, typ, a, from, to)})
	}
	if len(list) == 0 && wasThere(o) {
		begin, end := life(o, from, to)
		list = append(list, condition{"", []span{{From: a.within(begin, from, to), To: a.within(end, from, to), Status: exists}}})
	}
	return list
}

// wasThere reports whether the inputs show that an object was there: it was not only
// asked for.
func wasThere(o *timeline.Object) bool {
	return len(o.Sightings) > 0 || slices.ContainsFunc(o.Writes, func(w *timeline.Write) bool { return w.Took() || w.Outcome == timeline.Read })
}

func conditionTypes(o *timeline.Object) (types []string) {
	for _, v := range o.Views() {
		if v.State == nil {
			continue
		}
		for _, c := range v.State.Conditions {
			if !slices.Contains(types, c.Type) {
				types = append(types, c.Type)
			}
		}
	}
	slices.SortFunc(types, func(a, b string) int {
		if x, y := rank(a), rank(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	return types
}

func rank(typ string) int {
	if i := slices.Index(leading, typ); i >= 0 {
		return i
	}
	return len(leading)
}

// life returns when an object began and ended, as far as the picture goes.
func life(o *timeline.Object, from, to time.Time) (begin, end time.Time) {
	begin, end = o.Born, to
	if begin.IsZero() || begin.Before(from) {
		begin = from
	}
	if left := o.Left(); !left.IsZero() && left.Before(end) {
		end = left
	}
	return begin, end
}

// course returns the spans of a condition through an object's life. Where nothing
// tells what it was, the status is empty.
func course(f *timeline.Family, o *timeline.Object, typ string, a axis, from, to time.Time) []span {
	spans := []span{}
	begin, end := life(o, from, to)
	told := begin // up to when spans tell
	fill := func(until time.Time) {
		if until.After(told) {
			spans = append(spans, span{From: a.within(told, from, to), To: a.within(until, from, to)})
		}
	}
	for _, s := range f.SpellsBy(o, textOf(typ)) {
		if s.From.IsZero() || !s.To.After(s.From) || s.To.Before(from) || s.From.After(end) {
			continue
		}
		fill(s.From)
		if told = s.To; s.Name == absent {
			continue
		}
		status, reason, _ := strings.Cut(s.Name, "/")
		spans = append(spans, span{a.within(s.From, from, to), a.within(s.To, from, to), render.Safe(status), render.Safe(reason)})
	}
	fill(end)
	return spans
}

// textOf tells states apart by status and reason of a condition.
func textOf(typ string) func(*timeline.State) (string, bool, time.Time) {
	return func(s *timeline.State) (string, bool, time.Time) {
		c, ok := s.Condition(typ)
		if !ok {
			return absent, s.Whole, time.Time{}
		}
		return c.Text(), true, c.Since
	}
}
