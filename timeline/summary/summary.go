// Package summary tells at a glance what a History and the audit events behind
// it come to: how long objects took to become Ready, which never did and why,
// what each component asked of the API server and how that was answered, and
// how the reconcilers of Knative fared.
//
// A Summary holds numbers and what they are of. All durations are exact: no
// sample is taken, and a quantile is one of the values that it is of.
package summary

import (
	"cmp"
	"slices"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

// Summary is a History at a glance.
type Summary struct {
	// Services are the Services, and the Configurations and Routes without one,
	// in the order of the History.
	Services    []*Readiness
	Slowest     []*Readiness // of Services, those that became Ready, the slowest first
	NotReady    []*Readiness // of Services, those that never did, the oldest first
	Relapsed    []*Readiness // of Services, those that became Ready and were not at the end
	Spread      []Bucket     // of Services, how many took how long
	Kinds       []Kind       // in the order from Service to Ingress, those that there are
	Undecided   []Reason     // why it is not known of objects whether they became Ready, and when
	Clusters    []Cluster    // one for each, nothing if there is one only
	Requested   []*Requested // those with most writes first
	Total       Requested    // of all that were requested, without a component or resource
	Unfinished  bool         // the audit events tell of requests, and of the end of none
	Reconcilers []Reconciler // by name
}

// Kind tells how the objects of a kind became Ready.
type Kind struct {
	Kind                          string
	Made, Ready, Never, Undecided int
	Took                          *Times   // of those that became Ready, nil if there are none
	Why                           []Reason // the reasons of the Ready conditions of those that never did
}

// Cluster is what there is of one cluster.
type Cluster struct {
	Name     string
	Services Kind
	Asked    Requested // all its requests together
}

// Reason is a reason with the number of objects to which it applies.
type Reason struct {
	Text  string
	Count int
}

// Of sums up the families of a History, as far as they, their reconciles and
// the requests are of times that hold: an object is of the time at which it was
// made. Gaps are those of the coverage of the inputs.
func Of(h *timeline.History, families []*timeline.Family, gaps []coverage.Gap, requests *Requests, holds func(time.Time) bool) *Summary {
	j := newJudge(h, gaps)
	s := &Summary{Reconcilers: reconcilers(families, holds), Requested: requests.list(h.Clusters), Unfinished: requests.begun > 0 && requests.finished == 0}
	kinds, undecided := map[string][]*Readiness{}, map[string]int{}
	for _, f := range families {
		services := map[*timeline.Object]bool{}
		for _, o := range roots(f) {
			services[o] = true
		}
		turning := j.turning(f)
		for _, o := range members(f) {
			r := j.readiness(f, o)
			if !holds(r.madeAt()) || !j.counts(f, o) {
				continue
			}
			kinds[o.Kind] = append(kinds[o.Kind], r)
			if r.State == Undecided {
				undecided[r.Reason]++
			}
			if services[o] {
				r.Steps = turning.steps(r)
				s.Services = append(s.Services, r)
			}
		}
	}
	for _, kind := range kindOrder {
		if list := kinds[kind]; len(list) > 0 {
			s.Kinds = append(s.Kinds, kindOf(kind, list))
		}
	}
	for _, row := range s.Requested {
		s.Total.Sum(row)
	}
	s.Undecided = reasons(undecided)
	s.pick()
	s.byCluster(h.Clusters)
	return s
}

// kindOrder is that in which kinds are listed.
var kindOrder = []string{timeline.KindService, timeline.KindConfiguration, timeline.KindRevision, timeline.KindRoute, timeline.KindIngress}

// members returns the objects of a family that become Ready.
func members(f *timeline.Family) []*timeline.Object {
	list := slices.Concat(f.Services, f.Configurations, f.Routes, f.Ingresses)
	for _, r := range f.Revisions {
		list = append(list, r.Object)
	}
	return list
}

// roots returns the objects at the top of a family: what somebody asked for.
func roots(f *timeline.Family) []*timeline.Object {
	if len(f.Services) > 0 {
		return f.Services
	}
	return slices.Concat(f.Configurations, f.Routes)
}

func kindOf(name string, list []*Readiness) Kind {
	k := Kind{Kind: name, Made: len(list)}
	var took []time.Duration
	why := map[string]int{}
	for _, r := range list {
		switch r.State {
		case Ready:
			k.Ready++
			took = append(took, r.Took)
		case NotReady:
			k.Never++
			why[r.why()]++
		case Undecided:
			k.Undecided++
		}
	}
	k.Took, k.Why = timesOf(took), reasons(why)
	return k
}

// pick puts the Services into the lists of those that stand out.
func (s *Summary) pick() {
	for _, r := range s.Services {
		switch r.State {
		case Ready:
			s.Slowest = append(s.Slowest, r)
			if r.Last != nil && r.Last.Status != "True" {
				s.Relapsed = append(s.Relapsed, r)
			}
		case NotReady:
			s.NotReady = append(s.NotReady, r)
		}
	}
	slices.SortStableFunc(s.Slowest, func(a, b *Readiness) int { return cmp.Compare(b.Took, a.Took) })
	slices.SortStableFunc(s.NotReady, func(a, b *Readiness) int { return a.Made.Compare(b.Made) })
	s.Spread = spread(s.Slowest)
}

func (s *Summary) byCluster(clusters []*timeline.Cluster) {
	if len(clusters) < 2 {
		return
	}
	for _, c := range clusters {
		row := Cluster{Name: c.Name}
		var list []*Readiness
		for _, r := range s.Services {
			if r.Family.Cluster == c {
				list = append(list, r)
			}
		}
		row.Services = kindOf(timeline.KindService, list)
		for _, asked := range s.Requested {
			if asked.Cluster == c.Name {
				row.Asked.Sum(asked)
			}
		}
		s.Clusters = append(s.Clusters, row)
	}
}

// reasons lists reasons, the most frequent first.
func reasons(counts map[string]int) (list []Reason) {
	for text, n := range counts {
		list = append(list, Reason{text, n})
	}
	slices.SortFunc(list, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text)) })
	return list
}
