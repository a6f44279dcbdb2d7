package summary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

func TestRequests(t *testing.T) {
	update := func(at float64, code int, reason string) event {
		return event{at: at, verb: "update", res: "revisions/status", name: "r", code: code, reason: reason}
	}
	create := event{at: 6, verb: "create", res: "routes", name: "r", code: 409, reason: "AlreadyExists", agent: "autoscaler/v1"}
	received, started := update(1, 200, ""), update(1, 200, "")
	received.stage, started.stage = "RequestReceived", "ResponseStarted"
	panicked, dry := update(5, 200, ""), update(9, 200, "")
	panicked.stage, dry.dryRun = "Panic", true
	s := sum(t, always, NewRequests("", always), lines(received, started, update(1, 200, ""), update(2, 409, "Conflict"), update(3, 429, "TooManyRequests"),
		update(4, 503, ""), panicked, update(7, 403, "Forbidden"), update(8, 409, "Other"), dry, create,
		event{at: 10, verb: "get", res: "revisions", name: "r", code: 404}, event{at: 11, verb: "deletecollection", res: "revisions"}, event{at: 12, verb: "apply", res: "revisions", name: "r"}),
		lines(update(1, 200, ""))) // given twice
	var got []string
	for _, r := range s.Requested {
		got = append(got, fmt.Sprint(r.Component, " ", r.Resource, " ", r.Subresource, r.Writes, r.Creates, r.Updates, r.Deletes, r.DryRuns, r.Reads))
	}
	want := []string{
		"controller revisions status{7 1 1 2 0 2} 0 7 0 1 {0 0 0 0 0 0}",
		"controller revisions {2 0 0 0 0 0} 0 1 1 0 {1 0 0 1 0 0}",
		"autoscaler routes {1 0 0 1 1 0} 1 0 0 0 {0 0 0 0 0 0}",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Total.Writes != (Answers{10, 1, 1, 3, 1, 2}) || s.Total.Reads.Requests != 1 || s.Total.Writes.Errors() != 6 {
		t.Errorf("%+v", s.Total)
	}
}

// TestNoLastStage holds that a log without answers says so, rather than nothing.
func TestNoLastStage(t *testing.T) {
	received := made(1)
	received.stage = "RequestReceived"
	if s := sum(t, always, NewRequests("", always), lines(received)); !s.Unfinished || s.Total.Writes.Requests != 0 {
		t.Errorf("%+v", s.Total)
	}
	if s := sum(t, always, NewRequests("", always), lines(received, made(1))); s.Unfinished || s.Total.Writes.Requests != 1 {
		t.Errorf("%+v", s.Total)
	}
}

func TestRequestsOfANamespace(t *testing.T) {
	if s := sum(t, always, NewRequests("elsewhere", always), lines(made(1))); len(s.Requested) != 0 {
		t.Errorf("%+v", s.Requested[0])
	}
}

// batch makes audit events, each of a user agent of its own.
func batch(n int, cluster string) *table.Batch {
	b := table.NewBuilder()
	for i := range n {
		b.AuditEvent(&table.AuditEvent{Location: table.Location{Cluster: cluster, Offset: int64(i)}, Stage: "ResponseComplete", Verb: "update",
			UserAgent: fmt.Sprintf("agent-%d/v1", i), Resource: "leases", Code: 200, StageTime: sec(1)})
	}
	return b.Batch()
}

// TestRequestsAreBounded holds that clients that call themselves anything fill
// no memory, and are counted nevertheless.
func TestRequestsAreBounded(t *testing.T) {
	r := NewRequests("", always)
	all := batch(mostRows+500, "")
	defer all.Release()
	r.Add(all)
	list := r.list([]*timeline.Cluster{{}})
	if len(list) != mostRows+1 || list[0].Component != furtherPrograms || list[0].Writes.Requests != 500 {
		t.Errorf("%d rows, the first %+v", len(list), list[0])
	}
}

func TestRequestsOfClusters(t *testing.T) {
	r := NewRequests("", always)
	for _, cluster := range []string{"", "a", "b"} {
		one := batch(1, cluster)
		r.Add(one)
		one.Release()
	}
	if list := r.list([]*timeline.Cluster{{}}); len(list) != 1 || list[0].Writes.Requests != 3 {
		t.Errorf("one cluster: %+v", list[0])
	}
	if list := r.list([]*timeline.Cluster{{Name: "b"}}); len(list) != 1 || list[0].Cluster != "b" || list[0].Writes.Requests != 1 {
		t.Errorf("b: %+v", list[0])
	}
	if list := r.list([]*timeline.Cluster{{Name: ""}, {Name: "a"}, {Name: "b"}}); len(list) != 3 {
		t.Errorf("all: %d rows", len(list))
	}
}

func BenchmarkRequests(b *testing.B) {
	all := batch(1000, "")
	defer all.Release()
	r := NewRequests("", always)
	r.Add(all)
	b.ReportAllocs()
	for b.Loop() {
		r.Add(all)
	}
}
