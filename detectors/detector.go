// Package detectors is the contract between the history of a Knative family
// and the questions asked of it. A Detector asks one question of one family
// and answers with findings, each with evidence, and with verdicts about the
// objects that had a chance to show the failure.
//
// Each detector is a package of its own below this one; its doc.go is the
// manual that "knforensics explain" prints. Package registry lists them all.
package detectors

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// Detector is one question.
type Detector struct {
	// Name is how flags, output and other detectors call it: lower case words
	// joined by hyphens.
	Name string
	// Doc returns the manual: a title line, an empty line, and the text.
	Doc func() string
	// Facts are the names of the facts of a finding, in order. Every finding
	// has all of them.
	Facts []string
	// Requires names the detectors whose findings this one refers to; they run
	// before.
	Requires []string
	// Bodies are the resources of which it reads the bodies.
	Bodies []coverage.ResourceKey
	// Blind tells what the inputs lack for this detector, nothing if they lack
	// nothing.
	Blind func(*coverage.Coverage) []Blindness
	// Run asks the question of one family.
	Run func(*Pass)
}

// Title returns the first line of the manual.
func (d *Detector) Title() string {
	title, _, _ := strings.Cut(d.Doc(), "\n")
	return title
}

// Blindness says what a detector would need, and why it cannot see.
type Blindness struct {
	Detector string
	Needs    string
	Reason   string
	// Total tells that finding nothing means nothing: no input held anything the
	// detector looks at, or a rule failed on what it looked at.
	Total bool
}

// Verdict is the answer about one object.
type Verdict string

// The verdicts.
const (
	Captured     Verdict = "captured"     // the failure happened
	Held         Verdict = "held"         // the chance was there and the system held
	Inconclusive Verdict = "inconclusive" // the inputs cannot tell
)

// Confidence tells how well a finding is supported.
type Confidence string

// The confidences, best first.
const (
	Confirmed Confidence = "confirmed" // two independent kinds of evidence, or a log line and the written body
	Strong    Confidence = "strong"
	Probable  Confidence = "probable"
	Suspect   Confidence = "suspect"
)

// Evidence is a record that proves a part of a finding.
type Evidence struct {
	Role string
	Time time.Time
	timeline.Source
}

// FromWrite makes evidence of a request.
func FromWrite(role string, w *timeline.Write) Evidence {
	return Evidence{Role: role, Time: w.Time, Source: w.Source}
}

// FromLog makes evidence of a log line.
func FromLog(role string, l *timeline.LogLine) Evidence {
	return Evidence{Role: role, Time: l.Time, Source: l.Source}
}

// FromNote makes evidence of a Kubernetes Event.
func FromNote(role string, n *timeline.Note) Evidence {
	return Evidence{Role: role, Time: n.Time, Source: n.Source}
}

// Fact is a named value: nil, bool, int, float64, string or time.Time.
type Fact struct {
	Name  string
	Value any
}

// Related names the objects around the one a finding is about, "" where there
// is none or it is unknown.
type Related struct{ Service, Configuration, Route, InferenceService string }

// Finding is a failure that happened. It is made by Pass.Capture, or of what a
// user's rule matches (package rules); both want evidence for it.
type Finding struct {
	Detector   string
	Confidence Confidence
	Severity   Severity
	Cluster    string // empty where nothing tells
	Object     timeline.Ref
	UID        string
	Related    Related
	Time       time.Time
	Summary    string
	Facts      []Fact
	Evidence   []Evidence
	CausedBy   []*Finding
	// Steps are the links that the finding adds to the chain from trigger to harm,
	// none if it is a symptom beside it. Chain is all of it, up to the last of Steps.
	Steps, Chain []Step
	// Hypotheses are the causes that the inputs leave possible, where they do not
	// show which it was.
	Hypotheses []Hypothesis
	// Open says what the inputs leave open about the finding although it matters,
	// such as whether traffic followed; empty if nothing.
	Open string
	// Decisive are the IDs that make this finding this one and no other: audit
	// or trace IDs.
	Decisive []string
}

// Fact returns the value of a fact, nil if it is unknown.
func (f *Finding) Fact(name string) any {
	for _, fact := range f.Facts {
		if fact.Name == name {
			return fact.Value
		}
	}
	return nil
}

