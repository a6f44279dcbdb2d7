package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// The schemas of the JSON documents.
const (
	findingsSchema  = "knforensics.findings/v1"
	timelineSchema  = "knforensics.timeline/v1"
	revisionsSchema = "knforensics.revisions/v1"
	coverageSchema  = "knforensics.coverage/v1"
	recordsSchema   = "knforensics.records/v1"
	summarySchema   = "knforensics.summary/v1"
)

// WriteJSON writes a document, indented, with a newline at its end.
func WriteJSON(w io.Writer, doc any) error {
	var compact bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return err
	}
	return writeIndented(w, compact.Bytes())
}

// orNil turns an empty string into null.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

type fileDoc struct {
	Path       string   `json:"path"`
	Format     string   `json:"format"`
	Wrappers   []string `json:"wrappers"`
	Bytes      int64    `json:"bytes"`
	Records    int64    `json:"records"`
	Rejected   int64    `json:"rejected"`
	Truncated  int64    `json:"truncated"`
	Duplicates int64    `json:"duplicates"`
	From       *string  `json:"from"`
	To         *string  `json:"to"`
	SHA256     *string  `json:"sha256,omitempty"`
	Skipped    *string  `json:"skipped"`
}

type gapDoc struct {
	From   *string `json:"from"`
	To     *string `json:"to"`
	Reason string  `json:"reason"`
	File   *string `json:"file"`
}

type windowDoc struct {
	From    *string `json:"from"`
	To      *string `json:"to"`
	Covered bool    `json:"covered"`
}

func windowJSON(clock Clock, w Window) windowDoc {
	return windowDoc{clock.Full(w.From), clock.Full(w.To), w.Covered}
}

type blindDoc struct {
	Detector string `json:"detector"`
	Needs    string `json:"needs"`
	Reason   string `json:"reason"`
}

type resourceDoc struct {
	Group       string           `json:"group"`
	Resource    string           `json:"resource"`
	Subresource string           `json:"subresource"`
	Records     int64            `json:"records"`
	Truncated   int64            `json:"truncated"`
	Levels      map[string]int64 `json:"levels"`
	Stages      map[string]int64 `json:"stages"`
}

func filesDoc(clock Clock, c *coverage.Coverage) []fileDoc {
	docs := []fileDoc{}
	for _, f := range c.Files {
		wrappers := f.Wrappers
		if wrappers == nil {
			wrappers = []string{}
		}
		docs = append(docs, fileDoc{f.Path, string(f.Format), wrappers, f.Bytes, f.Records, f.Rejected, f.Truncated, f.Duplicates,
			clock.Full(f.From), clock.Full(f.To), orNil(f.SHA256), orNil(f.Skipped)})
	}
	return docs
}

func gapsDoc(clock Clock, c *coverage.Coverage) []gapDoc {
	docs := []gapDoc{}
	for _, g := range c.Gaps {
		docs = append(docs, gapDoc{clock.Full(g.From), clock.Full(g.To), g.Reason, orNil(g.File)})
	}
	return docs
}

func blindDocs(list []detectors.Blindness) []blindDoc {
	docs := []blindDoc{}
	for _, b := range list {
		docs = append(docs, blindDoc{b.Detector, b.Needs, b.Reason})
	}
	return docs
}

// CoverageJSON makes the document of "coverage -o json".
func CoverageJSON(clock Clock, c *coverage.Coverage, blind []detectors.Blindness) any {
	return struct {
		Schema     string               `json:"schema"`
		From       *string              `json:"from"`
		To         *string              `json:"to"`
		Files      []fileDoc            `json:"files"`
		Rejections []coverage.Rejection `json:"rejections"`
		Resources  []resourceDoc        `json:"resources"`
		Gaps       []gapDoc             `json:"gaps"`
		Skew       []coverage.Skew      `json:"skew"`
		Blind      []blindDoc           `json:"blind"`
	}{coverageSchema, clock.Full(c.From), clock.Full(c.To), filesDoc(clock, c), append([]coverage.Rejection{}, c.Rejections...), resourceDocs(c), gapsDoc(clock, c), append([]coverage.Skew{}, c.Skew...), blindDocs(blind)}
}

