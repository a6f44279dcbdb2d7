package render

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// writeCSV writes rows as CSV (RFC 4180), below a line with the names of the columns:
// the keys that the JSON document has, and where one is inside another, both, joined
// by a dot. What is null is empty; lists and facts are JSON.
func writeCSV[T any](w io.Writer, rows []T) error {
	columns := columnsOf(reflect.TypeFor[T](), "", nil)
	c := csv.NewWriter(w)
	c.UseCRLF = true
	cells := make([]string, len(columns))
	for i, column := range columns {
		cells[i] = column.name
	}
	if err := c.Write(cells); err != nil {
		return err
	}
	for _, row := range rows {
		for i, column := range columns {
			text, err := cellText(reflect.ValueOf(row), column)
			if err != nil {
				return err
			}
			cells[i] = text
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// column is a field of a row, or of a struct in it.
type column struct {
	name  string
	index []int
}

func columnsOf(t reflect.Type, prefix string, index []int) (list []column) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at, inner := append(slices.Clone(index), i), f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous:
			list = append(list, columnsOf(inner, prefix, at)...)
		case inner.Kind() == reflect.Struct && !inner.Implements(reflect.TypeFor[json.Marshaler]()):
			list = append(list, columnsOf(inner, prefix+name+".", at)...)
		default:
			list = append(list, column{prefix + name, at})
		}
	}
	return list
}

// cellText returns the text of a cell, fit for a spreadsheet. Numbers are left as they
// are.
func cellText(row reflect.Value, c column) (string, error) {
	v, err := row.FieldByIndexErr(c.index)
	if err != nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", nil // it, or what it is in, is null
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		return safeCell(v.String()), nil
	case reflect.Slice, reflect.Map, reflect.Struct:
		text, err := json.Marshal(v.Interface())
		return safeCell(string(escapeStrings(text))), err
	}
	text, err := json.Marshal(v.Interface())
	return string(text), err
}

// CSV writes a row for each finding, and after them one for each thing that the inputs
// cannot tell, which is its summary: of an object about which a detector could not decide
// the reason, and without an object what concerns more than one.
func (d *Detection) CSV(w io.Writer) error {
	rows := findingDocs(d.Clock, d.Result)
	for _, doubt := range d.doubts() {
		row := findingDoc{Detector: doubt.detector, Verdict: string(detectors.Inconclusive), Summary: doubt.text,
			Evidence: []evidenceDoc{}, CausedBy: []string{}, Chain: []linkDoc{}, Hypotheses: []hypothesisDoc{}}
		if v := doubt.about; v != nil {
			row.Object, row.Summary = refDoc(v.Cluster, v.Object, v.UID), v.Reason
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// CSV writes a row for each entry of the timeline, and after them one for each thing that
// the inputs cannot tell.
func (s *Story) CSV(w io.Writer, clock Clock) error {
	rows := s.entryDocs(clock)
	for _, e := range inconclusive(s.doubts("knforensics")) {
		rows = append(rows, entryJSON(clock, e))
	}
	return writeCSV(w, rows)
}

// RevisionsCSV writes a row for each Revision.
func RevisionsCSV(w io.Writer, clock Clock, list *Revisions) error {
	return writeCSV(w, revisionDocs(clock, list.Rows))
}

// CSV writes a row for each Service.
func (s *Summary) CSV(w io.Writer, clock Clock) error { return writeCSV(w, serviceDocs(clock, s)) }

// CoverageCSV writes a row for each file.
func CoverageCSV(w io.Writer, clock Clock, c *coverage.Coverage) error {
	return writeCSV(w, filesDoc(clock, c))
}
