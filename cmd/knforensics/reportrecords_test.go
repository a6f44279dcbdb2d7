package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/report"
	"github.com/knforensics/knforensics/timeline"
)

// TestProofsComeFirst holds that the records of evidence and of chains get room before
// those of other rows.
func TestProofsComeFirst(t *testing.T) {
	at := func(line int64) timeline.Source { return timeline.Source{File: "a", Line: line} }
	f := report.Family{Findings: []*detectors.Finding{{
		Evidence: []detectors.Evidence{{Source: at(7)}}, Chain: []detectors.Step{{Evidence: detectors.Evidence{Source: at(5)}}, {Evidence: detectors.Evidence{Source: at(7)}}},
	}}}
	for line := range int64(9) {
		f.Entries = append(f.Entries, timeline.Entry{Source: at(line)})
	}
	var lines []int64
	for _, place := range recordOrder([]report.Family{f}) {
		lines = append(lines, place.Line)
	}
	if want := []int64{7, 5, 0, 1, 2, 3, 4, 6, 8}; !slices.Equal(lines, want) {
		t.Errorf("%v, want %v", lines, want)
	}
}

// TestRecordWithoutRoom holds that a record that does not fit leaves the room to others.
func TestRecordWithoutRoom(t *testing.T) {
	o := &reportOptions{timelineOptions{options: &options{streams: &streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard}, jobs: 2, progress: "never"}}}
	paths := []string{"../../samples/latched"}
	list, err := o.records(t.Context(), selector{id: "3abf6edc"}, paths, false, ingest.Options{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	large := list[0]
	large.Line, large.Length = 1, mostRaw+1
	records, err := o.fetchFirst([]*render.Record{&large, nil, &list[0]}, paths)
	if err != nil || len(records) != 1 || len(records[report.Place{File: list[0].File, Line: list[0].Line, AuditID: list[0].AuditID}].Raw) == 0 {
		t.Error(records, err)
	}
}

// TestWriteBeforeIsElsewhere holds that what a record itself tells is said of it, whether
// the write before is on the page or not.
func TestWriteBeforeIsElsewhere(t *testing.T) {
	at := func(line int64, id string) timeline.Source {
		return timeline.Source{File: "a", Line: line, AuditID: id}
	}
	state := func(n string) string { return `,"responseObject":{"kind":"Revision","n":` + n + `}` }
	record := func(code, body string) *render.Record {
		return &render.Record{Format: "audit", Raw: []byte(`{"responseStatus":{"code":` + code + `}` + body + `}`)}
	}
	entries := []timeline.Entry{
		{Verb: "update", Outcome: timeline.Applied, Source: at(1, "not here")},
		{Verb: "update", Outcome: timeline.Refused, Source: at(2, "refused")},
		{Source: at(3, "")},
		{Verb: "update", Outcome: timeline.Applied, Source: at(4, "second")},
		{Verb: "update", Outcome: timeline.Applied, Source: at(5, "third")},
	}
	snapshot := &render.Record{Format: "snapshot", Raw: []byte(`{}`)}
	records := map[report.Place]*render.Record{report.PlaceOf(entries[1].Source): record("409", ""), report.PlaceOf(entries[2].Source): snapshot,
		report.PlaceOf(entries[3].Source): record("200", state("2")), report.PlaceOf(entries[4].Source): record("200", state("3"))}
	compareAll(entries, records)
	for i, want := range map[int]string{1: "refused with 409: it changed nothing", 2: "", 3: "the write before is not on this page; knforensics show --diff second compares them", 4: "difference to "} {
		if got := records[report.PlaceOf(entries[i].Source)].DiffTo; got != want && (i != 4 || !strings.HasPrefix(got, want)) {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}
