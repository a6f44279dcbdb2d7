package timeline

import (
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// body is an object in a request or an answer.
type body struct {
	state     *State
	patch     bool
	removed   []table.Path // of a patch: the paths of which nothing of before is left
	hasStatus bool
}

// answer is an object in an answer. Its names refer to the memory of the batch.
type answer struct {
	Ref
	uid   string
	state *State
}

// shown is an object as a snapshot shows it.
type shown struct {
	Ref
	uid    string
	state  *State
	source Source
}

// bodies are the objects in one audit event: what was sent, and what was
// answered, which are several where a collection was deleted.
type bodies struct {
	sent *body
	got  []answer
}

// answer returns the one object that was answered, nil if it is not one.
func (b bodies) answer() *answer {
	if len(b.got) != 1 {
		return nil
	}
	return &b.got[0]
}

// foreign reports whether a Pod, ReplicaSet or Deployment shows that it is not
// of a Revision.
func (b bodies) foreign(kind string) bool {
	answer := b.answer()
	if answer == nil || !canBeForeign(kind) {
		return false
	}
	labels := answer.state.Labels
	return len(labels) > 0 && labels.Get(labelRevision) == "" && labels.Get(labelService) == ""
}

// canBeForeign reports whether objects of a kind can be of somebody else than Knative.
func canBeForeign(kind string) bool {
	return kind == KindPod || kind == KindReplicaSet || kind == KindDeployment
}

// asked is the object that was sent in a request, as long as it is not known whether
// the answer shows it as well.
type asked struct {
	row  table.Object
	kind string // empty if there is none
}

// hold takes over a row, which is reused.
func (a *asked) hold(row *table.Object, kind string) {
	old := a.row
	a.row, a.kind = *row, kind
	a.row.Labels = append(old.Labels[:0], row.Labels...)
	a.row.Annotations = append(old.Annotations[:0], row.Annotations...)
	a.row.Fields = append(old.Fields[:0], row.Fields...)
	a.row.Owners = append(old.Owners[:0], row.Owners...)
	a.row.Conditions = append(old.Conditions[:0], row.Conditions...)
	a.row.Removed = append(old.Removed[:0], row.Removed...)
}

// object takes an object of the batch. The answer stands after what was sent.
func (b *Builder) object(row *table.Object) {
	if b.within == nil {
		b.releases.Add(row)
	}
	kind := kindOf[groupName{row.Group, row.Kind}]
	if row.Group == "autoscaling" && row.Kind == kindScale && row.Origin != table.OriginSnapshot {
		kind = kindScale
	}
	if kind == "" || kind == kindConfigMap && !isSetting(row.Name) {
		return
	}
	switch row.Origin {
	case table.OriginSnapshot:
		b.show(row, kind)
	case table.OriginRequest:
		b.unanswered()
		b.asked.hold(row, kind)
	default:
		if b.asked.row.Place() == row.Place() && tellsAll(row, kind) {
			b.asked.kind = ""
		}
		those := b.carried[row.Place()]
		those.got = append(those.got, answer{Ref{kind, row.Namespace, row.Name}, row.UID, b.state(row, kind)})
		b.carried[row.Place()] = those
	}
}

// unanswered keeps what was sent in the last request if it is needed still.
func (b *Builder) unanswered() {
	row, kind := &b.asked.row, b.asked.kind
	if b.asked.kind = ""; kind == "" {
		return
	}
	sent := &body{state: b.state(row, kind), patch: isPart(row, kind), hasStatus: row.HasStatus}
	for _, p := range row.Removed {
		sent.removed = append(sent.removed, table.Path{Path: b.keep(p.Path)})
	}
	those := b.carried[row.Place()]
	those.sent = sent
	b.carried[row.Place()] = those
}

// tellsAll reports whether an answer leaves nothing to be learnt from what was sent: it
// is the object as it was stored. A PodAutoscaler is stored with the spec that it had,
// which the sender of a status may not have known.
func tellsAll(row *table.Object, kind string) bool {
	return !isPart(row, kind) && kind != KindPodAutoscaler
}

// Told reports whether what was sent of an object of a kind is of no use where the answer
// shows the object: see tellsAll.
func Told(group, kind string) bool {
	return kindOf[groupName{group, kind}] != "" && kind != KindPodAutoscaler
}

// isPart reports whether a body is no whole object.
func isPart(row *table.Object, kind string) bool { return row.Patch != "" || kind == kindScale }

func (b *Builder) show(row *table.Object, kind string) {
	o := &shown{Ref{kind, b.keep(row.Namespace), b.keep(row.Name)}, b.keep(row.UID), b.state(row, kind),
		Source{File: b.keep(row.File), Line: row.Line, AuditID: b.keep(row.AuditID)}}
	o.state.Whole = true
	if o.uid+row.ResourceVersion != "" {
		o.source.EventID = o.uid + "@" + row.ResourceVersion
	}
	b.seen = append(b.seen, o)
}

func (b *Builder) state(row *table.Object, kind string) *State {
	return &State{ResourceVersion: strings.Clone(row.ResourceVersion), Generation: row.Generation, ObservedGeneration: row.Observed,
		Created: row.Created, Deleting: row.Deleted, Labels: b.pairsOf(row.Labels), Annotations: b.pairsOf(row.Annotations), Fields: b.pairsOf(row.Fields),
		Owners: b.ownersOf(row.Owners), Conditions: b.conditionsOf(row.Conditions), SpecDigest: b.keep(row.SpecDigest), Whole: !isPart(row, kind)}
}
