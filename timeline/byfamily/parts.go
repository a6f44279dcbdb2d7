package byfamily

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/knforensics/knforensics/ingest/spool"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// family are the subjects that may be of one family.
type family struct {
	id    table.Subject // stands for it
	about []table.Subject
	bytes int64
}

// families returns the families, sorted.
func (r *Rows) families() []*family {
	catalogue := timeline.NewCatalogue()
	for _, k := range r.keepers {
		catalogue.Merge(k.catalogue)
	}
	names := map[table.Subject]string{}
	for _, f := range catalogue.Families() {
		names[f.Subject] = f.Family
	}
	found := map[table.Subject]*family{}
	all := map[string][]table.Subject{} // of a namespace
	for about, bytes := range r.sizes() {
		switch {
		case about == timeline.Settings():
			continue
		case timeline.Everything(about):
			all[about.Namespace] = append(all[about.Namespace], about)
			continue
		}
		id := table.Subject{Namespace: about.Namespace, Name: cmp.Or(names[about], about.Name)}
		f := found[id]
		if f == nil {
			f = &family{id: id}
			found[id] = f
		}
		f.about = append(f.about, about)
		f.bytes += bytes
	}
	for _, f := range found {
		f.about = append(f.about, all[f.id.Namespace]...)
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *family) int { return a.id.Compare(b.id) })
}

// sizes returns what there are rows about, and how many bytes of them.
func (r *Rows) sizes() map[table.Subject]int64 {
	sizes := map[table.Subject]int64{}
	for _, k := range r.keepers {
		for of, n := range k.keys {
			sizes[of.about] += k.spool.Size(n)
		}
	}
	return sizes
}

// parts divides families into those that are looked at together.
func (r *Rows) parts(families []*family) (parts [][]table.Subject) {
	var part []table.Subject
	var bytes int64
	for _, f := range families {
		if len(part) > 0 && bytes+f.bytes > r.partSize && !r.unplaced {
			parts, part, bytes = append(parts, part), nil, 0
		}
		part, bytes = append(part, f.about...), bytes+f.bytes
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	for i := range parts {
		parts[i] = distinct(parts[i])
	}
	return parts
}

func distinct(list []table.Subject) []table.Subject {
	slices.SortFunc(list, table.Subject.Compare)
	return slices.Compact(list)
}

// Each calls fn with Histories that together have all families, and returns what fn made
// of them, in the order of the families. Of them, jobs are made at once; with one, they
// come in their order.
func Each[T any](r *Rows, jobs int, fn func(*timeline.History) T) ([]T, error) {
	parts := r.parts(r.families())
	made, errs := make([]T, len(parts)), make([]error, jobs)
	next := make(chan int)
	var workers sync.WaitGroup
	for w := range jobs {
		workers.Go(func() {
			var m memory
			for i := range next {
				r.guarded(func() {
					clusters := r.shared.Part()
					if err := r.feed(parts[i], &m, clusters); err != nil {
						errs[w] = err
						return
					}
					h := clusters.Build()
					h.Families = slices.DeleteFunc(h.Families, func(f *timeline.Family) bool { return !isOf(f, parts[i]) })
					made[i] = fn(h)
				})
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	workers.Wait()
	r.rethrow()
	return made, cmp.Or(errs...)
}

// isOf reports whether a family is one of those that a part is made of: the list of a
// collection that was deleted names objects of others as well.
func isOf(f *timeline.Family, part []table.Subject) bool {
	return slices.ContainsFunc(f.Objects(), func(o *timeline.Object) bool {
		_, found := slices.BinarySearchFunc(part, table.Subject{Namespace: o.Namespace, Name: timeline.About(o.Name)}, table.Subject.Compare)
		return found
	})
}

// memory is used for the rows of one part after another.
type memory struct {
	records spool.Records
	decoder table.Decoder
}

// feed adds the rows about some subjects, in the order of the inputs.
func (r *Rows) feed(about []table.Subject, m *memory, to *timeline.Clusters) error {
	return r.read(func(k *keeper) (keys []int) {
		for _, s := range about {
			for _, log := range []bool{false, true} {
				if n, ok := k.keys[key{s, log}]; ok {
					keys = append(keys, n)
				}
			}
		}
		return keys
	}, m, to)
}

// read adds the rows of some keys of each keeper.
func (r *Rows) read(keys func(*keeper) []int, m *memory, to *timeline.Clusters) error {
	wanted, bytes := make([][]int, len(r.keepers)), int64(0)
	for i, k := range r.keepers {
		wanted[i] = keys(k)
		for _, n := range wanted[i] {
			bytes += k.spool.Size(n)
		}
	}
	m.records.Reset(bytes)
	for i, k := range r.keepers {
		for _, n := range wanted[i] {
			if err := k.spool.Read(n, &m.records); err != nil {
				return fmt.Errorf("read what was put aside: %w", err)
			}
		}
	}
	m.records.Sort()
	for _, rec := range m.records.List {
		m.decoder.Reset()
		if err := m.decoder.Add(rec.Data, &r.names); err != nil {
			return fmt.Errorf("read what was put aside: %w", err)
		}
		to.Add(m.decoder.Batch())
	}
	return nil
}

// logged returns a function that tells what all processes of a cluster logged.
func (r *Rows) logged(cluster string) func() *timeline.Builder {
	return func() *timeline.Builder {
		all := r.logs()
		return all.Of(cluster)
	}
}

// readLogs adds all rows of logs, of a few keys at a time.
func (r *Rows) readLogs() *timeline.Clusters {
	all := timeline.NewClusters(nil)
	for name := range r.reach {
		all.Of(name)
	}
	var m memory
	for about := range r.sizes() {
		err := r.read(func(k *keeper) []int {
			if n, ok := k.keys[key{about, true}]; ok {
				return []int{n}
			}
			return nil
		}, &m, all)
		if err != nil {
			r.failed.Store(&err)
		}
	}
	return all
}

// Err returns what went wrong while a History was asked, nil if nothing.
func (r *Rows) Err() error {
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}
