package summary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// Requests counts the requests that audit events tell of, by component and
// resource. A request counts once, by the event of its last stage, so that
// nothing has to be kept of it.
type Requests struct {
	namespace string
	holds     func(time.Time) bool
	rows      map[rowKey]*Requested
	held      []held
	finished  int64
	begun     int64
}

// rowKey is what the requests of one row have in common.
type rowKey struct{ cluster, component, group, resource, subresource string }

// held is a request of which it is not known yet whether it counts.
type held struct {
	at  time.Time
	row *Requested
	request
}

// mostRows bounds how many rows there are: clients can call themselves
// anything. Programs that come later are counted together.
const mostRows = 20_000

const furtherPrograms = "further programs"

// NewRequests returns an empty Requests that counts what is in a namespace, of
// all if it is empty, and what was answered at times that hold. If holds is nil,
// which times that are is not known before everything is read: Within tells it.
func NewRequests(namespace string, holds func(time.Time) bool) *Requests {
	return &Requests{namespace: namespace, holds: holds, rows: map[rowKey]*Requested{}}
}

// Add counts the requests of a batch. The batch may be released afterwards.
func (r *Requests) Add(batch *table.Batch) { batch.EachAuditEvent(r.event) }

func (r *Requests) event(e *table.AuditEvent) {
	if r.namespace != "" && e.Namespace != r.namespace {
		return
	}
	if e.Stage == "RequestReceived" || e.Stage == "ResponseStarted" {
		r.begun++
		return
	}
	r.finished++
	what := request{classOf(e), answerOf(e)}
	switch {
	case r.holds == nil:
		r.held = append(r.held, held{e.StageTime, r.row(e), what})
	case r.holds(e.StageTime):
		r.row(e).add(what)
	}
}

// Within tells which times hold, where NewRequests was not told.
func (r *Requests) Within(holds func(time.Time) bool) {
	for _, h := range r.held {
		if holds(h.at) {
			h.row.add(h.request)
		}
	}
	r.held, r.holds = nil, holds
}

func (r *Requests) row(e *table.AuditEvent) *Requested {
	key := rowKey{e.Cluster, timeline.Component(e.User, e.UserAgent), e.Group, e.Resource, e.Subresource}
	row := r.rows[key]
	if row == nil && len(r.rows) >= mostRows {
		key.component = furtherPrograms
		row = r.rows[key]
	}
	if row == nil {
		key = rowKey{strings.Clone(key.cluster), strings.Clone(key.component), strings.Clone(key.group), strings.Clone(key.resource), strings.Clone(key.subresource)}
		row = &Requested{Cluster: key.cluster, Component: key.component, Group: key.group, Resource: key.resource, Subresource: key.subresource}
		r.rows[key] = row
	}
	return row
}

// list returns the rows of some clusters, those with most writes first, then
// those with most reads. Where one cluster has no name, as in a History of one
// cluster only, everything is of it.
func (r *Requests) list(clusters []*timeline.Cluster) (list []*Requested) {
	all := len(clusters) == 1 && clusters[0].Name == ""
	merged := map[rowKey]*Requested{}
	for key, row := range r.rows {
		if row.Reads.Requests+row.Writes.Requests+row.DryRuns == 0 {
			continue
		}
		if !all && !slices.ContainsFunc(clusters, func(c *timeline.Cluster) bool { return c.Name == key.cluster }) {
			continue
		}
		if all {
			key.cluster = ""
		}
		sum := merged[key]
		if sum == nil {
			sum = &Requested{Cluster: key.cluster, Component: key.component, Group: key.group, Resource: key.resource, Subresource: key.subresource}
			merged[key] = sum
			list = append(list, sum)
		}
		sum.Sum(row)
	}
	slices.SortFunc(list, func(a, b *Requested) int {
		return cmp.Or(cmp.Compare(b.Writes.Requests, a.Writes.Requests), cmp.Compare(b.Reads.Requests, a.Reads.Requests),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Component, b.Component),
			cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Subresource, b.Subresource))
	})
	return list
}
