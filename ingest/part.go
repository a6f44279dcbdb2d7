package ingest

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/inplace"
	"github.com/knforensics/knforensics/ingest/sift"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// partSize is how many bytes of a file a worker searches at once.
const partSize = 8 << 20

// part is a stretch of a file that is searched where it lies. Who has it owns the
// lines that start in it.
type part struct {
	*lying
	from, to int64
}

// lying is a file that is searched in parts. The last of its users closes it.
type lying struct {
	*inplace.File
	users atomic.Int64
}

func (l *lying) leave() {
	if l.users.Add(-1) == 0 {
		_ = l.Close()
	}
}

// inPlace hands out the parts of a file that is to be searched, and reports false if
// it has to be read as a stream. Where there are other inputs it has to: what is
// remembered of a line to compare it with theirs would outlive the file.
func (r *reader) inPlace(in *source.Input, f *coverage.File, stream *source.Stream, sieve *sift.Sieve) (bool, error) {
	if sieve == nil || len(sieve.Names) == 0 || !sieve.Alone || !stream.AsStored() || in.Waits() || in.Path == source.Stdin {
		return false, nil
	}
	file, err := inplace.Open(in.Path)
	if err != nil {
		return false, nil // the stream may still be read
	}
	l := &lying{File: file}
	l.users.Store(1)
	defer l.leave()
	for from := int64(0); from < file.Size(); from += partSize {
		l.users.Add(1)
		p := &part{l, from, min(from+partSize, file.Size())}
		if err := r.send(&task{file: f, part: p, sieve: sieve, result: make(chan *parsed, 1)}); err != nil {
			l.leave()
			return true, err
		}
		if r.opts.Progress != nil {
			r.opts.Progress(r.done+from, r.total)
		}
	}
	return true, nil
}

// search reads the lines of a part that a sieve leaves, and counts the others. The
// number of the line at which the part begins is not known: the rows have the
// number from there on, and the result how many lines there are.
func (p *parser) search(path string, of *part, sieve *sift.Sieve) *parsed {
	defer of.leave()
	cluster := p.begin(path)
	p.text, p.oneLine = false, true
	number := int64(1)
	err := of.Each(of.from, of.to, func(w inplace.Window) error {
		b := &document.Block{Data: w.Data, Line: number, Offset: w.Offset}
		if w.Long > 0 {
			p.reject(table.Location{File: path, Line: number, Offset: w.Offset, Length: w.Long}, document.ErrTooLong)
			number++
			return nil
		}
		number += p.sift(b, sieve, coverage.Sight{File: path, Cluster: cluster}, func(line []byte, at table.Location) {
			at.File, at.Cluster = path, cluster
			p.record(slices.Clone(line), at, document.List{}) // rows outlive the window
		})
		return nil
	})
	if err != nil {
		p.reject(table.Location{File: path, Line: number, Offset: of.from}, errors.Unwrap(err))
	}
	p.out.lines = number - 1
	return p.end(nil)
}
