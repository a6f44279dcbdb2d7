package skippedreconcilepa

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// The variants and phases of a pass that ended early.
const (
	notReached = "not-reached"
	aborted    = "aborted"

	imageCache    = "image-cache"
	podAutoscaler = "podautoscaler"
)

// pass is a reconcile of a Revision that ended before the PodAutoscaler's
// status was copied. At least one of attempt, refused and note is set.
type pass struct {
	variant, phase string
	reason         string
	code           int
	count          int       // how many passes this stands for
	time           time.Time // of the first of them
	last           time.Time // of the last of several, else zero
	attempt        *timeline.Attempt
	refused        *timeline.Write
	ready          *timeline.Write // the status write that turned Ready=True, nil if there was none
	wrote          bool            // a status write of the pass is known
	note           *timeline.Note
	fromEvent      bool
}

func (s pass) id() string {
	switch {
	case s.refused != nil:
		return s.refused.Source.AuditID
	case s.attempt != nil:
		return s.attempt.TraceID
	case s.note.Source.EventID != "":
		return s.note.Source.EventID
	}
	return s.note.Time.UTC().Format(time.RFC3339Nano) // an Event in a log has no ID
}

func (s pass) evidence() (list []detectors.Evidence) {
	if s.refused != nil {
		role := "image-create"
		if s.phase == podAutoscaler {
			role = "pa-update"
		}
		list = append(list, detectors.FromWrite(role, s.refused))
	}
	if s.attempt != nil {
		if line := s.attempt.ErrorLine(); line != nil {
			list = append(list, detectors.FromLog("phase-error", line))
		} else if len(s.attempt.Lines) > 0 {
			list = append(list, detectors.FromLog("phase-error", &s.attempt.Lines[len(s.attempt.Lines)-1]))
		}
	}
	if s.note != nil {
		list = append(list, detectors.FromNote("phase-error", s.note))
	}
	return list
}

// passesOf finds the passes of a Revision that ended early, in time order: one
// for each refused request, as it ends the pass, and one for each reconcile in
// the log that tells of such an error and of whose request nothing is known.
func passesOf(r *timeline.Revision) (passes []pass) {
	passes = fromRequests(r)
	refused := map[*timeline.Write]*pass{}
	for i := range passes {
		refused[passes[i].refused] = &passes[i]
	}
	var open []*timeline.Attempt
	for _, a := range r.Attempts {
		if s := requestOf(refused, a); s != nil {
			s.attempt = a
			s.wrote = s.wrote || wroteIn(a)
			if s.ready == nil {
				s.ready = readyIn(a)
			}
		} else if variant, _ := ending(a.Error); variant != "" {
			open = append(open, a)
		}
	}
	requested := len(passes)
	for _, a := range open {
		s := fromAttempt(a)
		if near := nearest(passes[:requested], s); near != nil {
			near.attempt, near.wrote = a, near.wrote || s.wrote
			if near.ready == nil {
				near.ready = s.ready
			}
		} else {
			passes = append(passes, s)
		}
	}
	slices.SortStableFunc(passes, at)
	return passes
}

// fromRequests makes passes of the refused requests. A pass writes its status
// after that, if it is to change, before the next one starts.
func fromRequests(r *timeline.Revision) (passes []pass) {
	controlled := r.Controlled()
	for i, w := range controlled {
		variant, phase := refusal(w)
		if variant == "" {
			continue
		}
		s := pass{variant: variant, phase: phase, reason: w.Reason, code: w.Code, count: 1, time: w.Time, refused: w}
		for _, next := range controlled[i+1:] {
			if next.Time.Sub(w.Time) > within {
				break
			}
			if !sameProcess(next.Actor.Pod, w.Actor.Pod) {
				continue
			}
			if next.Object.Kind != timeline.KindRevision {
				break
			}
			if next.Became("Ready", "True") {
				s.ready = next
			}
			s.wrote = next.Took() || s.ready != nil
			if s.wrote {
				break
			}
		}
		passes = append(passes, s)
	}
	return passes
}

// sameProcess reports whether the names of two Pods may be that of one process:
// not every record tells a name.
func sameProcess(a, b string) bool { return a == "" || b == "" || a == b }

// requestOf returns the pass whose refused request a reconcile in the log has
// made, nil if there is none.
func requestOf(refused map[*timeline.Write]*pass, a *timeline.Attempt) *pass {
	if !a.End.IsZero() && !a.Failed {
		return nil
	}
	for _, w := range a.Writes {
		if s := refused[w]; s != nil && s.attempt == nil {
			return s
		}
	}
	return nil
}

