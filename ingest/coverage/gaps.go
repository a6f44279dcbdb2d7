package coverage

import (
	"slices"
	"time"
)

const gapTick = 5 * time.Second

// ticks tell how many events were logged in each stretch of gapTick.
type ticks struct {
	signs map[int64]*signs
	tick  int64 // the one met last
	last  *signs
}

// signs are the events in a tick: all, and those about leases.
type signs struct{ all, leases int64 }

func newTicks() *ticks { return &ticks{signs: map[int64]*signs{}} }

// add counts n events.
func (t *ticks) add(at time.Time, lease bool, n int64) {
	s := t.of(at.UnixNano() / int64(gapTick))
	s.all += n
	if lease {
		s.leases += n
	}
}

func (t *ticks) of(tick int64) *signs {
	if t.last != nil && t.tick == tick {
		return t.last
	}
	s := t.signs[tick]
	if s == nil {
		s = &signs{}
		t.signs[tick] = s
	}
	t.tick, t.last = tick, s
	return s
}

func (t *ticks) merge(other *ticks) {
	for tick, s := range other.signs {
		mine := t.of(tick)
		mine.all += s.all
		mine.leases += s.leases
	}
}

// busy returns the ticks with events, in order.
func (t *ticks) busy() (list []int64) {
	for tick, s := range t.signs {
		if s.all > 0 {
			list = append(list, tick)
		}
	}
	slices.Sort(list)
	return list
}

// silences finds the gaps in all files together, and those in one log while
// others go on. What was rotated is one log.
func silences(files map[string]*ticks) (found []Gap) {
	logs, all := map[string]*ticks{}, newTicks()
	for file, t := range files {
		log := LogOf(file)
		if logs[log] == nil {
			logs[log] = newTicks()
		}
		logs[log].merge(t)
		all.merge(t)
	}
	for _, s := range all.silences() {
		found = append(found, Gap{From: s.from, To: s.to, Reason: "no audit event of any kind"})
	}
	if len(logs) < 2 {
		return found
	}
	together := len(found)
	for log, t := range logs {
		for _, s := range t.silences() {
			if !slices.ContainsFunc(found[:together], func(g Gap) bool { return !g.From.After(s.from) && !g.To.Before(s.to) }) {
				found = append(found, Gap{From: s.from, To: s.to, Reason: "no audit event in this file, while others go on", File: log})
			}
		}
	}
	return found
}

type silence struct{ from, to time.Time }

// silences finds stretches of 30 s and more without an event in a log that is
// busy otherwise. Leases tell best: controllers and kubelets renew them every 2
// to 10 s. A log without leases has to be steady itself; one that is sparse
// anyway shows no gaps.
func (t *ticks) silences() (found []silence) {
	const enough = int64(30 * time.Second / gapTick)
	order := t.busy()
	var leases, steady, spanned, first int // first is where the stretch without a silence starts
	for i, tick := range order {
		if t.signs[tick].leases > 0 {
			leases++
		}
		next := i + 1
		if next < len(order) && order[next]-tick <= enough {
			continue
		}
		n, span := next-first, int(tick-order[first])+1
		spanned += span
		if span >= 12 && n*5 >= span*4 {
			steady += n
		}
		if next < len(order) {
			found = append(found, silence{tickTime(tick + 1), tickTime(order[next])})
		}
		first = next
	}
	if leases >= 4 && leases*5 >= spanned*2 || steady*5 >= len(order)*4 {
		return found
	}
	return nil
}

func tickTime(tick int64) time.Time { return time.Unix(0, tick*int64(gapTick)).UTC() }
