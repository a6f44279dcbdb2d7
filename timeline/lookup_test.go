package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// The tests of this file hold what is found by time, or was worked out once, against what
// going through all writes gives: of objects to which anything happened, in any order.

// chance makes objects to which anything happened.
type chance struct {
	*rand.Rand
	version int
}

// each calls do with chances that differ.
func each(t *testing.T, do func(t *testing.T, c *chance)) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { do(t, &chance{Rand: rand.New(rand.NewPCG(seed, 1))}) }) //nolint:gosec // the same every time
	}
}

func (c *chance) is(percent int) bool { return c.IntN(100) < percent }

// moment returns one within a minute. There are few, so that some are the same.
func (c *chance) moment() time.Time { return sec(float64(c.IntN(240)) / 4) }

// object returns an object with up to n writes, and the states that they tell.
func (c *chance) object(kind, name string, n int) *Object {
	o := &Object{Ref: Ref{kind, "shop", name}, UID: name}
	at, skewed := float64(c.IntN(20)), c.is(30)
	for range c.IntN(n + 1) {
		at += float64(c.IntN(12)) / 4
		w := &Write{Terms: &Terms{Verb: "update"}, Object: o, Time: sec(at), Source: Source{Line: int64(c.version)}, Outcome: []Outcome{Applied, Applied, Applied, Applied, Unchanged, Refused, Failed, Read}[c.IntN(8)]}
		if c.is(70) {
			w.Subresource = "status"
		}
		if skewed && c.is(30) {
			w.Time = w.Time.Add(time.Duration(c.IntN(9)-6) * time.Second)
		}
		w.Received = w.Time.Add(-time.Duration(c.IntN(8)) * time.Second / 4)
		if c.is(80) {
			w.got = c.state()
		}
		if c.is(60) {
			w.SentVersion = fmt.Sprint(max(0, c.version-c.IntN(3)))
		}
		o.Writes = append(o.Writes, w)
	}
	o.replay()
	if c.is(40) {
		o.Gone = c.moment()
	}
	return o
}

func pair(key, value string) table.Pair { return table.Pair{Key: key, Value: value} }

func (c *chance) state() *State {
	c.version += 1 + c.IntN(3)
	s := &State{ResourceVersion: fmt.Sprint(c.version), Whole: c.is(80), Fields: PairsOf(pair("status.phase", "Running"), pair("status.readyReplicas", fmt.Sprint(c.IntN(4))))}
	s.Conditions = []Condition{{Type: "Ready", Status: []string{"True", "False", "Unknown"}[c.IntN(3)]}}
	for _, key := range []string{initialScaleKeys[0], initialScaleKeys[1], minScaleKeys[0]} {
		if c.is(50) {
			s.Annotations = s.Annotations.with(PairsOf(pair(key, []string{"1", "3", "many"}[c.IntN(3)])))
		}
	}
	return s
}

func (c *chance) objects(kind string, most, writes int) (list []*Object) {
	for i := range c.IntN(most + 1) {
		list = append(list, c.object(kind, fmt.Sprintf("%s-%d", kind, i), writes))
	}
	return list
}

func TestMoves(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		o := c.object(KindRevision, "r", 40)
		for _, path := range []string{annotation + initialScaleKeys[0] + "]", "conditions.Ready", "status.readyReplicas"} {
			for range 50 {
				now := c.moment()
				var last *Write
				later := false
				for _, w := range o.Writes {
					if moved := w.Moved(path) != nil; moved && !w.Time.After(now) {
						last = w
					} else if moved {
						later = true
					}
				}
				if m := o.moves(path); m.upTo(now) != last || m.after(now) != later {
					t.Fatalf("%s at %s: another write than %+v, or later %v", path, now, last, m.after(now))
				}
			}
		}
	})
}

func TestBrokenAndLost(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		o := c.object(KindRevision, "r", 60)
		spans := o.index().broken
		for range 100 {
			from, to := c.moment(), c.moment()
			broken := slices.ContainsFunc(spans, func(s span) bool { return !s.to.Before(from) && !s.to.After(to) })
			lost := slices.ContainsFunc(spans, func(s span) bool { return !s.to.Before(from) && !s.from.After(to) })
			if o.Broken(from, to) != broken || o.Lost(from, to) != lost {
				t.Fatalf("%s to %s of %v: broken %v, lost %v", from, to, spans, o.Broken(from, to), o.Lost(from, to))
			}
		}
	})
}

