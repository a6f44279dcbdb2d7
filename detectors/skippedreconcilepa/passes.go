package skippedreconcilepa

import (
	"slices"
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
	count          int // how many passes this stands for
	time           time.Time
	attempt        *timeline.Attempt
	refused        *timeline.Write
	ready          *timeline.Write // the status write that turned Ready=True, nil if there was none
	note           *timeline.Note
	fromEvent      bool
}

func (s pass) id() string {
	switch {
	case s.refused != nil:
		return s.refused.Source.AuditID
	case s.attempt != nil:
		return s.attempt.TraceID
	}
	return s.note.Source.EventID
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

// passesOf finds the passes of a Revision that ended early, in time order. A
// refused request and the log lines of its reconcile are one pass.
func passesOf(r *timeline.Revision) (passes []pass) {
	logged := map[*timeline.Write]bool{}
	for _, a := range r.Attempts {
		s, ok := fromAttempt(a)
		for _, w := range a.Writes {
			logged[w] = true
		}
		if ok {
			passes = append(passes, s)
		}
	}
	controlled := r.Controlled()
	for i, w := range controlled {
		variant, phase := refusal(w)
		if variant == "" || logged[w] {
			continue
		}
		s := pass{variant: variant, phase: phase, reason: w.Reason, code: w.Code, count: 1, time: w.Time, refused: w}
		if i+1 < len(controlled) {
			if next := controlled[i+1]; next.Object.Kind == timeline.KindRevision && next.Time.Sub(w.Time) < within && next.Became("Ready", "True") {
				s.ready = next
			}
		}
		passes = append(passes, s)
	}
	slices.SortStableFunc(passes, at)
	return passes
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

// fromAttempt reads the end of a reconcile from its log lines and requests.
func fromAttempt(a *timeline.Attempt) (s pass, ok bool) {
	s = pass{count: 1, attempt: a, time: a.Begin}
	s.variant, s.phase = ending(a.Error)
	for _, w := range a.Writes {
		if variant, phase := refusal(w); variant != "" {
			s.variant, s.phase, s.refused = variant, phase, w
			s.reason, s.code, s.time = w.Reason, w.Code, w.Time
		}
		if w.Object.Kind == timeline.KindRevision && w.Became("Ready", "True") {
			s.ready = w
		}
	}
	if s.variant == "" {
		return s, false
	}
	if s.refused == nil {
		s.reason, s.code = reasonOf(a.Error)
		if line := a.ErrorLine(); line != nil {
			s.time = line.Time
		}
	}
	return s, true
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
	for _, n := range f.Notes {
		if n.Reason != "InternalError" || n.Object != r.Ref || n.UID != "" && r.UID != "" && n.UID != r.UID {
			continue
		}
		variant, phase := ending(n.Message)
		if variant == "" {
			continue
		}
		s := pass{variant: variant, phase: phase, count: n.Count, time: n.First, note: n, fromEvent: true}
		s.reason, s.code = reasonOf(n.Message)
		if old, ok := most[n.Message]; !ok || n.Count > old.count {
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
