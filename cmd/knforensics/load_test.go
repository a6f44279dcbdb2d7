package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// TestNarrowMany holds that the work for each ruling does not grow with the number
// of findings, and that of those outside only the rulings and references go.
func TestNarrowMany(t *testing.T) {
	begin := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	result := &detectors.Result{}
	const many = 40_000
	for i := range many {
		f := &detectors.Finding{Detector: "d", Object: timeline.Ref{Kind: "Service", Name: fmt.Sprint(i)}, Time: begin.Add(time.Duration(i) * time.Second)}
		if i > 0 {
			f.CausedBy = []*detectors.Finding{result.Findings[i-1]}
		}
		result.Findings = append(result.Findings, f)
		result.Rulings = append(result.Rulings, detectors.Ruling{Detector: "d", Object: f.Object, Verdict: detectors.Captured})
	}
	result.Rulings = append(result.Rulings, detectors.Ruling{Detector: "d", Verdict: detectors.Held})
	start := time.Now()
	outside := window{from: begin.Add(10 * time.Second)}.narrow(result, begin.Add(24*time.Hour))
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("%d findings took %s", many, took)
	}
	if outside != 10 || len(result.Findings) != many-10 || len(result.Rulings) != many-10+1 || len(result.Findings[0].CausedBy) != 0 || len(result.Findings[1].CausedBy) != 1 {
		t.Errorf("%d outside, %d findings, %d rulings", outside, len(result.Findings), len(result.Rulings))
	}
}