// TestReplicaIndex holds what is known of what counts replicas.
func TestReplicaIndex(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		r := &Revision{Object: c.object(KindRevision, "r", 20), Pods: c.objects(KindPod, 6, 6), ReplicaSets: c.objects(KindReplicaSet, 3, 6),
			Deployments: c.objects(KindDeployment, 4, 6), PodAutoscalers: c.objects(KindPodAutoscaler, 2, 6)}
		for range 100 {
			from, to := c.moment(), c.moment()
			if got, want := r.index().deployments.at(to), lastOf(r.Deployments, to); got != want {
				t.Fatalf("at %s the Deployment is %v, not %v", to, got, want)
			}
			ready, known := readyIn(r.ReplicaSets, to)
			if n := countAt(r.index().sets, to); n.ready != ready || n.known != known {
				t.Fatalf("at %s %d ready in ReplicaSets (%v), not %d (%v)", to, n.ready, n.known, ready, known)
			}
			pods := slices.ContainsFunc(r.Pods, func(o *Object) bool { return o.Exists(to) && o.blindSince(time.Time{}, to) })
			all := slices.ContainsFunc(r.counting(), func(o *Object) bool { return o.blindSince(from, to) })
			if r.blindSince(Replicas{Source: sourcePods}, to) != pods || r.blindSince(Replicas{Source: sourceDeployment, Time: from}, to) != all {
				t.Fatalf("from %s to %s: Pods written without bodies %v, any %v", from, to, pods, all)
			}
		}
		for _, w := range r.Writes {
			if got, want := r.KnownBefore(w), r.knownBefore(w); !got.Equal(want) {
				t.Fatalf("before %+v the last was %s, not %s", w, got, want)
			}
		}
	})
}

func (r *Revision) counting() []*Object {
	return slices.Concat(r.Pods, r.ReplicaSets, r.Deployments, r.PodAutoscalers)
}

func lastOf(objects []*Object, t time.Time) (last *Object) {
	for _, o := range objects {
		if o.Exists(t) {
			last = o
		}
	}
	return last
}

func readyIn(objects []*Object, t time.Time) (ready int, known bool) {
	for _, o := range objects {
		if w := o.statusAt(t); w != nil && o.Exists(t) {
			n, has := w.After.Int("status.readyReplicas")
			if has || w.After.Whole {
				ready, known = ready+n, true
			}
		}
	}
	return ready, known
}

func (r *Revision) knownBefore(w *Write) (last time.Time) {
	for _, o := range r.counting() {
		for _, s := range o.index().statuses {
			if s.Time.After(w.Began()) && !s.Time.After(w.Time.Add(clocks)) && compareVersions(s.version(), w.version()) < 0 && s.Time.After(last) {
				last = s.Time
			}
		}
	}
	return last
}

// TestFirstAnnotated: of the annotations that are asked for, the states that are kept tell
// the same as all states.
func TestFirstAnnotated(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		r := &Revision{Object: c.object(KindRevision, "r", 30), PodAutoscalers: c.objects(KindPodAutoscaler, 2, 6)}
		all := []*State{r.Last()}
		for _, w := range r.Writes {
			all = append(all, w.After)
		}
		for _, pa := range r.PodAutoscalers {
			all = append(all, pa.Last())
		}
		tells := func(key string) func(*State) bool {
			return func(s *State) bool { return s != nil && tellsScale(key, s.Annotations.Get(key)) }
		}
		for _, key := range slices.Concat(initialScaleKeys, minScaleKeys) {
			got, want := slices.IndexFunc(r.firstAnnotated(), tells(key)), slices.IndexFunc(all, tells(key))
			if got < 0 != (want < 0) || got >= 0 && r.firstAnnotated()[got].Annotations.Get(key) != all[want].Annotations.Get(key) {
				t.Fatalf("%s: %d of %d states, and %d of all", key, got, len(r.firstAnnotated()), want)
			}
		}
	})
}

