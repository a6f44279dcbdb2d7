package casefolder

import (
	"fmt"
	"io"
	"slices"

	"github.com/knforensics/knforensics/ingest/table"
)

// spans are ranges of the rows of a segment that are looked up.
type spans [table.Records][]span

type span struct{ from, to int64 }

// find looks up where rows are, by segment.
func (c *Case) find(about []table.Subject) (map[int64]*spans, error) {
	found := map[int64]*spans{}
	err := c.with(c.Index, func(r io.ReaderAt) error {
		index, err := table.OpenIndex(r, c.Index.Bytes)
		if err != nil {
			return err
		}
		for _, subject := range about {
			entries, err := index.Find(subject.Name)
			if err != nil {
				return err
			}
			for i := range entries {
				if entries[i].Namespace == subject.Namespace {
					note(found, &entries[i])
				}
			}
		}
		return nil
	})
	return found, err
}

func note(found map[int64]*spans, e *table.IndexEntry) {
	s := found[e.Segment]
	if s == nil {
		s = &spans{}
		found[e.Segment] = s
	}
	for k, n := range e.Count {
		if n > 0 {
			s[k] = append(s[k], span{e.First[k], e.First[k] + n})
		}
	}
}

// Related returns what the rows of a name in a namespace, or in any if that is
// empty, are looked at with, nil if there are none.
func (c *Case) Related(namespace, name string) (list []table.Subject, err error) {
	list, err = c.related(namespace, name)
	if err != nil {
		return nil, fmt.Errorf("case %s: %w", c.dir, err)
	}
	return list, nil
}

func (c *Case) related(namespace, name string) (list []table.Subject, err error) {
	err = c.with(c.Index, func(r io.ReaderAt) error {
		index, err := table.OpenIndex(r, c.Index.Bytes)
		if err != nil {
			return err
		}
		entries, err := index.Find(name)
		for _, e := range entries {
			if namespace == "" || e.Namespace == namespace {
				list = append(list, e.Subject)
			}
		}
		list = slices.Compact(list)
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var names []table.FamilyName
	err = c.with(c.Families, func(r io.ReaderAt) error {
		names, err = table.ReadFamilies(r, c.Families.Bytes)
		return err
	})
	return withFamilies(list, names), err
}

// withFamilies adds the names that belong to those of a list.
func withFamilies(list []table.Subject, names []table.FamilyName) []table.Subject {
	type family struct{ namespace, name string }
	wanted := map[family]bool{}
	for _, n := range names {
		if slices.Contains(list, n.Subject) {
			wanted[family{n.Namespace, n.Family}] = true
		}
	}
	for _, n := range names {
		if wanted[family{n.Namespace, n.Family}] && !slices.Contains(list, n.Subject) {
			list = append(list, n.Subject)
		}
	}
	return list
}
