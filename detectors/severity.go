package detectors

import (
	"cmp"
	"slices"
)

// Severity tells how much a finding matters.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
	Info     Severity = "info"
)

// Severities lists the severities, worst first.
var Severities = []Severity{Critical, High, Medium, Low, Info}

// Rank tells the place of s among the severities: 0 is the worst.
func (s Severity) Rank() int { return slices.Index(Severities, s) }

// AtLeast reports whether s is as bad as other, or worse.
func (s Severity) AtLeast(other Severity) bool { return s.Rank() <= other.Rank() }

// Worst returns findings by severity, the worst first, and then as they come.
func Worst(list []*Finding) []*Finding {
	return slices.SortedStableFunc(slices.Values(list), func(a, b *Finding) int { return cmp.Compare(a.Severity.Rank(), b.Severity.Rank()) })
}
