package render

import (
	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

type actorDoc struct {
	Component *string `json:"component"`
	User      *string `json:"user"`
	UserAgent *string `json:"userAgent"`
	Pod       *string `json:"pod"`
}

type changeDoc struct {
	Path string  `json:"path"`
	From *string `json:"from"`
	To   *string `json:"to"`
}

type sourceDoc struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	AuditID string `json:"auditID,omitempty"`
	TraceID string `json:"traceID,omitempty"`
	EventID string `json:"eventID,omitempty"`
}

type entryDoc struct {
	Time        *string     `json:"time"`
	Object      objectDoc   `json:"object"`
	Kind        string      `json:"kind"`
	Actor       actorDoc    `json:"actor"`
	Verb        *string     `json:"verb"`
	Subresource *string     `json:"subresource"`
	Code        *int        `json:"code"`
	Summary     string      `json:"summary"`
	Changes     []changeDoc `json:"changes"`
	Ready       *int        `json:"ready"`
	Want        *int        `json:"want"`
	Grade       string      `json:"grade"`
	Source      sourceDoc   `json:"source"`
	Received    *string     `json:"received"`
	Together    bool        `json:"inFlightWithPrevious"`
}

// TimelineJSON makes the document of "timeline -o json".
func TimelineJSON(clock Clock, s *Story) any {
	doc := map[string]any{"schema": timelineSchema}
	key := map[string]string{timeline.KindRevision: "revision", timeline.KindConfiguration: "configuration", timeline.KindRoute: "route",
		timeline.KindService: "service", timeline.KindInferenceService: "inferenceService"}[s.Kind]
	doc[key] = subject(s)
	if len(s.Lives) > 1 {
		doc["lives"] = livesDoc(clock, s.Lives)
	}
	levels, stages := map[string]int{}, map[string]int{}
	for _, e := range s.Entries {
		if e.Level != "" {
			levels[e.Level]++
			stages[e.Stage]++
		}
	}
	doc["coverage"] = map[string]any{"from": clock.Full(s.Coverage.From), "to": clock.Full(s.Coverage.To), "files": searchedDoc(clock, s.Coverage),
		"levels": levels, "stages": stages, "skew": append([]coverage.Skew{}, s.Skew...)}
	doc["window"] = askedJSON(clock, s.Window, s.Outside)
	doc["entries"] = s.entryDocs(clock)
	doc["undecided"], doc["lost"] = verdictDocs(s.Rulings), s.lostDocs()
	return doc
}

type lostDoc struct {
	Reason string `json:"reason"`
}

func (s *Story) lostDocs() []lostDoc {
	docs := []lostDoc{}
	for _, text := range s.losses("knforensics") {
		docs = append(docs, lostDoc{text})
	}
	return docs
}

func (s *Story) entryDocs(clock Clock) []entryDoc {
	docs := make([]entryDoc, 0, len(s.Entries))
	for _, e := range s.Entries {
		docs = append(docs, entryJSON(clock, e))
	}
	return docs
}

// searchedDoc tells of files that were searched for a family. What else is in them
// was not looked at closely enough to be counted.
func searchedDoc(clock Clock, c *coverage.Coverage) []any {
	docs := []any{}
	for _, f := range filesDoc(clock, c) {
		docs = append(docs, struct {
			Path     string   `json:"path"`
			Format   string   `json:"format"`
			Wrappers []string `json:"wrappers"`
			Bytes    int64    `json:"bytes"`
			From     *string  `json:"from"`
			To       *string  `json:"to"`
			Skipped  *string  `json:"skipped"`
		}{f.Path, f.Format, f.Wrappers, f.Bytes, f.From, f.To, f.Skipped})
	}
	return docs
}

func entryJSON(clock Clock, e timeline.Entry) entryDoc {
	doc := entryDoc{Time: clock.Full(e.Time), Object: refDoc("", e.Object, e.UID), Kind: string(e.Kind), Verb: orNil(e.Verb), Subresource: orNil(e.Sub),
		Actor:   actorDoc{orNil(e.Actor.Component), orNil(e.Actor.User), orNil(e.Actor.UserAgent), orNil(e.Actor.Pod)},
		Summary: e.Summary, Changes: []changeDoc{}, Ready: e.Ready, Want: e.Want, Grade: string(e.Grade),
		Source:   sourceDoc{e.Source.File, e.Source.Line, e.Source.AuditID, e.Source.TraceID, e.Source.EventID},
		Received: clock.Full(e.Received), Together: e.Together}
	if e.Code != 0 {
		doc.Code = &e.Code
	}
	for _, c := range e.Changes {
		doc.Changes = append(doc.Changes, changeDoc{c.Path, c.From, c.To})
	}
	return doc
}

