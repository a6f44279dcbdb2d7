// Package timeline rebuilds the history of Knative families from the Arrow
// tables of package ingest/table: which objects there were, what each write
// did to them, how many replicas were ready and wanted at any moment, where
// traffic went, and what each reconcile tried.
//
// A family is a Service or a Configuration without one, and all that belongs
// to it: Configuration, Revisions with their Deployment, ReplicaSets, Pods,
// PodAutoscaler, ServerlessService and Images, the Route and its Ingress, and
// the InferenceService above.
//
// The package states what was seen and marks what is concluded. It knows the
// rules by which Knative names, labels and scales things; it has no opinion
// about what is wrong.
//
// A Builder takes record batches, in any order, and makes a History of them.
package timeline

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Ref names an object. Two objects of one name that lived one after the other
// have the same Ref.
type Ref struct{ Kind, Namespace, Name string }

// String gives "Kind namespace/name".
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// Source is the place of a record: what proves a statement.
type Source struct {
	File    string
	Line    int64
	AuditID string // of an audit event
	TraceID string // of a log line
	EventID string // uid of a Kubernetes Event, or uid and resourceVersion of an object in a snapshot
}

// Actor is who sent a request.
type Actor struct {
	// Component is the program, as far as user and user agent tell: the
	// controllers of Knative share one user, those of Kubernetes one program.
	Component string
	User      string
	UserAgent string
	Pod       string // of the service account token, where it is bound to one
}

// Grade tells how sure a statement about an object is.
type Grade string

// The grades of a statement.
const (
	Observed Grade = "observed" // a record says so
	Inferred Grade = "inferred" // it follows from what records say
	Assumed  Grade = "assumed"  // a documented default stands in for a record
)

// Condition is an entry of status.conditions.
type Condition struct {
	Type, Status, Reason, Message string
	Since                         time.Time // lastTransitionTime, to the second
}

// Text gives "STATUS" or "STATUS/REASON".
func (c Condition) Text() string {
	if c.Reason == "" {
		return c.Status
	}
	return c.Status + "/" + c.Reason
}

// State is what is known of an object at one moment. A field that is missing
// is unknown unless Whole is set.
type State struct {
	ResourceVersion    string
	Generation         int64
	ObservedGeneration int64
	Created            time.Time
	Deleting           time.Time // metadata.deletionTimestamp
	Labels             Pairs
	Annotations        Pairs
	Owners             []Owner
	Conditions         []Condition
	Fields             Pairs // selected scalars by path, see ingest/object
	SpecDigest         string
	Whole              bool // the whole object was seen, so that what is missing is absent
}

// Owner is an entry of metadata.ownerReferences.
type Owner struct {
	Kind, Name, UID string
	Controller      bool
}

// Condition returns the condition of a type; ok is false if there is none.
func (s *State) Condition(typ string) (c Condition, ok bool) {
	if s == nil {
		return c, false
	}
	for i := range s.Conditions {
		if s.Conditions[i].Type == typ {
			return s.Conditions[i], true
		}
	}
	return c, false
}

// Is reports whether the condition of a type is known to have a status.
func (s *State) Is(typ, status string) bool {
	c, ok := s.Condition(typ)
	return ok && c.Status == status
}

// Field returns a selected scalar, "" if it is absent or unknown.
func (s *State) Field(path string) string {
	if s == nil {
		return ""
	}
	return s.Fields.Get(path)
}

// Int returns a selected scalar as a number.
func (s *State) Int(path string) (int, bool) {
	n, err := strconv.Atoi(s.Field(path))
	return n, err == nil
}

// Outcome tells what became of a request.
type Outcome int

// The outcomes of a request.
const (
	Applied    Outcome = iota // it took effect
	Unchanged                 // answered with success, and changed nothing
	Refused                   // answered with a 4xx: no effect
	Failed                    // answered with a 5xx: whether it had an effect is unknown
	DryRun                    // asked for as a dry run: no effect
	Unanswered                // no answer was logged: whether it had an effect is unknown
	Read                      // no write: the answer shows the object
)

