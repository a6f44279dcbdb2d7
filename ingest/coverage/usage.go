package coverage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Usage counts audit events by resource, and by file and time.
type Usage struct {
	Resources map[ResourceKey]*Resource
	files     map[string]ticks
}

// NewUsage returns an empty Usage.
func NewUsage() *Usage {
	return &Usage{Resources: map[ResourceKey]*Resource{}, files: map[string]ticks{}}
}

// Sight is what is counted of an audit event.
type Sight struct {
	File string
	ResourceKey
	Level, Stage string
	At           time.Time
	Truncated    bool
}

// Add counts an event n times; n is negative to take back what was counted.
func (u *Usage) Add(e Sight, n int64) {
	key, t := e.ResourceKey, u.files[e.File]
	if t == nil {
		t = ticks{}
		u.files[strings.Clone(e.File)] = t
	}
	t.add(e.At, key.Group == "coordination.k8s.io" && key.Resource == "leases", n)
	if key.Resource == "" {
		return
	}
	r := u.Resources[key]
	if r == nil {
		r = &Resource{ResourceKey: key.clone(), Levels: map[string]int64{}, Stages: map[string]int64{}}
		u.Resources[r.ResourceKey] = r
	}
	r.Records += n
	addTo(r.Levels, e.Level, n)
	addTo(r.Stages, e.Stage, n)
	if e.Truncated {
		r.Truncated += n
	}
}

// addTo counts under a key of its own, which holds no memory of a batch.
func addTo(counts map[string]int64, key string, n int64) {
	if _, ok := counts[key]; !ok {
		key = strings.Clone(key)
	}
	counts[key] += n
}

func (k ResourceKey) clone() ResourceKey {
	return ResourceKey{strings.Clone(k.Group), strings.Clone(k.Resource), strings.Clone(k.Subresource)}
}

// Merge adds what another Usage counted.
func (u *Usage) Merge(other *Usage) {
	for key, r := range other.Resources {
		mine := u.Resources[key]
		if mine == nil {
			u.Resources[key] = r
			continue
		}
		mine.Records += r.Records
		mine.Truncated += r.Truncated
		addAll(mine.Levels, r.Levels)
		addAll(mine.Stages, r.Stages)
	}
	for file, t := range other.files {
		if u.files[file] == nil {
			u.files[file] = t
		} else {
			u.files[file].merge(t)
		}
	}
}

func addAll(to, from map[string]int64) {
	for k, n := range from {
		to[k] += n
	}
}

// Finish takes over the counts of a Usage and finds the gaps.
func (c *Coverage) Finish(u *Usage) {
	for _, r := range u.Resources {
		if r.Records == 0 {
			continue
		}
		maps.DeleteFunc(r.Levels, func(_ string, n int64) bool { return n == 0 })
		maps.DeleteFunc(r.Stages, func(_ string, n int64) bool { return n == 0 })
		c.Resources = append(c.Resources, *r)
	}
	slices.SortFunc(c.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Subresource, b.Subresource))
	})
	c.Gaps = append(c.Gaps, silences(u.files)...)
	c.Gaps = append(c.Gaps, missingFiles(c.Files)...)
	slices.SortFunc(c.Gaps, func(a, b Gap) int {
		return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To), cmp.Compare(a.File, b.File), cmp.Compare(a.Reason, b.Reason))
	})
}
