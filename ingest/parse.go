package ingest

import (
	"bytes"
	"errors"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/object"
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
	formats    map[coverage.Format]int64
	plain      int64 // lines of text in a log, which say nothing about its format
	rejected   int64
	rejections []coverage.Rejection
	truncated  int64
	wrappers   []string // in the order they were met, outermost first
	from, to   time.Time
	usage      *coverage.Usage
	seen       []fingerprint
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
	keep   Keeper                   // nil if records are not kept
	of     func(path string) string // the cluster of what is at a path

	raw        []byte // the record under way, as it was written
	sum        xxh3.Hasher
	identified bool // sum is its fingerprint

	event     table.AuditEvent
	line      table.ControllerLog
	kubeEvent table.KubeEvent
	obj       table.Object
}

func newParser(opts Options) *parser {
	return &parser{rows: table.NewBuilder(), keep: opts.Keep, of: opts.Cluster}
}

// parse reads the records of one block of the file at path. With text, lines
// that are not JSON are log lines.
func (p *parser) parse(path string, b *document.Block, text bool) *parsed {
	p.out = &parsed{formats: map[coverage.Format]int64{}, usage: coverage.NewUsage()}
	p.text, p.before = text, time.Time{}
	var cluster string
	if p.of != nil {
		cluster = p.of(path)
	}
	b.Split(func(line []byte, at table.Location) {
		at.File, at.Cluster = path, cluster
		p.record(line, at, document.List{})
	})
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
	p.rejectCut()
	p.out.batch = p.rows.Batch()
	return p.out
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
