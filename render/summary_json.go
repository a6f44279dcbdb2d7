package render

import (
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline/summary"
)

// Summary is all Services at a glance, to be shown.
type Summary struct {
	*summary.Summary
	Coverage *coverage.Coverage
	Result   *detectors.Result
	Groups   []FindingGroups
	Window   Window
	Outside  int // findings left out because they fall outside the window
}

// detection is what of a Summary detectors said.
func (s *Summary) detection(clock Clock) *Detection {
	return &Detection{Clock: clock, Coverage: s.Coverage, Result: s.Result, Window: s.Window, Outside: s.Outside}
}

// FindingGroups are the findings of a Summary, seen in one way.
type FindingGroups struct {
	detectors.Grouping
	Groups []detectors.Group
}

type timesDoc struct {
	Min float64 `json:"min"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type kindDoc struct {
	Kind      string    `json:"kind,omitempty"`
	Made      int       `json:"made"`
	Ready     int       `json:"ready"`
	NotReady  int       `json:"notReady"`
	Undecided int       `json:"undecided"`
	Seconds   *timesDoc `json:"seconds"`
	Why       []whyDoc  `json:"why"`
}

type whyDoc struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

type bucketDoc struct {
	From  float64  `json:"from"`
	To    *float64 `json:"to"`
	Count int      `json:"count"`
}

type conditionDoc struct {
	Status  string  `json:"status"`
	Reason  *string `json:"reason"`
	Message *string `json:"message"`
	Since   *string `json:"since"`
}

type stepDoc struct {
	Object  objectDoc `json:"object"`
	Seconds float64   `json:"seconds"`
}

type readinessDoc struct {
	Object    objectDoc     `json:"object"`
	State     string        `json:"state"`
	Reason    *string       `json:"reason"`
	Created   *string       `json:"created"`
	Logged    bool          `json:"creationLogged"`
	Ready     *string       `json:"ready"`
	Seconds   *float64      `json:"seconds"`
	Deleted   *string       `json:"deleted"`
	Condition *conditionDoc `json:"condition"`
	Steps     []stepDoc     `json:"steps"`
}

type answersDoc struct {
	Requests      int64 `json:"requests"`
	Conflicts     int64 `json:"conflicts"`
	Throttled     int64 `json:"throttled"`
	Refused       int64 `json:"refused"`
	AlreadyExists int64 `json:"alreadyExists"`
	Failed        int64 `json:"failed"`
}

type countsDoc struct {
	Writes  answersDoc `json:"writes"`
	Creates int64      `json:"creates"`
	Updates int64      `json:"updates"`
	Deletes int64      `json:"deletes"`
	DryRuns int64      `json:"dryRuns"`
	Reads   answersDoc `json:"reads"`
}

type requestedDoc struct {
	Cluster     string  `json:"cluster,omitempty"`
	Component   *string `json:"component"`
	Group       string  `json:"group"`
	Resource    *string `json:"resource"`
	Subresource string  `json:"subresource"`
	countsDoc
}

type clusterDoc struct {
	Name     string    `json:"name"`
	Services kindDoc   `json:"services"`
	Requests countsDoc `json:"requests"`
}

type reconcilerDoc struct {
	Reconciler string    `json:"reconciler"`
	Reconciles int       `json:"reconciles"`
	Failed     int       `json:"failed"`
	Seconds    *timesDoc `json:"seconds"`
}

type groupDoc struct {
	Name       string                     `json:"name"`
	Findings   int                        `json:"findings"`
	Severities map[detectors.Severity]int `json:"severities"`
}

type groupedDoc struct {
	Total   int                   `json:"total"`
	Outside int                   `json:"outside"`
	By      map[string][]groupDoc `json:"by"`
}

type summaryDoc struct {
	Schema   string `json:"schema"`
	Coverage struct {
		From  *string   `json:"from"`
		To    *string   `json:"to"`
		Files []fileDoc `json:"files"`
		Gaps  []gapDoc  `json:"gaps"`
	} `json:"coverage"`
	Window      windowDoc       `json:"window"`
	Kinds       []kindDoc       `json:"kinds"`
	Services    []readinessDoc  `json:"services"`
	Spread      []bucketDoc     `json:"spread"`
	Open        []whyDoc        `json:"undecided"`
	Clusters    []clusterDoc    `json:"clusters"`
	Total       countsDoc       `json:"total"`
	Requests    []requestedDoc  `json:"requests"`
	Reconcilers []reconcilerDoc `json:"reconcilers"`
	Findings    groupedDoc      `json:"findings"`
	Undecided   int             `json:"undecidedVerdicts"`
	Blind       []blindDoc      `json:"blind"`
}

// SummaryJSON makes the document of "summary -o json".
func SummaryJSON(clock Clock, s *Summary) any {
	doc := summaryDoc{Schema: summarySchema, Kinds: []kindDoc{}, Services: serviceDocs(clock, s), Spread: []bucketDoc{}, Open: whyJSON(s.Summary.Undecided), Clusters: []clusterDoc{},
		Total: countsOf(&s.Total), Requests: []requestedDoc{}, Reconcilers: []reconcilerDoc{},
		Findings:  groupedDoc{len(s.Result.Findings), s.Outside, map[string][]groupDoc{}},
		Undecided: countVerdicts(s.Result, detectors.Inconclusive), Blind: blindDocs(s.Result.Blind)}
	c := &doc.Coverage
	c.From, c.To, c.Files, c.Gaps = clock.Full(s.Coverage.From), clock.Full(s.Coverage.To), filesDoc(clock, s.Coverage), gapsDoc(clock, s.Coverage)
	doc.Window = windowJSON(clock, s.Window)
	for _, k := range s.Kinds {
		doc.Kinds = append(doc.Kinds, kindJSON(k))
	}
	for _, b := range s.Spread {
		doc.Spread = append(doc.Spread, bucketDoc{seconds(b.From), secondsOf(b.To), b.Count})
	}
	for _, c := range s.Clusters {
		services := kindJSON(c.Services)
		services.Kind = ""
		doc.Clusters = append(doc.Clusters, clusterDoc{c.Name, services, countsOf(&c.Asked)})
	}
	for _, r := range s.Requested {
		doc.Requests = append(doc.Requests, requestedDoc{r.Cluster, orNil(r.Component), r.Group, orNil(r.Resource), r.Subresource, countsOf(r)})
	}
	for _, r := range s.Reconcilers {
		doc.Reconcilers = append(doc.Reconcilers, reconcilerDoc{r.Name, r.Reconciles, r.Failed, timesJSON(r.Took)})
	}
	for _, by := range s.Groups {
		groups := []groupDoc{}
		for _, g := range by.Groups {
			groups = append(groups, groupDoc(g))
		}
		doc.Findings.By[by.Name] = groups
	}
	return doc
}

func serviceDocs(clock Clock, s *Summary) []readinessDoc {
	docs := []readinessDoc{}
	for _, r := range s.Services {
		docs = append(docs, readinessJSON(clock, r))
	}
	return docs
}

func readinessJSON(clock Clock, r *summary.Readiness) readinessDoc {
	doc := readinessDoc{Object: refDoc(r.Family.Cluster.Name, r.Object.Ref, r.Object.UID), State: string(r.State), Reason: orNil(r.Reason),
		Created: clock.Full(r.Made), Logged: r.Logged, Deleted: clock.Full(r.Object.Gone), Steps: []stepDoc{}}
	if r.By != nil {
		took := seconds(r.Took)
		doc.Ready, doc.Seconds = clock.Full(r.By.Time), &took
	}
	if c := r.Last; c != nil {
		doc.Condition = &conditionDoc{c.Status, orNil(c.Reason), orNil(c.Message), clock.Full(c.Since)}
	}
	for _, step := range r.Steps {
		doc.Steps = append(doc.Steps, stepDoc{refDoc(r.Family.Cluster.Name, step.Object.Ref, step.Object.UID), seconds(step.Took)})
	}
	return doc
}

func kindJSON(k summary.Kind) kindDoc {
	return kindDoc{k.Kind, k.Made, k.Ready, k.Never, k.Undecided, timesJSON(k.Took), whyJSON(k.Why)}
}

func whyJSON(list []summary.Reason) []whyDoc {
	docs := []whyDoc{}
	for _, r := range list {
		docs = append(docs, whyDoc{r.Text, r.Count})
	}
	return docs
}

func timesJSON(t *summary.Times) *timesDoc {
	if t == nil {
		return nil
	}
	return &timesDoc{seconds(t.Min), seconds(t.P50), seconds(t.P90), seconds(t.P99), seconds(t.Max)}
}

// seconds returns a duration to the microsecond, as exact as the times are that it
// lies between: as a sum of floats it had more digits than are known.
func seconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e6 }

func secondsOf(d time.Duration) *float64 {
	if d == 0 {
		return nil
	}
	s := seconds(d)
	return &s
}

func countsOf(r *summary.Requested) countsDoc {
	return countsDoc{answersDoc(r.Writes), r.Creates, r.Updates, r.Deletes, r.DryRuns, answersDoc(r.Reads)}
}
