// Package rules asks questions that users write: a CEL expression over the
// requests of the audit log, or over the states of the objects that the timeline
// knows, with a severity, a grouping, a window and a message.
//
// Parse reads a file of rules and says all that is wrong with it, each mistake by
// line and column. A Watch then looks at the rows of audit_events as they are
// read and at a History once it is made, and Judge turns what the rules match
// into findings like those of any detector. docs/rules.md is the language.
//
// CEL is the Common Expression Language (cel.dev), in which Kubernetes writes its
// own admission policies.
package rules

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"cel.dev/cel-go/cel"

	"github.com/knforensics/knforensics/detectors"
)

// Rule is one question of a user.
type Rule struct {
	ID          string
	Description string
	Severity    detectors.Severity
	Over        Subject
	When        string // the expression, as written
	Window      Window
	By          string // what groups matches, as written
	Message     string // the template, as written
	when        cel.Program
	by          func(*origin, cel.Activation) (string, error)
	message     template
}

// Subject is what a rule looks at.
type Subject string

// The subjects.
const (
	Requests Subject = "requests" // each request that was answered, once
	Objects  Subject = "objects"  // each state of an object of a Knative family
)

// Window tells how many matches of a group within how much time are a finding.
// The zero Window takes one match for enough, and all of a group together.
type Window struct {
	Count  int
	Within time.Duration
}

func (w Window) String() string { return fmt.Sprintf("%d within %s", w.Count, w.Within) }

// Set is the rules of some files, in their order. The nil Set has none.
type Set struct{ rules []*Rule }

// Read reads the files of rules at paths, as Parse does. No rule of one file has
// the ID of one of another. The error holds what is wrong with all of them.
func Read(paths []string, reserved []string) (*Set, error) {
	set, ids := &Set{}, take(reserved)
	var wrong []error
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		rules, err := rulesOf(path, data, ids)
		wrong = append(wrong, err)
		set.rules = append(set.rules, rules...)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return set, nil
}

// Facts are the names of the facts of a finding of any rule: what its matches
// have in common, how many they are, the times of the first and the last, and how
// many of them are not among the evidence.
var Facts = []string{"group", "count", "from", "to", "more"}

// Detectors returns what there is to tell of each rule to those who list and
// name detectors. A rule is asked by a Watch: Run is nil.
func (s *Set) Detectors() (list []*detectors.Detector) {
	if s == nil {
		return nil
	}
	for _, r := range s.rules {
		list = append(list, &detectors.Detector{Name: r.ID, Doc: r.manual, Facts: Facts})
	}
	return list
}

// manual is what explain prints of a rule.
func (r *Rule) manual() string {
	title, text, _ := strings.Cut(strings.TrimSpace(r.Description), "\n")
	if title == "" {
		title = r.Message
	}
	var b strings.Builder
	fmt.Fprintln(&b, title)
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	fmt.Fprintf(&b, "\nSeverity: %s\nOver: %s\nWhen:\n", r.Severity, r.Over)
	for line := range strings.Lines(strings.TrimRight(r.When, "\n")) {
		fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, "\n"))
	}
	if r.Window.Count > 0 {
		fmt.Fprintf(&b, "Window: %s\n", r.Window)
	}
	fmt.Fprintf(&b, "By: %s\nMessage: %s\n", r.By, r.Message)
	return b.String()
}
