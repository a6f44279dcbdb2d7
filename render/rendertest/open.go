package rendertest

import (
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Open returns a story that ends at a time, which may be unknown: of a finding without a
// time of which something is not known, of an undecided verdict, and of a gap.
func Open(end time.Time) *render.Story {
	o := &timeline.Object{Ref: timeline.Ref{Kind: timeline.KindRevision, Namespace: "shop", Name: "cart-00002"}, UID: "u"}
	gap := coverage.Gap{From: time.Unix(10, 0), To: time.Unix(20, 0), Reason: "the log is silent"}
	return &render.Story{Family: &timeline.Family{Namespace: "shop", Name: "cart", Cluster: &timeline.Cluster{To: end}},
		Coverage: &coverage.Coverage{Gaps: []coverage.Gap{gap}},
		Entries:  []timeline.Entry{{Time: gap.From, Kind: timeline.EntryGap, Summary: gap.Reason}},
		Findings: []*detectors.Finding{{Detector: "d", Severity: detectors.High, Object: o.Ref, UID: o.UID, Summary: "found", Open: "whether traffic followed",
			Hypotheses: []detectors.Hypothesis{{Cause: "a crash", SettledBy: "the log"}},
			Evidence:   []detectors.Evidence{{Role: "state", Source: timeline.Source{File: "final.json", Line: 7, EventID: "id"}}}}},
		Rulings: []detectors.Ruling{{Detector: "e", Object: o.Ref, UID: o.UID, Verdict: detectors.Inconclusive, Reason: "no bodies"}}}
}
