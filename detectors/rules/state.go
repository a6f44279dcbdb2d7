package rules

import (
	"maps"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/knforensics/knforensics/timeline"
)

// state is what is known of an object after a write, or in a snapshot.
type state struct {
	object *timeline.Object
	write  *timeline.Write // nil in a snapshot
	now    *timeline.State
	old    *timeline.State // nil if nothing was known
	source timeline.Source
}

// states is what rules can say of a state: object and oldObject, as in the
// admission policies of Kubernetes, and who wrote it. It is what the timeline
// keeps, not the whole body.
var states = newVocabulary(append(append(
	[]variable[state]{
		text("object.kind", "`Service`, `Configuration`, `Revision`, `Route`, `Ingress`, `PodAutoscaler`, `ServerlessService`, `Metric`, `Image`, `Deployment`, `ReplicaSet`, `Pod`, `HorizontalPodAutoscaler` or `InferenceService`", func(s *state) string { return s.object.Kind }),
		text("object.metadata.namespace", "where it is", func(s *state) string { return s.object.Namespace }),
		text("object.metadata.name", "how it is called", func(s *state) string { return s.object.Name }),
		text("object.metadata.uid", "of this life of the name; `\"\"` if nothing tells", func(s *state) string { return s.object.UID }),
	},
	of("object", false, func(s *state) *timeline.State { return s.now })...),
	append(of("oldObject", true, func(s *state) *timeline.State { return s.old }),
		text("verb", "of the write; `\"\"` in a snapshot, as all that follow", func(s *state) string { return s.by().Verb }),
		text("subresource", "such as `status`", func(s *state) string { return s.by().Subresource }),
		text("user.username", "who wrote it", func(s *state) string { return s.by().Actor.User }),
		text("userAgent", "as sent by the client", func(s *state) string { return s.by().Actor.UserAgent }),
		text("component", "the program, as user and user agent tell", func(s *state) string { return s.by().Actor.Component }),
		moment("stageTimestamp", "when the write was answered", func(s *state) time.Time { return s.by().Time }),
	)...)...)

// by returns the write, an empty one for a snapshot.
func (s *state) by() *timeline.Write {
	if s.write == nil {
		return &timeline.Write{Terms: &timeline.Terms{}}
	}
	return s.write
}

// of declares the variables of an object as it was at one moment.
func of(object string, before bool, get func(*state) *timeline.State) []variable[state] {
	told := func(doc string) string {
		if before {
			return "the same before the write; empty or 0 if nothing was known"
		}
		return doc
	}
	words := func(name, doc string, value func(*timeline.State) timeline.Pairs) variable[state] {
		return variable[state]{object + name, cel.MapType(cel.StringType, cel.StringType), told(doc), func(s *state) ref.Val {
			return types.NewStringStringMap(types.DefaultTypeAdapter, maps.Collect(value(known(get(s))).All()))
		}}
	}
	number := func(name, doc string, value func(*timeline.State) int64) variable[state] {
		return variable[state]{object + name, cel.IntType, told(doc), func(s *state) ref.Val { return types.Int(value(known(get(s)))) }}
	}
	return []variable[state]{
		words(".metadata.labels", "labels by key", func(s *timeline.State) timeline.Pairs { return s.Labels }),
		words(".metadata.annotations", "those of Knative and KServe by key", func(s *timeline.State) timeline.Pairs { return s.Annotations }),
		number(".metadata.generation", "0 if unknown", func(s *timeline.State) int64 { return s.Generation }),
		number(".status.observedGeneration", "0 if unknown", func(s *timeline.State) int64 { return s.ObservedGeneration }),
		{object + ".conditions", cel.MapType(cel.StringType, cel.MapType(cel.StringType, cel.StringType)),
			told("status.conditions by type; each has `status`, `reason` and `message`"),
			func(s *state) ref.Val { return conditions(known(get(s))) }},
		words(".fields", "the scalars of spec and status that the tables keep, by path, all of them text", func(s *timeline.State) timeline.Pairs { return s.Fields }),
	}
}

func known(s *timeline.State) *timeline.State {
	if s == nil {
		return &timeline.State{}
	}
	return s
}

func conditions(s *timeline.State) ref.Val {
	byType := make(map[ref.Val]ref.Val, len(s.Conditions))
	for _, c := range s.Conditions {
		byType[types.String(c.Type)] = types.NewStringStringMap(types.DefaultTypeAdapter,
			map[string]string{"status": c.Status, "reason": c.Reason, "message": c.Message})
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, byType)
}

// statesOf lists what is known of an object: its state after each write that
// changed it and that the inputs show, and in each snapshot of a version that no
// such write made.
func statesOf(o *timeline.Object) (list []state) {
	written := map[string]bool{}
	for _, w := range o.Writes {
		if w.Outcome == timeline.Applied && w.BodySeen && w.After != nil {
			list = append(list, state{o, w, w.After, w.Before, w.Source})
			written[w.After.ResourceVersion] = true
		}
	}
	for _, s := range o.Sightings {
		if !written[s.State.ResourceVersion] {
			written[s.State.ResourceVersion] = true
			list = append(list, state{object: o, now: s.State, source: s.Source})
		}
	}
	return list
}
