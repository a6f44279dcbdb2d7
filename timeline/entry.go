package timeline

import (
	"slices"
	"strings"
	"time"
)

// EntryKind tells what a row of a timeline is about: the first kind of the list
// that applies.
type EntryKind string

// The kinds of rows.
const (
	EntryError     EntryKind = "error"     // a refused or failed request, or an error that was logged
	EntryTraffic   EntryKind = "traffic"   // traffic moved
	EntryScale     EntryKind = "scale"     // a number of replicas changed, wanted or there
	EntryCondition EntryKind = "condition" // a condition changed
	EntryWrite     EntryKind = "write"     // any other request that writes
	EntryLog       EntryKind = "log"       // a log line
	EntryEvent     EntryKind = "event"     // a Kubernetes Event
	EntrySnapshot  EntryKind = "snapshot"  // a state that a snapshot shows
	EntryFinding   EntryKind = "finding"   // what a detector found
	EntryGap       EntryKind = "gap"       // a stretch of time without data
)

// Entry is a row of a timeline.
type Entry struct {
	Time    time.Time // zero where unknown
	Object  Ref
	UID     string // of the object, empty if unknown
	Kind    EntryKind
	Level   string // of the audit event, empty for other rows
	Stage   string
	Actor   Actor
	Verb    string
	Sub     string // subresource
	Code    int    // 0 if unknown
	Outcome Outcome
	Summary string
	Changes []Change
	Ready   *int // ready replicas of the Revision it is about, nil if unknown
	Want    *int // and its target
	Grade   Grade
	Source  Source
	// Received is when the request came in, zero for other rows. Together tells that
	// the request of the row before was under way then, so that which of the two took
	// effect first is not known.
	Received time.Time
	Together bool
	// Echo tells that another row says the same: the log line about a request
	// that was refused.
	Echo  bool
	write *Write
}

// Same reports whether two rows tell the same of the same object, on the same record.
func (e Entry) Same(other Entry) bool {
	return e.Kind == other.Kind && e.Object == other.Object && e.Summary == other.Summary && e.Source == other.Source && e.Time.Equal(other.Time)
}

// Entries returns the rows of a family in order: within one object by
// resourceVersion, across objects by time. Where a row is about no Revision,
// about shows whose replicas it gets; it may be nil.
func (f *Family) Entries(about *Revision) []Entry {
	var entries []Entry
	revisionOf := f.RevisionsOf()
	for _, o := range f.objects {
		for _, w := range o.Writes {
			e := writeEntry(w)
			if w.Outcome == Read && len(e.Changes) == 0 {
				continue
			}
			r := revisionOf[o]
			if r == nil {
				r = f.mentioned(&e)
			}
			if r == nil {
				r = about
			}
			e.replicas(r, w.counted())
			entries = append(entries, e)
		}
		for _, s := range o.Sightings {
			entries = append(entries, snapshotEntry(o, s))
		}
		if o.collected {
			entries = append(entries, collectedEntry(o))
		}
		if o.joinedLate(f.Cluster.From) {
			entries = append(entries, lateEntry(o, f.Cluster.From))
		}
	}
	for _, a := range f.Attempts {
		entries = append(entries, attemptEntries(a)...)
	}
	for _, n := range f.Notes {
		entries = append(entries, noteEntry(n))
	}
	SortEntries(entries)
	markTogether(entries)
	return entries
}

func writeEntry(w *Write) Entry {
	e := Entry{Time: w.Time, Object: w.Object.Ref, UID: w.Object.UID, Level: w.Level, Stage: w.Stage, Actor: w.Actor, Verb: w.Verb, Sub: w.Subresource, Code: w.Code,
		Received: w.Received, Outcome: w.Outcome, Changes: w.Changes(), Grade: w.Grade, Source: w.Source, write: w}
	e.Grade = w.Object.graded(e.Grade)
	e.Kind = kindOfWrite(w, e.Changes)
	e.Summary = summarize(w, e.Changes)
	return e
}

// graded lowers a grade where it only follows from the object's name that it is
// of the family.
func (o *Object) graded(g Grade) Grade {
	if o.joined == Inferred && g == Observed {
		return Inferred
	}
	return g
}

func kindOfWrite(w *Write, changes []Change) EntryKind {
	if w.Outcome == Refused || w.Outcome == Failed {
		return EntryError
	}
	kind := EntryWrite
	rank := map[EntryKind]int{EntryTraffic: 3, EntryScale: 2, EntryCondition: 1, EntryWrite: 0}
	for _, c := range changes {
		if k := kindOfChange(w.Object.Kind, c.Path); rank[k] > rank[kind] {
			kind = k
		}
	}
	return kind
}

