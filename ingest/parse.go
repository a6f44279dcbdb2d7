package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/duplicate"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/sift"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

type logRow = table.ControllerLog

// Why a record is rejected that is well-formed, or no JSON at all.
var (
	errNoObject = errors.New("neither a JSON object nor a line of a known log")
	errUnknown  = errors.New("a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object")
	errNoRecord = errors.New("a row of a CSV file without a record in it")
	errTime     = errors.New("an audit event of a time before 1678 or after 2262")
	errNested   = errors.New("a list without items, or within a list")
)

// parsed is what one block became.
type parsed struct {
	batch      *table.Batch
	formats    tally
	plain      int64 // lines of text in a log, which say nothing about its format
	rejected   int64
	rejections []coverage.Rejection
	truncated  int64
	wrappers   []string // in the order they were met, outermost first
	from, to   time.Time
	lines      int64 // of a part
	prints     []duplicate.Print
	origins    []origin         // of the prints
	unwanted   []coverage.Sight // the audit events that have no rows
	reaches    coverage.Reaches // of all audit events
}

// tally counts by format. There are one or two in a file.
type tally []struct {
	format coverage.Format
	n      int64
}

func (t *tally) add(format coverage.Format, n int64) {
	for i := range *t {
		if c := &(*t)[i]; c.format == format {
			c.n += n
			return
		}
	}
	*t = append(*t, tally{{format, n}}...)
}

func (t *tally) of(format coverage.Format) (n int64) {
	for _, c := range *t {
		if c.format == format {
			n += c.n
		}
	}
	return n
}

var spent = sync.Pool{New: func() any { return &parsed{} }}

func newParsed() *parsed { return spent.Get().(*parsed) }

// done gives the memory back. The batch is on its own.
func (p *parsed) done() {
	*p = parsed{formats: p.formats[:0], prints: p.prints[:0], origins: p.origins[:0], unwanted: p.unwanted[:0]}
	spent.Put(p)
}

// parser turns blocks into batches. Each worker has one.
type parser struct {
	audit  audit.Decoder
	log    controllerlog.Decoder
	object object.Decoder
	rows   *table.Builder
	out    *parsed
	text   bool
	inList bool
	before time.Time // of the audit event before the one under way
	cut    []cutEvent
	opener wrapper.Opener
	keep   Keeper // nil if records are not kept
	want   func(*table.AuditEvent, audit.Bodies) bool
	told   func(group, kind string) bool
	usage  *coverage.Usage          // of all blocks
	of     func(path string) string // the cluster of what is at a path

	raw      []byte // the record under way, as it was written
	oneLine  bool   // which is one line
	ascii    bool   // in a block of nothing else
	identity identity

	event     table.AuditEvent
	line      table.ControllerLog
	kubeEvent table.KubeEvent
	obj       table.Object
}

func newParser(opts Options) *parser {
	return &parser{rows: table.NewBuilder(), keep: opts.Keep, want: opts.Want, told: opts.Told, of: opts.Cluster, usage: coverage.NewUsage()}
}

// parse reads the records of one block of the file at path. With text, lines
// that are not JSON are log lines. With a sieve, only what that leaves is read.
func (p *parser) parse(path string, b *document.Block, text bool, sieve *sift.Sieve) *parsed {
	cluster := p.begin(path)
	p.text = text
	line := func(line []byte, at table.Location) {
		at.File, at.Cluster = path, cluster
		p.record(line, at, document.List{})
	}
	p.oneLine = true
	p.ascii = isASCII(b.Data)
	if sieve == nil {
		b.Split(line)
	} else {
		p.sift(b, sieve, coverage.Sight{File: path, Cluster: cluster}, line)
	}
	p.oneLine, p.ascii = false, false
	for _, rec := range b.Records {
		rec.File, rec.Cluster = path, cluster
		switch {
		case rec.Err != nil:
			p.reject(rec.Location, rec.Err)
		case rec.Columns != nil:
			p.row(rec.JSON, rec.Location, rec.Columns)
		default:
			p.record(rec.JSON, rec.Location, rec.List)
		}
	}
	if b.Err != nil {
		p.broken(path, b)
	}
	return p.end(b.Recycle)
}

