// Package coverage counts what was read and what was lost on the way: by file,
// by resource, and over time. It is the base of every statement about what the
// inputs can and cannot prove.
package coverage

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Coverage describes a set of inputs. Times are zero where nothing carries one.
type Coverage struct {
	From       time.Time   `json:"from,omitzero"`
	To         time.Time   `json:"to,omitzero"`
	Files      []File      `json:"files"`
	Rejections []Rejection `json:"rejections,omitempty"` // the first of each file, MaxRejections at most
	Resources  []Resource  `json:"resources,omitempty"`  // sorted by group, resource, subresource
	Gaps       []Gap       `json:"gaps,omitempty"`
}

// MaxRejections is how many rejections of one file are kept with their reason;
// all are counted.
const MaxRejections = 100

// Format is what a file was recognised as.
type Format string

// The formats that are recognised.
const (
	Audit         Format = "audit"
	Admission     Format = "admission-review"
	ControllerLog Format = "controller-log"
	Klog          Format = "klog"
	Events        Format = "events"
	Snapshot      Format = "snapshot"
	AuditLegacy   Format = "audit-legacy"
	SnapshotTable Format = "snapshot-table"
	Archive       Format = "archive" // its members are files of their own
	Unknown       Format = "unknown"
)

// File says what became of one input.
type File struct {
	Path       string    `json:"path"`
	Format     Format    `json:"format"`
	Wrappers   []string  `json:"wrappers,omitempty"`
	Bytes      int64     `json:"bytes"`      // as stored
	Records    int64     `json:"records"`    // understood, duplicates included
	Rejected   int64     `json:"rejected"`   // recognised, but not readable
	Truncated  int64     `json:"truncated"`  // cut by their producer
	Duplicates int64     `json:"duplicates"` // given before, and not counted again below
	From       time.Time `json:"from,omitzero"`
	To         time.Time `json:"to,omitzero"`
	SHA256     string    `json:"sha256,omitempty"`  // of the stored bytes in hex, where it was asked for
	Skipped    string    `json:"skipped,omitempty"` // why nothing was read
}

// Rejection is a record that could not be read.
type Rejection struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
}

// ResourceKey names a resource of the API. Non-resource requests have none.
type ResourceKey struct {
	Group       string `json:"group"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
}

// Resource says how much was logged about a resource, in audit events.
type Resource struct {
	ResourceKey
	Records   int64            `json:"records"`
	Truncated int64            `json:"truncated,omitempty"` // of which the bodies, or more, were cut off
	Levels    map[string]int64 `json:"levels"`
	Stages    map[string]int64 `json:"stages"`
}

// Gap is a stretch of time for which the audit log is silent although it is
// busy otherwise.
type Gap struct {
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Reason string    `json:"reason"`
	File   string    `json:"file,omitempty"`
}

// Span widens the time covered by a file and by the whole to hold t.
func (c *Coverage) Span(f *File, from, to time.Time) {
	f.From, f.To = widen(f.From, f.To, from, to)
	c.From, c.To = widen(c.From, c.To, from, to)
}

func widen(from, to, t, u time.Time) (time.Time, time.Time) {
	if !t.IsZero() && (from.IsZero() || t.Before(from)) {
		from = t
	}
	if u.After(to) {
		to = u
	}
	return from, to
}

// Usage counts audit events by resource and by time.
type Usage struct {
	Resources map[ResourceKey]*Resource
	ticks     map[int64]sign
}

// NewUsage returns an empty Usage.
func NewUsage() *Usage {
	return &Usage{Resources: map[ResourceKey]*Resource{}, ticks: map[int64]sign{}}
}

const gapTick = 5 * time.Second

// sign tells what was logged in a tick.
type sign uint8

const (
	signAny sign = 1 << iota
	signLease
)

// Sight is what is counted of an audit event.
type Sight struct {
	ResourceKey
	Level, Stage string
	At           time.Time
	Truncated    bool
}

// Add counts an event n times; n is negative to take back what was counted.
func (u *Usage) Add(e Sight, n int64) {
	key, tick := e.ResourceKey, e.At.UnixNano()/int64(gapTick)
	u.ticks[tick] |= signAny
	if key.Group == "coordination.k8s.io" && key.Resource == "leases" {
		u.ticks[tick] |= signLease
	}
	if key.Resource == "" {
		return
	}
	r := u.Resources[key]
	if r == nil {
		r = &Resource{ResourceKey: key, Levels: map[string]int64{}, Stages: map[string]int64{}}
		u.Resources[key] = r
	}
	r.Records += n
	r.Levels[e.Level] += n
	r.Stages[e.Stage] += n
	if e.Truncated {
		r.Truncated += n
	}
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
	for tick, s := range other.ticks {
		u.ticks[tick] |= s
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
	c.Gaps = append(c.Gaps, gaps(u.ticks)...)
}

// gaps finds silences of 30 s and more in a log that is busy otherwise. Leases
// tell best: controllers and kubelets renew them every 2 to 10 s. A log without
// leases has to be steady itself; one that is sparse anyway shows no gaps.
func gaps(ticks map[int64]sign) (found []Gap) {
	const silence = int64(30 * time.Second / gapTick)
	order := slices.Sorted(maps.Keys(ticks))
	var leases, steady, spanned, first int // first is where the stretch without a silence starts
	for i, tick := range order {
		if ticks[tick]&signLease != 0 {
			leases++
		}
		next := i + 1
		if next < len(order) && order[next]-tick <= silence {
			continue
		}
		n, span := next-first, int(tick-order[first])+1
		spanned += span
		if span >= 12 && n*5 >= span*4 {
			steady += n
		}
		if next < len(order) {
			found = append(found, Gap{From: tickTime(tick + 1), To: tickTime(order[next]), Reason: "no audit event of any kind"})
		}
		first = next
	}
	if leases >= 4 && leases*5 >= spanned*2 || steady*5 >= len(order)*4 {
		return found
	}
	return nil
}

func tickTime(tick int64) time.Time { return time.Unix(0, tick*int64(gapTick)).UTC() }

// Resource returns what was counted of a resource, nil if nothing was.
func (c *Coverage) Resource(group, resource, subresource string) *Resource {
	for i := range c.Resources {
		if c.Resources[i].ResourceKey == (ResourceKey{group, resource, subresource}) {
			return &c.Resources[i]
		}
	}
	return nil
}

// Records returns how many records were understood in files of a format, or
// in all files if none is named.
func (c *Coverage) Records(formats ...Format) (n int64) {
	for _, f := range c.Files {
		if len(formats) == 0 || slices.Contains(formats, f.Format) {
			n += f.Records
		}
	}
	return n
}