func resourceDocs(c *coverage.Coverage) []resourceDoc {
	docs := []resourceDoc{}
	for _, r := range c.Resources {
		docs = append(docs, resourceDoc{r.Group, r.Resource, r.Subresource, r.Records, r.Truncated, r.Levels, r.Stages})
	}
	return docs
}

type objectDoc struct {
	Kind      string  `json:"kind"`
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	UID       *string `json:"uid,omitempty"`
	Cluster   string  `json:"cluster,omitempty"`
}

type relatedDoc struct {
	Service          *string `json:"service"`
	Configuration    *string `json:"configuration"`
	Route            *string `json:"route"`
	InferenceService *string `json:"inferenceService"`
}

type evidenceDoc struct {
	Role    string  `json:"role"`
	Time    *string `json:"time"`
	File    string  `json:"file"`
	Line    int64   `json:"line"`
	AuditID string  `json:"auditID,omitempty"`
	TraceID string  `json:"traceID,omitempty"`
	EventID string  `json:"eventID,omitempty"`
}

type findingDoc struct {
	Detector    string        `json:"detector"`
	Verdict     string        `json:"verdict"`
	Confidence  string        `json:"confidence"`
	Severity    string        `json:"severity"`
	Object      objectDoc     `json:"object"`
	Related     relatedDoc    `json:"related"`
	Time        *string       `json:"time"`
	Summary     string        `json:"summary"`
	Facts       factsDoc      `json:"facts"`
	Evidence    []evidenceDoc `json:"evidence"`
	CausedBy    []string      `json:"causedBy"`
	Fingerprint string        `json:"fingerprint"`

	Chain      []linkDoc       `json:"chain"`
	Hypotheses []hypothesisDoc `json:"hypotheses"`
	Open       *string         `json:"open"`
}

type linkDoc struct {
	evidenceDoc
	What string `json:"what"`
}

type hypothesisDoc struct {
	Cause     string `json:"cause"`
	SettledBy string `json:"settledBy"`
}

type releaseDoc struct {
	Cluster string    `json:"cluster,omitempty"`
	Version *string   `json:"version"`
	Classes []string  `json:"classes"`
	Signs   []signDoc `json:"signs"`
	Against []signDoc `json:"against,omitempty"` // signs of another release than was given
}

type signDoc struct {
	What    string  `json:"what"`
	File    *string `json:"file"`
	Line    int64   `json:"line,omitempty"`
	AuditID string  `json:"auditID,omitempty"`
	TraceID string  `json:"traceID,omitempty"`
}

func signJSON(s timeline.Sign) signDoc {
	return signDoc{s.What, orNil(s.Source.File), s.Source.Line, s.Source.AuditID, s.Source.TraceID}
}

func releaseDocs(list []detectors.Release) []releaseDoc {
	docs := []releaseDoc{}
	for _, r := range list {
		doc := releaseDoc{Cluster: r.Cluster, Version: orNil(r.Version), Classes: []string{}, Signs: []signDoc{}}
		for _, c := range r.Classes {
			doc.Classes = append(doc.Classes, string(c))
		}
		for _, s := range r.Signs {
			doc.Signs = append(doc.Signs, signJSON(s))
		}
		for _, s := range r.Against {
			doc.Against = append(doc.Against, signJSON(s))
		}
		docs = append(docs, doc)
	}
	return docs
}

type verdictDoc struct {
	Detector string    `json:"detector"`
	Object   objectDoc `json:"object"`
	Verdict  string    `json:"verdict"`
	Reason   string    `json:"reason"`
}

// factsDoc writes facts as an object, in their order.
type factsDoc struct {
	clock Clock
	facts []detectors.Fact
}

