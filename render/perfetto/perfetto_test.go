package perfetto_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/perfetto"
	"github.com/knforensics/knforensics/render/rendertest"
)

// trace is what is looked at of a trace, read by Perfetto's own definitions.
type trace struct {
	Packet []struct {
		Timestamp               uint64 `json:",string"`
		TrustedPacketSequenceID uint32 `json:"trustedPacketSequenceId"`
		SequenceFlags           uint32
		ClockSnapshot           *struct{ Clocks []map[string]any }
		TrackDescriptor         *descriptor
		TrackEvent              *event
	}
}

type descriptor struct {
	UUID                 string
	ParentUUID           string `json:"parentUuid"`
	Name                 string
	Counter              *struct{ UnitName string }
	ChildOrdering        string
	SiblingMergeBehavior string
}

type event struct {
	Type             string
	TrackUUID        string `json:"trackUuid"`
	Name             string
	CounterValue     *string
	FlowIDs          []string `json:"flowIds"`
	DebugAnnotations []struct {
		Name        string
		StringValue string
	}
}

func (e *event) arg(name string) string {
	for _, a := range e.DebugAnnotations {
		if a.Name == name {
			return a.StringValue
		}
	}
	return ""
}

func written(t testing.TB, stories []*render.Story) []byte {
	t.Helper()
	var out bytes.Buffer
	w := perfetto.NewWriter(&out)
	rendertest.Write(t, w, stories)
	return out.Bytes()
}

// read reads a trace. Every field of it has to be one that Perfetto knows.
func read(t *testing.T, data []byte) *trace {
	t.Helper()
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{ImportPaths: []string{"testdata"}}}
	files, err := compiler.Compile(context.Background(), "perfetto.proto")
	if err != nil {
		t.Fatal(err)
	}
	m := dynamicpb.NewMessage(files[0].FindDescriptorByName("perfetto.protos.Trace").(protoreflect.MessageDescriptor))
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	noUnknown(t, m)
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var doc trace
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

func noUnknown(t *testing.T, m protoreflect.Message) {
	if len(m.GetUnknown()) > 0 {
		t.Fatalf("%s has unknown fields: %x", m.Descriptor().FullName(), m.GetUnknown())
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				noUnknown(t, v.List().Get(i).Message())
			}
		case fd.Message() != nil:
			noUnknown(t, v.Message())
		}
		return true
	})
}

// check holds what Perfetto asks of a trace: tracks are known before their events and
// parents before their children, slices of a track do not overlap, counters have
// numbers and nothing else, and a flow has two ends at least.
func check(t *testing.T, doc *trace) (tracks map[string]*descriptor, events map[string][]*event) {
	t.Helper()
	if doc.Packet[0].ClockSnapshot == nil || doc.Packet[0].SequenceFlags != 1 || len(doc.Packet[0].ClockSnapshot.Clocks) != 2 {
		t.Error("the trace does not begin with its clocks")
	}
	tracks, events = map[string]*descriptor{}, map[string][]*event{}
	open, last, flows := map[string]bool{}, map[string]uint64{}, map[string]int{}
	for _, p := range doc.Packet {
		if p.TrustedPacketSequenceID != 1 {
			t.Error("a packet of no sequence")
		}
		if d := p.TrackDescriptor; d != nil {
			if tracks[d.UUID] != nil || d.ParentUUID != "" && tracks[d.ParentUUID] == nil || d.SiblingMergeBehavior != "SIBLING_MERGE_BEHAVIOR_NONE" {
				t.Errorf("track %s below %s: there already, or its parent is not, or merged", d.UUID, d.ParentUUID)
			}
			tracks[d.UUID] = d
		}
		e := p.TrackEvent
		if e == nil {
			continue
		}
		d := tracks[e.TrackUUID]
		if d == nil || (d.Counter != nil) != (e.Type == "TYPE_COUNTER") || (e.CounterValue != nil) != (e.Type == "TYPE_COUNTER") {
			t.Errorf("%s on track %v", e.Type, d)
			continue
		}
		switch e.Type {
		case "TYPE_SLICE_BEGIN", "TYPE_SLICE_END":
			if open[e.TrackUUID] == (e.Type == "TYPE_SLICE_BEGIN") || p.Timestamp < last[e.TrackUUID] {
				t.Errorf("%s of %q at %d on %s, after %d: slices overlap", e.Type, e.Name, p.Timestamp, d.Name, last[e.TrackUUID])
			}
			open[e.TrackUUID], last[e.TrackUUID] = e.Type == "TYPE_SLICE_BEGIN", p.Timestamp
		case "TYPE_COUNTER":
			if p.Timestamp <= last[e.TrackUUID] {
				t.Errorf("%s at %d, after %d", d.Name, p.Timestamp, last[e.TrackUUID])
			}
			last[e.TrackUUID] = p.Timestamp
		}
		for _, id := range e.FlowIDs {
			flows[id]++
		}
		events[e.TrackUUID] = append(events[e.TrackUUID], e)
	}
	for id, isOpen := range open {
		if isOpen {
			t.Errorf("a slice of %s does not end", tracks[id].Name)
		}
	}
	for id, ends := range flows {
		if ends < 2 {
			t.Errorf("flow %s has %d ends", id, ends)
		}
	}
	return tracks, events
}