// begin starts a result, and returns the cluster of what is at path.
func (p *parser) begin(path string) (cluster string) {
	p.out = newParsed()
	p.before = time.Time{}
	if p.of != nil {
		cluster = coverage.Text(p.of(path))
	}
	return cluster
}

// end returns the result. spent is called when its rows are not needed any more.
func (p *parser) end(spent func()) *parsed {
	p.oneLine, p.ascii = false, false
	p.rejectCut()
	p.out.batch = p.rows.Batch()
	p.out.batch.OnRelease(spent)
	return p.out
}

// sift reads the lines that a sieve leaves, and counts the others.
// It returns how many lines there are.
func (p *parser) sift(b *document.Block, sieve *sift.Sieve, sight coverage.Sight, line func([]byte, table.Location)) int64 {
	return sieve.Lines(b.Data, b.Line, func(from, to int, number int64) {
		b.Record(from, to, number, line)
	}, func(g *sift.Glance) {
		ref := &g.Reference
		sight.ResourceKey = coverage.ResourceKey{Group: ref.Group, Resource: ref.Resource, Subresource: ref.Subresource}
		sight.Level, sight.Stage, sight.At, sight.Truncated, sight.Pod = g.Level, g.Stage, g.Time, g.Truncated, g.Pod
		p.out.formats.add(coverage.Audit, 1)
		p.span(g.Time)
		p.event.StageTime = g.Time
		p.dateCut()
		if g.Truncated {
			p.out.truncated++
		}
		if len(sieve.Names) > 0 && sieve.Alone {
			p.count(&sight)
			return
		}
		p.unwanted(g.AuditID, g.URI, g.Verb, sight)
	})
}

// count counts an audit event.
func (p *parser) count(sight *coverage.Sight) {
	p.usage.Add(sight, 1)
	p.out.reaches.Add(sight)
}

// isASCII looks at 64 bytes at a time.
func isASCII(data []byte) bool {
	const step, other = 64, 0x8080808080808080
	for ; len(data) >= step; data = data[step:] {
		w := (*[step]byte)(data)
		first := binary.LittleEndian.Uint64(w[0:]) | binary.LittleEndian.Uint64(w[8:]) | binary.LittleEndian.Uint64(w[16:]) | binary.LittleEndian.Uint64(w[24:])
		second := binary.LittleEndian.Uint64(w[32:]) | binary.LittleEndian.Uint64(w[40:]) | binary.LittleEndian.Uint64(w[48:]) | binary.LittleEndian.Uint64(w[56:])
		if (first|second)&other != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(data, func(c byte) bool { return c >= utf8.RuneSelf })
}

// broken counts what ends a block. Of a batch or an audit event that is cut, what
// stands before the cut is read.
func (p *parser) broken(path string, b *document.Block) {
	at := table.Location{File: path, Line: b.Line, Lines: 1 + int64(bytes.Count(b.Rest, []byte{'\n'})), Offset: b.Offset, Length: int64(len(b.Rest))}
	p.raw, p.event.Location = b.Rest, at
	_, err := p.audit.Decode(b.Rest, &p.event)
	if p.salvage(b.Rest, err) {
		return
	}
	if errors.Is(b.Err, document.ErrCut) {
		p.out.truncated++
		if p.unwrapTrusted(b.Rest, at) {
			return
		}
	}
	p.reject(at, b.Err)
}

func (p *parser) reject(at table.Location, err error) {
	p.out.rejected++
	if len(p.out.rejections) < coverage.MaxRejections {
		p.out.rejections = append(p.out.rejections, coverage.Rejection{File: at.File, Line: at.Line, Reason: err.Error()})
	}
}

func (p *parser) span(times ...time.Time) {
	for _, t := range times {
		if table.Fits(t) {
			coverage.Widen(&p.out.from, &p.out.to, t)
		}
	}
}
