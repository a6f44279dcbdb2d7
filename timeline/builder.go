package timeline

import (
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// Builder collects what matters from record batches. What it keeps grows with
// the writes to objects of the kinds of the family, not with the size of the
// logs; Pods, ReplicaSets and Deployments that show that they are of no family
// are left out.
type Builder struct {
	requests  map[requestKey]*request
	anonymous []*request          // requests without an audit ID
	listed    map[requestKey]bool // deletions of collections of which the answer tells the members
	seen      []*body             // objects in snapshots
	notes     []*Note
	attempts  map[attemptKey]*Attempt
	enqueued  map[Ref][]Enqueue
	strings   map[string]string
	from, to  time.Time // span of the audit events
	logTo     time.Time
	alive     map[string]time.Time // last sign of each process, by its Pod
	others    func() []*Attempt    // reconciles of the objects that were left out
	mixed     *Mixed
	seq       int
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{requests: map[requestKey]*request{}, listed: map[requestKey]bool{}, attempts: map[attemptKey]*Attempt{},
		enqueued: map[Ref][]Enqueue{}, strings: map[string]string{}, alive: map[string]time.Time{}}
}

// requestKey identifies a request. The audit ID alone does not: clients can
// choose it, and an aggregated API server logs the ID of the request that was
// passed on to it (kubernetes/kubernetes#101597). All stages of a request tell
// the same moment at which it was received.
type requestKey struct {
	auditID, verb, uri, name string
	received                 int64 // microseconds
}

func keyOf(row *table.AuditEvent) requestKey {
	return requestKey{row.AuditID, row.Verb, row.RequestURI, row.Name, row.Received.UnixMicro()}
}

// request is a request about an object of the family, its stages folded.
type request struct {
	write Write
	ref   Ref
	group string
	uid   string
	final bool // the answer was seen
	order int
}

// body is an object as it stood in a body or snapshot.
type body struct {
	Ref
	uid, group string
	patch      bool
	removed    []table.Path // of a patch: the paths of which nothing of before is left
	hasStatus  bool
	state      State
	source     Source
}

// bodies are the objects in one audit event: what was sent, and what was
// answered, which are several where a collection was deleted.
type bodies struct {
	sent *body
	got  []*body
}

func (b bodies) answer() *body {
	if len(b.got) != 1 {
		return nil
	}
	return b.got[0]
}

// foreign reports whether a Pod, ReplicaSet or Deployment shows that it is not
// of a Revision.
func (b bodies) foreign(kind string) bool {
	answer := b.answer()
	switch kind {
	case KindPod, KindReplicaSet, KindDeployment:
		return answer != nil && len(answer.state.Labels) > 0 && answer.state.Labels[labelRevision] == "" && answer.state.Labels[labelService] == ""
	}
	return false
}

// Add takes over what a batch holds. The batch may be released afterwards.
func (b *Builder) Add(batch *table.Batch) {
	bodies := map[table.Place]bodies{}
	batch.EachObject(func(row *table.Object) {
		kind := objectKind(row.Group, row.Kind)
		if row.Group == "autoscaling" && row.Kind == kindScale && row.Origin != table.OriginSnapshot {
			kind = kindScale
		}
		if kind == "" || kind == kindConfigMap && !isSetting(row.Name) {
			return
		}
		o := b.body(row, kind)
		if row.Origin == table.OriginSnapshot {
			b.seen = append(b.seen, o)
			return
		}
		those := bodies[row.Place()]
		if row.Origin == table.OriginRequest {
			those.sent = o
		} else {
			those.got = append(those.got, o)
		}
		bodies[row.Place()] = those
	})
	recorded := map[table.Place]time.Time{}
	batch.EachAuditEvent(func(row *table.AuditEvent) {
		if row.Resource == "events" {
			recorded[row.Place()] = row.StageTime
		}
		b.auditEvent(row, bodies[row.Place()])
	})
	batch.EachKubeEvent(func(row *table.KubeEvent) { b.kubeEvent(row, recorded[row.Place()]) })
	batch.EachLog(b.log)
}

// isSetting reports whether a ConfigMap is one of Knative's own.
func isSetting(name string) bool { return strings.HasPrefix(name, "config-") }

// keep returns a copy of s that holds no memory of a batch; equal strings
// share one copy.
func (b *Builder) keep(s string) string {
	if s == "" {
		return ""
	}
	if kept, ok := b.strings[s]; ok {
		return kept
	}
	kept := strings.Clone(s)
	b.strings[kept] = kept
	return kept
}

func (b *Builder) kept(k requestKey) requestKey {
	return requestKey{b.keep(k.auditID), b.keep(k.verb), b.keep(k.uri), b.keep(k.name), k.received}
}

func (b *Builder) auditEvent(row *table.AuditEvent, those bodies) {
	if b.from.IsZero() || row.StageTime.Before(b.from) {
		b.from = row.StageTime
	}
	if row.StageTime.After(b.to) {
		b.to = row.StageTime
	}
	if row.Pod != "" {
		b.sign(row.Pod, row.StageTime)
	}
	kind := resourceKinds[row.Group+"/"+row.Resource]
	if kind == "" || !isFamilyRequest(row, those) || kind == kindConfigMap && !isSetting(row.Name) || those.foreign(kind) {
		return
	}
	if row.Verb == "deletecollection" && row.ResponseLength > 0 && row.Code/100 == 2 {
		b.listed[b.kept(keyOf(row))] = true
		for _, o := range those.got {
			if o.Kind == kind {
				named := *row
				named.Name, named.Namespace, named.UID = o.Name, o.Namespace, o.uid
				b.request(&named, kind, bodies{got: []*body{o}})
			}
		}
		return
	}
	b.request(row, kind, those)
}

// request takes one stage of a request about one object.
func (b *Builder) request(row *table.AuditEvent, kind string, those bodies) {
	key := keyOf(row)
	r := b.requests[key]
	if r == nil || row.AuditID == "" {
		b.seq++
		r = &request{ref: Ref{kind, b.keep(row.Namespace), b.keep(row.Name)}, group: b.keep(row.Group), order: b.seq}
		if row.AuditID == "" {
			b.anonymous = append(b.anonymous, r)
		} else {
			b.requests[b.kept(key)] = r
		}
	}
	b.stage(r, row, those)
}

// isFamilyRequest tells the requests that say something about an object:
// writes, and reads whose answer shows it.
func isFamilyRequest(row *table.AuditEvent, those bodies) bool {
	switch row.Subresource {
	case "", "status", "scale", "eviction", "binding":
	default:
		return false
	}
	switch row.Verb {
	case "create", "update", "patch", "apply", "delete", "deletecollection":
		return true
	case "get":
		return those.answer() != nil && row.Code/100 == 2
	}
	return false
}

// stage adds one stage to its request. The last stage tells the outcome; the
// identity of the caller is complete in later stages only
// (kubernetes/kubernetes#48184).
func (b *Builder) stage(r *request, row *table.AuditEvent, those bodies) {
	w := &r.write
	final := row.Stage == "ResponseComplete" || row.Stage == "Panic"
	if r.final && !final || r.final == final && row.StageTime.Before(w.Time) {
		return
	}
	r.final = final
	w.Time, w.Received = row.StageTime, row.Received
	w.Verb, w.Subresource = b.keep(row.Verb), b.keep(row.Subresource)
	w.Level, w.Stage = b.keep(row.Level), b.keep(row.Stage)
	w.Code, w.Reason, w.Message = int(row.Code), b.keep(row.Reason), b.keep(row.Message)
	w.SentVersion = b.keep(row.ResourceVersion)
	w.Truncated = w.Truncated || row.Truncated
	w.Actor = b.actor(row)
	w.Source = Source{File: b.keep(row.File), Line: row.Line, AuditID: b.keep(row.AuditID)}
	w.sent, w.got = those.sent, those.answer()
	w.Outcome = outcome(row, w.got != nil)
	r.uid = b.keep(row.UID)
	if r.uid == "" {
		r.uid = b.keep(row.DetailsUID)
	}
	if r.uid == "" && w.got != nil {
		r.uid = w.got.uid
	}
}

// outcome tells what became of a request; answered tells that the object is in
// the answer.
func outcome(row *table.AuditEvent, answered bool) Outcome {
	switch {
	case row.DryRun:
		return DryRun
	case row.Code >= 500 || row.Stage == "Panic":
		return Failed
	case row.Code == 0 && !answered:
		return Unanswered
	case row.Code >= 400:
		return Refused
	case row.Verb == "get":
		return Read
	}
	return Applied
}

func (b *Builder) actor(row *table.AuditEvent) Actor {
	a := Actor{User: row.User, UserAgent: b.keep(row.UserAgent), Pod: b.keep(row.Pod)}
	if row.ImpersonatedUser != "" {
		a.User += " as " + row.ImpersonatedUser
	}
	a.User = b.keep(a.User)
	a.Component = b.keep(Component(row.User, row.UserAgent))
	return a
}

// Component names the program behind a request. Knative's controller,
// autoscaler and webhook share one service account and differ by user agent;
// the controllers within kube-controller-manager share the program and differ
// by service account.
func Component(user, userAgent string) string {
	program, _, _ := strings.Cut(userAgent, "/")
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:kube-system:"); ok && program == "kube-controller-manager" {
		return account
	}
	if program != "" {
		return program
	}
	return user
}

