// Package ingest reads any mix of audit logs, controller logs, Kubernetes
// Events and snapshots into the Arrow tables of package table, as a stream of
// record batches, and counts what was read and lost in a coverage.Coverage.
//
// Nothing has to be said about formats: each input is recognised by its
// content (sniff.go), cut into records (package document), and each record is
// read by the reader of its kind (packages audit, controllerlog, object). A
// record that cannot be read is counted with its reason, and the rest goes on.
package ingest

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/sift"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// Options say how to read.
type Options struct {
	Jobs    int                      // workers that parse; 1 if not positive
	Cluster func(path string) string // the cluster of what is at a path, empty if not known; may be nil
	Hash    bool                     // compute the SHA-256 of each input
	Keep    Keeper                   // if set, batches hold the table records too
	// Want tells which audit events are given to the sink; nil for all. The others
	// are counted, and neither they nor what their bodies hold have rows. It is
	// called by many workers.
	Want func(*table.AuditEvent, audit.Bodies) bool
	// Told, if set, tells of which kinds of objects, by API group and kind, an answer
	// leaves nothing to be learnt from what was sent: where it shows such an object,
	// what was sent has no row.
	Told func(group, kind string) bool
	// Search, if set, is for what the sink is given of audit logs that are lines as
	// kube-apiserver writes them. Of the other events coverage.Usage tells, as far as
	// a look at the line does; what is in between is not checked. In a search for
	// names in one input they are not compared with what was given before.
	Search   *sift.Search
	Progress func(done, total int64) // told now and then how many stored bytes were read
}

// Keeper tells whether the text of a record is kept in its row of the table
// records. e is nil for what is no audit event. It is called by many workers.
type Keeper func(raw []byte, format coverage.Format, e *table.AuditEvent) bool

