package ingest

import (
	"slices"
	"time"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/duplicate"
	"github.com/knforensics/knforensics/ingest/table"
)

// collector takes what was parsed in the order of the inputs: it drops what
// was given before, counts, and passes the batches on.
type collector struct {
	opts     Options
	alone    bool // there is one input only
	coverage *coverage.Coverage
	usage    *coverage.Usage
	reaches  coverage.Reaches
	given    duplicate.Set
	formats  tally // of the current file
	lines    int64 // of its parts so far
	kept     int   // rejections of the current file
}

func (c *collector) take(t *task, sink func(*table.Batch) error) error {
	switch {
	case t.kept != nil:
		return c.takeCase(t.kept, sink)
	case !t.holds():
		c.endFile(t.file)
		return nil
	}
	p := <-t.result
	defer p.done()
	if t.part != nil {
		c.number(p)
	}
	drop, uncounted, err := c.duplicates(p.prints, p.origins)
	if err != nil {
		return err
	}
	t.file.Duplicates += int64(len(drop) + len(uncounted))
	if len(drop)+len(uncounted) > 0 {
		c.takeBack(p, drop, uncounted)
	}
	c.reaches.Merge(&p.reaches)
	for _, f := range p.formats {
		c.formats.add(f.format, f.n)
		t.file.Records += f.n
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
	defer p.batch.Release()
	return c.give(p.batch, sink)
}

// give passes a batch on, from which what was given before was taken.
func (c *collector) give(b *table.Batch, sink func(*table.Batch) error) error {
	for _, name := range b.Clusters() {
		c.reaches.Met(name)
	}
	b.EachLog(func(l *table.ControllerLog) {
		if l.Format == table.LogZap {
			c.reaches.Logged(l.Cluster, l.Pod, l.Time)
		}
	})
	return sink(b)
}

// takeBack takes what was given before out of a result: the rows at some places, and
// some of the events without rows.
func (c *collector) takeBack(p *parsed, drop map[table.Place]bool, uncounted []int) {
	p.reaches = coverage.Reaches{}
	for i := range p.unwanted {
		if slices.Contains(uncounted, i) {
			c.usage.Add(&p.unwanted[i], -1)
		} else {
			p.reaches.Add(&p.unwanted[i])
		}
	}
	p.batch.Drop(drop, func(e *table.AuditEvent) {
		sight := sightOf(e)
		c.usage.Add(&sight, -1)
	})
	p.batch.EachAuditEvent(func(e *table.AuditEvent) {
		sight := sightOf(e)
		p.reaches.Add(&sight)
	})
}

// number adds the lines before a part to the numbers in it.
func (c *collector) number(p *parsed) {
	p.batch.EachLocation(func(l *table.Location) { l.Line += c.lines })
	for i := range p.rejections {
		p.rejections[i].Line += c.lines
	}
	c.lines += p.lines
}

func sightOf(e *table.AuditEvent) coverage.Sight {
	key := coverage.ResourceKey{Group: e.Group, Resource: e.Resource, Subresource: e.Subresource}
	return coverage.Sight{File: e.File, Cluster: e.Cluster, ResourceKey: key, Level: e.Level, Stage: e.Stage, At: e.StageTime, Truncated: e.Truncated, Pod: e.Pod}
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
		var prints []duplicate.Print
		var origins []origin
		var file string
		times, unwanted := timesOf(b), c.unwanted(b)
		b.EachRecord(func(r *table.Record) {
			if file = r.File; r.Identity == 0 {
				return
			}
			print, ok := unwanted[r.Place()]
			if !ok {
				print = duplicate.Print{Hash: uint64(r.Identity), At: times[r.Place()]} //nolint:gosec // the same 64 bits
			}
			prints = append(prints, print)
			origins = append(origins, origin{r.Place(), -1})
		})
		if cluster != "" {
			b.EachLocation(func(l *table.Location) { l.Cluster = cluster })
		}
		drop, _, err := c.duplicates(prints, origins)
		if err != nil {
			return err
		}
		if len(drop) > 0 {
			if f := files[file]; f != nil {
				f.Duplicates += int64(len(drop))
			}
			b.Drop(drop, func(*table.AuditEvent) {})
		}
		b.EachAuditEvent(func(e *table.AuditEvent) {
			sight := sightOf(e)
			c.usage.Add(&sight, 1)
			c.reaches.Add(&sight)
		})
		return c.give(b, sink)
	})
}

// unwanted returns the prints of the audit events in a batch that would have no rows
// if they were read from a log.
func (c *collector) unwanted(b *table.Batch) map[table.Place]duplicate.Print {
	if c.opts.Want == nil {
		return nil
	}
	prints := map[table.Place]duplicate.Print{}
	var i identity
	b.EachAuditEvent(func(e *table.AuditEvent) {
		var bodies audit.Bodies // that there are some is all that is known of them
		if e.RequestLength > 0 {
			bodies.Request = []byte{}
		}
		if e.ResponseLength > 0 {
			bodies.Response = []byte{}
		}
		if !c.opts.Want(e, bodies) {
			sight := sightOf(e)
			i.beginUnwanted(e.AuditID, e.RequestURI, e.Verb, &sight)
			prints[e.Place()] = i.print()
		}
	})
	return prints
}

// timesOf returns the times that records were identified with.
func timesOf(b *table.Batch) map[table.Place]int64 {
	times := map[table.Place]int64{}
	set := func(at table.Place, t time.Time) {
		if table.Fits(t) {
			times[at] = t.UnixNano()
		}
	}
	b.EachKubeEvent(func(r *table.KubeEvent) { set(r.Place(), r.LastTime) })
	b.EachLog(func(r *table.ControllerLog) { set(r.Place(), r.Time) })
	b.EachAuditEvent(func(r *table.AuditEvent) { set(r.Place(), r.StageTime) })
	return times
}

// duplicates returns the places of the records with rows that were given before,
// and which of the unwanted were.
func (c *collector) duplicates(prints []duplicate.Print, origins []origin) (drop map[table.Place]bool, unwanted []int, err error) {
	again, err := c.given.Again(prints)
	for _, i := range again {
		of := origins[i]
		if of.sight >= 0 {
			unwanted = append(unwanted, of.sight)
			continue
		}
		if drop == nil {
			drop = map[table.Place]bool{}
		}
		drop[of.place] = true
	}
	return drop, unwanted, err
}

// endFile settles the format of a file: that of most of its records. klog
// lines among other log lines are part of a controller log.
func (c *collector) endFile(f *coverage.File) {
	zap, klog := c.formats.of(coverage.ControllerLog), c.formats.of(coverage.Klog)
	if zap > klog/20 {
		c.formats.add(coverage.ControllerLog, klog)
		c.formats.add(coverage.Klog, -klog)
	}
	var best int64
	for _, t := range c.formats {
		if t.n > best || t.n == best && t.n > 0 && t.format < f.Format {
			best, f.Format = t.n, t.format
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
	c.formats, c.kept, c.lines = c.formats[:0], 0, 0
}
