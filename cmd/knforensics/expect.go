package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
)

// expectations are the content of an expect.yaml.
type expectations struct {
	Inputs []string      `yaml:"inputs,flow,omitempty"`
	Expect []expectation `yaml:"expect"`
	line   int           // where the list of them begins
}

// expectation is what should be found about one object.
type expectation struct {
	Detector string            `yaml:"detector"`
	Object   string            `yaml:"object"` // Kind namespace/name
	Verdict  string            `yaml:"verdict"`
	Evidence map[string]string `yaml:"evidence,omitempty"` // role to audit or trace ID
	Facts    map[string]any    `yaml:"facts,omitempty"`
	line     int               // where it begins
}

func readExpectations(path string, q *questions) (*expectations, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var e expectations
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&e); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty: write \"expect: []\" if nothing is expected", path)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := d.Decode(&expectations{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document", path)
	}
	e.findLines(data)
	for i, x := range e.Expect {
		switch detectors.Verdict(x.Verdict) {
		case detectors.Captured, detectors.Held, detectors.Inconclusive:
		default:
			return nil, fmt.Errorf("%s: expectation %d: verdict is captured, held or inconclusive, not %q", path, i+1, x.Verdict)
		}
		if err := q.check([]string{x.Detector}); err != nil {
			return nil, fmt.Errorf("%s: expectation %d: %w", path, i+1, err)
		}
		for _, fact := range sortedKeys(x.Facts) {
			if known := q.find(x.Detector).Facts; !slices.Contains(known, fact) {
				return nil, fmt.Errorf("%s: expectation %d: %s has no fact %q; it has %s", path, i+1, x.Detector, fact, strings.Join(known, ", "))
			}
		}
	}
	return &e, nil
}

// findLines tells where each expectation begins, and the list of them: line 1 if there
// is none.
func (e *expectations) findLines(data []byte) {
	var doc yaml.Node
	_ = yaml.Unmarshal(data, &doc) // it has been read before
	e.line = 1
	pairs := doc.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value != "expect" {
			continue
		}
		e.line = pairs[i].Line
		var list []yaml.Node
		_ = pairs[i+1].Decode(&list)
		for n, node := range list {
			e.Expect[n].line = node.Line
		}
	}
}

// differences says in one line each what is missing, extra or different.
func (e *expectations) differences(result *detectors.Result) (list []render.Difference) {
	met := map[*detectors.Finding]bool{}
	for _, x := range e.Expect {
		name := x.Detector + " " + x.Object
		if x.Verdict != string(detectors.Captured) {
			if got := verdictOf(result, x); got != x.Verdict {
				list = append(list, x.differs("", "%s: expected %s, got %s", name, x.Verdict, got))
			}
			continue
		}
		f, differences := x.best(name, result, met)
		if f == nil {
			list = append(list, x.differs("", "%s: expected captured, got %s", name, verdictOf(result, x)))
			continue
		}
		met[f] = true
		list = append(list, differences...)
	}
	for _, f := range result.Findings {
		if !met[f] && f.Severity != detectors.Info {
			list = append(list, render.Difference{Detector: f.Detector, Line: e.line, Text: fmt.Sprintf("%s %s: not expected: %s", f.Detector, f.Object, f.Summary), Found: f})
		}
	}
	return list
}

// best returns the finding that comes closest to the expectation, of those that
// are not spoken for, and how it differs: objects that lived one after the other
// can have one name.
func (x expectation) best(name string, result *detectors.Result, met map[*detectors.Finding]bool) (best *detectors.Finding, differences []render.Difference) {
	for _, f := range result.Findings {
		if f.Detector != x.Detector || f.Object.String() != x.Object || met[f] {
			continue
		}
		if d := x.compare(name, f); best == nil || len(d) < len(differences) {
			best, differences = f, d
		}
	}
	return best, differences
}

func verdictOf(result *detectors.Result, x expectation) string {
	for _, v := range result.Rulings {
		if v.Detector == x.Detector && v.Object.String() == x.Object {
			return string(v.Verdict)
		}
	}
	return noVerdict
}

const noVerdict = "no verdict"

// differs makes a difference of a text about a fact, evidence, or if that is empty, the
// verdict.
func (x expectation) differs(about, format string, args ...any) render.Difference {
	return render.Difference{Detector: x.Detector, Line: x.line, About: x.Object + " " + about, Text: fmt.Sprintf(format, args...)}
}

func (x expectation) compare(name string, f *detectors.Finding) (list []render.Difference) {
	for _, role := range sortedKeys(x.Evidence) {
		id := x.Evidence[role]
		if !slices.ContainsFunc(f.Evidence, func(e detectors.Evidence) bool { return e.Role == role && e.ID() == id }) {
			list = append(list, x.differs("evidence "+role, "%s: evidence %s: expected %s, got %s", name, role, id, evidenceIDs(f, role)))
		}
	}
	for _, fact := range sortedKeys(x.Facts) {
		want, got := asJSON(x.Facts[fact]), asJSON(render.FactValue(render.Clock{}, f.Fact(fact)))
		if want != got {
			list = append(list, x.differs(fact, "%s: %s: expected %s, got %s", name, fact, want, got))
		}
	}
	return list
}

func evidenceIDs(f *detectors.Finding, role string) string {
	var ids []string
	for _, e := range f.Evidence {
		if e.Role == role {
			ids = append(ids, e.ID())
		}
	}
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// asJSON gives equal values one text, whatever Go type they have and whatever
// zone a time is written in.
func asJSON(v any) string {
	if text, ok := v.(string); ok {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return t.UTC().Format(time.RFC3339Nano)
		}
	}
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var f float64
	if json.Unmarshal(out, &f) == nil {
		return fmt.Sprint(f)
	}
	return string(out)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// rewrite writes what was found as the expectations, with all facts. Verdicts
// of held and inconclusive that the file named stay named.
func (e *expectations) rewrite(path string, result *detectors.Result) error {
	now := expectations{Inputs: e.Inputs}
	for _, f := range result.Findings {
		x := expectation{Detector: f.Detector, Object: f.Object.String(), Verdict: string(detectors.Captured), Facts: map[string]any{}, Evidence: map[string]string{}}
		for _, proof := range f.Evidence {
			if slices.Contains(f.Decisive, proof.ID()) {
				x.Evidence[proof.Role] = proof.ID()
			}
		}
		for _, fact := range f.Facts {
			x.Facts[fact.Name] = render.FactValue(render.Clock{}, fact.Value)
		}
		now.Expect = append(now.Expect, x)
	}
	for _, x := range e.Expect {
		verdict := verdictOf(result, x)
		if x.Verdict == string(detectors.Captured) || verdict == string(detectors.Captured) || verdict == noVerdict {
			continue
		}
		x.Verdict = verdict
		now.Expect = append(now.Expect, x)
	}
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	if err := enc.Encode(now); err != nil {
		return err
	}
	return os.WriteFile(path, buf.Bytes(), 0o644)
}