// kindOfChange tells what a change of a path means.
func kindOfChange(kind, path string) EntryKind {
	switch {
	case strings.HasPrefix(path, "conditions."):
		return EntryCondition
	case kind == KindRoute && strings.HasPrefix(path, "status.traffic["),
		kind == KindIngress && strings.Contains(path, ".splits["):
		return EntryTraffic
	}
	switch path {
	case "spec.replicas", "status.readyReplicas", "status.replicas", "status.actualScale", "status.desiredScale",
		"status.actualReplicas", "status.desiredReplicas", "spec.reachability":
		return EntryScale
	}
	return EntryWrite
}

// mentioned returns the Revision that a write to a Configuration, Route or
// Ingress names anew.
func (f *Family) mentioned(e *Entry) *Revision {
	for _, c := range e.Changes {
		if c.To == nil || kindOfChange(e.Object.Kind, c.Path) != EntryTraffic && c.Path != "status.latestReadyRevisionName" {
			continue
		}
		if r := f.Find(*c.To, e.Time); r != nil {
			return r
		}
	}
	return nil
}

// counted returns the moment whose number of ready replicas stands beside a
// write: after it, if it tells the number itself, else when it came in.
func (w *Write) counted() time.Time {
	switch w.Object.Kind {
	case KindDeployment, KindReplicaSet, KindPod, KindPodAutoscaler:
		return w.Time
	}
	return w.Began()
}

func (e *Entry) replicas(r *Revision, at time.Time) {
	if r == nil || at.Before(r.made()) {
		return
	}
	if n, ok := r.Ready(at); ok {
		e.Ready = &n.Count
	}
	if t := r.Target(at); t.Grade != Assumed {
		e.Want = &t.Documented
	}
}

// made returns when the Revision was made at the earliest: when the request came in
// that made it, else the second that it tells.
func (r *Revision) made() time.Time {
	if r.BornBy != nil {
		return r.BornBy.Began()
	}
	return r.Born
}

// joinedLate reports whether an object that a story is told of was made before the
// audit events begin.
func (o *Object) joinedLate(from time.Time) bool {
	switch o.Kind {
	case KindInferenceService, KindService, KindConfiguration, KindRevision, KindRoute:
		return len(o.Writes) > 0 && o.BornBy == nil && !from.IsZero() && (o.Born.IsZero() || o.Born.Before(from.Truncate(time.Second)))
	}
	return false
}

// lateEntry is the row that tells of the time before the inputs begin.
func lateEntry(o *Object, from time.Time) Entry {
	e := Entry{Time: o.firstSeen(), Object: o.Ref, UID: o.UID, Kind: EntryGap, Grade: Inferred,
		Summary: "first seen here, and its creation is not in the inputs: information about what was before is insufficient"}
	if !o.Born.IsZero() {
		e.Time = from
		e.Summary = "made at " + o.Born.UTC().Format(time.RFC3339) + ", before the audit events begin: information about what was until then is insufficient"
	}
	return e
}

func snapshotEntry(o *Object, s Sighting) Entry {
	return Entry{Object: o.Ref, UID: o.UID, Kind: EntrySnapshot, Summary: "in a snapshot: " + describeState(s.State), Changes: changes(nil, s.State), Grade: o.graded(Observed), Source: s.Source}
}

// attemptEntries makes rows of the log lines of a reconcile that tell of a step
// or of an error. An error is logged twice, by the reconciler and by the queue;
// the first is kept.
func attemptEntries(a *Attempt) (entries []Entry) {
	said := false
	for _, l := range a.Lines {
		isError := l.Level == "ERROR" || l.Level == "FATAL" || l.Message == conflictMessage
		if isError && said || !isError && !isStep(l.Message) {
			continue
		}
		e := Entry{Time: l.Time, Object: a.Object, Kind: EntryLog, Actor: Actor{Component: "controller", Pod: a.Pod}, Summary: l.Message, Grade: Observed, Source: l.Source}
		if isError {
			said = true
			e.Kind = EntryError
			e.Echo = slices.ContainsFunc(a.Writes, func(w *Write) bool { return w.Outcome == Refused || w.Outcome == Failed })
			if l.Error != l.Message && l.Error != "" {
				e.Summary = l.Message + ": " + l.Error
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// steps are the beginnings of messages that tell of a step of a reconcile.
var steps = []string{"Created deployment", "Created image cache", "Created PA", "Reconciling PA:", "Revision became ready",
	"Revision stopped being ready", "Revision \"", "Marking bad traffic target", "All referred targets are routable",
	"Reconciling route"}

func isStep(message string) bool {
	return slices.ContainsFunc(steps, func(p string) bool { return strings.HasPrefix(message, p) })
}

func noteEntry(n *Note) Entry {
	e := Entry{Time: n.Time, Object: n.Object, UID: n.UID, Kind: EntryEvent, Actor: Actor{Component: n.Component}, Summary: n.Reason + ": " + n.Message, Grade: Observed, Source: n.Source}
	return e
}
