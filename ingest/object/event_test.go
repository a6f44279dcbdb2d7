package object

import (
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

func TestEvent(t *testing.T) {
	first := time.Date(2026, 3, 2, 8, 59, 0, 0, time.UTC)
	last := time.Date(2026, 3, 2, 9, 6, 0, 0, time.UTC)
	micro := time.Date(2026, 3, 2, 9, 5, 0, 123456000, time.UTC)
	base := table.KubeEvent{Namespace: "shop", Name: "cart.17", UID: "e-1", ObjectKind: "Revision", ObjectNamespace: "shop", ObjectName: "cart", ObjectUID: "u-1", Type: "Warning", Reason: "InternalError", Message: "failed"}
	with := func(change func(*table.KubeEvent)) table.KubeEvent {
		e := base
		change(&e)
		return e
	}
	const meta = `"metadata":{"name":"cart.17","namespace":"shop","uid":"e-1","creationTimestamp":"2026-03-02T08:00:00Z"},"type":"Warning","reason":"InternalError",`
	const core = `{"apiVersion":"v1","kind":"Event",` + meta + `"involvedObject":{"kind":"Revision","namespace":"shop","name":"cart","uid":"u-1","apiVersion":"x"},"message":"failed",`
	const events = `{"apiVersion":"events.k8s.io/v1","kind":"Event",` + meta + `"regarding":{"kind":"Revision","namespace":"shop","name":"cart","uid":"u-1"},"note":"failed",`
	for _, tt := range []struct {
		name, body string
		want       table.KubeEvent
	}{
		{"core/v1", core + `"count":4,"firstTimestamp":"2026-03-02T08:59:00Z","lastTimestamp":"2026-03-02T09:06:00Z","eventTime":null,"source":{"component":"revision-controller","host":"n"},"reportingComponent":""}`,
			with(func(e *table.KubeEvent) {
				e.Count, e.FirstTime, e.LastTime, e.Component = 4, first, last, "revision-controller"
			})},
		{"core/v1 with an event time only", core + `"eventTime":"2026-03-02T09:05:00.123456Z","firstTimestamp":null,"lastTimestamp":null,"source":{},"reportingComponent":"kubelet","reportingInstance":"n"}`,
			with(func(e *table.KubeEvent) { e.EventTime, e.Component = micro, "kubelet" })},
		{"core/v1 with a series", core + `"series":{"count":9,"lastObservedTime":"2026-03-02T09:06:00.000000Z"},"eventTime":"2026-03-02T09:05:00.123456Z","count":2,"lastTimestamp":null}`,
			with(func(e *table.KubeEvent) { e.EventTime, e.Count, e.LastTime = micro, 9, last })},
		{"a series after an older last time", core + `"lastTimestamp":"2026-03-02T08:59:00Z","series":{"lastObservedTime":"2026-03-02T09:06:00Z"}}`,
			with(func(e *table.KubeEvent) { e.LastTime = last })},
		{"a series before an older last time", core + `"series":{"lastObservedTime":"2026-03-02T09:06:00Z"},"lastTimestamp":"2026-03-02T08:59:00Z"}`,
			with(func(e *table.KubeEvent) { e.LastTime = last })},
		{"who reports before the source", core + `"reportingComponent":"a","source":{"component":"b"}}`, with(func(e *table.KubeEvent) { e.Component = "a" })},
		{"who reports after the source", core + `"source":{"component":"b"},"reportingComponent":"a"}`, with(func(e *table.KubeEvent) { e.Component = "a" })},
		{"events.k8s.io/v1", events + `"deprecatedCount":4,"deprecatedFirstTimestamp":"2026-03-02T08:59:00Z","deprecatedLastTimestamp":"2026-03-02T09:06:00Z","eventTime":null,"deprecatedSource":{"component":"revision-controller"},"reportingController":"","series":null}`,
			with(func(e *table.KubeEvent) {
				e.Count, e.FirstTime, e.LastTime, e.Component = 4, first, last, "revision-controller"
			})},
		{"events.k8s.io/v1 with a series", events + `"eventTime":"2026-03-02T09:05:00.123456Z","reportingController":"kubelet","series":{"count":9,"lastObservedTime":"2026-03-02T09:06:00.000000Z"}}`,
			with(func(e *table.KubeEvent) { e.EventTime, e.Count, e.LastTime, e.Component = micro, 9, last, "kubelet" })},
		{"year 1", core + `"firstTimestamp":"0001-01-01T00:00:00Z","lastTimestamp":"0001-01-01T00:00:00Z","eventTime":"0001-01-01T00:00:00.000000Z"}`, base},
		{"wrong types", core + `"count":"many","firstTimestamp":{},"lastTimestamp":[],"series":[1],"source":"x"}`, base},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := table.KubeEvent{Location: table.Location{Line: 7}, Origin: "o", AuditID: "a", Message: "left from before", Count: 99}
			tt.want.Location, tt.want.Origin, tt.want.AuditID = e.Location, e.Origin, e.AuditID
			if err := new(Decoder).Event([]byte(tt.body), &e); err != nil {
				t.Fatal(err)
			}
			if e != tt.want {
				t.Errorf("got  %+v\nwant %+v", e, tt.want)
			}
		})
	}
	if err := new(Decoder).Event([]byte(core), &table.KubeEvent{}); err == nil {
		t.Error("a broken Event is accepted")
	}
}

func TestHeaderTellsEventsAndLists(t *testing.T) {
	for header, want := range map[Header][2]bool{
		{"v1", "Event"}: {true, false}, {"events.k8s.io/v1", "Event"}: {true, false}, {"events.k8s.io/v1beta1", "Event"}: {true, false},
		{"audit.k8s.io/v1", "Event"}: {false, false}, {"example.com/v1", "Event"}: {false, false}, {"v1", "Events"}: {false, false},
		{"v1", "List"}: {false, true}, {"v1", "PodList"}: {false, true}, {"v1", "Pod"}: {false, false},
	} {
		if got := [2]bool{header.IsEvent(), header.IsList()}; got != want {
			t.Errorf("%+v: event, list = %v, want %v", header, got, want)
		}
	}
}
