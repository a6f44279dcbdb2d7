package detectors

import (
	"cmp"
	"slices"
)

// Grouping is a view of findings: what some of them have in common.
type Grouping struct {
	Name string
	Of   func(*Finding) string
	// Ordered tells that the groups have an order of their own, as days have.
	Ordered bool
}

// Group is the findings of which Grouping.Of tells the same.
type Group struct {
	Name       string
	Findings   int
	Severities map[Severity]int
}

// Groups sorts findings into groups: by name if they are Ordered, else those
// with the most of the worst findings first.
func (g Grouping) Groups(findings []*Finding) (list []Group) {
	places := map[string]int{}
	for _, f := range findings {
		name := g.Of(f)
		i, ok := places[name]
		if !ok {
			i = len(list)
			places[name] = i
			list = append(list, Group{Name: name, Severities: map[Severity]int{}})
		}
		list[i].Findings++
		list[i].Severities[f.Severity]++
	}
	slices.SortFunc(list, func(a, b Group) int {
		if worse := b.compare(a); worse != 0 && !g.Ordered {
			return worse
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list
}

// compare orders groups by how many findings of the worst severity they have,
// and where that is equal, of the next.
func (g Group) compare(other Group) int {
	for _, s := range Severities {
		if c := cmp.Compare(g.Severities[s], other.Severities[s]); c != 0 {
			return c
		}
	}
	return 0
}
