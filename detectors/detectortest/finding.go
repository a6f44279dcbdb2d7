package detectortest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
)

// lines says in the lines of want what a detector found, sorted.
func lines(d *detectors.Detector, result *detectors.Result, withEvidence bool) (list []string) {
	for _, f := range result.Findings {
		if f.Detector != d.Name {
			continue
		}
		list = append(list, captured(f))
		if withEvidence {
			list = append(list, evidence(f))
		}
	}
	for _, r := range result.Rulings {
		if r.Detector == d.Name && r.Verdict != detectors.Captured {
			list = append(list, fmt.Sprintf("%s %s", r.Verdict, r.Object))
		}
	}
	if slices.ContainsFunc(result.Blind, func(b detectors.Blindness) bool { return b.Detector == d.Name }) {
		list = append(list, "blind")
	}
	slices.Sort(list)
	return list
}

func captured(f *detectors.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "captured %s severity=%s confidence=%s", f.Object, f.Severity, f.Confidence)
	for _, fact := range f.Facts {
		fmt.Fprintf(&b, " %s=%s", fact.Name, text(fact.Value))
	}
	if f.Open != "" {
		b.WriteString(" open")
	}
	for _, cause := range f.CausedBy {
		fmt.Fprintf(&b, " causedBy=%s", cause.Detector)
	}
	for _, h := range f.Hypotheses {
		fmt.Fprintf(&b, " maybe=%s", h.Cause)
	}
	return b.String()
}

func evidence(f *detectors.Finding) string {
	line := "evidence " + f.Object.String()
	for _, e := range f.Evidence {
		line += " " + e.Role
	}
	return line
}

// text writes a fact as the output of knforensics does: unknown is null, times
// are UTC to the microsecond.
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.000000Z")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if v == "" || strings.ContainsAny(v, " \"\t") {
			return strconv.Quote(v)
		}
		return v
	}
	return fmt.Sprint(value)
}

// defects lists what is wrong with a finding whatever the case is.
func defects(d *detectors.Detector, f *detectors.Finding) (list []string) {
	wrong := func(format string, args ...any) {
		list = append(list, fmt.Sprintf("finding about %s: ", f.Object)+fmt.Sprintf(format, args...))
	}
	var names []string
	for _, fact := range f.Facts {
		names = append(names, fact.Name)
		switch v := fact.Value.(type) {
		case nil, bool, int, float64:
		case string:
			if v == "" {
				wrong("fact %s is empty; unknown is nil", fact.Name)
			}
		case time.Time:
			if v.IsZero() {
				wrong("fact %s is the zero time; unknown is nil", fact.Name)
			}
		default:
			wrong("fact %s is a %T", fact.Name, v)
		}
	}
	if !slices.Equal(names, d.Facts) {
		wrong("its facts are %q, declared are %q", names, d.Facts)
	}
	if f.Summary == "" || strings.ContainsAny(f.Summary, "\n\r") {
		wrong("the summary is not one line: %q", f.Summary)
	}
	if !slices.Contains(detectors.Severities, f.Severity) {
		wrong("unknown severity %q", f.Severity)
	}
	switch f.Confidence {
	case detectors.Confirmed, detectors.Strong, detectors.Probable, detectors.Suspect:
	default:
		wrong("unknown confidence %q", f.Confidence)
	}
	if len(f.Decisive) == 0 || slices.Contains(f.Decisive, "") {
		wrong("decisive IDs %q: the fingerprint needs one, and none may be empty", f.Decisive)
	}
	if len(f.Evidence) == 0 {
		wrong("no evidence")
	}
	if f.Time.IsZero() && slices.ContainsFunc(f.Evidence, func(e detectors.Evidence) bool { return !e.Time.IsZero() }) {
		wrong("it has no time, and its evidence has")
	}
	for _, e := range f.Evidence {
		if e.Role == "" || e.File == "" || e.Line < 1 {
			wrong("evidence without role, file or line: %+v", e)
		}
	}
	return list
}
