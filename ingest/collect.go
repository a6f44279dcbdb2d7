package ingest

import (
	"cmp"
	"slices"

	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// collector takes what was parsed in the order of the inputs: it drops what
// was given before, counts, and passes the batches on.
type collector struct {
	opts     Options
	alone    bool // there is one input only
	coverage *coverage.Coverage
	usage    *coverage.Usage
	seen     map[uint64]struct{}
	formats  map[coverage.Format]int64 // of the current file
	kept     int                       // rejections of the current file
}

func (c *collector) take(t *task, sink func(*table.Batch) error) error {
	switch {
	case t.kept != nil:
		return c.takeCase(t.kept, sink)
	case t.block == nil:
		c.endFile(t.file)
		return nil
	}
	p := <-t.result
	if drop := c.duplicates(p.seen); len(drop) > 0 {
		t.file.Duplicates += int64(len(drop))
		p.batch.Drop(drop, func(e *table.AuditEvent) { count(p.usage, e, -1) })
	}
	if c.formats == nil {
		c.formats = map[coverage.Format]int64{}
	}
	for format, n := range p.formats {
		c.formats[format] += n
		t.file.Records += n
	}
	t.file.Records += p.plain
	for _, name := range p.wrappers {
		if !slices.Contains(t.file.Wrappers, name) {
			t.file.Wrappers = append(t.file.Wrappers, name)
		}
	}
	t.file.Rejected += p.rejected
	t.file.Truncated += p.truncated
	room := max(0, coverage.MaxRejections-c.kept)
	kept := p.rejections[:min(room, len(p.rejections))]
	c.kept += len(kept)
	c.coverage.Rejections = append(c.coverage.Rejections, kept...)
	c.coverage.Span(t.file, p.from, p.to)
	c.usage.Merge(p.usage)
	defer p.batch.Release()
	return sink(p.batch)
}

// count counts an audit event.
func count(u *coverage.Usage, e *table.AuditEvent, n int64) {
	key := coverage.ResourceKey{Group: e.Group, Resource: e.Resource, Subresource: e.Subresource}
	u.Add(coverage.Sight{File: e.File, ResourceKey: key, Level: e.Level, Stage: e.Stage, At: e.StageTime, Truncated: e.Truncated}, n)
}

// takeCase takes what a case holds, as the inputs that it was made of would
// have been taken here.
func (c *collector) takeCase(kept *casefolder.Case, sink func(*table.Batch) error) error {
	var cluster string
	if c.opts.Cluster != nil {
		cluster = c.opts.Cluster(kept.Path())
	}
	files := map[string]*coverage.File{}
	first := len(c.coverage.Files)
	c.coverage.Files = append(c.coverage.Files, kept.Coverage.Files...)
	for i := range c.coverage.Files[first:] {
		f := &c.coverage.Files[first+i]
		if !c.opts.Hash {
			f.SHA256 = ""
		}
		c.coverage.Span(f, f.From, f.To)
		files[f.Path] = f
	}
	c.coverage.Rejections = append(c.coverage.Rejections, kept.Coverage.Rejections...)
	sel := casefolder.Selection{Tables: casefolder.Rows}
	if !c.alone || c.opts.Keep != nil {
		sel.Tables = append(slices.Clone(sel.Tables), table.Records)
	}
	return kept.Each(sel, func(b *table.Batch) error {
		var seen []fingerprint
		var file string
		b.EachRecord(func(r *table.Record) {
			if file = r.File; r.Identity != 0 {
				seen = append(seen, fingerprint{uint64(r.Identity), r.Place()}) //nolint:gosec // the same 64 bits
			}
		})
		if cluster != "" {
			b.EachLocation(func(l *table.Location) { l.Cluster = cluster })
		}
		if drop := c.duplicates(seen); len(drop) > 0 {
			if f := files[file]; f != nil {
				f.Duplicates += int64(len(drop))
			}
			b.Drop(drop, func(*table.AuditEvent) {})
		}
		b.EachAuditEvent(func(e *table.AuditEvent) { count(c.usage, e, 1) })
		return sink(b)
	})
}

// duplicates returns the places of the records that were seen before.
func (c *collector) duplicates(list []fingerprint) map[table.Place]bool {
	var drop map[table.Place]bool
	for _, f := range list {
		if _, ok := c.seen[f.hash]; !ok {
			c.seen[f.hash] = struct{}{}
			continue
		}
		if drop == nil {
			drop = map[table.Place]bool{}
		}
		drop[f.place] = true
	}
	return drop
}

// endFile settles the format of a file: that of most of its records. klog
// lines among other log lines are part of a controller log.
func (c *collector) endFile(f *coverage.File) {
	if zap, klog := c.formats[coverage.ControllerLog], c.formats[coverage.Klog]; zap > klog/20 {
		c.formats[coverage.ControllerLog] += klog
		delete(c.formats, coverage.Klog)
	}
	var best int64
	for _, format := range sortedFormats(c.formats) {
		if n := c.formats[format]; n > best {
			best, f.Format = n, format
		}
	}
	switch {
	case f.Records > 0 && best == 0: // lines in the wrapper of a container runtime
		f.Skipped = "no line of it is of a known log"
	case f.Records > 0 || f.Skipped != "" || f.Format == coverage.Archive:
	case f.Rejected > 0:
		f.Skipped = "no record in it could be read"
	default:
		f.Skipped = "it holds no records"
	}
	c.coverage.Files = append(c.coverage.Files, *f)
	c.formats, c.kept = nil, 0
}

func sortedFormats(m map[coverage.Format]int64) []coverage.Format {
	formats := make([]coverage.Format, 0, len(m))
	for f := range m {
		formats = append(formats, f)
	}
	slices.SortFunc(formats, func(a, b coverage.Format) int { return cmp.Compare(a, b) })
	return formats
}
