package casefolder

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/table"
)

// Bounds of a segment: it is written when it has as many records or bytes.
const (
	segmentRecords = 32 << 10
	segmentBytes   = 32 << 20
)

// segment is the segment under way.
type segment struct {
	batches []*table.Batch
	records []record // by number, less that of the first
	first   int64    // number of the first
	bytes   int64    // of the texts that are kept
	rows    [table.Kinds][]row
}

// record is what is known of a record whatever table its rows are in.
type record struct {
	table.Subject
	from, to time.Time
}

// row is a row of some batch, of the record of a number.
type row struct {
	number int64
	from   *table.Batch
	index  int
}

func (s *segment) full() bool { return len(s.records) >= segmentRecords || s.bytes >= segmentBytes }

// add takes over a batch. The rows of one record are told by their place.
func (s *segment) add(b *table.Batch, subjects map[table.Place]table.Subject) {
	b.Retain()
	s.batches = append(s.batches, b)
	numbers := map[table.Place]int64{}
	rows := 0
	b.EachRecord(func(r *table.Record) {
		number := s.first + int64(len(s.records))
		numbers[r.Place()] = number
		s.records = append(s.records, record{Subject: subjects[r.Place()]})
		s.bytes += int64(len(r.Raw)) // not Length: that of a batch is that of all its records
		s.place(b, table.Records, rows, number)
		rows++
	})
	for k := range table.Records {
		i := 0
		b.EachPlace(k, func(at table.Place, times ...time.Time) {
			number := numbers[at]
			s.place(b, k, i, number)
			r := &s.records[number-s.first]
			coverage.Widen(&r.from, &r.to, times...)
			i++
		})
	}
}

func (s *segment) place(b *table.Batch, k table.Kind, i int, number int64) {
	s.rows[k] = append(s.rows[k], row{number, b, i})
}

// write writes the segment as the one of an ordinal, from 1, and empties it.
func (s *segment) write(dir string, ordinal int) (out Segment, err error) {
	out = Segment{Records: int64(len(s.records)), Tables: map[string]File{}}
	index := &indexer{}
	for _, r := range s.records {
		coverage.Widen(&out.From, &out.To, r.from, r.to)
	}
	file := fmt.Sprintf("/%06d.arrow", ordinal)
	for k := range table.Kinds {
		if len(s.rows[k]) == 0 {
			continue
		}
		rec := s.sorted(k, index)
		out.Tables[k.String()], err = writeFile(dir, k.String()+file, rec.NumRows(), func(w io.WriteSeeker) error { return table.WriteFile(w, rec) })
		rec.Release()
		if err != nil {
			return out, err
		}
	}
	entries := index.entries()
	out.Index, err = writeFile(dir, indexFolder+file, int64(len(entries)), func(w io.WriteSeeker) error { return table.WriteIndex(w, entries) })
	for _, b := range s.batches {
		b.Release()
	}
	*s = segment{first: s.first + out.Records}
	return out, err
}

// sorted returns the rows of a table by namespace, family, object and number,
// and tells the index where those of each object are.
func (s *segment) sorted(k table.Kind, index *indexer) arrow.Record {
	slices.SortStableFunc(s.rows[k], func(a, b row) int {
		x, y := s.of(a), s.of(b)
		return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Family, y.Family), cmp.Compare(x.Name, y.Name), cmp.Compare(a.number, b.number))
	})
	packer := k.NewPacker(memory.NewGoAllocator(), k.Stored())
	packer.Reserve(len(s.rows[k]), s.bytes)
	for i, r := range s.rows[k] {
		packer.Append(r.from, r.index, r.number)
		index.add(k, int64(i), s.of(r))
	}
	return packer.Record()
}

func (s *segment) of(r row) *record { return &s.records[r.number-s.first] }

// indexer makes the index of a segment.
type indexer struct {
	list  []*table.IndexEntry
	known map[table.Subject]*table.IndexEntry
}

// add tells of a row of a table. Rows of one subject follow each other.
func (x *indexer) add(k table.Kind, i int64, of *record) {
	e := x.known[of.Subject]
	if e == nil {
		e = &table.IndexEntry{Namespace: of.Namespace, Name: of.Name}
		if x.known == nil {
			x.known = map[table.Subject]*table.IndexEntry{}
		}
		x.known[of.Subject] = e
		x.list = append(x.list, e)
	}
	if e.Count[k] == 0 {
		e.First[k] = i
	}
	e.Count[k]++
	coverage.Widen(&e.From, &e.To, of.from, of.to)
}

func (x *indexer) entries() []table.IndexEntry {
	list := make([]table.IndexEntry, len(x.list))
	for i, e := range x.list {
		list[i] = *e
	}
	slices.SortStableFunc(list, func(a, b table.IndexEntry) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list
}
