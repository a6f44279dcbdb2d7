package ingest

import (
	"cmp"
	"slices"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// collector takes what was parsed in the order of the inputs: it drops what
// was given before, counts, and passes the batches on.
type collector struct {
	coverage *coverage.Coverage
	usage    *coverage.Usage
	seen     map[uint64]struct{}
	formats  map[coverage.Format]int64 // of the current file
	kept     int                       // rejections of the current file
}

func (c *collector) take(t *task, sink func(*table.Batch) error) error {
	if t.block == nil {
		c.endFile(t.file)
		return nil
	}
	p := <-t.result
	if drop := c.duplicates(p); len(drop) > 0 {
		t.file.Duplicates += int64(len(drop))
		p.batch = p.batch.Without(drop, func(e *table.AuditEvent) {
			p.usage.Add(coverage.ResourceKey{Group: e.Group, Resource: e.Resource, Subresource: e.Subresource}, e.Level, e.Stage, e.StageTime, -1)
		})
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

// duplicates returns the places of the records that were seen before.
func (c *collector) duplicates(p *parsed) map[table.Place]bool {
	var drop map[table.Place]bool
	for _, f := range p.seen {
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
