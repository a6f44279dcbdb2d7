package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// What one page takes. 50,000 rows are some 20 MB, which browsers still open and
// draw at once.
const (
	mostFamilies = 8
	mostRows     = 50_000
)

// Choose puts what was found to the families it was found in, and returns those that a
// page shows, the worst first: the ones with findings; if there is none, those with
// something undecided; if there is none either, all. leftOut names those for which
// there is no room, and undecided those with something undecided beside the ones with
// findings. With all, the choice is made already.
func Choose(families []*timeline.Family, result *detectors.Result, all bool) (list []Family, leftOut, undecided []string) {
	list = sorted(families, result)
	found := func(f Family) bool { return len(f.Findings) > 0 }
	open := func(f Family) bool { return len(f.Undecided) > 0 }
	for _, counts := range []func(Family) bool{found, open} {
		if all || !slices.ContainsFunc(list, counts) {
			continue
		}
		list = slices.DeleteFunc(list, func(f Family) bool {
			if !counts(f) && open(f) {
				undecided = append(undecided, f.Name())
			}
			return !counts(f)
		})
		break
	}
	slices.SortStableFunc(list, func(a, b Family) int { return cmp.Compare(a.worst(), b.worst()) })
	for i := mostFamilies; i < len(list); i++ {
		leftOut = append(leftOut, list[i].Name())
	}
	return list[:min(len(list), mostFamilies)], leftOut, undecided
}

// worst ranks the worst finding of a family.
func (f *Family) worst() int {
	rank := math.MaxInt
	for _, found := range f.Findings {
		rank = min(rank, found.Severity.Rank())
	}
	return rank
}

// sorted puts what was found to its families.
func sorted(families []*timeline.Family, result *detectors.Result) (list []Family) {
	type object struct{ cluster, identity string }
	of := map[object]int{}
	for _, f := range families {
		for _, o := range f.Objects() {
			of[object{f.Cluster.Name, identity(o.Ref, o.UID)}] = len(list)
		}
		list = append(list, Family{Family: f})
	}
	for _, found := range result.Findings {
		if n, ok := of[object{found.Cluster, identity(found.Object, found.UID)}]; ok {
			list[n].Findings = append(list[n].Findings, found)
		}
	}
	for _, r := range result.Rulings {
		n, ok := of[object{r.Cluster, identity(r.Object, r.UID)}]
		switch {
		case ok && r.Verdict == detectors.Inconclusive:
			list[n].Undecided = append(list[n].Undecided, r)
		case ok && r.Verdict == detectors.Held:
			list[n].Held = append(list[n].Held, r)
		}
	}
	return list
}

// least lists the kinds of rows that tell least, which go first where there are too
// many.
var least = []timeline.EntryKind{timeline.EntryLog, timeline.EntryEvent, timeline.EntryWrite, timeline.EntrySnapshot, timeline.EntryCondition, timeline.EntryScale}

// Take gives a family its rows, in order, less those for which there is no room. Rows
// that prove something go last.
func (f *Family) Take(entries []timeline.Entry) {
	f.Entries = entries
	places := proofs(f.Findings)
	proves := func(e timeline.Entry) bool { return e.Source.File != "" && places[PlaceOf(e.Source)] }
	for _, kind := range least {
		f.LeftOut += f.drop(func(e timeline.Entry) bool { return e.Kind == kind && !proves(e) })
	}
	if len(f.Entries) <= mostRows {
		return
	}
	slices.Reverse(f.Entries)
	f.CutOff = f.drop(func(e timeline.Entry) bool { return !proves(e) }) + f.drop(func(timeline.Entry) bool { return true })
	slices.Reverse(f.Entries)
}

// drop leaves out the first rows of a sort, as many as there are too many rows, and
// returns how many those were.
func (f *Family) drop(of func(timeline.Entry) bool) (n int) {
	over := len(f.Entries) - mostRows
	f.Entries = slices.DeleteFunc(f.Entries, func(e timeline.Entry) bool {
		drop := n < over && of(e)
		if drop {
			n++
		}
		return drop
	})
	return n
}
