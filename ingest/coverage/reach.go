package coverage

import (
	"strings"
	"time"
)

// Reach is how far the inputs go that are of a cluster, whatever they are about.
type Reach struct {
	From, To  time.Time            // of the audit events
	LogTo     time.Time            // of the lines that zap logged
	Processes map[string]time.Time // last sign of each, by its Pod
}

// Reaches are those of several clusters, under way. The zero value is empty.
type Reaches struct {
	of      map[string]*reaching // by the name of the cluster
	cluster string               // met last
	last    *reaching
}

// Add takes note of an event.
func (r *Reaches) Add(e *Sight) { r.under(e.Cluster).add(e) }

// Logged takes note of a line that the process of a Pod logged.
func (r *Reaches) Logged(cluster, pod string, at time.Time) {
	of := r.under(cluster)
	if at.After(of.logTo) {
		of.logTo = at
	}
	of.seen(pod, at)
}

// Met takes note of a cluster.
func (r *Reaches) Met(cluster string) { r.under(cluster) }

func (r *Reaches) under(cluster string) *reaching {
	if r.last != nil && r.cluster == cluster {
		return r.last
	}
	of := r.of[cluster]
	if of == nil {
		if r.of == nil {
			r.of = map[string]*reaching{}
		}
		of, cluster = &reaching{processes: map[string]*time.Time{}}, strings.Clone(cluster)
		r.of[cluster] = of
	}
	r.cluster, r.last = strings.Clone(cluster), of
	return of
}

// Merge adds what others took note of.
func (r *Reaches) Merge(other *Reaches) {
	for cluster, of := range other.of {
		r.under(cluster).merge(of)
	}
}

// Result returns the Reach of each cluster.
func (r *Reaches) Result() map[string]Reach {
	list := make(map[string]Reach, len(r.of))
	for cluster, of := range r.of {
		list[cluster] = of.result()
	}
	return list
}

type reaching struct {
	from, to  time.Time
	logTo     time.Time
	processes map[string]*time.Time
	pod       string     // of which a sign was met last
	sign      *time.Time // nil if none was
}

func (r *reaching) result() Reach {
	list := make(map[string]time.Time, len(r.processes))
	for pod, at := range r.processes {
		list[pod] = *at
	}
	return Reach{r.from, r.to, r.logTo, list}
}

func (r *reaching) add(e *Sight) {
	Widen(&r.from, &r.to, e.At)
	if e.Pod != "" {
		r.seen(e.Pod, e.At)
	}
}

// seen takes note of a sign of a process.
func (r *reaching) seen(pod string, at time.Time) {
	if r.sign == nil || pod != r.pod {
		r.pod = strings.Clone(pod)
		if r.sign = r.processes[pod]; r.sign == nil {
			r.sign = &time.Time{}
			r.processes[r.pod] = r.sign
		}
	}
	if at.After(*r.sign) {
		*r.sign = at
	}
}

func (r *reaching) merge(other *reaching) {
	Widen(&r.from, &r.to, other.from, other.to)
	if other.logTo.After(r.logTo) {
		r.logTo = other.logTo
	}
	for pod, at := range other.processes {
		r.seen(pod, *at)
	}
}
