// Package coverage counts what was read and what was lost on the way: by file,
// by resource, and over time. It is the base of every statement about what the
// inputs can and cannot prove.
package coverage

import (
	"slices"
	"strings"
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
	Skew       []Skew      `json:"-"` // where somebody looked for it
	// Reach is that of each cluster, by its name, where the inputs were read.
	Reach map[string]Reach `json:"-"`
}

// Skew says that the clock of one audit log, of one API server, is ahead of that
// of another.
type Skew struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Millis int64  `json:"millis"` // by how much B is ahead of A; negative if it is behind
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

// Text returns a text as it is kept: what is no UTF-8 becomes U+FFFD.
func Text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

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

// Text says what is missing, and where that is one log among several.
func (g *Gap) Text() string {
	if g.File == "" {
		return g.Reason
	}
	return g.Reason + " (" + g.File + ")"
}

// Span widens the time covered by a file and by the whole to hold t.
func (c *Coverage) Span(f *File, from, to time.Time) {
	Widen(&f.From, &f.To, from, to)
	Widen(&c.From, &c.To, from, to)
}

// Widen widens a stretch of time to hold some moments. The zero time is none, and
// a stretch of two is empty.
func Widen(from, to *time.Time, times ...time.Time) {
	for _, t := range times {
		if !t.IsZero() && (from.IsZero() || t.Before(*from)) {
			*from = t
		}
		if t.After(*to) {
			*to = t
		}
	}
}

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