// TestShare holds the shares of traffic through time against those of each moment.
func TestShare(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		f := &Family{Cluster: &Cluster{From: sec(0), To: sec(60)}, Ingresses: c.objects(KindIngress, 3, 8), Routes: c.objects(KindRoute, 3, 8)}
		for _, o := range slices.Concat(f.Ingresses, f.Routes) {
			for _, w := range o.Writes {
				if w.After != nil {
					w.After.Fields = c.traffic(o.Kind)
				}
			}
		}
		for _, revision := range []string{"a", "b", "c"} {
			for now := 0.0; now < 60; now += 0.25 {
				shares, told := f.Shares(sec(now))
				if share, known := f.Share(revision, sec(now)); share != shares[revision] || known != told {
					t.Fatalf("at %v %s has %d %% (%v), not %d %% (%v)", now, revision, share, known, shares[revision], told)
				}
			}
			r := &Revision{Object: &Object{Ref: Ref{KindRevision, "shop", revision}}, Family: f}
			var turns []time.Time
			for _, o := range slices.Concat(f.Ingresses, f.Routes) {
				for _, w := range o.Writes {
					turns = append(turns, w.Time)
				}
			}
			want := r.levels(sec(5), sec(50), turns, func(t time.Time) (int, bool) {
				shares, known := f.Shares(t)
				return shares[revision], known
			})
			if got := r.ShareLevels(sec(5), sec(50)); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", revision, got, want)
			}
		}
	})
}

func (c *chance) traffic(kind string) (fields Pairs) {
	for i := range c.IntN(4) {
		revision, percent := []string{"a", "b", "c"}[c.IntN(3)], fmt.Sprint(c.IntN(5)*25)
		at := fmt.Sprintf("status.traffic[%d].", i)
		name := "revisionName"
		if kind == KindIngress {
			at, name = fmt.Sprintf("spec.rules[0].http.paths[0].splits[%d].", i), "serviceName"
		}
		fields = fields.with(PairsOf(pair(at+name, revision), pair(at+"percent", percent)))
	}
	return fields
}

// TestCourse: what lies beside a spell holds all that overlap with it, in order, and no
// others where spells follow each other.
func TestCourse(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		ordered := c.is(50)
		var spells []Spell
		at := 0.0
		for range c.IntN(30) {
			s := Spell{From: sec(at), To: sec(at + float64(1+c.IntN(7))/4), Ended: c.is(80)}
			if !ordered && c.is(30) {
				s.From, s.To = []time.Time{{}, c.moment()}[c.IntN(2)], []time.Time{{}, c.moment()}[c.IntN(2)]
			}
			at += 2
			spells = append(spells, s)
		}
		course := CourseOf(spells)
		for range 50 {
			s := Spell{From: c.moment(), To: c.moment(), Ended: true}
			overlap := func(of []Spell) (list []Spell) {
				for _, other := range of {
					if both, ok := s.Overlap(other); ok {
						list = append(list, both)
					}
				}
				return list
			}
			beside := course.Beside(s)
			if !slices.Equal(overlap(beside), overlap(spells)) {
				t.Fatalf("%s beside %v: %v, want %v", spellText(s), spells, overlap(beside), overlap(spells))
			}
			if ordered && s.From.Before(s.To) && len(beside) != len(overlap(spells)) {
				t.Fatalf("%s: %d beside it, %d overlap", spellText(s), len(beside), len(overlap(spells)))
			}
		}
	})
}

// TestFirstReconcile holds which reconcile made a request against a look at all of them.
func TestFirstReconcile(t *testing.T) {
	each(t, func(t *testing.T, c *chance) {
		r := &Revision{Object: c.object(KindRevision, "r", 30)}
		for i := range c.IntN(20) {
			a := &Attempt{Begin: c.moment(), Pod: []string{"", "p", "q"}[c.IntN(3)], TraceID: fmt.Sprint(i)}
			a.End = a.Begin.Add(time.Duration(c.IntN(20)) * time.Second / 4)
			r.Attempts = append(r.Attempts, a)
		}
		slices.SortFunc(r.Attempts, compareAttempts)
		for _, w := range r.Writes {
			terms := *w.Terms
			terms.Actor = Actor{Component: "controller", Pod: []string{"", "p", "q"}[c.IntN(3)]}
			w.Terms = &terms
		}
		r.joinAttempts()
		for _, w := range r.Controlled() {
			var want *Attempt
			for _, room := range []time.Duration{slack, 0} {
				for _, a := range slices.Backward(r.Attempts) {
					if a.covers(w.Time, room) && a.covers(w.Began(), room) && (a.Pod == "" || w.Actor.Pod == "" || a.Pod == w.Actor.Pod) {
						want = a
					}
				}
			}
			for _, a := range r.Attempts {
				if made := slices.Contains(a.Writes, w); made != (a == want) {
					t.Fatalf("%s to %s by %q: made by %+v %v", w.Began(), w.Time, w.Actor.Pod, a, made)
				}
			}
		}
	})
}
