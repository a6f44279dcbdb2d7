package casefolder

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/table/lookup"
)

// most is how many rows a batch that is read has at most, those of its last record
// aside.
const most = 4096

// segment reads rows of a segment: all, or those in some ranges.
func (c *Case) segment(s *Segment, tables []table.Kind, where *spans, reader *lookup.Reader, fn func(*table.Batch) error) error {
	g := gathered{bare: slices.Contains(tables, table.Records), reader: reader}
	defer g.release()
	for _, k := range tables {
		var err error
		if where != nil {
			err = c.some(&g, k, s, where)
		} else {
			err = errors.Join(c.all(&g, k, s.Indexed), c.all(&g, k, s.Others))
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(g.rows, stored.compare)
	for len(g.rows) > 0 {
		b, err := g.next()
		if err != nil {
			return err
		}
		err = fn(b)
		b.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// all gathers all rows of a file of a table, if there is one.
func (c *Case) all(g *gathered, k table.Kind, files map[string]File) error {
	f, ok := files[k.String()]
	if !ok {
		return nil
	}
	return c.with(f, func(r io.ReaderAt) error {
		file, err := k.Open(r, f.Bytes)
		if err != nil {
			return err
		}
		return g.all(k, file)
	})
}

// some gathers rows of a table that are looked up.
func (c *Case) some(g *gathered, k table.Kind, s *Segment, where *spans) error {
	if k == table.Records {
		return errRecords
	}
	f, ok := s.Indexed[k.String()]
	if !ok || len(where[k]) == 0 {
		return nil
	}
	return c.with(f, func(r io.ReaderAt) error {
		file, err := k.Lookup(g.reader, r, f.Bytes)
		if err != nil {
			return err
		}
		return g.some(k, file, where[k])
	})
}

var errRecords = errors.New("the texts of records cannot be looked up")

// gathered are rows of one segment.
type gathered struct {
	rows    []stored
	bare    bool // records of which the text was not kept have a row, too
	batches []arrow.Record
	reader  *lookup.Reader // of the rows that are looked up
}

// stored is a row of a file.
type stored struct {
	number int64 // of its record
	place  int32 // among the rows of the segment, as they were read
	index  int32 // in its batch
	in     *table.StoredRows
}

func (s stored) compare(t stored) int {
	return cmp.Or(cmp.Compare(s.number, t.number), cmp.Compare(s.place, t.place))
}

// all adds all rows of a file.
func (g *gathered) all(k table.Kind, f *table.File) error {
	for i := range f.Batches() {
		rec, err := f.Batch(i)
		if err != nil {
			return err
		}
		in, err := g.take(k, rec)
		if err != nil {
			return err
		}
		g.add(in, 0, int(rec.NumRows()))
	}
	return nil
}

// some adds ranges of the rows of a file.
func (g *gathered) some(k table.Kind, f *lookup.File, spans []span) error {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var in *table.StoredRows
	var batch *lookup.Batch
	opened := -1
	for _, s := range spans {
		for from := s.from; from < s.to; {
			number, first := int(from/table.BatchRows), int(from%table.BatchRows)
			if number != opened {
				var err error
				if batch, err = f.Batch(number); err != nil {
					return err
				}
				if in, err = g.take(k, batch.Record); err != nil {
					return err
				}
				opened = number
			}
			to := min(s.to, from+batch.NumRows()-int64(first))
			if from < 0 || to <= from {
				return errBlock
			}
			last := first + int(to-from)
			if err := batch.Need(first, last); err != nil {
				return err
			}
			g.add(in, first, last)
			from = to
		}
	}
	return nil
}

// take takes over a record batch.
func (g *gathered) take(k table.Kind, rec arrow.Record) (in *table.StoredRows, err error) {
	defer table.Damage(&err)
	g.batches = append(g.batches, rec)
	return k.Read(rec), nil
}

func (g *gathered) add(in *table.StoredRows, from, to int) {
	for i := from; i < to; i++ {
		g.rows = append(g.rows, stored{in.Number(i), int32(len(g.rows)), int32(i), in}) //nolint:gosec // rows of a segment
	}
}

// next returns the next rows as a batch: those of one file, in which no place
// stands for two records.
func (g *gathered) next() (b *table.Batch, err error) {
	defer table.Damage(&err)
	rows := table.NewBuilder()
	rows.ASCII = true // or UTF-8: as what is stored is
	var before table.Location
	n := 0
	for len(g.rows) > 0 {
		record := g.record()
		if at := record[0].in.Location(int(record[0].index)); n == 0 || at.File == before.File && before.Place().Before(at.Place()) && n < most {
			before = at
		} else {
			break
		}
		event := (*table.AuditEvent)(nil)
		for _, r := range record {
			r.in.Copy(rows, int(r.index), event)
			if r.in.Kind == table.AuditEvents {
				event = rows.LastAuditEvent()
			}
		}
		if last := record[len(record)-1]; g.bare && last.in.Kind != table.Records {
			rows.Record(record[0].in.Bare(int(record[0].index)))
		}
		n += len(record)
		g.rows = g.rows[len(record):]
	}
	return rows.Batch(), nil
}

// record returns the rows of the next record.
func (g *gathered) record() []stored {
	n := 1
	for n < len(g.rows) && g.rows[n].number == g.rows[0].number {
		n++
	}
	return g.rows[:n]
}

func (g *gathered) release() {
	for _, rec := range g.batches {
		rec.Release()
	}
	g.reader.Reuse()
}
