package otlp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	trace "go.opentelemetry.io/proto/slim/otlp/trace/v1"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// hash makes an ID of the things that make what it is of.
func hash(length int, parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return sum[:length]
}

// spanContext is where a log or a child of a span belongs.
type spanContext struct{ trace, span []byte }

// spans makes the spans of one family.
type spans struct {
	story     *render.Story
	names     timeline.Names
	revisions map[*timeline.Object]*timeline.Revision
	roots     map[generation]*trace.Span
	order     []generation
	lists     map[process][]*trace.Span
	made      map[*timeline.Write]bool
	contexts  map[timeline.Source]spanContext
}

// generation is what a trace is of.
type generation struct {
	object *timeline.Object
	number int64 // 0 where it is unknown
}

func newSpans(s *render.Story) *spans {
	return &spans{story: s, names: s.Family.Names(), revisions: s.Family.RevisionsOf(), roots: map[generation]*trace.Span{},
		lists: map[process][]*trace.Span{}, made: map[*timeline.Write]bool{}, contexts: map[timeline.Source]spanContext{}}
}

// root returns the span of the object whose trace something about another one at a
// time is in, and has it reach from begin to end at least.
func (b *spans) root(o *timeline.Object, begin, end time.Time) *trace.Span {
	if r := b.revisions[o]; r != nil {
		o = r.Object
	}
	state := o.At(end)
	if state == nil {
		state = o.Last()
	}
	of := generation{object: o}
	if state != nil {
		of.number = state.Generation
	}
	span := b.roots[of]
	if span == nil {
		span = b.newRoot(of)
		span.StartTimeUnixNano = render.Nanos(begin)
		b.roots[of] = span
		b.order = append(b.order, of)
	}
	span.StartTimeUnixNano = min(span.StartTimeUnixNano, render.Nanos(begin))
	span.EndTimeUnixNano = max(span.EndTimeUnixNano, render.Nanos(end))
	return span
}

func (b *spans) newRoot(of generation) *trace.Span {
	o := of.object
	key := []string{b.story.Family.Cluster.Name, cmp.Or(o.UID, o.String()), fmt.Sprint(of.number)}
	var a attributes
	a.object(o.Ref, o.UID)
	if of.number != 0 {
		a.number("knforensics.generation", of.number)
	}
	return &trace.Span{TraceId: hash(16, append(key, "trace")...), SpanId: hash(8, append(key, "span")...), Name: valid(o.Kind + " " + o.Name),
		Kind: trace.Span_SPAN_KIND_INTERNAL, Attributes: a}
}

// attempts makes spans of the reconciles, and of the requests that they made.
func (b *spans) attempts() {
	for _, a := range b.story.Family.Attempts {
		o := b.names.Life(a.Object, "", a.Begin)
		if o == nil || !render.Timed(a.Begin) || !render.Timed(a.Ended()) || !b.story.Holds(a.Begin) && !b.story.Holds(a.Ended()) {
			continue
		}
		root := b.root(o, a.Begin, a.Ended())
		span := &trace.Span{TraceId: root.TraceId, ParentSpanId: root.SpanId, Name: valid("reconcile " + a.Reconciler), Kind: trace.Span_SPAN_KIND_INTERNAL,
			SpanId:            hash(8, a.TraceID, a.Reconciler, a.Object.String(), a.Pod, fmt.Sprint(a.Begin.UnixNano())),
			StartTimeUnixNano: render.Nanos(a.Begin), EndTimeUnixNano: render.Nanos(a.Ended()), Attributes: attemptAttributes(a, o), Status: failure(a.Failed, a.Error)}
		b.add(process{"controller", a.Pod}, span)
		for _, l := range a.Lines {
			b.contexts[l.Source] = spanContext{span.TraceId, span.SpanId}
		}
		for _, w := range a.Writes {
			b.write(w, span)
		}
	}
}

func attemptAttributes(a *timeline.Attempt, o *timeline.Object) (list attributes) {
	list.object(a.Object, o.UID)
	list.text("knforensics.reconciler", a.Reconciler)
	list.text("knforensics.trace_id", a.TraceID)
	return list
}

// writes makes spans of the requests that no reconcile is known to have made.
func (b *spans) writes() {
	for _, o := range b.story.Family.Objects() {
		for _, w := range o.Writes {
			if !b.made[w] && b.wanted(w) {
				b.write(w, b.root(o, w.Began(), w.Time))
			}
		}
	}
}

func (b *spans) wanted(w *timeline.Write) bool {
	return w.Outcome != timeline.Read && render.Timed(w.Began()) && render.Timed(w.Time) && b.story.Holds(w.Time)
}

func (b *spans) write(w *timeline.Write, parent *trace.Span) {
	if b.made[w] || !b.wanted(w) {
		return
	}
	b.made[w] = true
	o := w.Object
	name := w.Verb + " " + o.Kind
	if w.Subresource != "" {
		name += "/" + w.Subresource
	}
	var a attributes
	a.object(o.Ref, o.UID)
	a.request(w.Actor.User, w.Actor.UserAgent, w.Verb, w.Subresource, w.Code)
	a.list("knforensics.changes", timeline.ChangeTexts(w.Changes()))
	a.source(w.Source)
	failed := w.Outcome == timeline.Refused || w.Outcome == timeline.Failed
	span := &trace.Span{TraceId: parent.TraceId, ParentSpanId: parent.SpanId, SpanId: hash(8, w.Source.AuditID, o.String(), o.UID, fmt.Sprint(w.Time.UnixNano())),
		Name: valid(name), Kind: trace.Span_SPAN_KIND_CLIENT, StartTimeUnixNano: render.Nanos(w.Began()), EndTimeUnixNano: render.Nanos(w.Time), Attributes: a, Status: failure(failed, cmp.Or(w.Message, w.Reason))}
	b.add(process{w.Actor.Component, w.Actor.Pod}, span)
	b.contexts[w.Source] = spanContext{span.TraceId, span.SpanId}
}

// failure is the status of a span: an error, or nothing said.
func failure(failed bool, message string) *trace.Status {
	if !failed {
		return nil
	}
	return &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: valid(message)}
}

// findings adds what was found to the spans of the objects that it is about.
func (b *spans) findings() {
	for _, f := range b.story.Findings {
		at := b.story.At(f)
		o := b.names.Life(f.Object, f.UID, at)
		if o == nil || !render.Timed(at) {
			continue
		}
		root := b.root(o, at, at)
		root.Events = append(root.Events, &trace.Span_Event{TimeUnixNano: render.Nanos(at), Name: valid(f.Detector), Attributes: findingAttributes(f)})
	}
}

func (b *spans) add(p process, span *trace.Span) { b.lists[p] = append(b.lists[p], span) }

// traces returns all spans, by what sent or logged them.
func (b *spans) traces(version string) *trace.TracesData {
	const objects = "knative" // the roots, which nothing sent
	for _, of := range b.order {
		b.add(process{component: objects}, b.roots[of])
	}
	data := &trace.TracesData{}
	for _, p := range byProcess(b.lists) {
		list := b.lists[p]
		slices.SortFunc(list, func(x, y *trace.Span) int {
			return cmp.Or(cmp.Compare(x.StartTimeUnixNano, y.StartTimeUnixNano), bytes.Compare(x.SpanId, y.SpanId))
		})
		data.ResourceSpans = append(data.ResourceSpans, &trace.ResourceSpans{Resource: p.resource(b.story.Family.Cluster),
			ScopeSpans: []*trace.ScopeSpans{{Scope: scope(version), Spans: list}}})
	}
	return data
}
