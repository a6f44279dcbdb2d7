package timeline

import (
	"cmp"
	"slices"
)

// SortEntries puts rows in the one order that there is: across objects by time,
// those without one last; within one object by its resourceVersions where they tell.
func SortEntries(entries []Entry) {
	slices.SortStableFunc(entries, compareEntries)
	// Within one object, the places that its rows have by time are taken in
	// the order of its writes.
	places := map[*Object][]int{}
	for i, e := range entries {
		if e.write != nil {
			places[e.write.Object] = append(places[e.write.Object], i)
		}
	}
	for o, at := range places {
		rank := map[*Write]int{}
		for i, w := range o.Writes {
			rank[w] = i
		}
		rows := make([]Entry, len(at))
		for i, place := range at {
			rows[i] = entries[place]
		}
		slices.SortStableFunc(rows, func(a, b Entry) int { return cmp.Compare(rank[a.write], rank[b.write]) })
		for i, place := range at {
			entries[place] = rows[i]
		}
	}
}

// compareEntries is the order by time. At the same time come first the gaps, which
// tell what was before, then requests in the order of their audit IDs, and then log
// lines and Events as they were logged.
func compareEntries(a, b Entry) int {
	if a.Time.IsZero() != b.Time.IsZero() {
		if a.Time.IsZero() {
			return 1
		}
		return -1
	}
	if c := a.Time.Compare(b.Time); c != 0 {
		return c
	}
	rank := func(e Entry) int {
		switch {
		case e.Kind == EntryGap:
			return 0
		case e.Source.AuditID != "":
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Source.AuditID, b.Source.AuditID),
		cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Source.EventID, b.Source.EventID))
}

// markTogether marks the requests that were under way when the one before was. Of one
// object, resourceVersions tell the order all the same.
func markTogether(entries []Entry) {
	var before *Entry
	for i := range entries {
		e := &entries[i]
		if e.write == nil || e.write.Outcome == Read {
			continue
		}
		if before != nil && before.write != e.write && e.write.Began().Before(before.write.Time) {
			known := before.write.Object == e.write.Object && before.write.Versioned() && e.write.Versioned()
			e.Together = !known
		}
		before = e
	}
}
