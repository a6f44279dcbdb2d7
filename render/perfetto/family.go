package perfetto

import (
	"fmt"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// The ranks of the tracks of a family, and of those of an object.
const (
	findingsRank = iota
	gapsRank
	firstObject
)

// family writes the tracks of one family.
type family struct {
	*Writer
	story     *render.Story
	root      uint64
	rows      map[*timeline.Object][]timeline.Entry
	others    []timeline.Entry // rows about no object
	revisions map[*timeline.Object]*timeline.Revision
	flows     map[timeline.Source][]uint64 // to what is evidence, and was not met yet
	met       map[uint64]bool
	proofs    map[*detectors.Finding][]uint64
}

func newFamily(w *Writer, s *render.Story) *family {
	f := &family{Writer: w, story: s, revisions: s.Family.RevisionsOf(), flows: map[timeline.Source][]uint64{},
		met: map[uint64]bool{}, proofs: map[*detectors.Finding][]uint64{}}
	w.start(first(s))
	f.root = w.track(track{name: s.Family.FullName()})
	for _, found := range s.Findings {
		seen := map[timeline.Source]bool{}
		for _, e := range found.Evidence {
			if seen[e.Source] {
				continue
			}
			seen[e.Source] = true
			id := w.nextFlow()
			f.flows[e.Source] = append(f.flows[e.Source], id)
			f.proofs[found] = append(f.proofs[found], id)
		}
	}
	f.sort()
	return f
}

// first returns the first moment that a story tells of, some moment if it tells of
// none.
func first(s *render.Story) time.Time {
	at := s.Family.End()
	if !render.Timed(at) {
		at = time.Unix(0, 0)
	}
	for _, e := range s.Entries {
		if render.Timed(e.Time) && e.Time.Before(at) {
			at = e.Time
		}
	}
	return at
}

// sort hands the rows to the objects that they are about.
func (f *family) sort() {
	f.rows = map[*timeline.Object][]timeline.Entry{}
	named := f.story.Family.Names()
	for _, e := range f.story.Exported() {
		o := named.Life(e.Object, e.UID, e.Time)
		switch {
		case !render.Timed(e.Time):
			f.left.Rows++
		case o == nil:
			f.others = append(f.others, e)
		default:
			f.rows[o] = append(f.rows[o], e)
		}
	}
}

// object writes the track of an object and what is below it.
func (f *family) object(n *timeline.Node, parent uint64, rank int) {
	id := f.track(track{parent: parent, name: n.Kind + " " + n.Name, rank: rank})
	for _, e := range f.rows[n.Object] {
		f.row(id, e)
	}
	next := 0
	for _, c := range f.story.Family.ConditionSpans(n.Object, f.story.From, f.story.To) {
		f.condition(track{parent: id, name: c.Type, rank: next}, c)
		next++
	}
	if r := f.revisions[n.Object]; r != nil && r.Object == n.Object {
		for _, c := range []struct {
			name, unit string
			levels     []timeline.Level
		}{
			{"ready replicas", "replicas", r.ReadyLevels(f.story.From, f.story.To)},
			{"wanted replicas", "replicas", r.WantLevels(f.story.From, f.story.To)},
			{"traffic", "%", r.ShareLevels(f.story.From, f.story.To)},
		} {
			f.counter(track{parent: id, name: c.name, rank: next, counter: true, unit: c.unit}, c.levels)
			next++
		}
	}
	for _, below := range n.Below {
		f.object(below, id, next)
		next++
	}
}

// condition writes the spans of a condition as slices, none of which begins before
// the one before it has ended.
func (f *family) condition(t track, c timeline.ConditionSpans) {
	id := f.track(t)
	for _, s := range c.Spans {
		if !render.Timed(s.From) || !render.Timed(s.To) {
			continue
		}
		e := event{typ: begin, track: id, name: notKnown, category: "condition"}
		if s.Known {
			e.name = s.Condition.Text()
			e.args.text("status", s.Condition.Status)
			e.args.text("reason", s.Condition.Reason)
			e.args.text("message", s.Condition.Message)
			e.args.text("end", ending(s.Spell))
			e.args.source(s.First.Source)
		}
		f.event(s.From, e)
		f.event(s.To, event{typ: end, track: id})
	}
}

// notKnown is said of a stretch of time of which the inputs do not tell.
const notKnown = "not known"

// ending tells how a span ended.
func ending(s timeline.Spell) string {
	switch {
	case !s.Ended:
		return "not seen: it lasted to the end of what the inputs tell"
	case s.Unsure:
		return "not sure: a write followed whose content is not in the inputs"
	}
	return "seen"
}

// counter writes what a number was. A counter cannot say that it is not known, so that
// an instant of the object does, where it was and is no longer.
func (f *family) counter(t track, levels []timeline.Level) {
	if len(levels) == 0 {
		return
	}
	id := f.track(t)
	for _, l := range levels {
		switch {
		case !render.Timed(l.Time):
		case l.Known:
			f.event(l.Time, event{typ: counter, track: id, value: l.Value})
		default:
			f.event(l.Time, event{typ: instant, track: t.parent, name: t.name + " " + notKnown, category: "gap"})
		}
	}
}

// row writes a row as an instant, to which the flows lead of findings that it
// proves.
func (f *family) row(track uint64, e timeline.Entry) {
	var a args
	a.text("summary", e.Summary)
	a.text("component", e.Actor.Component)
	a.text("user", e.Actor.User)
	a.text("user_agent", e.Actor.UserAgent)
	a.text("verb", e.Verb)
	a.text("subresource", e.Sub)
	a.number("code", int64(e.Code))
	a.list("changes", timeline.ChangeTexts(e.Changes))
	a.count("ready_replicas", e.Ready)
	a.count("wanted_replicas", e.Want)
	a.text("grade", string(e.Grade))
	a.source(e.Source)
	flows := f.flows[e.Source]
	delete(f.flows, e.Source)
	for _, id := range flows {
		f.met[id] = true
	}
	f.event(e.Time, event{typ: instant, track: track, name: short(e.Summary), category: string(e.Kind), args: a, flows: flows})
}

// short keeps what of a text is read at a glance; args have all of it.
func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func (a *args) source(s timeline.Source) {
	if s.File != "" {
		a.text("source", fmt.Sprintf("%s:%d", s.File, s.Line))
	}
	a.text("audit_id", s.AuditID)
	a.text("trace_id", s.TraceID)
	a.text("event_id", s.EventID)
}

// gaps writes the rows that are about no object of the family.
func (f *family) gaps() {
	if len(f.others) == 0 {
		return
	}
	id := f.track(track{parent: f.root, name: "gaps", rank: gapsRank})
	for _, e := range f.others {
		f.row(id, e)
	}
}

// findings writes the findings, from which flows lead to the rows that prove them.
func (f *family) findings() {
	if len(f.story.Findings) == 0 {
		return
	}
	id := f.track(track{parent: f.root, name: "findings", rank: findingsRank})
	for _, found := range f.story.Findings {
		at := f.story.At(found)
		if !render.Timed(at) {
			f.left.Findings++
			continue
		}
		var flows []uint64
		for _, flow := range f.proofs[found] {
			if f.met[flow] {
				flows = append(flows, flow)
			}
		}
		f.event(at, event{typ: instant, track: id, name: found.Detector, category: "finding", args: findingArgs(found), flows: flows})
	}
}

func findingArgs(found *detectors.Finding) (a args) {
	a.text("summary", found.Summary)
	a.text("object", found.Object.String())
	a.text("severity", string(found.Severity))
	a.text("confidence", string(found.Confidence))
	if found.Time.IsZero() {
		a.text("time", render.NoTime)
	}
	a.text("open", render.OpenText(found))
	a.list("evidence", render.EvidenceTexts(found))
	a.text("fingerprint", found.Fingerprint())
	return a
}
