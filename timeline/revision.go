package timeline

import (
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Revision is a Revision with the objects that exist for it.
type Revision struct {
	*Object
	Family             *Family
	Deployments        []*Object
	ReplicaSets        []*Object
	Pods               []*Object
	PodAutoscalers     []*Object
	ServerlessServices []*Object
	Images             []*Object
	Attempts           []*Attempt // reconciles of the Revision, by begin
	classing           sync.Once
	ofKPA              bool // the autoscaler is of class KPA
	refusals           []Refusal
	activatorSeen      bool
	placing            sync.Once
	placed             place
	indexing           sync.Once
	indexed            *replicaIndex
}

// Configuration returns the name of the Configuration of the Revision, "" if
// nothing tells.
func (r *Revision) Configuration() string {
	if o := r.Owner; o != nil && o.Kind == KindConfiguration {
		return o.Name
	}
	if s := r.Last(); s != nil && s.Labels.Get(labelConfiguration) != "" {
		return s.Labels.Get(labelConfiguration)
	}
	if m := generated().FindStringSubmatch(r.Name); m != nil {
		return m[1]
	}
	return ""
}

// Generation returns the generation of the Configuration that the Revision was
// made for, "" if unknown.
func (r *Revision) Generation() string {
	if s := r.Last(); s != nil && s.Labels.Get(labelGeneration) != "" {
		return s.Labels.Get(labelGeneration)
	}
	if m := generated().FindStringSubmatch(r.Name); m != nil {
		return strings.TrimLeft(m[2], "0")
	}
	return ""
}

// Covered reports whether the audit events reach back to when the Revision was
// made, so that they show its whole life.
func (r *Revision) Covered() bool {
	from := r.Family.Cluster.From
	return r.BornBy != nil || !r.Born.IsZero() && !from.IsZero() && !r.Born.Before(from.Truncate(time.Second))
}

// ReadyWrites returns the writes of the status with which the Revision turned
// Ready=True, in order.
func (r *Revision) ReadyWrites() []*Write { return r.index().readied }

// ReadyBy returns the first of the ReadyWrites that was done by t, nil if there is none.
func (r *Revision) ReadyBy(t time.Time) *Write {
	x := r.index()
	i := sort.Search(len(x.earliest), func(i int) bool { return !x.earliest[i].After(t) })
	if i == len(x.earliest) {
		return nil
	}
	return x.readied[i]
}

// Unheard reports whether a status of the Revision is in the inputs that had never heard
// of the autoscaler: it has conditions, and Active is none of them.
func (r *Revision) Unheard() bool { return r.index().unheard }

// Newer reports whether a Revision was made for a later generation of a
// Configuration than the Revision of a name, which the inputs may not show. known
// is false if the names and labels of the two do not tell.
func (r *Revision) Newer(name string) (newer, known bool) {
	mine, theirs := r.place(), r.Family.placeOf(name)
	if mine.generation == 0 || theirs.generation == 0 || mine.configuration != theirs.configuration {
		return false, false
	}
	return mine.generation > theirs.generation, true
}

// Made returns the generation of its Configuration for which the Revision was made, 0 if
// its name and labels do not tell.
func (r *Revision) Made() int { return r.place().generation }

// Made returns the same of the Revision of a name, which the inputs may not show.
func (f *Family) Made(name string) int { return f.placeOf(name).generation }

func (f *Family) placeOf(name string) place {
	if r := f.Find(name, time.Time{}); r != nil {
		return r.place()
	}
	r := &Revision{Object: &Object{Ref: Ref{KindRevision, f.Namespace, name}}}
	return r.place()
}

// place is where a Revision stands among those of its Configuration; generation is 0
// if that is unknown.
type place struct {
	configuration string
	generation    int
}

func (r *Revision) place() place {
	r.placing.Do(func() {
		n, err := strconv.Atoi(r.Generation())
		if err != nil || n < 1 {
			n = 0
		}
		r.placed = place{r.Configuration(), n}
	})
	return r.placed
}
