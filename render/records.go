package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// Record is a raw record and its place.
type Record struct {
	table.Location
	Format           string
	AuditID, TraceID string
	Stage            string
	Time             time.Time
	Raw              []byte   // nil if a case did not keep it
	Diff             []string // lines that start with "+ ", "- " or "  ", where a difference was asked for
	DiffTo           string   // what the difference is to
}

type recordDoc struct {
	File    string          `json:"file"`
	Line    int64           `json:"line"`
	Format  string          `json:"format"`
	AuditID *string         `json:"auditID"`
	TraceID *string         `json:"traceID"`
	Stage   *string         `json:"stage"`
	Time    *string         `json:"time"`
	Raw     json.RawMessage `json:"raw"`
	Diff    []string        `json:"diff,omitempty"`
}

// RecordsJSON makes the document of "show -o json".
func RecordsJSON(clock Clock, records []Record) any {
	docs := []recordDoc{}
	for _, r := range records {
		raw := json.RawMessage(r.Raw)
		switch {
		case r.Raw == nil:
			raw = json.RawMessage("null")
		case !json.Valid(raw):
			raw, _ = json.Marshal(string(r.Raw))
		}
		docs = append(docs, recordDoc{r.File, r.Line, r.Format, orNil(r.AuditID), orNil(r.TraceID), orNil(r.Stage), clock.Full(r.Time), raw, r.Diff})
	}
	return struct {
		Schema  string      `json:"schema"`
		Records []recordDoc `json:"records"`
	}{recordsSchema, docs}
}

// Records writes raw records, indented.
func (p *Page) Records(records []Record) {
	for i, r := range records {
		if i > 0 {
			p.line()
		}
		id := r.AuditID
		if id == "" {
			id = r.TraceID
		}
		p.line(p.look.title.Render(Safe(fmt.Sprintf("%s:%d", r.File, r.Line))), "  ", p.look.accent.Render(r.Format), "  ", Safe(strings.TrimSpace(id+"  "+r.Stage)))
		if r.DiffTo != "" {
			p.diff(r)
			continue
		}
		if r.Raw == nil {
			p.line(p.look.faint.Render(NotKept))
			continue
		}
		for _, l := range r.Lines() {
			p.line(l)
		}
	}
}

// NotKept says that a case holds no more of a record than what it says.
const NotKept = "its text is not in the case: ingest with --bodies all keeps that of every record"

// Lines returns the record as lines that are safe to be shown, indented if it is
// JSON.
func (r *Record) Lines() []string {
	var buf bytes.Buffer
	if json.Indent(&buf, r.Raw, "", "  ") != nil {
		buf.Reset()
		buf.Write(r.Raw)
	}
	lines := strings.Split(buf.String(), "\n")
	for i := range lines {
		lines[i] = Safe(lines[i])
	}
	return lines
}

func (p *Page) diff(r Record) {
	p.line(p.look.faint.Render(Safe(r.DiffTo)))
	for _, l := range r.Diff {
		style := p.look.faint
		switch {
		case strings.HasPrefix(l, "+"):
			style = p.look.good
		case strings.HasPrefix(l, "-"):
			style = p.look.bad.UnsetBold()
		}
		p.line(style.Render(Safe(l)))
	}
	if len(r.Diff) == 0 && strings.HasPrefix(r.DiffTo, "difference to") {
		p.line("no difference")
	}
}