func subject(s *Story) map[string]any {
	o, f := s.Object, s.Family
	doc := map[string]any{"namespace": o.Namespace, "name": o.Name, "uid": orNil(o.UID), "service": firstName(f.Services),
		"configuration": firstName(f.Configurations), "route": firstName(f.Routes), "inferenceService": orNil(f.InferenceService)}
	if f.Cluster.Name != "" {
		doc["cluster"] = f.Cluster.Name
	}
	if r := s.Revision; r != nil {
		target := r.Target(f.Cluster.End())
		doc["configuration"] = orNil(r.Configuration())
		doc["generation"] = number(r.Generation())
		doc["initialScale"] = detectors.Known(target.Grade != timeline.Assumed, target.Documented)
		doc["gateScale"] = detectors.Known(target.Grade != timeline.Assumed, target.Gate)
		doc["scaleSource"] = target.Source
	}
	return doc
}

type lifeDoc struct {
	UID     *string `json:"uid"`
	Created *string `json:"created"`
	Deleted *string `json:"deleted"`
}

func livesDoc(clock Clock, lives []*timeline.Object) (docs []lifeDoc) {
	for _, o := range lives {
		docs = append(docs, lifeDoc{orNil(o.UID), clock.Full(o.Born), clock.Full(o.Gone)})
	}
	return docs
}

func firstName(objects []*timeline.Object) *string {
	if len(objects) == 0 {
		return nil
	}
	return &objects[0].Name
}

func number(text string) any {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' || n > 1e9 {
			return nil
		}
		n = n*10 + int(c-'0')
	}
	return detectors.Known(text != "", n)
}

// Revisions is the table of Revisions.
type Revisions struct {
	Rows    []RevisionRow
	Window  Window
	Outside int // findings left out because they fall outside the window
}

// RevisionRow is a line of the table of Revisions.
type RevisionRow struct {
	Revision  *timeline.Revision
	Findings  []*detectors.Finding
	Undecided []string // detectors that could not decide about it
}

type revisionDoc struct {
	Cluster        string   `json:"cluster,omitempty"`
	Namespace      string   `json:"namespace"`
	Name           string   `json:"name"`
	UID            *string  `json:"uid"`
	Service        *string  `json:"service"`
	Configuration  *string  `json:"configuration"`
	Route          *string  `json:"route"`
	Created        *string  `json:"created"`
	Deleted        *string  `json:"deleted"`
	Ready          *string  `json:"ready"`
	Reason         *string  `json:"reason"`
	ReadyReplicas  *int     `json:"readyReplicas"`
	InitialScale   *int     `json:"initialScale"`
	TrafficPercent *int     `json:"trafficPercent"`
	Findings       []string `json:"findings"`
	Undecided      []string `json:"undecided"`
}

// RevisionsJSON makes the document of "timeline -o json" without a selector.
func RevisionsJSON(clock Clock, list *Revisions) any {
	return struct {
		Schema    string        `json:"schema"`
		Window    askedDoc      `json:"window"`
		Revisions []revisionDoc `json:"revisions"`
	}{revisionsSchema, askedJSON(clock, list.Window, list.Outside), revisionDocs(clock, list.Rows)}
}

func revisionDocs(clock Clock, rows []RevisionRow) []revisionDoc {
	docs := []revisionDoc{}
	for _, row := range rows {
		docs = append(docs, revisionJSON(clock, row))
	}
	return docs
}

func revisionJSON(clock Clock, row RevisionRow) revisionDoc {
	r := row.Revision
	v := EndOf(r)
	doc := revisionDoc{Cluster: r.Family.Cluster.Name, Namespace: r.Namespace, Name: r.Name, UID: orNil(r.UID), Service: firstName(r.Family.Services), Configuration: orNil(r.Configuration()),
		Route: firstName(r.Family.Routes), Created: clock.Full(r.Born), Deleted: clock.Full(r.Gone), Ready: orNil(v.Ready), Reason: orNil(v.Reason),
		ReadyReplicas: v.Replicas, InitialScale: v.Want, TrafficPercent: v.Traffic, Findings: []string{}, Undecided: append([]string{}, row.Undecided...)}
	for _, f := range row.Findings {
		doc.Findings = append(doc.Findings, f.Detector)
	}
	return doc
}

// End is how a Revision stands at the end of the inputs: its condition Ready, ""
// where unknown, its ready and wanted replicas and its share of traffic in percent,
// nil where unknown.
type End struct {
	Ready, Reason           string
	Replicas, Want, Traffic *int
}

// EndOf returns how a Revision stands at the end of the inputs.
func EndOf(r *timeline.Revision) (v End) {
	end := r.Family.Cluster.End()
	if c, ok := r.Last().Condition("Ready"); ok {
		v.Ready, v.Reason = c.Status, c.Reason
	}
	if n, ok := r.Ready(end); ok {
		v.Replicas = &n.Count
	}
	if t := r.Target(end); t.Grade != timeline.Assumed {
		v.Want = &t.Documented
	}
	if n, ok := r.Family.LastShare(r.Name); ok {
		v.Traffic = &n
	}
	return v
}
