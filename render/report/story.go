package report

import (
	"slices"

	"github.com/knforensics/knforensics/detectors"
)

// longest is of how many sentences a story is.
const longest = 5

// sentence is a part of a story: what was found or happened, each with its proof.
type sentence []detectors.Step

// parts are the roles of steps that one sentence tells of.
var parts = [longest][]string{
	{detectors.Trigger, detectors.Phase},
	{detectors.Gate, detectors.ReadyWrite},
	{detectors.Latch},
	{detectors.Traffic},
	{detectors.Users, detectors.Abandoned},
}

// story tells what happened in the sentences of the chain that leads furthest; where
// no chain does, those are the findings, the worst first. More is how many findings it
// does not tell of.
func story(f *Family) (told []sentence, more int) {
	if end := furthest(f.Findings); end != nil {
		for _, roles := range parts {
			var s sentence
			for _, step := range end.Chain {
				if slices.Contains(roles, step.Role) {
					s = append(s, step)
				}
			}
			if len(s) > 0 {
				told = append(told, s)
			}
		}
		return told, len(f.Findings) - len(linked(end, map[*detectors.Finding]bool{}))
	}
	list := detectors.Worst(f.Findings)
	for _, found := range list[:min(len(list), longest)] {
		told = append(told, sentence{{What: found.Summary, Evidence: found.Moment()}})
	}
	return told, len(list) - len(told)
}

// furthest returns the finding at the end of the chain with the most steps, the first of
// several, nil if no chain has two.
func furthest(findings []*detectors.Finding) (end *detectors.Finding) {
	longest := 1
	for _, f := range findings {
		if len(f.Chain) > longest {
			end, longest = f, len(f.Chain)
		}
	}
	return end
}

// linked adds a finding and those that led to it, whose steps are in its chain.
func linked(f *detectors.Finding, list map[*detectors.Finding]bool) map[*detectors.Finding]bool {
	list[f] = true
	for _, cause := range f.CausedBy {
		if len(cause.Steps) > 0 && !list[cause] {
			linked(cause, list)
		}
	}
	return list
}
