package coverage

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Usage counts audit events by resource, and by file and time. It is not safe for
// concurrent use.
type Usage struct {
	kinds map[sightKey]*counts
	files map[string]*ticks
	last  lastSeen
}

// sightKey is what events are counted by.
type sightKey struct {
	ResourceKey
	Level, Stage string
}

type counts struct{ records, truncated int64 }

// lastSeen is what was met last: often it is met again.
type lastSeen struct {
	kinds [128]remembered
	file  string
	ticks *ticks
}

type remembered struct {
	key    sightKey
	counts *counts
}

// NewUsage returns an empty Usage.
func NewUsage() *Usage {
	return &Usage{kinds: map[sightKey]*counts{}, files: map[string]*ticks{}}
}

// Sight is what is counted of an audit event.
type Sight struct {
	File, Cluster string
	ResourceKey
	Level, Stage string
	At           time.Time
	Truncated    bool
	Pod          string // of the client, as its token tells
}

// Add counts an event n times; n is negative to take back what was counted.
func (u *Usage) Add(e *Sight, n int64) {
	u.ticksOf(e.File).add(e.At, e.Group == "coordination.k8s.io" && e.Resource == "leases", n)
	if e.Resource == "" {
		return
	}
	c := u.countsOf(sightKey{e.ResourceKey, e.Level, e.Stage})
	c.records += n
	if e.Truncated {
		c.truncated += n
	}
}

func (u *Usage) ticksOf(file string) *ticks {
	if u.last.ticks != nil && u.last.file == file {
		return u.last.ticks
	}
	t := u.files[file]
	if t == nil {
		t, file = newTicks(), strings.Clone(file)
		u.files[file] = t
	}
	u.last.file, u.last.ticks = strings.Clone(file), t
	return t
}

func (u *Usage) countsOf(key sightKey) *counts {
	slot := &u.last.kinds[key.slot()]
	if slot.counts != nil && slot.key == key {
		return slot.counts
	}
	c := u.kinds[key]
	if c == nil {
		key = key.clone()
		c = &counts{}
		u.kinds[key] = c
	}
	*slot = remembered{key.clone(), c}
	return c
}

// slot spreads the keys over the remembered ones.
func (k *sightKey) slot() int {
	n := 31*len(k.Group) + 7*len(k.Resource) + 3*len(k.Subresource) + 5*len(k.Level) + len(k.Stage)
	return (n + int(k.Resource[0])) % len(lastSeen{}.kinds)
}

func (k *sightKey) clone() sightKey {
	return sightKey{ResourceKey{strings.Clone(k.Group), strings.Clone(k.Resource), strings.Clone(k.Subresource)}, strings.Clone(k.Level), strings.Clone(k.Stage)}
}

// Merge adds what another Usage counted.
func (u *Usage) Merge(other *Usage) {
	for key, c := range other.kinds {
		mine := u.countsOf(key)
		mine.records += c.records
		mine.truncated += c.truncated
	}
	for file, t := range other.files {
		u.ticksOf(file).merge(t)
	}
}

// Finish takes over the counts of a Usage and finds the gaps.
func (c *Coverage) Finish(u *Usage) {
	c.Resources = append(c.Resources, u.resources()...)
	c.Gaps = append(c.Gaps, silences(u.files)...)
	c.Gaps = append(c.Gaps, missingFiles(c.Files)...)
	slices.SortFunc(c.Gaps, func(a, b Gap) int {
		return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To), cmp.Compare(a.File, b.File), cmp.Compare(a.Reason, b.Reason))
	})
}

// resources returns what was counted of each resource, sorted.
func (u *Usage) resources() (list []Resource) {
	found := map[ResourceKey]*Resource{}
	for key, n := range u.kinds {
		if n.records == 0 {
			continue
		}
		r := found[key.ResourceKey]
		if r == nil {
			r = &Resource{ResourceKey: key.ResourceKey, Levels: map[string]int64{}, Stages: map[string]int64{}}
			found[key.ResourceKey] = r
		}
		r.Records += n.records
		r.Truncated += n.truncated
		r.Levels[key.Level] += n.records
		r.Stages[key.Stage] += n.records
	}
	for _, r := range found {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Subresource, b.Subresource))
	})
	return list
}
