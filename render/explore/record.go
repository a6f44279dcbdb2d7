package explore

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/knforensics/knforensics/render"
)

// view is a way to look at a record.
type view int

const (
	pretty view = iota // indented
	raw                // as it was written
	diff               // what it changed
)

// viewOf returns the way that a key asks for.
func viewOf(key string) view {
	switch key {
	case "r":
		return raw
	case "d":
		return diff
	}
	return pretty
}

// record shows the records of one place: several where an ID has several stages.
type record struct {
	text
	of   Proof
	view view
	list []render.Record
}

func newRecord(m *Model, of Proof, list []render.Record, v view) screen {
	r := &record{of: of, view: v, list: list}
	r.text = text{look: m.look, make: func(width int) []string { return r.write(m, width) }}
	return r
}

func (r *record) title() string {
	return [...]string{"record", "raw record", "diff"}[r.view]
}

func (r *record) proof(int) (Proof, bool) { return r.of, true }

func (r *record) key(m *Model, key string) (tea.Cmd, bool) {
	switch key {
	case "y", "r", "d":
		if v := viewOf(key); v != r.view {
			r.view = v
			m.fit(m.here())
			m.here().to(0)
		}
		return nil, true
	case "enter":
		return nil, true
	}
	return nil, false
}

func (r *record) write(m *Model, width int) (lines []string) {
	if len(r.list) == 0 {
		return []string{"the record was not found again"}
	}
	list := r.list
	switch r.view {
	case raw:
		for _, rec := range list {
			lines = append(lines, m.look.title.Render(render.Safe(fmt.Sprintf("%s:%d", rec.File, rec.Line))))
			if rec.Raw == nil {
				lines = append(lines, render.NotKept)
			}
			lines = append(lines, render.Safe(strings.TrimRight(string(rec.Raw), "\n")))
		}
		return lines
	case pretty:
		list = nil
		for _, rec := range r.list {
			rec.DiffTo = ""
			list = append(list, rec)
		}
	}
	return render.Lines(m.data.Clock, width, m.look.colored, func(p *render.Page) { p.Records(list) })
}
