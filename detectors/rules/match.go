package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unique"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/knforensics/knforensics/timeline"
)

// most is how many matches of a rule are kept, the earliest ones, and mostOfAll
// those of all rules together: rules that match everything must not keep
// everything.
const (
	most      = 100_000
	mostOfAll = 10 * most
)

// match is a record that a rule matches, and what a finding needs of it.
type match struct {
	*origin
	group  string
	values []any // for the message
}

// origin is what matches of any rule tell of a record.
type origin struct {
	cluster  string
	object   timeline.Ref
	uid      string
	time     time.Time // zero in a snapshot
	received time.Time
	verb     string
	source   timeline.Source
}

// ofRequest returns the origin of matches without the memory of the row.
func ofRequest(r *request) *origin {
	object := timeline.RefOf(r.Group, r.Resource, r.Namespace, r.Name)
	if r.Resource == "" {
		path, _, _ := strings.Cut(r.RequestURI, "?")
		object = timeline.Ref{Kind: "URL", Name: path}
	}
	object = timeline.Ref{Kind: own(object.Kind), Namespace: own(object.Namespace), Name: own(object.Name)}
	return &origin{cluster: own(r.Cluster), object: object, time: r.StageTime, received: r.Received, verb: own(r.Verb),
		source: timeline.Source{File: own(r.File), Line: r.Line, AuditID: own(r.AuditID)}}
}

func ofState(cluster string, s *state) *origin {
	m := &origin{cluster: cluster, object: s.object.Ref, uid: s.object.UID, source: s.source}
	if s.write != nil {
		m.time, m.received, m.verb = s.write.Time, s.write.Received, s.write.Verb
	}
	return m
}

// own returns a string that shares memory with equal ones only.
func own(s string) string { return unique.Make(s).Value() }

// compare is the order of matches: by time, those of snapshots last.
func compare(a, b *origin) int {
	if a.time.IsZero() != b.time.IsZero() {
		if a.time.IsZero() {
			return 1
		}
		return -1
	}
	if c := cmp.Or(a.time.Compare(b.time), cmp.Compare(a.source.AuditID, b.source.AuditID)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.object.String(), b.object.String()),
		cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.source.File, b.source.File), cmp.Compare(a.source.Line, b.source.Line),
		cmp.Compare(a.source.EventID, b.source.EventID))
}

// found is what a rule matches, and what it failed on.
type found struct {
	rule    *Rule
	most    int // how many matches are kept
	matches []match
	last    *origin            // those after it were left out; nil if none were
	failed  map[string]failure // by cluster, as records name it
}

// failure is how often a rule failed, and how it did on the first record.
type failure struct {
	count int
	first *origin
	err   error
}

// look asks the rule about a record. describe tells its origin.
func (f *found) look(record cel.Activation, describe func() *origin) {
	value, _, err := f.rule.when.Eval(record)
	if err != nil {
		f.fail(describe(), err)
		return
	}
	if value != types.True {
		return
	}
	m := match{origin: describe()}
	group, err := f.rule.by(m.origin, record)
	if err != nil {
		f.fail(m.origin, err)
		return
	}
	if f.last != nil && compare(m.origin, f.last) > 0 {
		return
	}
	m.group, m.values = own(group), f.rule.message.keep(record)
	if f.matches = append(f.matches, m); len(f.matches) == 2*f.most {
		f.settle()
	}
}

func (f *found) fail(m *origin, err error) {
	if f.failed == nil {
		f.failed = map[string]failure{}
	}
	f.failed[m.cluster] = f.failed[m.cluster].and(failure{1, m, err})
}

func (f failure) and(other failure) failure {
	if f.count == 0 || other.count > 0 && compare(other.first, f.first) < 0 {
		f.first, f.err = other.first, other.err
	}
	f.count += other.count
	return f
}

// settle brings the matches in order, counts each request once, and leaves out
// what is too many.
func (f *found) settle() {
	type request struct {
		cluster, auditID, verb string
		object                 timeline.Ref
		received               time.Time
	}
	slices.SortFunc(f.matches, func(a, b match) int { return compare(a.origin, b.origin) })
	seen := map[request]bool{}
	f.matches = slices.DeleteFunc(f.matches, func(m match) bool {
		id := request{m.cluster, m.source.AuditID, m.verb, m.object, m.received}
		again := id.auditID != "" && seen[id]
		seen[id] = true
		return again
	})
	if len(f.matches) > f.most {
		clear(f.matches[f.most:])
		f.matches, f.last = f.matches[:f.most], f.matches[f.most-1].origin
	}
}
