package main

import (
	"testing"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// An answer names all objects about which it is undecided, those with one reason together.
func TestUndecidedNamesAll(t *testing.T) {
	ruling := func(name, reason string, verdict detectors.Verdict) detectors.Ruling {
		return detectors.Ruling{Object: timeline.Ref{Kind: "Revision", Namespace: "shop", Name: name}, Verdict: verdict, Reason: reason}
	}
	result := &detectors.Result{Rulings: []detectors.Ruling{
		ruling("a", "no body", detectors.Inconclusive), ruling("b", "", detectors.Held),
		ruling("c", "a gap", detectors.Inconclusive), ruling("d", "no body", detectors.Inconclusive),
	}}
	verdict, reason := answerOf(result, false)
	if want := "Revision shop/a, Revision shop/d: no body; Revision shop/c: a gap"; verdict != detectors.Inconclusive || reason != want {
		t.Errorf("%s: %s, want %s", verdict, reason, want)
	}
}

// It rests on all findings of which traffic followed, and on no other.
func TestAnswerRestsOnWhatIsProven(t *testing.T) {
	latch := func(name string, facts ...detectors.Fact) *detectors.Finding {
		return &detectors.Finding{Detector: latchDetector, Summary: name + " was latched", Facts: facts}
	}
	captured := detectors.Fact{Name: "capturedAt", Value: "then"}
	result := &detectors.Result{Findings: []*detectors.Finding{latch("a", captured), latch("b"), latch("c", captured)}}
	verdict, reason := answerOf(result, false)
	if verdict != detectors.Captured || reason != "a was latched (and 1 more)" || len(result.Findings) != 2 {
		t.Errorf("%s: %s, on %d findings", verdict, reason, len(result.Findings))
	}
}
