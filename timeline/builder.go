package timeline

import (
	"cmp"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// Builder collects what matters from record batches. What it keeps grows with
// the writes to objects of the kinds of the family, not with the size of the
// logs; Pods, ReplicaSets and Deployments that show that they are of no family
// are left out.
type Builder struct {
	copies
	requests  []*request
	staged    map[digest]*request       // those with an audit ID, by what identifies them
	listed    map[digest]bool           // deletions of collections of which the answer tells the members
	carried   map[table.Place]bodies    // of the batch
	recorded  map[table.Place]time.Time // when the Events of the batch were
	asked     asked
	seen      []*shown // objects in snapshots
	notes     []*Note
	attempts  map[attemptKey]*Attempt
	enqueued  map[Ref][]Enqueue
	from, to  time.Time // span of the audit events
	logTo     time.Time
	alive     map[string]time.Time // last sign of each process, by its Pod
	others    func() []*Attempt    // reconciles of the objects that were left out
	within    *Cluster             // of another History, where it was built; else nil
	mixed     *Mixed
	releases  Signs                 // of Knative
	activated map[Ref]*activatorLog // by Revision
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{copies: newCopies(), staged: map[digest]*request{}, listed: map[digest]bool{},
		carried: map[table.Place]bodies{}, recorded: map[table.Place]time.Time{}, attempts: map[attemptKey]*Attempt{},
		enqueued: map[Ref][]Enqueue{}, alive: map[string]time.Time{}, releases: Signs{}, activated: map[Ref]*activatorLog{}}
}

// identity returns what identifies the request of a stage. The audit ID alone does
// not: clients can choose it, and an aggregated API server logs the ID of the request
// that was passed on to it (kubernetes/kubernetes#101597). All stages of a request
// tell the same moment at which it was received.
func (b *Builder) identity(row *table.AuditEvent) digest {
	for _, text := range []string{row.AuditID, row.Verb, row.RequestURI, row.Name} {
		b.hash.add(text)
	}
	b.hash.addNumber(row.Received.UnixMicro())
	return b.hash.sum()
}

// request is a request about an object of the family, its stages folded.
type request struct {
	*Write
	Ref
	uid    string
	final  bool // the answer was seen
	listed bool // the answer lists what was deleted
	order  int
}

// Add takes over what a batch holds. The batch may be released afterwards.
func (b *Builder) Add(batch *table.Batch) {
	batch.EachObject(b.object)
	b.unanswered()
	batch.EachAuditEvent(func(row *table.AuditEvent) {
		if row.Resource == "events" {
			b.recorded[row.Place()] = row.StageTime
		}
		b.auditEvent(row, b.carried[row.Place()])
	})
	batch.EachKubeEvent(func(row *table.KubeEvent) { b.kubeEvent(row, b.recorded[row.Place()]) })
	batch.EachLog(b.log)
	clear(b.carried)
	clear(b.recorded)
	b.asked = asked{} // it refers to the batch
}

// isSetting reports whether a ConfigMap is one of Knative's own.
func isSetting(name string) bool { return strings.HasPrefix(name, "config-") }

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
	kind := resourceKinds[groupName{row.Group, row.Resource}]
	if kind == "" || !isFamilyRequest(row, those) || kind == kindConfigMap && !isSetting(row.Name) || those.foreign(kind) {
		return
	}
	if row.Verb == "deletecollection" && row.ResponseLength > 0 && row.Code/100 == 2 {
		b.listed[b.identity(row)] = true
		for i := range those.got {
			o := &those.got[i]
			if o.Kind == kind {
				named := *row
				named.Name, named.Namespace, named.UID = o.Name, o.Namespace, o.uid
				b.request(&named, kind, bodies{got: those.got[i : i+1]})
			}
		}
		return
	}
	b.request(row, kind, those)
}

// request takes one stage of a request about one object.
func (b *Builder) request(row *table.AuditEvent, kind string, those bodies) {
	var id digest
	if row.AuditID != "" {
		id = b.identity(row)
	}
	r := b.staged[id]
	if r == nil {
		r = &request{Write: &Write{}, Ref: Ref{kind, b.keep(row.Namespace), b.keep(row.Name)}, order: len(b.requests)}
		b.requests = append(b.requests, r)
		if row.AuditID != "" {
			b.staged[id] = r
			r.Source.AuditID = strings.Clone(row.AuditID)
		}
	}
	b.stage(r, row, those)
}

// isFamilyRequest tells the requests that say something about an object:
// writes, and reads whose answer shows it.
func isFamilyRequest(row *table.AuditEvent, those bodies) bool {
	if !concernsObjects(row.Subresource) {
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
	final := row.Stage == "ResponseComplete" || row.Stage == "Panic"
	if r.final && !final || r.final == final && row.StageTime.Before(r.Time) {
		return
	}
	r.final = final
	r.Terms = b.termsOf(row)
	r.Time, r.Received = row.StageTime, row.Received
	r.SentVersion = strings.Clone(row.ResourceVersion)
	r.Truncated = r.Truncated || row.Truncated
	r.Source.File, r.Source.Line = b.file(row.File), row.Line
	r.sent, r.got, r.uid = those.sent, nil, cmp.Or(row.UID, row.DetailsUID)
	if answer := those.answer(); answer != nil {
		r.got, r.uid = answer.state, cmp.Or(r.uid, answer.uid)
	}
	r.uid = b.keep(r.uid)
	r.Outcome = outcome(row, r.got != nil)
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
