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
// no chain does, those are the findings, the worst first.
func story(f *Family) (told []sentence) {
	if chain := longestChain(f.Findings); len(chain) > 1 {
		for _, roles := range parts {
			var s sentence
			for _, step := range chain {
				if slices.Contains(roles, step.Role) {
					s = append(s, step)
				}
			}
			if len(s) > 0 {
				told = append(told, s)
			}
		}
		return told
	}
	for _, found := range detectors.Worst(f.Findings)[:min(len(f.Findings), longest)] {
		told = append(told, sentence{{What: found.Summary, Evidence: decisive(found)}})
	}
	return told
}

// longestChain returns the chain with the most steps, the first of several.
func longestChain(findings []*detectors.Finding) (chain []detectors.Step) {
	for _, f := range findings {
		if len(f.Chain) > len(chain) {
			chain = f.Chain
		}
	}
	return chain
}

// decisive returns the evidence of the moment that a finding is about, else the
// first.
func decisive(f *detectors.Finding) detectors.Evidence {
	for _, e := range f.Evidence {
		if e.Time.Equal(f.Time) {
			return e
		}
	}
	return f.Evidence[0]
}
