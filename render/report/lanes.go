package report

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// lane is what the picture shows of one object: a bar for each condition.
type lane struct {
	Kind       string      `json:"kind"`
	Short      string      `json:"short"` // name of the kind, where there is little room
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

// exists is the status of an object that has no conditions at all.
const exists = "exists"

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
		l.list = append(l.list, lane{Kind: o.Kind, Short: render.ShortKind(o.Kind), Name: render.Safe(o.Name), Revision: o.revision, Conditions: conditions(f.Family, o.Object, a, from, to)})
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
		l.list = append(l.list, lane{Kind: render.Safe(r.Kind), Short: render.Safe(render.ShortKind(r.Kind)), Name: render.Safe(r.Name), Conditions: []condition{}})
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
	if from.IsZero() {
		return list // nothing tells a time, and nothing is drawn
	}
	for _, c := range f.ConditionSpans(o, from, to) {
		spans := make([]span, len(c.Spans))
		for i, s := range c.Spans {
			spans[i] = span{a.at(s.From), a.at(s.To), render.Safe(s.Condition.Status), render.Safe(s.Condition.Reason)}
		}
		list = append(list, condition{render.Safe(c.Type), spans})
	}
	if begin, end := o.Life(from, to); len(list) == 0 && wasThere(o) && !end.Before(begin) {
		list = append(list, condition{"", []span{{From: a.at(begin), To: a.at(end), Status: exists}}})
	}
	return list
}

// wasThere reports whether the inputs show that an object was there: it was not only
// asked for.
func wasThere(o *timeline.Object) bool {
	return len(o.Sightings) > 0 || slices.ContainsFunc(o.Writes, func(w *timeline.Write) bool { return w.Took() || w.Outcome == timeline.Read })
}
