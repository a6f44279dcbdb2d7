package timeline

import (
	"slices"
	"sort"
	"time"
)

// index answers questions about one moment of an object's life without going
// through all of its writes. It is made when first asked, after which Writes
// must not change.
type index struct {
	first    time.Time // when the first request was done
	ended    latest    // writes with a known state after them, by when they were done
	counting latest    // writes that tell the status, by when they came in
	touching latest    // writes that change the status, or may have, by when they came in
	done     []time.Time
	statuses []*Write // all that write the status, by when they were done
	crossed  bool     // of touching, the ones that came later were not all done later
	broken   []span   // to the accepted updates that quote a version which was not seen, from the writes before, by their ends
	// initialized is the first write that says ScaleTargetInitialized=True,
	// and initializedBy when the first of all that say so came in.
	initialized   *Write
	initializedBy time.Time
}

// span is a stretch of time. earliest is when the first of those that end with it or
// later began.
type span struct{ from, to, earliest time.Time }

// latest finds the write that is last in the order of the object among those up
// to a moment.
type latest struct {
	at   []time.Time // sorted
	last []int       // place of the last write among those up to at
}

func (l *latest) sort() {
	if slices.IsSortedFunc(l.at, time.Time.Compare) {
		return // as the places are
	}
	order := make([]int, len(l.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return l.at[a].Compare(l.at[b]) })
	at, last := make([]time.Time, len(order)), make([]int, len(order))
	for i, from := range order {
		at[i], last[i] = l.at[from], l.last[from]
		if i > 0 {
			last[i] = max(last[i], last[i-1])
		}
	}
	l.at, l.last = at, last
}

func newLatest(most int) latest { return latest{make([]time.Time, 0, most), make([]int, 0, most)} }

func (l *latest) add(at time.Time, place int) {
	l.at = append(l.at, at)
	l.last = append(l.last, place)
}

// upTo returns the place of the last write up to t, -1 if there is none.
func (l *latest) upTo(t time.Time) int {
	n := sort.Search(len(l.at), func(i int) bool { return l.at[i].After(t) })
	if n == 0 {
		return -1
	}
	return l.last[n-1]
}

func (o *Object) index() *index {
	o.answers.indexing.Do(func() { o.answers.indexed = newIndex(o.Kind, o.Writes) })
	return o.answers.indexed
}

func newIndex(kind string, writes []*Write) *index {
	x := &index{done: make([]time.Time, len(writes)), ended: newLatest(len(writes))}
	version, before, touched := "", time.Time{}, time.Time{}
	for i, w := range writes {
		if i == 0 || w.Time.Before(x.first) {
			x.first = w.Time
		}
		x.done[i] = w.Time
		if i > 0 && x.done[i-1].After(w.Time) {
			x.done[i] = x.done[i-1]
		}
		if w.After != nil {
			x.ended.add(w.Time, i)
		}
		if w.Subresource == "status" {
			x.statuses = append(x.statuses, w)
			if w.BodySeen && w.Took() {
				x.counting.add(w.Began(), i)
			}
			if w.Took() || w.Hidden() {
				x.touching.add(w.Began(), i)
				x.crossed = x.crossed || w.Time.Before(touched)
				touched = w.Time
			}
		}
		if kind == KindPodAutoscaler && w.After.Is("ScaleTargetInitialized", "True") {
			if x.initialized == nil {
				x.initialized, x.initializedBy = w, w.Began()
			}
			if w.Began().Before(x.initializedBy) {
				x.initializedBy = w.Began()
			}
		}
		if w.Took() || w.Outcome == Read {
			if w.Verb == "update" && version != "" && compareVersions(w.SentVersion, version) > 0 {
				x.broken = append(x.broken, span{from: before, to: w.Time})
			}
			before = w.Time
			version = w.version() // "" makes the next one no proof
		}
	}
	x.ended.sort()
	x.counting.sort()
	x.touching.sort()
	slices.SortStableFunc(x.statuses, func(a, b *Write) int { return a.Time.Compare(b.Time) })
	sortSpans(x.broken)
	return x
}

func sortSpans(list []span) {
	slices.SortFunc(list, func(a, b span) int { return a.to.Compare(b.to) })
	for i := range slices.Backward(list) {
		list[i].earliest = list[i].from
		if i+1 < len(list) && list[i+1].earliest.Before(list[i].from) {
			list[i].earliest = list[i+1].earliest
		}
	}
}

// moves are the requests that changed a path of an object.
type moves struct {
	writes []*Write
	done   latest
}

// Moves returns the requests that changed a path, in order: those of which Moved tells
// the change.
func (o *Object) Moves(path string) []*Write { return o.moves(path).writes }

func (o *Object) moves(path string) *moves {
	o.answers.asking.Lock()
	defer o.answers.asking.Unlock()
	if m := o.answers.moves[path]; m != nil {
		return m
	}
	m := &moves{}
	for _, w := range o.Writes {
		if w.Moved(path) != nil {
			m.done.add(w.Time, len(m.writes))
			m.writes = append(m.writes, w)
		}
	}
	m.done.sort()
	if o.answers.moves == nil {
		o.answers.moves = map[string]*moves{}
	}
	o.answers.moves[path] = m
	return m
}

// upTo returns the last of the requests, in the order of the object, that were done by t;
// nil if none was.
func (m *moves) upTo(t time.Time) *Write {
	if i := m.done.upTo(t); i >= 0 {
		return m.writes[i]
	}
	return nil
}

// after reports whether any of the requests was done after t.
func (m *moves) after(t time.Time) bool {
	n := len(m.done.at)
	return n > 0 && m.done.at[n-1].After(t)
}