// Moment returns the record that the time of the finding is of, else the first of its
// evidence.
func (f *Finding) Moment() (at Evidence) {
	for i, e := range f.Evidence {
		if i == 0 || e.Time.Equal(f.Time) {
			at = e
		}
	}
	return at
}

// Has reports whether a record is among the evidence of a role.
func (f *Finding) Has(role string, source timeline.Source) bool {
	return slices.ContainsFunc(f.Evidence, func(e Evidence) bool { return e.Role == role && e.Source == source })
}

// Ruling is the verdict about one object that had a chance.
type Ruling struct {
	Detector string
	Cluster  string
	Object   timeline.Ref
	UID      string
	Verdict  Verdict
	Reason   string
}

// Pass is one run of one detector over one family.
type Pass struct {
	Family   *timeline.Family
	Coverage *coverage.Coverage
	detector *Detector
	result   *Result
	ruled    map[identity]int                 // where in the result the ruling about an object is
	found    map[string]map[identity]*Finding // the first of each detector about an object
}

// identity tells objects apart that lived one after the other with one name.
type identity struct {
	timeline.Ref
	uid string
}

// Capture reports that the failure happened to an object, on the given proof.
// The caller fills in the rest of the finding that is returned.
func (p *Pass) Capture(o *timeline.Object, proof Evidence, more ...Evidence) *Finding {
	f := &Finding{Detector: p.detector.Name, Cluster: p.Family.Cluster.Name, Object: o.Ref, UID: o.UID, Evidence: append([]Evidence{proof}, more...)}
	p.result.Findings = append(p.result.Findings, f)
	if known := p.found[f.Detector]; known[identity{o.Ref, o.UID}] == nil {
		known[identity{o.Ref, o.UID}] = f
	}
	return f
}

// Gap returns the first gap in the audit log between two moments, nil if there
// is none. To is the end of the data if it is zero.
func (p *Pass) Gap(from, to time.Time) *coverage.Gap {
	if to.IsZero() {
		to = p.Family.Cluster.End()
	}
	for i, g := range p.Coverage.Gaps {
		if g.From.Before(to) && g.To.After(from) {
			return &p.Coverage.Gaps[i]
		}
	}
	return nil
}

// Hold gives the verdict held about an object, for what happened between two
// moments: its birth if from is zero, and its end or that of the data if to is.
// Where the audit log has a gap in between, the verdict is inconclusive.
func (p *Pass) Hold(o *timeline.Object, from, to time.Time, reason string) {
	if from.IsZero() {
		from = o.Born
	}
	if to.IsZero() {
		to = o.Gone
	}
	if g := p.Gap(from, to); g != nil {
		p.rule(o, Inconclusive, fmt.Sprintf("%s, but the audit log has a gap from %s to %s", reason, g.From.UTC().Format(time.RFC3339), g.To.UTC().Format(time.RFC3339)))
		return
	}
	p.rule(o, Held, reason)
}

// Rule gives the verdict about an object that is not captured; if it is held,
// for all of its life. Of several about one object, inconclusive counts.
func (p *Pass) Rule(o *timeline.Object, verdict Verdict, reason string) {
	if verdict == Held {
		p.Hold(o, time.Time{}, time.Time{}, reason)
		return
	}
	p.rule(o, verdict, reason)
}

func (p *Pass) rule(o *timeline.Object, verdict Verdict, reason string) {
	i, ruled := p.ruled[identity{o.Ref, o.UID}]
	if !ruled {
		p.ruled[identity{o.Ref, o.UID}] = len(p.result.Rulings)
		p.result.Rulings = append(p.result.Rulings, Ruling{p.detector.Name, p.Family.Cluster.Name, o.Ref, o.UID, verdict, reason})
		return
	}
	if r := &p.result.Rulings[i]; verdict == Inconclusive && r.Verdict != Inconclusive {
		r.Verdict, r.Reason = verdict, reason
	}
}

// Found returns the finding of another detector about an object of this
// family, nil if there is none. The other one has to be among Requires.
func (p *Pass) Found(detector string, o *timeline.Object) *Finding {
	return p.found[detector][identity{o.Ref, o.UID}]
}

