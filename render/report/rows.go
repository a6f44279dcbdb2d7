package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// row is a row of the timeline, as the table shows it and the picture marks it.
type row struct {
	ID     string `json:"id"`     // lasting: links name it
	Time   *int64 `json:"t"`      // null where unknown
	Lane   int    `json:"lane"`   // -1 for what is about no object
	Kind   string `json:"kind"`   // of the row, as in "timeline -o json"
	Mark   string `json:"mark"`   // how it is drawn: write, refusal, error, or its kind
	Actor  int    `json:"actor"`  // -1 where unknown
	Text   string `json:"text"`   // what happened
	Scale  string `json:"scale"`  // ready and wanted replicas, empty if neither is known
	Grade  string `json:"grade"`  // how sure it is
	Place  string `json:"place"`  // of the record
	Source string `json:"source"` // what "knforensics show" finds it by
	Record int    `json:"record"` // the raw record, -1 if the page has none
	Proves bool   `json:"proves"` // it is evidence of a finding
}

// recordDoc is a raw record.
type recordDoc struct {
	Raw  string   `json:"raw"`
	To   string   `json:"to"`   // what the difference is to, or why there is none
	Diff []string `json:"diff"` // lines that begin with "+ ", "- " or "  "
}

// rows fills in rows, actors and records of a family.
func rows(doc *familyDoc, f *Family, l *lanes, a axis) {
	actors := map[string]int{}
	proofs := proofs(f.Findings)
	ids := names{}
	for _, e := range f.Entries {
		r := row{Time: a.pointTo(e.Time), Lane: l.of(e.Object, e.UID), Kind: string(e.Kind), Mark: mark(e), Actor: -1, Text: render.Safe(e.Summary),
			Scale: render.Ratio(e.Ready, e.Want), Grade: string(e.Grade), Record: -1}
		if name := actor(e.Actor); name != "" {
			n, known := actors[name]
			if !known {
				n = len(doc.Actors)
				actors[name] = n
				doc.Actors = append(doc.Actors, name)
			}
			r.Actor = n
		}
		if e.Source.File != "" {
			r.Place = render.Safe(fmt.Sprintf("%s:%d", e.Source.File, e.Source.Line))
			r.Source = render.Safe(cmp.Or(e.Source.AuditID, fmt.Sprintf("%s:%d", e.Source.File, e.Source.Line)))
			r.Proves = proofs[PlaceOf(e.Source)]
		}
		r.ID = ids.new(cmp.Or(r.Source, string(e.Kind)))
		r.Record = doc.keep(f.Records[PlaceOf(e.Source)])
		doc.Rows = append(doc.Rows, r)
	}
}

// keep adds a record and returns its number, -1 if there is none.
func (doc *familyDoc) keep(r *render.Record) int {
	if r == nil || r.Raw == nil {
		return -1
	}
	out := recordDoc{Raw: strings.Join(r.Lines(), "\n"), To: render.Safe(r.DiffTo), Diff: []string{}}
	for _, line := range r.Diff {
		out.Diff = append(out.Diff, render.Safe(line))
	}
	doc.records = append(doc.records, out)
	return len(doc.records) - 1
}

// actor names who did something.
func actor(a timeline.Actor) string { return render.Safe(cmp.Or(a.Component, a.User, a.UserAgent)) }

// mark tells how a row is drawn.
func mark(e timeline.Entry) string {
	switch {
	case e.Kind == timeline.EntryGap, e.Kind == timeline.EntrySnapshot, e.Kind == timeline.EntryEvent:
		return string(e.Kind)
	case e.Verb != "" && e.Outcome == timeline.Refused:
		return "refusal"
	case e.Kind == timeline.EntryError:
		return "error"
	case e.Verb != "":
		return "write"
	}
	return "log"
}

// proofs lists the places of all evidence.
func proofs(findings []*detectors.Finding) map[Place]bool {
	places := map[Place]bool{}
	for _, f := range findings {
		for _, e := range f.Evidence {
			places[PlaceOf(e.Source)] = true
		}
		for _, s := range f.Chain {
			places[PlaceOf(s.Source)] = true
		}
	}
	return places
}

// names gives names that are not given yet.
type names map[string]int

func (n names) new(name string) string {
	n[name]++
	if n[name] == 1 {
		return name
	}
	return n.new(fmt.Sprintf("%s.%d", name, n[name]))
}
