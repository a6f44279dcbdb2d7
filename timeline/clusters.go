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

// Add takes over what a batch holds. The batch may be released afterwards.
func (c *Clusters) Add(batch *table.Batch) {
	names := batch.Clusters()
	if len(names) == 1 {
		c.Of(names[0]).Add(batch)
		return
	}
	for _, name := range names {
		rest := batch.OfCluster(name)
		c.Of(name).Add(rest)
		rest.Release()
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
// afterwards.
func (c *Clusters) Build() *History {
	all := &History{}
	for _, name := range slices.Sorted(maps.Keys(c.builders)) {
		h := c.builders[name].Build()
		h.Clusters[0].Name = strings.Clone(name)
		all.Clusters = append(all.Clusters, h.Clusters...)
		all.Families = append(all.Families, h.Families...)
	}
	return all
}
