package timeline

import (
	"fmt"
	"slices"
	"strings"
)

// summarize says in a few words what a request did.
func summarize(w *Write, changes []Change) string {
	switch w.Outcome {
	case Refused, Failed:
		return fmt.Sprintf("%s answered %d %s", requestText(w), w.Code, strings.TrimSpace(w.Reason+": "+w.Message))
	case DryRun:
		return requestText(w) + " as a dry run"
	case Unanswered:
		return requestText(w) + ": no answer in the log"
	case Unchanged:
		return requestText(w) + " changed nothing"
	}
	var parts []string
	switch {
	case w.Subresource == "binding":
		parts = append(parts, "bound to a node")
	case w.Subresource == "eviction":
		parts = append(parts, "evicted")
	case w.Verb == "create" || w.Code == 201:
		parts = append(parts, "created")
	case w.Collective:
		return "perhaps deleted: a collection of its kind was, of which the log does not tell the members"
	case w.Verb == "delete" || w.Verb == "deletecollection":
		parts = append(parts, "deleted")
	case w.Outcome == Read:
		parts = append(parts, "seen in the answer to a get")
	}
	parts = append(parts, describeChanges(w, changes)...)
	if len(parts) == 0 && !w.BodySeen {
		return requestText(w) + ": what it changed is not in the log"
	}
	if len(parts) == 0 {
		return requestText(w)
	}
	return strings.Join(parts, ", ")
}

func requestText(w *Write) string {
	if w.Subresource != "" {
		return w.Verb + " " + w.Subresource
	}
	return w.Verb
}

// describeChanges names the changes that tell most, at most four.
func describeChanges(w *Write, changes []Change) (parts []string) {
	add := func(text string) {
		if text != "" && len(parts) < 4 {
			parts = append(parts, text)
		}
	}
	if c := moved(changes, "conditions.Ready"); c != nil {
		add("Ready " + arrow(c))
	}
	if c := moved(changes, "conditions.ScaleTargetInitialized"); c != nil {
		add("ScaleTargetInitialized " + arrow(c))
	}
	if c := moved(changes, "status.latestReadyRevisionName"); c != nil {
		add("latestReady " + arrow(c))
	}
	add(describeTraffic(w, changes))
	if len(parts) > 0 && w.Object.Kind != KindPodAutoscaler {
		return parts // the rest leads to these, or follows from them
	}
	for _, path := range []string{"spec.replicas", "status.readyReplicas", "status.actualScale", "status.desiredScale", "spec.reachability",
		"status.actualReplicas", "status.desiredReplicas", "status.latestCreatedRevisionName", "spec.mode", "status.phase", "spec.nodeName", "metadata.deletionTimestamp"} {
		if c := moved(changes, path); c != nil {
			add(path[strings.LastIndexByte(path, '.')+1:] + " " + arrow(c))
		}
	}
	if len(parts) > 0 {
		return parts
	}
	for _, c := range changes {
		if name, ok := strings.CutPrefix(c.Path, "conditions."); ok && name != "Ready" && name != "ScaleTargetInitialized" {
			add(name + " " + arrow(&c))
		}
	}
	if len(parts) == 0 && w.Verb != "create" {
		for _, c := range changes {
			add(shortPath(c.Path) + " " + arrow(&c))
		}
	}
	return parts
}

// shortPath returns the last step of a path, of a label or annotation without
// its domain.
func shortPath(path string) string {
	if key, ok := strings.CutSuffix(path, "]"); ok && strings.Contains(key, "/") {
		return key[strings.LastIndexByte(key, '/')+1:]
	}
	return path
}

func arrow(c *Change) string {
	switch {
	case c.To == nil:
		return *c.From + " → gone"
	case c.From == nil:
		return "→ " + *c.To
	}
	return *c.From + " → " + *c.To
}

func describeTraffic(w *Write, changes []Change) string {
	if !slices.ContainsFunc(changes, func(c Change) bool { return kindOfChange(w.Object.Kind, c.Path) == EntryTraffic }) {
		return ""
	}
	var parts []string
	if w.Object.Kind == KindRoute {
		for _, t := range Traffic(w.After) {
			parts = append(parts, fmt.Sprintf("%d %% to %s", t.Percent, t.Revision))
		}
	} else {
		for _, s := range Splits(w.After) {
			parts = append(parts, fmt.Sprintf("%d %% to %s", s.Percent, s.Revision))
		}
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	if len(parts) == 0 {
		return "no traffic"
	}
	return "traffic " + strings.Join(parts, ", ")
}

// describeState says in a few words what a state shows.
func describeState(s *State) string {
	var parts []string
	if c, ok := s.Condition("Ready"); ok {
		parts = append(parts, "Ready "+c.Text())
	}
	for _, f := range [][2]string{{"status.latestReadyRevisionName", "latestReady"}, {"status.readyReplicas", "readyReplicas"},
		{"status.actualReplicas", "actualReplicas"}, {"status.phase", "phase"}, {"status.actualScale", "actualScale"}} {
		if v := s.Field(f[0]); v != "" {
			parts = append(parts, f[1]+" "+v)
		}
	}
	for _, t := range Traffic(s) {
		parts = append(parts, fmt.Sprintf("%d %% to %s", t.Percent, t.Revision))
	}
	if len(parts) == 0 {
		return "exists"
	}
	return strings.Join(parts, ", ")
}