// path names a track with those above it.
func path(tracks map[string]*descriptor, id string) string {
	var names []string
	for d := tracks[id]; d != nil; d = tracks[d.ParentUUID] {
		names = append(names, d.Name)
	}
	slices.Reverse(names)
	return strings.Join(names, " > ")
}

func TestSamples(t *testing.T) {
	for _, sample := range rendertest.Samples(t, "../..") {
		stories := rendertest.Stories(t, sample)
		data := written(t, stories)
		if !bytes.Equal(data, written(t, stories)) {
			t.Errorf("%s: another time, other bytes", sample)
		}
		tracks, events := check(t, read(t, data))
		findings := 0
		for id, d := range tracks {
			if d.Name == "findings" {
				findings += len(events[id])
			}
		}
		for _, s := range stories {
			findings -= len(s.Findings)
		}
		if findings != 0 {
			t.Errorf("%s: the numbers of findings differ by %d", sample, findings)
		}
	}
}

func TestLatched(t *testing.T) {
	tracks, events := check(t, read(t, written(t, rendertest.Stories(t, "../../samples/latched"))))
	of := map[string][]*event{}
	for id := range tracks {
		of[path(tracks, id)] = events[id]
	}
	const revision = "repro/rt > Service rt > Configuration rt > Revision rt-00002"
	var ready []string
	for _, e := range of[revision+" > Ready"] {
		if e.Type == "TYPE_SLICE_BEGIN" {
			ready = append(ready, e.Name)
		}
	}
	if got := strings.Join(ready, " "); !strings.HasSuffix(got, "False/Unschedulable True") {
		t.Errorf("Ready was %s", got)
	}
	for counter, last := range map[string]string{"ready replicas": "2", "wanted replicas": "6", "traffic": "100"} {
		values := of[revision+" > "+counter]
		if len(values) == 0 || *values[len(values)-1].CounterValue != last {
			t.Errorf("%s ends with %v, want %s", counter, values, last)
		}
	}
	if len(of["repro/rt > Service rt > Route rt > Ingress rt"]) == 0 {
		t.Error("nothing of the Ingress")
	}
	flows := map[string]bool{}
	for _, e := range of["repro/rt > findings"] {
		if e.Name == "below-initial-scale-ready" {
			for _, id := range e.FlowIDs {
				flows[id] = true
			}
		}
	}
	proven := slices.ContainsFunc(of[revision], func(e *event) bool {
		return e.arg("audit_id") == "3abf6edc-a06a-4057-9dd1-bd0bf58d9c31" && slices.ContainsFunc(e.FlowIDs, func(id string) bool { return flows[id] })
	})
	if !proven {
		t.Error("no flow leads from the finding to the write that proves it")
	}
}

// TestSnapshot holds that what only a snapshot shows, which tells no times of rows, makes
// a trace too.
func TestSnapshot(t *testing.T) {
	tracks, events := check(t, read(t, written(t, rendertest.Stories(t, "../../samples/latched/final.json.zst"))))
	if len(tracks) == 0 || len(events) == 0 {
		t.Errorf("%d tracks, %d with events", len(tracks), len(events))
	}
}

// TestOpen holds that a finding without a time is at the end, and says what is not known of
// it, and that what is undecided is on the track of its object or beside it.
func TestOpen(t *testing.T) {
	var out bytes.Buffer
	w := perfetto.NewWriter(&out)
	rendertest.Write(t, w, []*render.Story{rendertest.Open(time.Unix(60, 0))})
	_, events := check(t, read(t, out.Bytes()))
	told := map[string]*event{}
	for _, list := range events {
		for _, e := range list {
			told[e.Name] = e
		}
	}
	if f := told["d"]; f == nil || !strings.Contains(f.arg("open"), "Not known: whether traffic followed") || f.arg("time") != render.NoTime {
		t.Errorf("the finding is %+v", f)
	}
	if told["e: no bodies"] == nil {
		t.Error("what is undecided is not told")
	}
	w = perfetto.NewWriter(&out)
	rendertest.Write(t, w, []*render.Story{rendertest.Open(time.Time{})})
	if left := w.Left()[0].String(); left != "1 finding and 1 row are left out: nothing tells the time" {
		t.Error(left)
	}
}

func TestHostile(t *testing.T) {
	data := written(t, rendertest.Hostile(t))
	check(t, read(t, data))
	for _, raw := range []string{"\x1b]0", "owned\a", "\u202e"} {
		if bytes.Contains(data, []byte(raw)) {
			t.Errorf("%q is in the trace", raw)
		}
	}
	if !bytes.Contains(data, []byte(`\x1b]0;owned\x07\u202e`)) {
		t.Error("the texts are not in the trace")
	}
}

// FuzzWriter holds what Perfetto asks of a trace, whatever the inputs say.
func FuzzWriter(f *testing.F) {
	f.Add(rendertest.HostileInput)
	f.Fuzz(func(t *testing.T, input string) {
		if data := written(t, rendertest.Told(t, input)); len(data) > 0 {
			check(t, read(t, data))
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	stories := rendertest.Stories(b, "../../samples/latched")
	b.SetBytes(int64(len(written(b, stories))))
	b.ReportAllocs()
	for b.Loop() {
		written(b, stories)
	}
}