func (b *Builder) body(row *table.Object, kind string) *body {
	o := &body{Ref: Ref{kind, b.keep(row.Namespace), b.keep(row.Name)}, uid: b.keep(row.UID), group: b.keep(row.Group),
		patch: row.Patch != "" || kind == kindScale, hasStatus: row.HasStatus,
		source: Source{File: b.keep(row.File), Line: row.Line, AuditID: b.keep(row.AuditID)}}
	if row.Origin == table.OriginSnapshot {
		o.source.EventID = o.uid + "@" + row.ResourceVersion
	}
	for _, p := range row.Removed {
		o.removed = append(o.removed, table.Path{Path: b.keep(p.Path)})
	}
	s := &o.state
	s.ResourceVersion = b.keep(row.ResourceVersion)
	s.Generation, s.ObservedGeneration = row.Generation, row.Observed
	s.Created, s.Deleting = row.Created, row.Deleted
	s.Labels, s.Annotations, s.Fields = b.pairs(row.Labels), b.pairs(row.Annotations), b.pairs(row.Fields)
	s.SpecDigest = b.keep(row.SpecDigest)
	for _, owner := range row.Owners {
		s.Owners = append(s.Owners, Owner{b.keep(owner.Kind), b.keep(owner.Name), b.keep(owner.UID), owner.Controller == "true"})
	}
	for _, c := range row.Conditions {
		s.Conditions = append(s.Conditions, Condition{b.keep(c.Type), b.keep(c.Status), b.keep(c.Reason), b.keep(c.Message), transition(c.Transition)})
	}
	return o
}

func transition(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

func (b *Builder) pairs(list []table.Pair) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list))
	for _, p := range list {
		m[b.keep(p.Key)] = b.keep(p.Value)
	}
	return m
}
