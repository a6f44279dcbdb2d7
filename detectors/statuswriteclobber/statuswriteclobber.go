package statuswriteclobber

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector status-write-clobber.
var Detector = &detectors.Detector{
	Name:   "status-write-clobber",
	Doc:    detectors.Manual(manual),
	Facts:  []string{"overwritten", "by"},
	Bodies: []coverage.ResourceKey{{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"}},
	Blind:  blind,
	Run:    run,
}

// within is how long after the refused write its retry comes at most: five tries,
// 10 ms apart (knative/pkg reconciler/retry.go), each with a read before.
const within = 2 * time.Second

func blind(c *coverage.Coverage) []detectors.Blindness {
	return detectors.NeedBodies(c, "serving.knative.dev", "revisions", "status")
}

func run(p *detectors.Pass) {
	for _, o := range p.Family.Objects() {
		own := strings.HasSuffix(o.Group(), ".knative.dev") // the controllers of Kubernetes work a status out anew
		if own && slices.ContainsFunc(o.Writes, func(w *timeline.Write) bool { return w.Subresource == "status" && w.BodySeen }) {
			examine(p, o)
		}
	}
}

// examine looks at each refused status write of an object and its retry.
func examine(p *detectors.Pass, o *timeline.Object) {
	c := &course{object: o}
	for i, refused := range o.Writes {
		if refused.Subresource != "status" || refused.Outcome != timeline.Refused || refused.Reason != "Conflict" {
			continue
		}
		retry := retryOf(o.Writes[i+1:], refused)
		if retry == nil {
			continue
		}
		lost, change := c.overwritten(refused, retry)
		switch {
		case change != nil:
			report(p, o, refused, lost, retry, change)
			return
		case c.unseen(refused, retry):
			p.Rule(o, detectors.Inconclusive, "a status write was retried after a conflict, and not all of the bodies that tell what it took back are in the inputs")
		default:
			p.Rule(o, detectors.Held, "a status write was retried after a conflict, and took nothing back")
		}
	}
}

// retryOf returns the accepted write of the same status by the same sender, nil if
// there is none soon.
func retryOf(later []*timeline.Write, refused *timeline.Write) *timeline.Write {
	for _, w := range later {
		switch {
		case w.Time.Sub(refused.Time) > within:
			return nil
		case w.Subresource == "status" && w.Outcome == timeline.Applied && w.Actor == refused.Actor && w.Verb == refused.Verb:
			return w
		}
	}
	return nil
}

func status(text string) string {
	status, _, _ := strings.Cut(text, "/")
	return status
}

func report(p *detectors.Pass, o *timeline.Object, refused, lost, retry *timeline.Write, change *timeline.Change) {
	f := p.Capture(o, detectors.FromWrite("overwritten", lost), detectors.FromWrite("refused", refused), detectors.FromWrite("retry", retry))
	f.Time = retry.Time
	f.Severity = detectors.Low
	f.Confidence = detectors.Strong
	f.Decisive = []string{lost.Source.AuditID, retry.Source.AuditID}
	what := strings.TrimPrefix(change.Path, "conditions.") + "=" + *change.From
	f.Facts = []detectors.Fact{{Name: "overwritten", Value: what}, {Name: "by", Value: detectors.Known(retry.Actor.Component != "", retry.Actor.Component)}}
	f.Summary = fmt.Sprintf("%s of %s, written %s before, was taken back to %s by the retry of a write that had been refused",
		what, o.Ref, retry.Time.Sub(lost.Time).Round(time.Millisecond), *change.To)
}
