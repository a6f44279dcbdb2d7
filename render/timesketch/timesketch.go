// Package timesketch writes stories as JSON lines that Timesketch imports
// (https://timesketch.org/guides/user/import-from-json-csv/).
//
// Each line has the fields that it asks for: message, datetime in ISO 8601, and
// timestamp_desc, which tells what the time is of. All other fields are scalars, but
// for tag, which is a list of words: Timesketch has no use for what is nested.
package timesketch

import (
	"bufio"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// What a time is of: the values of timestamp_desc.
const (
	stageTime      = "Audit Stage Time"
	logTime        = "Log Entry Time"
	eventTime      = "Event Last Seen"
	findingTime    = "Finding Time"
	gapTime        = "Gap Start"
	endTime        = "End of Data" // of what is so then, and of which no other time is known
	creationTime   = "Creation Time"
	transitionTime = "Condition Transition"
)

// Writer writes lines.
type Writer struct {
	out  *bufio.Writer
	left render.Left
	once render.Once
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriter(w), left: render.Left{Why: render.Untimed}, once: render.Once{}}
}

// Add writes the rows, the findings and the snapshots of a story. Of what a snapshot
// shows, the times that it tells itself count: when the object was made, and when
// its conditions last changed.
func (w *Writer) Add(s *render.Story) error {
	for _, e := range s.Exported() {
		switch {
		case e.Kind == timeline.EntrySnapshot || w.once.Again(e): // of the first, more is below
			continue
		case e.Time.IsZero():
			w.left.Rows++
			continue
		}
		if err := w.line(s, e.Time, entryLine(e)); err != nil {
			return err
		}
	}
	for _, f := range s.Findings {
		at := s.At(f)
		if at.IsZero() {
			w.left.Findings++
			continue
		}
		if err := w.line(s, at, findingLine(f)); err != nil {
			return err
		}
	}
	for _, o := range s.Family.Objects() {
		if err := w.sightings(s, o); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what is buffered.
func (w *Writer) Close() error { return w.out.Flush() }

// Left returns what was left out since nothing tells its time, without which Timesketch
// takes no line.
func (w *Writer) Left() []render.Left { return []render.Left{w.left} }

// line is a line of the file.
type line struct {
	Message    string   `json:"message"`
	Datetime   string   `json:"datetime"`
	Timestamp  int64    `json:"timestamp"` // microseconds since 1970
	Of         string   `json:"timestamp_desc"`
	DataType   string   `json:"data_type"`
	Tags       []string `json:"tag,omitempty"`
	Cluster    string   `json:"cluster,omitempty"`
	Kind       string   `json:"object_kind,omitempty"`
	Namespace  string   `json:"object_namespace,omitempty"`
	Name       string   `json:"object_name,omitempty"`
	UID        string   `json:"object_uid,omitempty"`
	Component  string   `json:"component,omitempty"`
	User       string   `json:"user,omitempty"`
	UserAgent  string   `json:"user_agent,omitempty"`
	Pod        string   `json:"pod,omitempty"`
	Verb       string   `json:"verb,omitempty"`
	Sub        string   `json:"subresource,omitempty"`
	Code       int      `json:"code,omitempty"`
	Changes    string   `json:"changes,omitempty"`
	Ready      *int     `json:"ready_replicas,omitempty"`
	Want       *int     `json:"wanted_replicas,omitempty"`
	Grade      string   `json:"grade,omitempty"`
	Detector   string   `json:"detector,omitempty"`
	Severity   string   `json:"severity,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	Print      string   `json:"fingerprint,omitempty"`
	Open       string   `json:"open,omitempty"`
	File       string   `json:"source_file,omitempty"`
	Line       int64    `json:"source_line,omitempty"`
	AuditID    string   `json:"audit_id,omitempty"`
	TraceID    string   `json:"trace_id,omitempty"`
	EventID    string   `json:"event_id,omitempty"`
}

func entryLine(e timeline.Entry) line {
	l := line{Message: e.Summary, Of: describe(e), DataType: "knforensics:" + string(e.Kind), Component: e.Actor.Component, User: e.Actor.User,
		UserAgent: e.Actor.UserAgent, Pod: e.Actor.Pod, Verb: e.Verb, Sub: e.Sub, Code: e.Code, Changes: strings.Join(timeline.ChangeTexts(e.Changes), "; "), Ready: e.Ready, Want: e.Want, Grade: string(e.Grade)}
	l.about(e.Object, e.UID)
	l.from(e.Source)
	return l
}

// describe tells what the time of a row is of.
func describe(e timeline.Entry) string {
	switch {
	case e.Kind == timeline.EntryGap:
		return gapTime
	case e.Kind == render.Inconclusive:
		return endTime
	case e.Kind == timeline.EntryEvent:
		return eventTime
	case e.Verb == "" && e.Source.AuditID == "":
		return logTime
	}
	return stageTime
}

func findingLine(f *detectors.Finding) line {
	l := line{Message: f.Summary, Of: findingTime, DataType: "knforensics:finding", Tags: []string{f.Detector, string(f.Severity)}, Grade: string(timeline.Inferred),
		Detector: f.Detector, Severity: string(f.Severity), Confidence: string(f.Confidence), Print: f.Fingerprint(), Open: render.OpenText(f)}
	if f.Time.IsZero() {
		l.Of = endTime
	}
	l.about(f.Object, f.UID)
	l.from(f.Moment().Source)
	return l
}

// sightings writes the times that the snapshots of an object tell, each once.
func (w *Writer) sightings(s *render.Story, o *timeline.Object) error {
	written := map[string]bool{}
	for _, seen := range o.Sightings {
		lines := []line{{Message: "made", Of: creationTime, Timestamp: micros(seen.State.Created)}}
		for _, c := range seen.State.Conditions {
			lines = append(lines, line{Message: c.Type + " " + c.Text(), Of: transitionTime, Timestamp: micros(c.Since)})
		}
		for _, l := range lines {
			at := time.UnixMicro(l.Timestamp)
			key := l.Message + at.String()
			if written[key] || l.Timestamp == 0 || !s.Holds(at) {
				continue
			}
			written[key] = true
			l.DataType, l.Grade = "knforensics:snapshot", string(timeline.Observed)
			l.about(o.Ref, o.UID)
			l.from(seen.Source)
			if err := w.line(s, at, l); err != nil {
				return err
			}
		}
	}
	return nil
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func (l *line) about(r timeline.Ref, uid string) {
	l.Kind, l.Namespace, l.Name, l.UID = r.Kind, r.Namespace, r.Name, uid
	if r.Kind != "" {
		l.Message = r.Kind + " " + r.Name + ": " + l.Message
	}
}

func (l *line) from(s timeline.Source) {
	l.File, l.Line, l.AuditID, l.TraceID, l.EventID = s.File, s.Line, s.AuditID, s.TraceID, s.EventID
}

func (w *Writer) line(s *render.Story, at time.Time, l line) error {
	l.Datetime, l.Timestamp, l.Cluster = at.UTC().Format("2006-01-02T15:04:05.000000-07:00"), at.UnixMicro(), s.Family.Cluster.Name
	for _, text := range []*string{&l.Message, &l.Changes, &l.Open, &l.User, &l.UserAgent} {
		*text = short(*text)
	}
	return render.WriteJSONLine(w.out, l)
}

// longest is how many bytes a field may have to be sorted and counted by, as OpenSearch
// limits a keyword.
const longest = 32766

// short cuts text that has too many bytes.
func short(s string) string {
	const mark = "…"
	if len(s) <= longest {
		return s
	}
	end := longest - len(mark)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
