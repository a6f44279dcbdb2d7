package main

import (
	"slices"
	"testing"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render/report"
	"github.com/knforensics/knforensics/timeline"
)

// TestProofsComeFirst holds that the records of evidence and of chains get room before
// those of other rows.
func TestProofsComeFirst(t *testing.T) {
	at := func(line int64) timeline.Source { return timeline.Source{File: "a", Line: line} }
	f := report.Family{Findings: []*detectors.Finding{{
		Evidence: []detectors.Evidence{{Source: at(7)}}, Chain: []detectors.Step{{Evidence: detectors.Evidence{Source: at(5)}}, {Evidence: detectors.Evidence{Source: at(7)}}},
	}}}
	for line := range int64(9) {
		f.Entries = append(f.Entries, timeline.Entry{Source: at(line)})
	}
	var lines []int64
	for _, place := range recordOrder([]report.Family{f}) {
		lines = append(lines, place.Line)
	}
	if want := []int64{7, 5, 0, 1, 2, 3, 4, 6, 8}; !slices.Equal(lines, want) {
		t.Errorf("%v, want %v", lines, want)
	}
}
