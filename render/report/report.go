// Package report writes an incident as one page of HTML that needs nothing else:
// no network, no server, and to be read no script either. What is told in text
// stands in the page; what is drawn comes from a JSON document inside it, which
// the script in folder page draws. The script decides nothing: which rows, spans,
// marks and numbers there are is worked out here.
package report

import (
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Incident is what a page tells of.
type Incident struct {
	Version  string // of the program
	Clock    render.Clock
	Coverage *coverage.Coverage
	Skew     []coverage.Skew // of the audit logs, as the families' writes prove it
	Releases []detectors.Release
	Blind    []detectors.Blindness
	Families []Family // as they are to be shown, the worst first
	LeftOut  []string // names of families that would be shown if there were room
	// Undecided are the names of families in which nothing was found and something
	// stayed undecided, and which are not shown beside those with findings.
	Undecided []string
	Window    render.Window // the time that was asked for
	Outside   int           // findings that fall outside it
}

// Family is a family with what was found in it.
type Family struct {
	*timeline.Family
	Findings  []*detectors.Finding // by time
	Undecided []detectors.Ruling
	Held      []detectors.Ruling // about objects that had the chance of a failure
	Entries   []timeline.Entry   // in order, gaps among them
	LeftOut   int                // rows that tell least, and are not among Entries because there were too many
	CutOff    int                // the last rows, for which there still was no room
	// Records are the raw records of Entries by their place, as many as there is
	// room for, each with the difference to the write before.
	Records map[Place]*render.Record
}

// Place is where a record stands, with its audit ID: several can stand in one line.
type Place struct {
	File    string
	Line    int64
	AuditID string
}

// PlaceOf returns the place of a source.
func PlaceOf(s timeline.Source) Place { return Place{s.File, s.Line, s.AuditID} }

// Name returns "namespace/name", with the cluster where that is known.
func (f *Family) Name() string { return f.FullName() }

// span returns the stretch of time that is drawn: of all rows, and of what was
// found, as long as it lasted.
func (f *Family) span() (from, to time.Time) {
	for _, e := range f.Entries {
		coverage.Widen(&from, &to, e.Time)
	}
	for _, found := range f.Findings {
		begin, end := found.Course(f.End())
		coverage.Widen(&from, &to, begin, end)
	}
	return from, to
}
