package timeline

import (
	"maps"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// replay works out the state after each write of an object, in order, and what
// each write changed.
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
		if w.Outcome == Unchanged {
			continue
		}
		if w.Outcome == Applied || w.Outcome == Read {
			w.Changes = changes(w.Before, w.After)
			w.Changes = append(w.Changes, w.removed()...)
		}
	}
}

// removed lists the annotations that a patch removed. Of a whole object, changes
// tells them.
func (w *Write) removed() (list []Change) {
	if w.Before == nil || w.After == nil || w.After.Whole || w.sent == nil || !w.sent.patch || w.Subresource == "status" {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(w.Before.Annotations)) {
		_, has := w.After.Annotations[key]
		if unknown := slices.Contains(w.sent.removed, table.Path{Path: "metadata.annotations[" + key + "]"}); !has && !unknown {
			list = append(list, Change{Path: "metadata.annotations[" + key + "]", From: text(w.Before.Annotations[key])})
		}
	}
	return list
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
	case w.got != nil && !w.got.patch:
		w.BodySeen = true
		s := w.got.state
		s.Whole = true
		if w.Verb == "deletecollection" && s.Deleting.IsZero() {
			s.Deleting = w.Time // the answer lists its members as they were before
		}
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
	isStatus := subresource == "status"
	whole := !b.patch
	if isStatus == b.hasStatus || !isStatus {
		s.Fields = overlay(b.without(s.Fields), asked.Fields, isStatus, whole && verb == "update")
	}
	if isStatus {
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
func (b *body) merged(old, asked map[string]string, path string) map[string]string {
	if slices.Contains(b.removed, table.Path{Path: path}) {
		old = nil
	} else if asked == nil && len(b.removed) == 0 {
		return old
	}
	if !b.patch {
		return asked
	}
	m := b.withoutKeys(old, path)
	for key, v := range asked {
		if m[key] = v; v == "" {
			delete(m, key) // null in a patch
		}
	}
	return m
}

// withoutKeys returns a copy of labels or annotations but for those of which a
// patch leaves open what they are.
func (b *body) withoutKeys(old map[string]string, path string) map[string]string {
	m := map[string]string{}
	for key, v := range old {
		if !slices.Contains(b.removed, table.Path{Path: path + "[" + key + "]"}) {
			m[key] = v
		}
	}
	return m
}

// without returns fields but for those of which a patch leaves nothing.
func (b *body) without(fields map[string]string) map[string]string {
	if len(b.removed) == 0 {
		return fields
	}
	rest := maps.Clone(fields)
	maps.DeleteFunc(rest, func(path, _ string) bool {
		return slices.ContainsFunc(b.removed, func(p table.Path) bool { return p.Holds(path) })
	})
	return rest
}

// overlay replaces the fields of status, or all but those.
func overlay(old, asked map[string]string, status, whole bool) map[string]string {
	m := map[string]string{}
	for path, v := range old {
		if !whole || strings.HasPrefix(path, "status") != status {
			m[path] = v
		}
	}
	for path, v := range asked {
		if strings.HasPrefix(path, "status") == status {
			m[path] = v
		}
	}
	return m
}

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
	after.Fields = map[string]string{}
	for path, v := range s.Fields {
		if strings.HasPrefix(path, "status") != (subresource == "status") {
			after.Fields[path] = v
		}
	}
	return &after
}

// changes lists the differences between two states by path: conditions, then
// selected fields, annotations and deletion. A condition of which only the
// message differs counts as unchanged.
func changes(before, after *State) []Change {
	if after == nil {
		return nil
	}
	var list []Change
	known := before != nil
	if before == nil {
		before = &State{}
	}
	for _, c := range after.Conditions {
		old, had := before.Condition(c.Type)
		if had && old.Text() == c.Text() {
			continue
		}
		change := Change{Path: "conditions." + c.Type, To: text(c.Text())}
		if had {
			change.From = text(old.Text())
		}
		list = append(list, change)
	}
	if after.Whole {
		for _, old := range before.Conditions {
			if _, has := after.Condition(old.Type); !has {
				list = append(list, Change{Path: "conditions." + old.Type, From: text(old.Text())})
			}
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	list = append(list, mapChanges("", before.Fields, after.Fields, after.Whole)...)
	list = append(list, mapChanges("metadata.annotations", before.Annotations, after.Annotations, after.Whole)...)
	if !after.Deleting.IsZero() && before.Deleting.IsZero() {
		list = append(list, Change{Path: "metadata.deletionTimestamp", To: text(after.Deleting.Format("2006-01-02T15:04:05Z07:00"))})
	}
	if known && len(list) == 0 && before.SpecDigest != "" && after.SpecDigest != before.SpecDigest {
		list = append(list, Change{Path: "spec", From: text(before.SpecDigest), To: text(after.SpecDigest)})
	}
	return list
}

func mapChanges(prefix string, before, after map[string]string, whole bool) (list []Change) {
	at := func(key string) string {
		if prefix == "" {
			return key
		}
		return prefix + "[" + key + "]"
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		old, had := before[key]
		if had && old == after[key] {
			continue
		}
		change := Change{Path: at(key), To: text(after[key])}
		if had {
			change.From = text(old)
		}
		list = append(list, change)
	}
	if !whole {
		return list
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if _, has := after[key]; !has {
			list = append(list, Change{Path: at(key), From: text(before[key])})
		}
	}
	return list
}

func text(s string) *string { return &s }
