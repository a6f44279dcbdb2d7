package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// shown is how many matches of a finding are listed as evidence.
const shown = 20

// roleMatch is the evidence role of a record that a rule matches.
const roleMatch = "match"

// bursts returns the matches that are a finding together, in order: of each
// group, all that are in some window with enough of them. Windows that share a
// match are one burst. Without a window it is the whole group.
func (f *found) bursts() (list [][]match) {
	type group struct{ cluster, name string }
	groups := map[group][]match{}
	for _, m := range f.matches {
		g := group{m.cluster, m.group}
		groups[g] = append(groups[g], m)
	}
	for _, matches := range groups {
		list = append(list, f.rule.Window.bursts(matches)...)
	}
	slices.SortFunc(list, func(a, b []match) int {
		return cmp.Or(compare(a[0].origin, b[0].origin), cmp.Compare(a[0].group, b[0].group))
	})
	return list
}

func (w Window) bursts(list []match) (bursts [][]match) {
	if w.Count == 0 {
		return [][]match{list}
	}
	begin, end := 0, 0 // of the burst at hand
	for i := w.Count; i <= len(list); i++ {
		start := i - w.Count
		switch {
		case list[i-1].time.Sub(list[start].time) > w.Within:
			continue
		case start < end:
			bursts[len(bursts)-1] = list[begin:i]
		default:
			begin = start
			bursts = append(bursts, list[begin:i])
		}
		end = i
	}
	return bursts
}

// narrow returns the bursts of which a match is at a time that within holds of.
// Where there is no window, what was matched at other times is not of them: a
// group has no course, as a burst has.
func (w Window) narrow(bursts [][]match, within func(time.Time) bool) (list [][]match) {
	for _, burst := range bursts {
		inside := slices.DeleteFunc(slices.Clone(burst), func(m match) bool { return !within(m.time) })
		switch {
		case len(inside) == 0:
		case w.Count == 0:
			list = append(list, inside)
		default:
			list = append(list, burst)
		}
	}
	return list
}

// finding makes a finding of the matches of a burst.
func (f *found) finding(burst []match) *detectors.Finding {
	first := burst[0]
	found := &detectors.Finding{Detector: f.rule.ID, Confidence: detectors.Strong, Severity: f.rule.Severity,
		Cluster: first.cluster, Time: first.time, Decisive: []string{first.decisive()}}
	found.Object, found.UID = f.subject(burst)
	for _, m := range burst[:min(shown, len(burst))] {
		found.Evidence = append(found.Evidence, detectors.Evidence{Role: roleMatch, Time: m.time, Source: m.source})
	}
	all := map[string]any{"group": first.groupName(), "count": len(burst)}
	var from, to, more any
	for _, m := range burst {
		if !m.time.IsZero() {
			from, to = first.time, m.time
			all["from"], all["to"] = from, to
		}
	}
	if len(burst) > shown {
		more = len(burst) - shown
	}
	found.Facts = []detectors.Fact{{Name: Facts[0], Value: orNil(first.group)}, {Name: Facts[1], Value: len(burst)},
		{Name: Facts[2], Value: from}, {Name: Facts[3], Value: to}, {Name: Facts[4], Value: more}}
	sentence := strings.Join(strings.Fields(f.rule.message.fill(first.values, all)), " ")
	found.Summary = cmp.Or(sentence, f.rule.ID)
	return found
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// subject names what the matches of a burst have in common.
func (f *found) subject(burst []match) (timeline.Ref, string) {
	first := burst[0]
	if f.rule.By != "object" {
		kind, named := subjects[f.rule.By]
		if !named {
			kind = "Group"
		}
		return timeline.Ref{Kind: kind, Name: first.groupName()}, ""
	}
	for _, m := range burst {
		if m.uid != first.uid {
			return first.object, "" // several lives of one name
		}
	}
	return first.object, first.uid
}

// groupName names the group of a match for people.
func (m match) groupName() string { return cmp.Or(m.group, "(none)") }

var subjects = map[string]string{"namespace": "Namespace", "user": "User", "component": "Component"}

// decisive is what tells the burst that begins here from any other, however long
// it goes on.
func (m match) decisive() string {
	return cmp.Or(detectors.Evidence{Source: m.source}.ID(), m.time.UTC().Format(time.RFC3339Nano))
}
