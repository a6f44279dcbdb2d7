package timeline

import (
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// replay works out the state after each write of an object, in order.
func (o *Object) replay() {
	orderWrites(o.Writes)
	o.findUnchanged()
	var state *State
	for _, w := range o.Writes {
		w.Before = state
		switch w.Outcome {
		case Applied, Unchanged, Read:
			state = w.next(state)
		}
		w.After = state
		w.Grade = Observed
		if w.Collective || w.Outcome == Applied && w.got == nil && w.sent != nil && w.sent.patch {
			w.Grade = Inferred
		}
	}
}

// findUnchanged marks the writes that were answered with success and changed
// nothing: the answer has the resourceVersion that the object had before, or
// the next accepted write still quotes the version that this one quoted, which
// would have been a conflict had this one made a new one.
func (o *Object) findUnchanged() {
	last := ""
	quoted := map[string]*Write{}
	for _, w := range o.Writes {
		if !w.Took() && w.Outcome != Read {
			continue
		}
		v := w.version()
		if v != "" && v == last && w.Outcome == Applied && w.Verb != "create" && w.Verb != "deletecollection" {
			w.Outcome = Unchanged
		}
		if v != "" {
			last = v
			continue
		}
		if w.Verb == "update" && w.SentVersion != "" {
			if earlier := quoted[w.SentVersion]; earlier != nil {
				earlier.Outcome = Unchanged
			}
			quoted[w.SentVersion] = w
		}
	}
}

// next returns the state after a write that took effect.
func (w *Write) next(before *State) *State {
	switch {
	case w.got != nil && w.got.Whole:
		w.BodySeen = true
		if w.Verb != "deletecollection" || !w.got.Deleting.IsZero() {
			return w.got
		}
		s := *w.got
		s.Deleting = w.Time // the answer lists its members as they were before
		return &s
	case w.Outcome == Unchanged, w.Collective:
		return before
	case w.Subresource == "eviction", w.Subresource == "binding":
		w.BodySeen = true // there is no more to it
		return w.ofPod(before)
	case w.sent != nil && !w.byPlace():
		w.BodySeen = true
		return w.sent.over(before, w.Subresource, w.Verb)
	case w.Verb == "create":
		return &State{}
	case before == nil:
		return nil
	}
	return before.forget(w.Subresource)
}

// ofPod returns the state of a Pod after it was bound to a node, or evicted: an
// eviction that is let through deletes the Pod (k8s.io/kubernetes
// pkg/registry/core/pod/storage/eviction.go).
func (w *Write) ofPod(before *State) *State {
	if before == nil || w.Subresource == "binding" {
		return before
	}
	s := *before
	s.Deleting = w.Time
	return &s
}

// byPlace reports whether the request is a patch of status that names conditions
// by their place in the list, as a JSON patch does: which they are depends on a
// list that is not in the inputs.
func (w *Write) byPlace() bool {
	return w.Subresource == "status" && w.sent.patch && !w.sent.hasStatus
}

// over lays what a request asked for over what was known before. A write to
// status leaves the rest alone, and any other write leaves status alone.
func (b *body) over(before *State, subresource, verb string) *State {
	s := &State{}
	if before != nil {
		*s = *before
	}
	s.Whole = false
	s.ResourceVersion = "" // the answer would tell
	asked := b.state
	status := subresource == "status"
	whole := !b.patch
	if status == b.hasStatus || !status {
		s.Fields = overlay(b.without(s.Fields), asked.Fields, status, whole && verb == "update")
	}
	if status {
		s.Conditions = overConditions(s.Conditions, asked.Conditions, whole && b.hasStatus)
		if asked.ObservedGeneration != 0 {
			s.ObservedGeneration = asked.ObservedGeneration
		}
		return s
	}
	s.Labels = b.merged(s.Labels, asked.Labels, "metadata.labels")
	s.Annotations = b.merged(s.Annotations, asked.Annotations, "metadata.annotations")
	if asked.Owners != nil {
		s.Owners = asked.Owners
	}
	if asked.SpecDigest != "" && whole {
		s.SpecDigest = asked.SpecDigest
	}
	return s
}

// merged lays labels or annotations that were asked for over those of before.
func (b *body) merged(old, asked Pairs, path string) Pairs {
	if slices.Contains(b.removed, table.Path{Path: path}) {
		old = nil
	} else if asked == nil && len(b.removed) == 0 {
		return old
	}
	if !b.patch {
		return asked
	}
	unset := func(name string) bool { // null in a patch
		value, ok := asked.Find(name)
		return ok && value == ""
	}
	left := old.only(func(name string) bool {
		return !unset(name) && !slices.Contains(b.removed, table.Path{Path: path + "[" + name + "]"})
	})
	return left.with(asked.only(func(name string) bool { return !unset(name) }))
}

// without returns fields but for those of which a patch leaves nothing.
func (b *body) without(fields Pairs) Pairs {
	if len(b.removed) == 0 {
		return fields
	}
	return fields.only(func(path string) bool {
		return !slices.ContainsFunc(b.removed, func(p table.Path) bool { return p.Holds(path) })
	})
}

// overlay replaces the fields of status, or all but those.
func overlay(old, asked Pairs, status, whole bool) Pairs {
	left := old.only(func(path string) bool { return !whole || isStatus(path) != status })
	return left.with(asked.only(func(path string) bool { return isStatus(path) == status }))
}

func isStatus(path string) bool { return strings.HasPrefix(path, "status") }

func overConditions(old, asked []Condition, whole bool) []Condition {
	if whole {
		return asked
	}
	list := slices.Clone(old)
	for _, c := range asked {
		i := slices.IndexFunc(list, func(o Condition) bool { return o.Type == c.Type })
		if i < 0 {
			list = append(list, c)
			continue
		}
		if c.Status != "" {
			list[i] = c
		}
	}
	return list
}

// forget drops what a write without a body may have changed.
func (s *State) forget(subresource string) *State {
	after := *s
	after.ResourceVersion = ""
	after.Whole = false
	if subresource == "status" {
		after.Conditions = nil
		after.ObservedGeneration = 0
	}
	after.Fields = s.Fields.only(func(path string) bool { return isStatus(path) != (subresource == "status") })
	return &after
}
