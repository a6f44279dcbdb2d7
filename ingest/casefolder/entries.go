package casefolder

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/ingest/table"
)

// entriesName is the file in which entries lie. No case has it.
const entriesName = "index.unfinished"

// entries are those of the index of a case that is being written. Until all segments
// are, those of each lie in a file one behind the other: memory does not grow with
// them.
type entries struct {
	file *os.File
	ends []int64 // by segment, where in the file its entries end
	n    int64
}

func newEntries(in *staging.Folder) (*entries, error) {
	file, err := in.Create(entriesName)
	return &entries{file: file}, err
}

// add takes over the entries of the next segment.
func (e *entries) add(list []table.IndexEntry) error {
	slices.SortFunc(list, func(a, b table.IndexEntry) int { return byName(&a, &b) })
	w := newHashed(e.file)
	if err := errors.Join(table.WriteIndex(w, slices.Values(list)), w.flush()); err != nil {
		return err
	}
	e.ends = append(e.ends, e.end()+w.n)
	e.n += int64(len(list))
	return nil
}

func (e *entries) end() int64 {
	if len(e.ends) == 0 {
		return 0
	}
	return e.ends[len(e.ends)-1]
}

// write writes all entries by name, namespace and segment.
func (e *entries) write(to io.WriteSeeker) error {
	var lists byEntry
	from := int64(0)
	for _, end := range e.ends {
		index, err := table.OpenIndex(io.NewSectionReader(e.file, from, end-from), end-from)
		if err != nil {
			return fmt.Errorf("%s: %w", entriesName, err)
		}
		next, stop := iter.Pull2(index.Entries())
		defer stop()
		list := &pulled{next: next}
		if more, err := list.advance(); err != nil {
			return err
		} else if more {
			lists = append(lists, list)
		}
		from = end
	}
	heap.Init(&lists)
	var failed error
	err := table.WriteIndex(to, func(yield func(table.IndexEntry) bool) { failed = lists.merge(yield) })
	return errors.Join(err, failed)
}

// discard removes the file.
func (e *entries) discard(in *staging.Folder) error {
	return errors.Join(e.file.Close(), in.Remove(entriesName))
}

// pulled are the entries of a segment, of which the first is at hand.
type pulled struct {
	first table.IndexEntry
	next  func() (table.IndexEntry, error, bool)
}

// advance moves to the next entry, if there is one.
func (p *pulled) advance() (more bool, err error) {
	p.first, err, more = p.next()
	if err != nil {
		err = fmt.Errorf("%s: %w", entriesName, err)
	}
	return more, err
}

// byEntry is a heap by the first entry.
type byEntry []*pulled

func (l byEntry) Len() int      { return len(l) }
func (l byEntry) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *byEntry) Push(p any)   { *l = append(*l, p.(*pulled)) }

func (l *byEntry) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

func (l byEntry) Less(i, j int) bool {
	a, b := &l[i].first, &l[j].first
	return cmp.Or(byName(a, b), cmp.Compare(a.Segment, b.Segment)) < 0
}

func byName(a, b *table.IndexEntry) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace))
}

// merge yields the entries of all lists in their order.
func (l *byEntry) merge(yield func(table.IndexEntry) bool) error {
	for len(*l) > 0 && yield((*l)[0].first) {
		more, err := (*l)[0].advance()
		switch {
		case err != nil:
			return err
		case more:
			heap.Fix(l, 0)
		default:
			heap.Pop(l)
		}
	}
	return nil
}
