package coverage

import (
	"strings"
	"time"
)

// Reach is how far the audit events of a cluster go, whatever they are about.
type Reach struct {
	From, To  time.Time
	Processes map[string]time.Time // last sign of each, by its Pod
}

// reaching is a Reach under way.
type reaching struct {
	from, to  time.Time
	processes map[string]*time.Time
}

func (r *reaching) result() Reach {
	list := make(map[string]time.Time, len(r.processes))
	for pod, at := range r.processes {
		list[pod] = *at
	}
	return Reach{r.from, r.to, list}
}

func (r *reaching) add(e *Sight) {
	Widen(&r.from, &r.to, e.At)
	if e.Pod != "" {
		r.seen(e.Pod, e.At)
	}
}

// seen takes note of a sign of a process.
func (r *reaching) seen(pod string, at time.Time) {
	last := r.processes[pod]
	switch {
	case last == nil:
		r.processes[strings.Clone(pod)] = &at
	case at.After(*last):
		*last = at
	}
}

func (r *reaching) merge(other *reaching) {
	Widen(&r.from, &r.to, other.from, other.to)
	for pod, at := range other.processes {
		r.seen(pod, *at)
	}
}
