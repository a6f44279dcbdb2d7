package detectors

import (
	"slices"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

func TestSupport(t *testing.T) {
	logged := timeline.Spell{From: at(0), First: timeline.View{Write: &timeline.Write{}}}
	shown, timeless := timeline.Spell{From: at(0)}, timeline.Spell{}
	tests := []struct {
		spells []timeline.Spell
		want   Confidence
	}{
		{[]timeline.Spell{logged, logged}, Strong},
		{[]timeline.Spell{logged, shown}, Probable},
		{[]timeline.Spell{shown, timeless}, Suspect},
		{[]timeline.Spell{logged, timeless}, Suspect},
	}
	for i, test := range tests {
		if got := Support(test.spells...); got != test.want {
			t.Errorf("%d: %s, want %s", i, got, test.want)
		}
	}
}

func TestLasted(t *testing.T) {
	if got := Lasted(timeline.Spell{From: at(0), To: at(0).Add(1234567 * time.Microsecond)}); got != 1.234 {
		t.Errorf("%v, want 1.234", got)
	}
	if got := Lasted(timeline.Spell{To: at(0)}); got != nil {
		t.Errorf("begin unknown: %v, want nil", got)
	}
}

func TestDecisive(t *testing.T) {
	got := Decisive(Evidence{Role: "a", Source: timeline.Source{AuditID: "audit", EventID: "event"}},
		Evidence{Role: "b", Source: timeline.Source{TraceID: "trace"}}, Evidence{Role: "c", Source: timeline.Source{EventID: "event"}}, Evidence{Role: "d"})
	if want := []string{"audit", "trace", "event", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNeedStates(t *testing.T) {
	ask := func(c *coverage.Coverage) []Blindness {
		return NeedStates(c, "serving.knative.dev", "routes", "status")
	}
	for _, format := range []coverage.Format{coverage.Snapshot, coverage.SnapshotTable} {
		if got := ask(&coverage.Coverage{Files: []coverage.File{{Format: format, Records: 1}}}); got != nil {
			t.Errorf("%s: %v, want none", format, got)
		}
	}
	const needs = "audit events of routes/status.serving.knative.dev with bodies (level Request or RequestResponse), or a snapshot"
	if got := ask(&coverage.Coverage{}); len(got) != 1 || got[0].Needs != needs || !got[0].Total {
		t.Errorf("%+v, want total blindness that needs %q", got, needs)
	}
	metadata := &coverage.Coverage{Files: []coverage.File{{Format: coverage.Snapshot, Records: 1}},
		Resources: []coverage.Resource{{ResourceKey: coverage.ResourceKey{Group: "serving.knative.dev", Resource: "routes", Subresource: "status"}, Records: 2, Levels: map[string]int64{"Metadata": 2}}}}
	if got := ask(metadata); len(got) != 1 || got[0].Total {
		t.Errorf("%+v, want that a snapshot does not stand for bodies", got)
	}
}