// Terms are what a request has in common with others of its sender. Many share
// them, so that they must not be changed.
type Terms struct {
	Verb        string
	Subresource string
	Level       string
	Stage       string // the last that was logged
	Code        int    // 0 if no answer was logged
	Reason      string
	Message     string
	Actor       Actor
}

// Write is one request about one object, all its stages folded into one.
type Write struct {
	*Terms
	Object      *Object
	Time        time.Time // of the last stage: when the request was done
	Received    time.Time
	SentVersion string // resourceVersion the client sent as precondition
	Truncated   bool   // the API server removed the bodies
	Collective  bool   // the deletion of a collection that may have held the object
	BodySeen    bool   // the state was in the log, not only the fact of the write
	Source      Source
	Outcome     Outcome
	Before      *State // nil if nothing was known
	After       *State // nil if nothing is known; what is known after the write, whether or not it had an effect
	Grade       Grade
	sent        *body  // nil if it was not in the log, or the answer tells all that matters
	got         *State // the answer, nil if it was not in the log
}

// Took reports whether the write is known to have taken effect.
func (w *Write) Took() bool { return w.Outcome == Applied || w.Outcome == Unchanged }

// Hidden reports whether the write took effect, or may have, and what it wrote
// is not in the inputs.
func (w *Write) Hidden() bool {
	switch w.Outcome {
	case Applied:
		return !w.BodySeen
	case Failed, Unanswered:
		return true
	}
	return false
}

// HiddenStatus returns the first write of an object's status that is Hidden, nil if
// there is none.
func (o *Object) HiddenStatus() *Write {
	i := slices.IndexFunc(o.Writes, func(w *Write) bool { return w.Subresource == "status" && w.Hidden() })
	if i < 0 {
		return nil
	}
	return o.Writes[i]
}

// Began returns when the request came in: what its sender knew is older. It is
// the time of the end where the log does not tell.
func (w *Write) Began() time.Time {
	if w.Received.IsZero() || w.Received.After(w.Time) {
		return w.Time
	}
	return w.Received
}

// Asked returns the condition of a type that the request asked for in vain; ok is
// false if it was accepted, or its body is not in the inputs or has none.
func (w *Write) Asked(typ string) (c Condition, ok bool) {
	if w.sent == nil || w.Took() {
		return c, false
	}
	return w.sent.state.Condition(typ)
}

// Lowered returns what a write lowered a number at a path to; ok is false if it did
// not, or had no effect.
func (w *Write) Lowered(path string) (to int, ok bool) {
	c := w.Moved(path)
	if c == nil || c.From == nil || c.To == nil || w.Outcome != Applied {
		return 0, false
	}
	from, err := strconv.Atoi(*c.From)
	to, otherErr := strconv.Atoi(*c.To)
	return to, err == nil && otherErr == nil && to < from
}

// Became reports whether the write gave a condition a status that it had not
// before. Where the state before is unknown, lastTransitionTime tells, which is
// written by the sender and to the second.
func (w *Write) Became(typ, status string) bool {
	c := w.Moved("conditions." + typ)
	return c != nil && c.To != nil && statusOf(*c.To) == status && w.turned(typ)
}

// turned reports whether a write gave a condition the status it has.
func (w *Write) turned(typ string) bool {
	change := w.Moved("conditions." + typ)
	if w.Outcome != Applied || change == nil || change.To == nil {
		return false
	}
	if change.From != nil {
		return statusOf(*change.From) != statusOf(*change.To)
	}
	c, _ := w.After.Condition(typ)
	return w.Before != nil && w.Before.Whole || c.Since.IsZero() || w.Time.Sub(c.Since) <= clocks
}

// clocks is how far the times of two programs may be apart, with what is lost
// where one is to the second.
const clocks = 5 * time.Second

func statusOf(text string) string {
	status, _, _ := strings.Cut(text, "/")
	return status
}

