package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// bounds are what is known of how far the clock of one audit log, of one API
// server, is ahead of that of another.
type bounds struct {
	least, most time.Duration
	low, high   bool // whether there is such a bound
}

// Skew returns how far the clocks of audit logs are apart, as the objects of all
// families tell.
func (h *History) Skew() []coverage.Skew { return SkewOf(h.Families) }

// SkewOf returns how far the clocks of audit logs are apart, where that is
// proven: of two writes of one object, that with the lower resourceVersion was
// done first, so that it came in before the other was answered, whatever the
// clocks say.
func SkewOf(families []*Family) (list []coverage.Skew) {
	pairs := map[[2]string]*bounds{}
	for _, f := range families {
		for _, o := range f.objects {
			compareClocks(o, pairs)
		}
	}
	for logs, b := range pairs {
		if d, proven := b.apart(); proven {
			list = append(list, coverage.Skew{A: logs[0], B: logs[1], Millis: d.Round(time.Millisecond).Milliseconds()})
		}
	}
	slices.SortFunc(list, func(a, b coverage.Skew) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return list
}

// ClocksApart returns how far the clocks of the audit logs of a family are apart, 0 if
// nothing proves that they are.
func (f *Family) ClocksApart() time.Duration {
	f.clocking.Do(func() {
		for _, s := range SkewOf([]*Family{f}) {
			f.apart = max(f.apart, (time.Duration(s.Millis) * time.Millisecond).Abs())
		}
	})
	return f.apart
}

// compareClocks takes the writes of an object that follow each other in two
// logs as bounds.
func compareClocks(o *Object, pairs map[[2]string]*bounds) {
	var before *Write
	for _, w := range o.Writes {
		if w.Outcome == Read || !w.Versioned() || w.Received.IsZero() {
			continue
		}
		if before != nil && before.Source.File != w.Source.File && compareVersions(before.version(), w.version()) < 0 {
			first, second := coverage.LogOf(before.Source.File), coverage.LogOf(w.Source.File)
			room := w.Time.Sub(before.Received) // the second log's clock is ahead by less than that
			switch {
			case first < second:
				between(pairs, first, second).below(room)
			case first > second:
				between(pairs, second, first).above(-room)
			}
		}
		before = w
	}
}

func between(pairs map[[2]string]*bounds, a, b string) *bounds {
	key := [2]string{a, b}
	if pairs[key] == nil {
		pairs[key] = &bounds{}
	}
	return pairs[key]
}

func (b *bounds) below(d time.Duration) {
	if !b.high || d < b.most {
		b.most, b.high = d, true
	}
}

func (b *bounds) above(d time.Duration) {
	if !b.low || d > b.least {
		b.least, b.low = d, true
	}
}

// apart returns the middle of the bounds, or the one there is, if they exclude
// that the clocks agree.
func (b *bounds) apart() (time.Duration, bool) {
	switch {
	case b.low && b.high && (b.least > 0 || b.most < 0):
		return (b.least + b.most) / 2, true
	case b.low && b.least > 0:
		return b.least, true
	case b.high && b.most < 0:
		return b.most, true
	}
	return 0, false
}