// Read reads the inputs and passes what they hold to sink, batch by batch, in
// the order of the inputs, whatever the number of workers. The batch is
// released when sink returns. An input that was given by name and cannot be
// opened is an error, as is an error of sink.
func Read(ctx context.Context, inputs []source.Input, opts Options, sink func(*table.Batch) error) (*coverage.Coverage, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := max(opts.Jobs, 1)
	tasks := make(chan *task, jobs)
	order := make(chan *task, 2*jobs)

	var workers sync.WaitGroup
	parsers := make([]*parser, jobs)
	for i := range parsers {
		p := newParser(opts)
		parsers[i] = p
		workers.Go(func() {
			for t := range tasks {
				if t.part != nil {
					t.result <- p.search(t.file.Path, t.part, t.sieve)
				} else {
					t.result <- p.parse(t.file.Path, t.block, t.text, t.sieve)
				}
			}
		})
	}
	r := &reader{ctx: ctx, opts: opts, tasks: tasks, order: order, alone: len(inputs) == 1}
	for _, in := range inputs {
		r.total += in.Size
	}
	go func() {
		defer close(order)
		defer close(tasks)
		for i := range inputs {
			if err := r.input(&inputs[i]); err != nil {
				cancel(err)
				return
			}
		}
	}()

	c := &collector{opts: opts, coverage: &coverage.Coverage{}, usage: coverage.NewUsage(), alone: len(inputs) == 1}
	defer c.given.Close()
	for t := r.next(); t != nil; t = r.next() {
		if err := c.take(t, sink); err != nil {
			cancel(err)
		}
	}
	settle := func() {
		for t := range order {
			t.drop()
		}
		workers.Wait()
	}
	if r.waits.Load() && ctx.Err() != nil {
		go settle() // nothing ends a read from a terminal but its user
	} else {
		settle()
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, p := range parsers {
		c.usage.Merge(p.usage)
	}
	c.coverage.Finish(c.usage)
	c.coverage.Reach = c.reaches.Result()
	return c.coverage, nil
}

// task is a block on its way: read, parsed by some worker, taken in order. A
// task without a block or a part ends its file, or stands for a case.
type task struct {
	file   *coverage.File
	kept   *casefolder.Case
	block  *document.Block
	part   *part // in place of a block
	text   bool
	sieve  *sift.Sieve
	result chan *parsed
}

func (t *task) holds() bool { return t.block != nil || t.part != nil }

func (t *task) drop() {
	if t.holds() {
		p := <-t.result
		p.batch.Release()
		p.done()
	}
}

// reader reads the inputs one after the other and hands out their blocks.
type reader struct {
	ctx         context.Context
	opts        Options
	tasks       chan<- *task
	order       chan *task
	waits       atomic.Bool // the input under way may wait for its writer
	done, total int64
	alone       bool // there is one input only
}

// next returns the next task in order, nil after the last and when the context
// is done.
func (r *reader) next() *task {
	if r.ctx.Err() != nil {
		return nil
	}
	select {
	case <-r.ctx.Done():
		return nil
	case t := <-r.order:
		return t
	}
}

func (r *reader) input(in *source.Input) error {
	if in.Skipped != "" {
		return r.send(&task{file: &coverage.File{Path: coverage.Text(in.Path), Format: coverage.Unknown, Skipped: in.Skipped}})
	}
	if in.Case {
		kept, err := casefolder.Open(in.Path)
		if err != nil && !in.Named() {
			return r.send(&task{file: &coverage.File{Path: coverage.Text(in.Path), Format: coverage.Unknown, Skipped: err.Error()}})
		}
		if err != nil {
			return err
		}
		return r.send(&task{kept: kept})
	}
	r.waits.Store(in.Waits())
	defer r.waits.Store(false)
	opened := false
	err := in.Each(r.opts.Hash, func(path string, stream *source.Stream) error {
		opened = true
		return r.file(in, path, stream)
	})
	if err != nil && !opened && !in.Named() {
		return r.send(&task{file: &coverage.File{Path: coverage.Text(in.Path), Format: coverage.Unknown, Skipped: err.Error()}})
	}
	return err
}

// file reads one file: an input, or a member of one that is an archive.
func (r *reader) file(in *source.Input, path string, stream *source.Stream) error {
	f := &coverage.File{Path: coverage.Text(path), Format: coverage.Unknown, Wrappers: slices.Clone(stream.Wrappers)}
	switch {
	case stream.Archive:
		f.Format = coverage.Archive
		if stream.Trouble != nil {
			f.Skipped, f.Rejected = stream.Trouble.Error(), 1
		}
	case stream.Trouble != nil:
		f.Skipped = stream.Trouble.Error()
	default:
		if err := r.stream(in, stream, f); err != nil {
			return err
		}
	}
	if path == in.Path {
		f.SHA256 = stream.Sum()
		f.Bytes = max(in.Size, stream.Stored())
		r.done += f.Bytes
	} else {
		f.Bytes = stream.Stored()
	}
	return r.send(&task{file: f})
}

// stream reads one input, unless it is nothing known.
func (r *reader) stream(in *source.Input, stream *source.Stream, f *coverage.File) error {
	const headSize = 64 << 10
	head, err := stream.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		f.Skipped = err.Error()
		return nil
	}
	how := recognise(head, err == io.EOF)
	if f.Skipped = how.reason; how.reader == nil {
		return nil
	}
	var sieve *sift.Sieve
	if r.opts.Search != nil && how.sifted {
		search := *r.opts.Search
		search.Alone = r.alone && f.Path == coverage.Text(in.Path) // and no member of an archive
		if sieve, err = sift.New(search, head); err != nil {
			return err
		}
	}
	if done, err := r.inPlace(in, f, stream, sieve); done || err != nil {
		return err
	}
	for blocks := how.reader(stream); ; {
		b, err := blocks.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.send(&task{file: f, block: b, text: how.text, sieve: sieve, result: make(chan *parsed, 1)}); err != nil {
			return err
		}
		if r.opts.Progress != nil {
			r.opts.Progress(r.done+stream.Stored(), r.total)
		}
	}
}

func (r *reader) send(t *task) error {
	select {
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	case r.order <- t:
	}
	if t.holds() {
		r.tasks <- t
	}
	return nil
}
