package main

import (
	"context"
	"slices"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/report"
	"github.com/knforensics/knforensics/timeline"
)

// mostRaw is how many bytes of raw records a page takes.
const mostRaw = 16 << 20

// addRecords gives families the raw records of their rows, those that prove something
// first, until there is no more room.
func (o *reportOptions) addRecords(ctx context.Context, paths []string, families []report.Family) error {
	order := recordOrder(families)
	rank := map[report.Place]int{}
	for i, place := range order {
		rank[place] = i
	}
	found := make([]*render.Record, len(order))
	_, err := o.read(ctx, paths, searching(timeline.SearchAll()), func(b *table.Batch) error {
		wanted := func(l table.Location, id string) bool {
			_, is := rank[report.Place{File: l.File, Line: l.Line, AuditID: id}]
			_, log := rank[report.Place{File: l.File, Line: l.Line}]
			return is || log
		}
		for _, r := range recordsOf(b, wanted) {
			if n, ok := rank[report.Place{File: r.File, Line: r.Line, AuditID: r.AuditID}]; ok {
				found[n] = &r
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	records, err := o.fetchFirst(found, paths)
	if err != nil {
		return err
	}
	for i := range families {
		families[i].Records = records
		compareAll(families[i].Entries, records)
	}
	return nil
}

// recordOrder lists the places of the records that rows are made of, those first that
// prove something.
func recordOrder(families []report.Family) (order []report.Place) {
	listed := map[report.Place]bool{{}: true}
	add := func(s timeline.Source) {
		if place := report.PlaceOf(s); !listed[place] {
			listed[place] = true
			order = append(order, place)
		}
	}
	for _, f := range families {
		for _, found := range f.Findings {
			for _, e := range found.Evidence {
				add(e.Source)
			}
			for _, step := range found.Chain {
				add(step.Source)
			}
		}
	}
	for _, f := range families {
		for _, e := range f.Entries {
			add(e.Source)
		}
	}
	return order
}

// fetchFirst reads the first of some records, those that there is room for.
func (o *reportOptions) fetchFirst(found []*render.Record, paths []string) (map[report.Place]*render.Record, error) {
	var list []render.Record
	room := int64(mostRaw)
	for _, r := range found {
		if r == nil {
			continue
		}
		if r.Length <= room {
			room -= r.Length
			list = append(list, *r)
		}
	}
	if err := o.fetch(list, paths); err != nil {
		return nil, err
	}
	records := map[report.Place]*render.Record{}
	for i := range list {
		records[report.Place{File: list[i].File, Line: list[i].Line, AuditID: list[i].AuditID}] = &list[i]
	}
	return records, nil
}

// compareAll fills in the difference of each record to that of the write before it.
func compareAll(entries []timeline.Entry, records map[report.Place]*render.Record) {
	type object struct {
		timeline.Ref
		uid string
	}
	before := map[object]*render.Record{}
	missing := map[object]bool{}
	for _, e := range entries {
		of := object{e.Object, e.UID}
		took := e.Verb != "" && slices.Contains([]timeline.Outcome{timeline.Applied, timeline.Unchanged, timeline.Read}, e.Outcome)
		r := records[report.PlaceOf(e.Source)]
		if r == nil || r.Raw == nil {
			missing[of] = missing[of] || took
			continue
		}
		elsewhere := ""
		if missing[of] {
			elsewhere = "the write before is not on this page; knforensics show --diff " + e.Source.AuditID + " compares them"
		}
		compare(r, before[of], elsewhere)
		if _, ok := stateOf(r.Raw); took && ok {
			before[of], missing[of] = r, false
		}
	}
}