// Sighting is a state of an object that a snapshot shows, at an unknown time.
type Sighting struct {
	State  *State
	Source Source
}

// Object is one object through its life.
type Object struct {
	Ref
	UID       string // empty if no record tells
	Owner     *Owner // the managing owner, as last seen
	Born      time.Time
	BornBy    *Write    // nil if the creation was not seen
	Gone      time.Time // when it was deleted, or the next one of its name was first seen
	GoneBy    *Write    // nil if the deletion was not seen
	owner     *Object   // the managing owner, nil if the inputs do not show it
	deleting  time.Time // when its deletion was asked for
	collected bool      // its owner is gone, and nothing shows it afterwards
	Writes    []*Write
	Sightings []Sighting
	family    string
	joined    Grade // how it is known to be of its family
	answers   answers
}

// answers are what was worked out of an object to answer questions about it.
type answers struct {
	indexing sync.Once
	indexed  *index
	viewing  sync.Once
	viewed   []View
	lasting  sync.Once
	last     *State
	asking   sync.Mutex // several families are asked at once, and share Knative's settings
	moves    map[string]*moves
}

// Last returns the newest state known, nil if none is. A snapshot is newer than
// the writes if it shows a version above all that they made or quoted: an
// update that quoted a version is the one that followed it. Where the writes
// tell no version, what a snapshot shows is preferred.
func (o *Object) Last() *State {
	if o == nil {
		return nil
	}
	if len(o.Sightings) > 0 {
		o.answers.lasting.Do(func() { o.answers.last = o.newestState() })
		return o.answers.last
	}
	if n := len(o.Writes); n > 0 {
		return o.Writes[n-1].After
	}
	return nil
}

// newestState is Last of an object that snapshots show.
func (o *Object) newestState() (last *State) {
	version := o.newestVersion()
	if n := len(o.Writes); n > 0 {
		last = o.Writes[n-1].After
	}
	for _, s := range o.Sightings {
		if last == nil || version == "" || compareVersions(s.State.ResourceVersion, version) > 0 {
			last, version = s.State, s.State.ResourceVersion
		}
	}
	return last
}

// newestVersion returns the highest resourceVersion that the writes made or
// quoted, "" if they tell none.
func (o *Object) newestVersion() (newest string) {
	for _, w := range o.Writes {
		v := w.version()
		if v == "" && w.Verb == "update" && w.Took() {
			v = w.SentVersion
		}
		if decimal(v) && (newest == "" || compareVersions(v, newest) > 0) {
			newest = v
		}
	}
	return newest
}

// At returns the state after the last write that was done at or before t, nil
// if none is known. Writes are in the order in which they took effect, which
// may differ from that in which they were done.
func (o *Object) At(t time.Time) *State {
	if o == nil {
		return nil
	}
	if i := o.index().ended.upTo(t); i >= 0 {
		return o.Writes[i].After
	}
	return nil
}

// Exists reports whether anything at all is known of the object at or before t,
// and it was not deleted by then.
func (o *Object) Exists(t time.Time) bool {
	return o != nil && (o.Gone.IsZero() || o.Gone.After(t)) && len(o.Writes) > 0 && !o.index().first.After(t)
}

// Broken reports whether a write of the object between two moments is known to
// be missing in the inputs: an accepted update quotes a version above that of
// the last write that was seen.
func (o *Object) Broken(from, to time.Time) bool {
	broken := o.index().broken
	i := firstNotBefore(broken, from)
	return i < len(broken) && !broken[i].to.After(to)
}

// Lost reports whether a write that is known to be missing may have been done
// between two moments.
func (o *Object) Lost(from, to time.Time) bool {
	broken := o.index().broken
	i := firstNotBefore(broken, from)
	return i < len(broken) && !broken[i].earliest.After(to)
}

func firstNotBefore(broken []span, t time.Time) int {
	return sort.Search(len(broken), func(i int) bool { return !broken[i].to.Before(t) })
}