// Result is what all detectors found in some families.
type Result struct {
	Findings []*Finding // by time (those without last), detector, object
	Rulings  []Ruling   // by detector, object
	Blind    []Blindness
	Releases []Release // of Knative, by cluster
}

// Inconclusive reports whether something stayed undecided.
func (r *Result) Inconclusive() bool {
	return slices.ContainsFunc(r.Rulings, func(v Ruling) bool { return v.Verdict == Inconclusive }) ||
		slices.ContainsFunc(r.Blind, func(b Blindness) bool { return b.Total })
}

// Run asks the detectors, which are in an order that respects Requires, about
// one family.
func Run(list []*Detector, family *timeline.Family, c *coverage.Coverage) *Result {
	result := &Result{}
	found := map[string]map[identity]*Finding{}
	for _, d := range list {
		found[d.Name] = map[identity]*Finding{}
		p := &Pass{Family: family, Coverage: c, detector: d, result: result, ruled: map[identity]int{}, found: found}
		d.Run(p)
		p.settle()
	}
	return result
}

// settle adds what every finding has, and rules on what was captured.
func (p *Pass) settle() {
	captured, around := map[identity]bool{}, related(p.Family)
	for _, f := range p.result.Findings {
		if f.Detector != p.detector.Name {
			continue
		}
		captured[identity{f.Object, f.UID}] = true
		f.Related = around
		f.link()
		slices.SortStableFunc(f.Evidence, func(a, b Evidence) int {
			return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
		})
		f.Evidence = slices.CompactFunc(f.Evidence, func(a, b Evidence) bool { return a == b })
	}
	p.result.Rulings = slices.DeleteFunc(p.result.Rulings, func(r Ruling) bool {
		return r.Detector == p.detector.Name && captured[identity{r.Object, r.UID}]
	})
	for _, f := range p.result.Findings {
		if f.Detector == p.detector.Name {
			p.result.Rulings = append(p.result.Rulings, Ruling{f.Detector, f.Cluster, f.Object, f.UID, Captured, f.Summary})
		}
	}
}

func related(f *timeline.Family) Related {
	r := Related{InferenceService: f.InferenceService}
	for _, o := range f.Services {
		r.Service = o.Name
	}
	for _, o := range f.Configurations {
		r.Configuration = o.Name
	}
	for _, o := range f.Routes {
		r.Route = o.Name
	}
	return r
}

// Add takes over what was found in another family, less what other detectors
// than the given ones found: those ran because a given one refers to them.
func (r *Result) Add(other *Result, wanted map[string]bool) {
	for _, f := range other.Findings {
		if wanted[f.Detector] {
			f.CausedBy = slices.DeleteFunc(f.CausedBy, func(c *Finding) bool { return !wanted[c.Detector] })
			r.Findings = append(r.Findings, f)
		}
	}
	for _, v := range other.Rulings {
		if wanted[v.Detector] {
			r.Rulings = append(r.Rulings, v)
		}
	}
}

// Join takes over all of another result.
func (r *Result) Join(other *Result) {
	r.Findings = append(r.Findings, other.Findings...)
	r.Rulings = append(r.Rulings, other.Rulings...)
	r.Blind = append(r.Blind, other.Blind...)
}

// Sort puts findings and rulings in their order.
func (r *Result) Sort() {
	slices.SortStableFunc(r.Findings, func(a, b *Finding) int {
		if a.Time.IsZero() != b.Time.IsZero() {
			if a.Time.IsZero() {
				return 1
			}
			return -1
		}
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Detector, b.Detector), compareRefs(a.Object, b.Object), cmp.Compare(a.UID, b.UID), cmp.Compare(a.Cluster, b.Cluster))
	})
	slices.SortStableFunc(r.Rulings, func(a, b Ruling) int {
		return cmp.Or(cmp.Compare(a.Detector, b.Detector), compareRefs(a.Object, b.Object), cmp.Compare(a.UID, b.UID), cmp.Compare(a.Cluster, b.Cluster))
	})
}

func compareRefs(a, b timeline.Ref) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
