package casefolder

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/ingest/table"
)

// Bounds of a segment: it is written when it has as many records or bytes.
const (
	segmentRecords = 64 << 10
	segmentBytes   = 32 << 20
)

// segment is the segment under way. Which records are of it follows from the
// records alone, not from the batches they come in.
type segment struct {
	first    int64 // number of its first record
	records  int64
	bytes    int64 // about what the rows take
	from, to time.Time
	tables   [table.Kinds]*part
	subjects map[table.Subject]int32
	names    []table.Subject // by the number that subjects has
	last     int32           // that was asked for last
	// namespaces are those of all segments.
	namespaces map[string]string
}

// part is what a segment has of one table: the rows that are looked up by their
// subject, and the others.
type part struct {
	indexed, others *table.Packer
	subjects        []int32 // of the rows that are looked up
}

func newSegment() *segment {
	s := &segment{subjects: map[table.Subject]int32{}, namespaces: map[string]string{}}
	for k := range table.Kinds {
		s.tables[k] = &part{indexed: k.NewPacker(k.Stored()), others: k.NewPacker(k.Stored())}
	}
	return s
}

func (s *segment) full() bool { return s.records >= segmentRecords || s.bytes >= segmentBytes }

// add takes over a record, as far as batch is told of it.
func (s *segment) add(r *table.Rows, about table.Subject) {
	mark := table.Mark{Number: s.first + s.records, Format: r.Record.Format, Identity: r.Record.Identity}
	s.records++
	for k := range table.Records {
		n := r.Count(k)
		if n == 0 {
			continue
		}
		for i := range n {
			s.tables[k].add(table.Pick{Row: int32(r.First[k] + i), Within: k > table.AuditEvents && len(r.Audit) > 0}, mark, s.number(about)) //nolint:gosec // rows of a batch
			mark.Format, mark.Identity = "", 0
		}
	}
	if r.Record.Raw != "" || mark.Format != "" { // else the rows tell as much
		s.tables[table.Records].add(table.Pick{Row: int32(r.First[table.Records])}, table.Mark{Number: mark.Number}, 0) //nolint:gosec // rows of a batch
	}
	s.bytes += r.Weight()
	from, to := r.Span()
	coverage.Widen(&s.from, &s.to, from, to)
}

// number returns the number of a subject, 0 for the zero Subject.
func (s *segment) number(about table.Subject) int32 {
	if about == (table.Subject{}) {
		return 0
	}
	if s.last > 0 && s.names[s.last-1] == about {
		return s.last
	}
	n, ok := s.subjects[about]
	if !ok {
		about = table.Subject{Namespace: s.namespace(about.Namespace), Name: strings.Clone(about.Name)}
		s.names = append(s.names, about)
		n = int32(len(s.names)) //nolint:gosec // a segment has fewer records
		s.subjects[about] = n
	}
	s.last = n
	return n
}

// namespace returns a copy of a name of which there are few.
func (s *segment) namespace(name string) string {
	if kept, ok := s.namespaces[name]; ok {
		return kept
	}
	name = strings.Clone(name)
	s.namespaces[name] = name
	return name
}

func (p *part) add(pick table.Pick, mark table.Mark, subject int32) {
	to := p.others
	if subject > 0 {
		to = p.indexed
		p.subjects = append(p.subjects, subject)
	}
	to.Note(pick, mark)
}

// take copies the rows that were added from their batch.
func (s *segment) take(from *table.Batch) {
	for _, p := range s.tables {
		p.indexed.Take(from)
		p.others.Take(from)
	}
}

// write writes the segment as one of a number, from 0, and empties it. It returns
// where the rows of each subject are.
func (s *segment) write(to *staging.Folder, number int) (out Segment, index []table.IndexEntry, err error) {
	out = Segment{Records: s.records, From: s.from, To: s.to, Indexed: map[string]File{}, Others: map[string]File{}}
	index = make([]table.IndexEntry, len(s.names))
	for i := range index {
		index[i].Subject, index[i].Segment = s.names[i], int64(number)
	}
	rank := s.ranked()
	for k, p := range s.tables {
		kind := table.Kind(k)
		if n := p.indexed.Rows(); n > 0 {
			p.indexed.Sort(p.sorted(kind, rank, index))
			rec := p.indexed.Record()
			out.Indexed[kind.String()], err = writeFile(to, fmt.Sprintf("%s/%06d.arrow", kind, number+1), int64(n), func(w io.WriteSeeker) error { return table.WriteIndexed(w, rec) })
		}
		if n := p.others.Rows(); n > 0 && err == nil {
			if kind == table.AuditEvents { // a record has one at most: the others keep the order of their rows
				p.others.Sort(p.others.Alike())
			}
			rec := p.others.Record()
			out.Others[kind.String()], err = writeFile(to, othersPath(kind, number), int64(n), func(w io.WriteSeeker) error { return table.WriteBulk(w, rec) })
		}
		if err != nil {
			return out, nil, err
		}
		p.indexed.Reset()
		p.others.Reset()
		p.subjects = p.subjects[:0]
	}
	clear(s.subjects)
	*s = segment{first: s.first + s.records, tables: s.tables, subjects: s.subjects, namespaces: s.namespaces}
	return out, index, nil
}

func othersPath(k table.Kind, number int) string {
	if k == table.Records { // of which none is looked up
		return fmt.Sprintf("%s/%06d.arrow", k, number+1)
	}
	return fmt.Sprintf("%s/%06d-others.arrow", k, number+1)
}

// ranked returns the numbers of the subjects in the order in which their rows are
// to lie.
func (s *segment) ranked() []int32 {
	list := make([]int32, len(s.names))
	for i := range list {
		list[i] = int32(i) //nolint:gosec // see number
	}
	slices.SortFunc(list, func(a, b int32) int { return s.names[a].Compare(s.names[b]) })
	return list
}

// sorted returns the rows of indexed by subject and number, and notes where those
// of each subject are.
func (p *part) sorted(k table.Kind, rank []int32, index []table.IndexEntry) []int32 {
	next := make([]int32, len(rank)) // where the next row of each subject goes
	for _, n := range p.subjects {
		index[n-1].Count[k]++
	}
	var at int64
	for _, n := range rank {
		index[n].First[k] = at
		next[n] = int32(at) //nolint:gosec // rows of a segment
		at += index[n].Count[k]
	}
	order := make([]int32, len(p.subjects))
	for row, n := range p.subjects {
		order[next[n-1]] = int32(row) //nolint:gosec // rows of a segment
		next[n-1]++
	}
	return order
}