// MarshalJSON implements json.Marshaler.
func (d factsDoc) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, f := range d.facts {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := json.Marshal(FactValue(d.clock, f.Value))
		if err != nil {
			return nil, fmt.Errorf("fact %s: %w", f.Name, err)
		}
		out = append(out, fmt.Sprintf("%q:", f.Name)...)
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// FactValue returns the value of a fact as JSON holds it: times as text.
func FactValue(clock Clock, v any) any {
	if t, ok := v.(time.Time); ok {
		return *clock.Full(t)
	}
	return v
}

type askedDoc struct {
	windowDoc
	Outside int `json:"outside"`
}

// askedJSON tells what was asked for, and how many findings are left out for it.
func askedJSON(clock Clock, w Window, outside int) askedDoc {
	return askedDoc{windowJSON(clock, w), outside}
}

func (d *Detection) window() askedDoc { return askedJSON(d.Clock, d.Window, d.Outside) }

// JSON makes the document of "detect -o json".
func (d *Detection) JSON() any {
	type tool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	type covered struct {
		From  *string    `json:"from"`
		To    *string    `json:"to"`
		Files []fileDoc  `json:"files"`
		Gaps  []gapDoc   `json:"gaps"`
		Blind []blindDoc `json:"blind"`
	}
	clock, c := d.Clock, d.Coverage
	return struct {
		Schema   string       `json:"schema"`
		Tool     tool         `json:"tool"`
		Coverage covered      `json:"coverage"`
		Window   askedDoc     `json:"window"`
		Releases []releaseDoc `json:"releases"`
		Findings []findingDoc `json:"findings"`
		Verdicts []verdictDoc `json:"verdicts"`
	}{findingsSchema, tool{"knforensics", d.Version},
		covered{clock.Full(c.From), clock.Full(c.To), filesDoc(clock, c), gapsDoc(clock, c), blindDocs(d.Result.Blind)},
		d.window(), releaseDocs(d.Result.Releases), findingDocs(clock, d.Result), verdictDocs(d.Result.Rulings)}
}

func findingDocs(clock Clock, result *detectors.Result) []findingDoc {
	docs := []findingDoc{}
	for _, f := range result.Findings {
		docs = append(docs, findingJSON(clock, f))
	}
	return docs
}

func verdictDocs(rulings []detectors.Ruling) []verdictDoc {
	docs := []verdictDoc{}
	for _, v := range rulings {
		docs = append(docs, verdictDoc{v.Detector, refDoc(v.Cluster, v.Object, v.UID), string(v.Verdict), v.Reason})
	}
	return docs
}

func refDoc(cluster string, r timeline.Ref, uid string) objectDoc {
	return objectDoc{r.Kind, r.Namespace, r.Name, orNil(uid), cluster}
}

func evidenceJSON(clock Clock, e detectors.Evidence) evidenceDoc {
	return evidenceDoc{e.Role, clock.Full(e.Time), e.File, e.Line, e.AuditID, e.TraceID, e.EventID}
}

func findingJSON(clock Clock, f *detectors.Finding) findingDoc {
	doc := findingDoc{Detector: f.Detector, Verdict: string(detectors.Captured), Confidence: string(f.Confidence), Severity: string(f.Severity),
		Object:  refDoc(f.Cluster, f.Object, f.UID),
		Related: relatedDoc{orNil(f.Related.Service), orNil(f.Related.Configuration), orNil(f.Related.Route), orNil(f.Related.InferenceService)},
		Time:    clock.Full(f.Time), Summary: f.Summary, Facts: factsDoc{clock, f.Facts}, Evidence: []evidenceDoc{}, CausedBy: []string{}, Fingerprint: f.Fingerprint(),
		Chain: []linkDoc{}, Hypotheses: []hypothesisDoc{}, Open: orNil(f.Open)}
	for _, e := range f.Evidence {
		doc.Evidence = append(doc.Evidence, evidenceJSON(clock, e))
	}
	for _, s := range f.Chain {
		doc.Chain = append(doc.Chain, linkDoc{evidenceJSON(clock, s.Evidence), s.What})
	}
	for _, h := range f.Hypotheses {
		doc.Hypotheses = append(doc.Hypotheses, hypothesisDoc(h))
	}
	for _, cause := range f.CausedBy {
		doc.CausedBy = append(doc.CausedBy, cause.Fingerprint())
	}
	return doc
}
