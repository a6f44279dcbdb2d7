package render

import (
	"io"
	"slices"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// The schemas of the lines of JSON Lines.
const (
	findingLine   = "knforensics.finding/v1"
	verdictLine   = "knforensics.verdict/v1"
	blindLine     = "knforensics.blind/v1"
	entryLine     = "knforensics.entry/v1"
	revisionLine  = "knforensics.revision/v1"
	serviceLine   = "knforensics.service/v1"
	fileLine      = "knforensics.file/v1"
	rejectionLine = "knforensics.rejection/v1"
	resourceLine  = "knforensics.resource/v1"
	gapLine       = "knforensics.gap/v1"
	skewLine      = "knforensics.skew/v1"
	windowLine    = "knforensics.window/v1"
	lostLine      = "knforensics.lost/v1"
)

// writeLines writes values as JSON Lines: each an object on a line of its own, with
// its schema before what it has in the JSON document.
func writeLines[T any](w io.Writer, schema string, values []T) error {
	for _, v := range values {
		line, err := jsonLine(v)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, `{"schema":"`+schema+`",`+string(line[1:])); err != nil {
			return err
		}
	}
	return nil
}

// JSONLines writes one line for each finding, then for each verdict that is not
// captured, then for each blind detector, file and gap, and for what was asked for.
func (d *Detection) JSONLines(w io.Writer) error {
	if err := writeLines(w, findingLine, findingDocs(d.Clock, d.Result)); err != nil {
		return err
	}
	others := slices.DeleteFunc(verdictDocs(d.Result.Rulings), func(v verdictDoc) bool { return v.Verdict == string(detectors.Captured) })
	if err := writeLines(w, verdictLine, others); err != nil {
		return err
	}
	if err := writeLines(w, blindLine, blindDocs(d.Result.Blind)); err != nil {
		return err
	}
	if err := writeLines(w, fileLine, filesDoc(d.Clock, d.Coverage)); err != nil {
		return err
	}
	if err := writeLines(w, gapLine, gapsDoc(d.Clock, d.Coverage)); err != nil {
		return err
	}
	return writeLines(w, windowLine, []askedDoc{d.window()})
}

// JSONLines writes one line for each entry of the timeline, then for each verdict that is
// undecided, and for what was lost and what was asked for.
func (s *Story) JSONLines(w io.Writer, clock Clock) error {
	if err := writeLines(w, entryLine, s.entryDocs(clock)); err != nil {
		return err
	}
	if err := writeLines(w, verdictLine, verdictDocs(s.Rulings)); err != nil {
		return err
	}
	if err := writeLines(w, lostLine, s.lostDocs()); err != nil {
		return err
	}
	return writeLines(w, windowLine, []askedDoc{askedJSON(clock, s.Window, s.Outside)})
}

// RevisionsJSONLines writes one line for each Revision, and one for what was asked for.
func RevisionsJSONLines(w io.Writer, clock Clock, list *Revisions) error {
	if err := writeLines(w, revisionLine, revisionDocs(clock, list.Rows)); err != nil {
		return err
	}
	return writeLines(w, windowLine, []askedDoc{askedJSON(clock, list.Window, list.Outside)})
}

// JSONLines writes one line for each Service, and one for what was asked for.
func (s *Summary) JSONLines(w io.Writer, clock Clock) error {
	if err := writeLines(w, serviceLine, serviceDocs(clock, s)); err != nil {
		return err
	}
	return writeLines(w, windowLine, []askedDoc{s.detection(clock).window()})
}

// CoverageJSONLines writes one line for each file, then for each rejection, resource,
// gap, pair of clocks that differ, and blind detector.
func CoverageJSONLines(w io.Writer, clock Clock, c *coverage.Coverage, blind []detectors.Blindness) error {
	if err := writeLines(w, fileLine, filesDoc(clock, c)); err != nil {
		return err
	}
	if err := writeLines(w, rejectionLine, c.Rejections); err != nil {
		return err
	}
	if err := writeLines(w, resourceLine, resourceDocs(c)); err != nil {
		return err
	}
	if err := writeLines(w, gapLine, gapsDoc(clock, c)); err != nil {
		return err
	}
	if err := writeLines(w, skewLine, c.Skew); err != nil {
		return err
	}
	return writeLines(w, blindLine, blindDocs(blind))
}