// nearest finds the refused request of a reconcile in the log where the clocks
// of controller and API server are too far apart for their times to meet: the
// nearest one with the same error; nil if there is none. Passes are in time order.
func nearest(passes []pass, logged pass) (found *pass) {
	end := logged.attempt.Ended()
	apart := func(s *pass) time.Duration { return end.Sub(s.refused.Time).Abs() }
	first := sort.Search(len(passes), func(i int) bool { return end.Sub(passes[i].refused.Time) <= within })
	for i := first; i < len(passes) && passes[i].refused.Time.Sub(end) <= within; i++ {
		s := &passes[i]
		if s.attempt != nil || s.phase != logged.phase || logged.code != 0 && logged.code != s.code || !sameProcess(s.refused.Actor.Pod, logged.attempt.Pod) {
			continue
		}
		if found == nil || apart(s) < apart(found) {
			found = s
		}
	}
	return found
}

// readyIn returns the write of a reconcile that turned the Revision Ready=True,
// nil if there is none.
func readyIn(a *timeline.Attempt) *timeline.Write {
	for _, w := range a.Writes {
		if w.Object.Kind == timeline.KindRevision && w.Became("Ready", "True") {
			return w
		}
	}
	return nil
}

// wroteIn reports whether a status write of a reconcile is known.
func wroteIn(a *timeline.Attempt) bool {
	return slices.ContainsFunc(a.Writes, func(w *timeline.Write) bool { return w.Object.Kind == timeline.KindRevision && w.Took() })
}

// refusal tells whether a request of the reconciler failed in a way that ends
// the pass in the image cache or in reconcilePA.
func refusal(w *timeline.Write) (variant, phase string) {
	if w.Outcome != timeline.Refused && w.Outcome != timeline.Failed || w.Subresource != "" {
		return "", ""
	}
	switch {
	case w.Object.Kind == timeline.KindImage && w.Verb == "create":
		return notReached, imageCache
	case w.Object.Kind == timeline.KindPodAutoscaler && (w.Verb == "create" || w.Verb == "update"):
		return aborted, podAutoscaler
	}
	return "", ""
}

// fromAttempt makes a pass of a reconcile whose error tells that it ended early.
func fromAttempt(a *timeline.Attempt) pass {
	s := pass{count: 1, attempt: a, time: a.Begin, ready: readyIn(a), wrote: wroteIn(a)}
	s.variant, s.phase = ending(a.Error)
	s.reason, s.code = reasonOf(a.Error)
	if line := a.ErrorLine(); line != nil {
		s.time = line.Time
	}
	return s
}

// ending tells which phase an error of the revision reconciler comes from, by
// the words it is wrapped in (knative/serving
// pkg/reconciler/revision/reconcile_resources.go). A failed update of the
// Deployment, and a Deployment that the cache does not show yet, are of no
// interest.
func ending(text string) (variant, phase string) {
	switch {
	case strings.HasPrefix(text, "failed to create image cache"), strings.HasPrefix(text, "failed to get image cache"),
		strings.HasPrefix(text, "Error creating image cache"): // up to 0.10
		return notReached, imageCache
	case strings.HasPrefix(text, "failed to create PA "), strings.HasPrefix(text, "failed to get PA "),
		strings.HasPrefix(text, "failed to update PA "), strings.Contains(text, "does not own PodAutoscaler"):
		return aborted, podAutoscaler
	}
	return "", ""
}

// reasonOf reads reason and code from the text of an API error
// (k8s.io/apimachinery pkg/api/errors/errors.go).
func reasonOf(text string) (string, int) {
	switch {
	case strings.Contains(text, " already exists"):
		return "AlreadyExists", 409
	case strings.Contains(text, "Operation cannot be fulfilled"):
		return "Conflict", 409
	case strings.Contains(text, " is forbidden"):
		return "Forbidden", 403
	case strings.Contains(text, "failed calling webhook"):
		return "InternalError", 500
	case strings.Contains(text, "context deadline exceeded"):
		return "Timeout", 0
	}
	return "", 0
}

// fromEvents finds passes by the Events the reconciler records about errors.
func fromEvents(f *timeline.Family, r *timeline.Revision) (passes []pass) {
	most := map[string]pass{}
	for _, n := range f.NotesAbout(r.Ref) {
		if n.Reason != "InternalError" || n.UID != "" && r.UID != "" && n.UID != r.UID {
			continue
		}
		variant, phase := ending(n.Message)
		if variant == "" {
			continue
		}
		s := pass{variant: variant, phase: phase, count: n.Count, time: n.First, last: n.Time, note: n, fromEvent: true}
		s.reason, s.code = reasonOf(n.Message)
		old, ok := most[n.Message]
		switch {
		case ok && n.Origin == timeline.FromLog: // which has a line for each
			old.count++
			old.last = n.Time
			most[n.Message] = old
		case !ok || n.Count > old.count:
			most[n.Message] = s
		}
	}
	for _, s := range most {
		passes = append(passes, s)
	}
	slices.SortStableFunc(passes, func(a, b pass) int { return compare(a, b) })
	return passes
}

func compare(a, b pass) int {
	if c := at(a, b); c != 0 {
		return c
	}
	return strings.Compare(a.note.Message, b.note.Message)
}
