package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/knforensics/knforensics/render"
)

// schema names the form of the document in the page.
const schema = "knforensics.report/v1"

// document is what the script draws. Times are microseconds since Origin, which
// JavaScript's numbers hold exactly. All text in it is safe to be shown as text.
type document struct {
	Schema   string      `json:"schema"`
	Origin   int64       `json:"origin"` // microseconds since 1970
	Zones    []zone      `json:"zones"`
	Gaps     [][2]int64  `json:"gaps"` // stretches without data
	Families []familyDoc `json:"families"`
}

// zone is what clocks showed from a moment on.
type zone struct {
	From   int64  `json:"from"`
	Offset int    `json:"offset"` // seconds east of UTC
	Name   string `json:"name"`
}

// familyDoc is the picture of a family.
type familyDoc struct {
	Name     string     `json:"name"`
	From     int64      `json:"from"`
	To       int64      `json:"to"`
	Lanes    []lane     `json:"lanes"`
	Capacity []capacity `json:"capacity"`
	Actors   []string   `json:"actors"`
	Rows     []row      `json:"rows"`
	Findings []flag     `json:"findings"`
	Records  string     `json:"records"` // the raw records, a JSON list, gzipped and in base64
	records  []recordDoc
}

// flag is a finding in the picture.
type flag struct {
	ID       string `json:"id"`
	Time     *int64 `json:"t"`
	To       *int64 `json:"to"`
	Lane     int    `json:"lane"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
}

// axis counts time from an origin.
type axis struct{ origin time.Time }

func (a axis) at(t time.Time) int64 { return t.Sub(a.origin).Microseconds() }

// pointTo returns the place of a moment, nil if it is unknown.
func (a axis) pointTo(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	at := a.at(t)
	return &at
}

// newDocument makes the document of an incident.
func newDocument(i *Incident) (doc *document, err error) {
	from, to := i.span()
	a := axis{from}
	doc = &document{Schema: schema, Origin: from.UnixMicro(), Zones: zones(i.Clock.Zone, a, to), Gaps: [][2]int64{}, Families: []familyDoc{}}
	if from.IsZero() {
		doc.Origin = 0
	}
	for _, g := range i.Coverage.Gaps {
		doc.Gaps = append(doc.Gaps, [2]int64{a.at(g.From), a.at(g.To)})
	}
	for n := range i.Families {
		family := familyDocument(&i.Families[n], a)
		if family.Records, err = packed(family.records); err != nil {
			return nil, err
		}
		doc.Families = append(doc.Families, family)
	}
	return doc, nil
}

func familyDocument(f *Family, a axis) familyDoc {
	from, to := f.span()
	doc := familyDoc{Name: render.Safe(f.Name()), From: a.at(from), To: a.at(to), Actors: []string{}, Rows: []row{}, Findings: []flag{}, records: []recordDoc{}}
	lanes := newLanes(f, a, from, to)
	rows(&doc, f, lanes, a)
	doc.Lanes = lanes.list
	doc.Capacity = capacities(f, a, from, to)
	for _, found := range f.Findings {
		_, end := found.Course(f.End())
		doc.Findings = append(doc.Findings, flag{found.Fingerprint(), a.pointTo(found.Time), a.pointTo(end), lanes.of(found.Object, found.UID), string(found.Severity), render.Safe(found.Summary)})
	}
	doc.Lanes = lanes.list
	return doc
}

// span returns the stretch of time of all families.
func (i *Incident) span() (from, to time.Time) {
	for n := range i.Families {
		begin, end := i.Families[n].span()
		if !begin.IsZero() && (from.IsZero() || begin.Before(from)) {
			from = begin
		}
		if end.After(to) {
			to = end
		}
	}
	return from, to
}

// zones lists how far clocks of a zone were from UTC between the origin and a moment.
func zones(z *time.Location, a axis, to time.Time) (list []zone) {
	if z == nil {
		z = time.UTC
	}
	for t := a.origin; ; {
		name, offset := t.In(z).Zone()
		list = append(list, zone{a.at(t), offset, name})
		_, end := t.In(z).ZoneBounds()
		if end.IsZero() || end.After(to) {
			return list
		}
		t = end
	}
}

// packed compresses raw records, which repeat each other.
func packed(records []recordDoc) (string, error) {
	var out bytes.Buffer
	base := base64.NewEncoder(base64.StdEncoding, &out)
	zip := gzip.NewWriter(base)
	for _, err := range []error{json.NewEncoder(zip).Encode(records), zip.Close(), base.Close()} {
		if err != nil {
			return "", fmt.Errorf("compress the records of the page: %w", err)
		}
	}
	return out.String(), nil
}

// encode writes a document as JSON that can stand inside a script element.
func encode(doc *document) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out) // escapes <, > and &
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("write the document of the page: %w", err)
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}
