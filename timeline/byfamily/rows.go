// Package byfamily keeps rows by the families that they are about, and makes a History
// of a few families at a time, so that memory does not grow with how many there are.
package byfamily

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/spool"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// Rows are rows of all tables. They are first added, then settled, then looked at.
type Rows struct {
	partSize  int64
	names     table.Names
	keepers   []*keeper
	free      chan *keeper
	batches   uint64
	unplaced  bool // there are rows of which only all others tell the namespace
	finishing sync.Once
	reach     map[string]coverage.Reach
	shared    *timeline.History
	logs      func() *timeline.Clusters // what all processes logged
	failed    atomic.Pointer[error]
	crash     atomic.Pointer[crash]
}

// room is how many bytes of rows are in memory before they go into a file, and partSize
// of how many one History is made, if they are of several families.
const (
	room     = 8 << 20
	partSize = 2 << 20
)

// New returns Rows without any. Jobs is how many batches are looked at at once.
func New(jobs int) *Rows { return sized(jobs, room, partSize) }

func sized(jobs, room int, partSize int64) *Rows {
	r := &Rows{free: make(chan *keeper, jobs), partSize: partSize}
	for range jobs {
		k := &keeper{catalogue: timeline.NewCatalogue(), keys: map[key]int{}, signs: map[string]timeline.Signs{}, encoder: table.NewEncoder(&r.names), spool: spool.New(room / jobs)}
		r.keepers = append(r.keepers, k)
		r.free <- k
	}
	return r
}

// Add takes over what a batch holds, which it retains until it is done with it.
func (r *Rows) Add(b *table.Batch) {
	k, number := <-r.free, r.batches<<32
	r.batches++
	b.Retain()
	go func() {
		r.guarded(func() { k.add(b, number) })
		b.Release()
		r.free <- k
	}()
}

// Settle ends the adding, and returns what holds for all families: a History without
// any. Reach tells of all inputs.
func (r *Rows) Settle(reach map[string]coverage.Reach) (*timeline.History, error) {
	r.finish()
	for _, k := range r.keepers {
		k.spool.Seal()
		r.unplaced = r.unplaced || k.unplaced
	}
	r.reach, r.logs = reach, sync.OnceValue(r.readLogs)
	shared := timeline.NewClusters(nil)
	if err := r.feed([]table.Subject{timeline.Settings()}, &memory{}, shared); err != nil {
		return nil, err
	}
	for name, of := range reach {
		b := shared.Of(name)
		b.Complete(timeline.Part{From: of.From, To: of.To, LogTo: of.LogTo, Processes: of.Processes, Others: r.logged(name)})
		for _, k := range r.keepers {
			b.Signs(k.signs[name])
		}
	}
	r.shared = shared.Build()
	return &timeline.History{Clusters: slices.Clone(r.shared.Clusters)}, nil
}

// finish waits for the batches that were added. It is called once they all were.
func (r *Rows) finish() {
	r.finishing.Do(func() {
		for range r.keepers {
			<-r.free
		}
		r.rethrow()
	})
}

// Close removes what was put into files.
func (r *Rows) Close() {
	r.finish()
	for _, k := range r.keepers {
		k.spool.Close()
	}
}

// keeper keeps the rows of some of the batches.
type keeper struct {
	catalogue *timeline.Catalogue
	keys      map[key]int
	signs     map[string]timeline.Signs // by cluster
	encoder   *table.Encoder
	logs      []table.ControllerLog // see shortened
	spool     *spool.Spool
	unplaced  bool // there are rows of which only all others tell the namespace
}

// key is what rows are found by.
type key struct {
	about table.Subject
	log   bool // they are of a log
}

func (k *keeper) add(b *table.Batch, number uint64) {
	b.EachRows(func(rows *table.Rows) {
		number++
		for i := range rows.Objects {
			k.sign(&rows.Objects[i])
		}
		about := k.catalogue.Learn(rows)
		if about == (table.Subject{}) {
			return
		}
		if timeline.Everything(about) {
			k.members(rows)
		}
		rows.Logs = k.shortened(rows.Logs)
		k.unplaced = k.unplaced || timeline.Unplaced(rows)
		k.spool.Put(k.key(key{about, len(rows.Logs) > 0}), number, func(to []byte) []byte { return k.encoder.Append(to, rows) })
	})
}

// shortened returns copies of rows of a log without what no History needs. They are good
// until the next.
func (k *keeper) shortened(rows []table.ControllerLog) []table.ControllerLog {
	k.logs = append(k.logs[:0], rows...)
	for i := range k.logs {
		timeline.Shorten(&k.logs[i])
	}
	return k.logs
}

// members notes what a collection held: nothing else may tell of it.
func (k *keeper) members(rows *table.Rows) {
	for i := range rows.Objects {
		o := &rows.Objects[i]
		k.key(key{about: table.Subject{Namespace: o.Namespace, Name: timeline.About(o.Name)}})
	}
}

// sign takes note of what an object tells of the release of Knative.
func (k *keeper) sign(o *table.Object) {
	signs := k.signs[o.Cluster]
	if signs == nil {
		signs = timeline.Signs{}
		k.signs[strings.Clone(o.Cluster)] = signs
	}
	signs.Add(o)
}

func (k *keeper) key(of key) int {
	n, ok := k.keys[of]
	if !ok {
		n = len(k.keys)
		of.about = table.Subject{Namespace: strings.Clone(of.about.Namespace), Name: strings.Clone(of.about.Name)}
		k.keys[of] = n
	}
	return n
}
