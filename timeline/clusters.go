package timeline

import (
	"maps"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// Clusters collects what matters from record batches of several clusters, each
// by a Builder of its own: objects of two clusters have nothing to do with each
// other, whatever they are called.
type Clusters struct {
	builders map[string]*Builder
	prepare  func(cluster string, b *Builder)
}

// NewClusters returns an empty Clusters. prepare, if not nil, is called with
// each Builder before anything is added to it.
func NewClusters(prepare func(cluster string, b *Builder)) *Clusters {
	return &Clusters{map[string]*Builder{}, prepare}
}

// Part returns Clusters for rows of some families of the same inputs: what it builds
// is of the clusters of h.
func (h *History) Part() *Clusters {
	c := NewClusters(func(name string, b *Builder) {
		i := slices.IndexFunc(h.Clusters, func(of *Cluster) bool { return of.Name == name })
		b.within = h.Clusters[max(i, 0)] // where there is but one, it is that of all: see Build
	})
	for _, of := range h.Clusters {
		c.Of(of.Name)
	}
	return c
}

// Add takes over what a batch holds. The batch may be released afterwards.
func (c *Clusters) Add(batch *table.Batch) {
	names := batch.Clusters()
	if len(names) == 1 {
		c.Of(names[0]).Add(batch)
		return
	}
	for _, name := range names {
		c.Of(name).Add(batch.OfCluster(name))
	}
}

// Of returns the Builder of a cluster, which may not have been heard of yet.
func (c *Clusters) Of(name string) *Builder {
	b := c.builders[name]
	if b == nil {
		b = NewBuilder()
		c.builders[strings.Clone(name)] = b
		if c.prepare != nil {
			c.prepare(name, b)
		}
	}
	return b
}

// Build makes the History of what was added. The Clusters must not be used
// afterwards. Where all records that tell a cluster tell the same, it is that of
// the others too.
func (c *Clusters) Build() *History {
	names := slices.Sorted(maps.Keys(c.builders))
	if named := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" }); len(named) < 2 {
		one := c.Of("")
		for _, name := range named {
			one.merge(c.builders[name])
		}
		h := one.Build()
		if one.within == nil {
			h.Clusters[0].Label = strings.Join(named, "")
		}
		return h
	}
	all := &History{}
	for _, name := range names {
		b := c.builders[name]
		h := b.Build()
		if b.within == nil {
			h.Clusters[0].Name = name
		}
		all.Clusters = append(all.Clusters, h.Clusters...)
		all.Families = append(all.Families, h.Families...)
	}
	return all
}

// merge takes over what was added to another Builder, after what was added to
// this one.
func (b *Builder) merge(other *Builder) {
	for _, r := range other.requests {
		r.order += len(b.requests)
	}
	for id, r := range other.staged {
		switch mine := b.staged[id]; {
		case mine == nil:
			b.staged[id] = r
		case r.final:
			*mine = *r // else its last stage is here
			*r = request{}
		default:
			*r = request{}
		}
	}
	b.requests = slices.DeleteFunc(append(b.requests, other.requests...), func(r *request) bool { return r.Write == nil })
	maps.Copy(b.listed, other.listed)
	b.seen = append(b.seen, other.seen...)
	b.notes = append(b.notes, other.notes...)
	for key, a := range other.attempts {
		if mine := b.attempts[key]; mine != nil {
			mine.join(a)
		} else {
			b.attempts[key] = a
		}
	}
	for ref, list := range other.enqueued {
		b.enqueued[ref] = append(b.enqueued[ref], list...)
	}
	for pod, at := range other.alive {
		b.sign(pod, at)
	}
	if b.from.IsZero() || !other.from.IsZero() && other.from.Before(b.from) {
		b.from = other.from
	}
	if other.to.After(b.to) {
		b.to = other.to
	}
	if other.logTo.After(b.logTo) {
		b.logTo = other.logTo
	}
	for ref, log := range other.activated {
		if mine := b.activated[ref]; mine != nil {
			mine.refusals = append(mine.refusals, log.refusals...)
		} else {
			b.activated[ref] = log
		}
	}
	b.releases.Merge(other.releases)
	b.others = joined(b.others, other.others)
}

func joined(a, b func() []*Attempt) func() []*Attempt {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func() []*Attempt { return append(a(), b()...) }
}
