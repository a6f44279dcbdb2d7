package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
	"github.com/knforensics/knforensics/timeline/byfamily"
)

// kept is what was read, to be looked at a few families at a time. Its history has
// none.
type kept struct {
	data
	rows      *byfamily.Rows
	jobs      int
	namespace string // of the families that are asked for, all if empty
	clusters  []*timeline.Cluster
	met       atomic.Bool // there is a family that is asked for
	seen      sync.Map    // the namespaces of families
}

// keep reads the inputs at paths. What else takes record batches gets them too, with
// all that there is. The caller closes what is returned.
func (o *options) keep(ctx context.Context, paths []string, others ...func(*table.Batch)) (*kept, error) {
	opts := ingest.Options{}
	if len(others) == 0 {
		opts = searching(timeline.SearchAll())
	}
	k := &kept{rows: byfamily.New(o.jobs), jobs: o.jobs, namespace: o.namespace}
	c, err := o.read(ctx, paths, opts, func(b *table.Batch) error {
		k.rows.Add(b)
		for _, add := range others {
			add(b)
		}
		return nil
	})
	if err == nil {
		k.coverage = c
		k.history, err = k.rows.Settle(c.Reach)
	}
	if err == nil {
		k.clusters = slices.Clone(k.history.Clusters)
		err = o.narrow(o.released(k.history))
	}
	if err != nil {
		k.rows.Close()
		return nil, err
	}
	return k, nil
}

// families returns the families of a History that are asked for.
func (k *kept) families(h *timeline.History) []*timeline.Family {
	for _, f := range h.Families {
		k.seen.Store(f.Namespace, true)
	}
	list := slices.DeleteFunc(h.Families, func(f *timeline.Family) bool {
		return k.namespace != "" && f.Namespace != k.namespace || !slices.Contains(k.history.Clusters, f.Cluster)
	})
	if len(list) > 0 {
		k.met.Store(true)
	}
	return list
}

// namespaces returns those of the families that were looked at, sorted.
func (k *kept) namespaces() (names []string) {
	k.seen.Range(func(name, _ any) bool {
		names = append(names, name.(string))
		return true
	})
	slices.Sort(names)
	return names
}

// mixed says what mixed says, once all families were looked at.
func (k *kept) mixed() []string { return mixed(&timeline.History{Clusters: k.clusters}) }
