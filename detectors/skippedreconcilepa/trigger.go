package skippedreconcilepa

import (
	"fmt"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/timeline"
)

// steps tells how a pass came to end early.
func steps(r *timeline.Revision, s pass) []detectors.Step {
	proof := s.evidence()[0]
	list := []detectors.Step{detectors.NewStep(detectors.Trigger, trigger(s), proof)}
	if w := between(r, s); w != nil {
		list[0] = detectors.NewStep(detectors.Trigger,
			fmt.Sprintf("%s had written the PodAutoscaler %s before: conflict", w.Actor.Component, s.refused.Time.Sub(w.Time).Round(time.Millisecond)), detectors.FromWrite("", w))
	}
	what := "the pass ended at the image cache, and reconcilePA was not reached"
	if s.variant == aborted {
		what = "the pass ended in reconcilePA, before it copied what the autoscaler says"
	}
	return append(list, detectors.NewStep(detectors.Phase, what, proof))
}

// text returns the words of the error that ended a pass, "" if they are unknown.
func (s pass) text() string {
	switch {
	case s.refused != nil && s.refused.Message != "":
		return s.refused.Message
	case s.attempt != nil:
		return s.attempt.Error
	case s.note != nil:
		return s.note.Message
	}
	return ""
}

// quota matches how the admission plugin ResourceQuota refuses
// (k8s.io/apiserver pkg/admission/plugin/resourcequota/controller.go).
var quota = lazyregexp.New(`exceeded quota: ([^,\s]+)`)

// webhook matches how a webhook that failed is told of (k8s.io/apiserver
// pkg/admission/plugin/webhook/errors).
var webhook = lazyregexp.New(`failed calling webhook "([^"]+)"`)

// trigger tells what made a pass end.
func trigger(s pass) string {
	text := s.text()
	what := "the Image"
	if s.phase == podAutoscaler {
		what = "the PodAutoscaler"
	}
	if m := quota().FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("quota %s refused %s", m[1], what)
	}
	if m := webhook().FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("webhook %s failed for %s", m[1], what)
	}
	switch {
	case s.reason == "AlreadyExists":
		return what + " was there already, which the controller's cache did not show"
	case s.reason == "Conflict":
		return what + " had been written in between: conflict"
	case strings.Contains(text, "does not own"):
		return what + " is owned by another"
	case s.reason != "":
		return fmt.Sprintf("the API server refused %s: %s", what, s.reason)
	}
	return "the request about " + what + " failed"
}

// between returns the write of the PodAutoscaler that a conflict is about: the last
// one before, by a version that the refused request did not know; nil if it is not
// in the inputs.
func between(r *timeline.Revision, s pass) (found *timeline.Write) {
	if s.reason != "Conflict" || s.refused == nil {
		return nil
	}
	for _, pa := range r.PodAutoscalers {
		for _, w := range pa.Writes {
			if w.Outcome == timeline.Applied && w.Time.Before(s.refused.Time) && !s.refused.Since(w) && w.Actor.Component != "" {
				found = w
			}
		}
	}
	return found
}
