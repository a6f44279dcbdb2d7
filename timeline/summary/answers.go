package summary

import "github.com/knforensics/knforensics/ingest/table"

// Requested is what one component asked of one resource.
type Requested struct {
	Cluster     string // empty where nothing tells
	Component   string // as timeline.Component names it
	Group       string // empty for the core group
	Resource    string // empty for requests that are about none, such as /healthz
	Subresource string
	Writes      Answers // of create, update, patch, apply, delete and deletecollection, but for dry runs
	Creates     int64
	Updates     int64 // update, patch and apply
	Deletes     int64 // delete and deletecollection
	DryRuns     int64
	Reads       Answers // of all other verbs: get, list, watch and the few that are neither
}

// Answers counts requests by how they were answered.
type Answers struct {
	Requests      int64
	Conflicts     int64 // 409 with reason Conflict: an update of an older version
	Throttled     int64 // 429
	Refused       int64 // any other 4xx
	AlreadyExists int64 // of Refused, 409 with reason AlreadyExists
	Failed        int64 // 5xx, or a panic of the API server
}

// request is what is counted of a request.
type request struct {
	class  class
	answer answer
}

// class is the kind of a verb.
type class uint8

const (
	read class = iota
	create
	update
	remove
	dryRun
)

// answer is the kind of an answer.
type answer uint8

const (
	accepted answer = iota
	conflict
	exists
	throttled
	refused
	failed
)

func classOf(e *table.AuditEvent) class {
	write := read
	switch e.Verb {
	case "create":
		write = create
	case "update", "patch", "apply":
		write = update
	case "delete", "deletecollection":
		write = remove
	}
	if write != read && e.DryRun {
		return dryRun
	}
	return write
}

func answerOf(e *table.AuditEvent) answer {
	switch {
	case e.Stage == "Panic" || e.Code >= 500:
		return failed
	case e.Code == 409 && e.Reason == "Conflict":
		return conflict
	case e.Code == 409 && e.Reason == "AlreadyExists":
		return exists
	case e.Code == 429:
		return throttled
	case e.Code >= 400:
		return refused
	}
	return accepted
}

func (r *Requested) add(what request) {
	switch what.class {
	case read:
		r.Reads.add(what.answer)
		return
	case dryRun:
		r.DryRuns++
		return
	case create:
		r.Creates++
	case update:
		r.Updates++
	case remove:
		r.Deletes++
	}
	r.Writes.add(what.answer)
}

func (a *Answers) add(answer answer) {
	a.Requests++
	switch answer {
	case conflict:
		a.Conflicts++
	case throttled:
		a.Throttled++
	case exists:
		a.AlreadyExists++
		a.Refused++
	case refused:
		a.Refused++
	case failed:
		a.Failed++
	}
}

// Errors is how many were answered with an error other than a conflict, which
// is retried as a matter of course.
func (a *Answers) Errors() int64 { return a.Throttled + a.Refused + a.Failed }

// Sum adds what others were answered.
func (a *Answers) Sum(b Answers) {
	a.Requests += b.Requests
	a.Conflicts += b.Conflicts
	a.Throttled += b.Throttled
	a.Refused += b.Refused
	a.AlreadyExists += b.AlreadyExists
	a.Failed += b.Failed
}

// Sum adds what another row counts.
func (r *Requested) Sum(b *Requested) {
	r.Writes.Sum(b.Writes)
	r.Reads.Sum(b.Reads)
	r.Creates += b.Creates
	r.Updates += b.Updates
	r.Deletes += b.Deletes
	r.DryRuns += b.DryRuns
}
