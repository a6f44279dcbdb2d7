package statuswriteclobber

import (
	_ "embed"
	"fmt"
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
		for i, refused := range o.Writes {
			if refused.Subresource != "status" || refused.Outcome != timeline.Refused || refused.Reason != "Conflict" {
				continue
			}
			retry := retryOf(o.Writes[i+1:], refused)
			if retry == nil {
				continue
			}
			if lost, change := overwritten(o, refused, retry); change != nil {
				report(p, o, refused, lost, retry, change)
				break
			}
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

// overwritten returns a condition whose status the retry changed back to what it had
// been when the refused write was made, and the write that had changed it since.
func overwritten(o *timeline.Object, refused, retry *timeline.Write) (lost *timeline.Write, change *timeline.Change) {
	for i := range retry.Changes {
		c := &retry.Changes[i]
		typ, ok := strings.CutPrefix(c.Path, "conditions.")
		if !ok || c.From == nil || c.To == nil || !retry.Became(typ, status(*c.To)) {
			continue
		}
		asked, known := refused.Asked(typ)
		if !known || asked.Status != status(*c.To) {
			continue
		}
		for _, w := range o.Writes {
			was := w.Moved(c.Path)
			if w != retry && !refused.Since(w) && retry.Since(w) && w.Became(typ, status(*c.From)) && was.From != nil && status(*was.From) == asked.Status {
				return w, c
			}
		}
	}
	return nil, nil
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
