package oldcapacitydroppedearly

import (
	"cmp"
	_ "embed"
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/latestreadylatch"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector old-capacity-dropped-early.
var Detector = &detectors.Detector{
	Name:     "old-capacity-dropped-early",
	Doc:      detectors.Manual(manual),
	Facts:    []string{"newRevision", "readyNew", "readyOldBefore", "readyOldAfter"},
	Requires: []string{latestreadylatch.Detector.Name},
	Bodies: []coverage.ResourceKey{
		{Group: "apps", Resource: "deployments"},
		{Group: "networking.internal.knative.dev", Resource: "ingresses"},
	},
	Blind: blind,
	Run:   run,
}

// aftermath is how long after the scaling down the lowest number of ready replicas
// is looked for: Pods have up to 5 minutes to end (knative/serving
// pkg/reconciler/revision/resources/deploy.go, the termination grace period is the
// Revision's timeout, 300 s by default).
const aftermath = 5 * time.Minute

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "apps", "deployments", "")
}

func run(p *detectors.Pass) {
	at := targets{}
	for _, old := range p.Family.Revisions {
		findFirst(p, at, old)
	}
}

// findFirst reports the first scaling down of an old Revision that came early.
func findFirst(p *detectors.Pass, at targets, old *timeline.Revision) {
	for _, d := range old.Deployments {
		for _, w := range d.Moves("spec.replicas") {
			if _, down := w.Lowered("spec.replicas"); down && examine(p, at, old, w) {
				return
			}
		}
	}
}

// examine decides about one scaling down of an old Revision, and reports whether it
// made a finding.
func examine(p *detectors.Pass, at targets, old *timeline.Revision, w *timeline.Write) bool {
	r := successor(p.Family, old, w.Began())
	if r == nil {
		return false
	}
	switch j := detectors.JudgeWrite(r, w); {
	case j.State == detectors.Enough, at.reached(r, w.Began()):
		p.Hold(old.Object, time.Time{}, w.Time, r.Name+" had reached its target when the old Revision was scaled down")
	case j.State == detectors.Below:
		report(p, old, r, w, j)
		return true
	default:
		p.Rule(old.Object, detectors.Inconclusive, fmt.Sprintf("it was scaled down in favour of %s, but %s", r.Name, j.Why))
	}
	return false
}

// targets are when Revisions first had as many ready replicas as their targets after they
// were made, as far as that was asked; zero if they never had.
type targets map[*timeline.Revision]time.Time

// reached reports whether a Revision had as many ready replicas as its target at any
// time up to t.
func (at targets) reached(r *timeline.Revision, t time.Time) bool {
	first, known := at[r]
	if !known {
		for _, m := range r.MomentsAfter(r.Born) {
			if enough(r, m) {
				first = m
				break
			}
		}
		at[r] = first
	}
	return enough(r, r.Born) || enough(r, t) || !first.IsZero() && first.Before(t)
}

func enough(r *timeline.Revision, t time.Time) bool {
	n, ok := r.Ready(t)
	target := r.Target(t)
	return ok && target.Grade != timeline.Assumed && n.Count >= target.Documented
}

// successor returns the newer Revision that has all traffic of an old one at t, nil
// if there is none.
func successor(f *timeline.Family, old *timeline.Revision, t time.Time) (next *timeline.Revision) {
	shares, known := f.Shares(t)
	if !known || shares[old.Name] > 0 {
		return nil
	}
	for name, share := range shares {
		for _, r := range f.Lives(name) {
			if share > 0 && r.Born.After(old.Born) && (next == nil || succeeds(r, share, next, shares[next.Name])) {
				next = r
			}
		}
	}
	return next
}

// succeeds reports whether a Revision rather than another one took the traffic: it has
// more of it, or as much and is older.
func succeeds(r *timeline.Revision, share int, other *timeline.Revision, others int) bool {
	return cmp.Or(cmp.Compare(others, share), r.Born.Compare(other.Born), cmp.Compare(r.Name, other.Name)) < 0
}

func report(p *detectors.Pass, old, r *timeline.Revision, w *timeline.Write, j detectors.Readiness) {
	f := p.Capture(old.Object, detectors.FromWrite("scale-down", w),
		detectors.Evidence{Role: "scale", Time: j.Replicas.Time, Source: j.Replicas.Proof})
	f.Time = w.Time
	f.Severity = detectors.Low
	f.Confidence = detectors.Strong
	f.Decisive = []string{w.Source.AuditID}
	if latch := p.Found(latestreadylatch.Detector.Name, r.Object); latch != nil {
		f.CausedBy = append(f.CausedBy, latch)
	}
	before, known := old.Ready(w.Began())
	after, afterKnown := lowest(old, w.Time, p.Family.End())
	f.Facts = []detectors.Fact{
		{Name: "newRevision", Value: r.Name},
		{Name: "readyNew", Value: j.Count()},
		{Name: "readyOldBefore", Value: detectors.Known(known, before.Count)},
		{Name: "readyOldAfter", Value: detectors.Known(afterKnown, after)},
	}
	f.Summary = fmt.Sprintf("%s was scaled down to %s while %s, which has its traffic, had %d of %d replicas ready",
		old.Name, *w.Moved("spec.replicas").To, r.Name, j.Replicas.Count, j.Target.Documented)
}

// lowest returns the lowest number of ready replicas in the time after t.
func lowest(r *timeline.Revision, t, end time.Time) (least int, known bool) {
	if limit := t.Add(aftermath); end.After(limit) {
		end = limit
	}
	for _, m := range r.ReadyMoments(t, end) {
		if n, ok := r.Ready(m); ok && (!known || n.Count < least) {
			least, known = n.Count, true
		}
	}
	return least, known
}
