package rules

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/timeline"
)

// Watch is one run of rules over some inputs. What it keeps grows with what the
// rules match, up to a bound, not with the size of the inputs.
type Watch struct {
	over      map[Subject][]*found
	rules     []*found // all, in the order of the file
	namespace string
	request   *facts[request]
	origin    *origin         // of the request, nil until a rule asks for it
	clusters  map[string]bool // those of which a request was looked at
	stated    bool            // the state of an object was looked at
}

// Watch starts a run of the rules that are named, of all if names is empty, over
// what is in a namespace, or everywhere if that is empty.
func (s *Set) Watch(names []string, namespace string) *Watch {
	w := &Watch{over: map[Subject][]*found{}, namespace: namespace, request: requests.facts(), clusters: map[string]bool{}}
	if s == nil {
		return w
	}
	for _, r := range s.rules {
		if len(names) == 0 || slices.Contains(names, r.ID) {
			f := &found{rule: r}
			w.rules = append(w.rules, f)
			w.over[r.Over] = append(w.over[r.Over], f)
		}
	}
	for _, f := range w.rules {
		f.most = min(most, mostOfAll/len(w.rules))
	}
	return w
}

// Request looks at a row of audit_events. The row may be reused afterwards.
func (w *Watch) Request(row *request) {
	if len(w.over[Requests]) == 0 || !counts(row) || w.namespace != "" && row.Namespace != w.namespace {
		return
	}
	if !w.clusters[row.Cluster] {
		w.clusters[own(row.Cluster)] = true
	}
	record := w.request.of(row)
	w.origin = nil
	for _, f := range w.over[Requests] {
		f.look(record, w.describe)
	}
}

// describe tells the origin of the request at hand.
func (w *Watch) describe() *origin {
	if w.origin == nil {
		w.origin = ofRequest(w.request.row)
	}
	return w.origin
}

// Met reports whether there was a request to look at.
func (w *Watch) Met() bool { return len(w.clusters) > 0 }

// Asks reports whether it is a run of any rule.
func (w *Watch) Asks() bool { return len(w.rules) > 0 }

// Judge returns what all rules found in the clusters, of times that within holds of;
// outside is how many findings are of none. It is called once, when all rows and all
// families were seen.
func (w *Watch) Judge(clusters []*timeline.Cluster, within func(time.Time) bool) (result *detectors.Result, outside int) {
	met := map[Subject]bool{Objects: w.stated}
	known := nameClusters(clusters)
	for name := range maps.Keys(w.clusters) {
		_, ok := known(name)
		met[Requests] = met[Requests] || ok
	}
	result = &detectors.Result{}
	for _, f := range w.rules {
		f.settle()
		f.ofClusters(known)
		all := f.bursts()
		bursts := f.rule.Window.narrow(all, within)
		outside += len(all) - len(bursts)
		for _, burst := range bursts {
			result.Findings = append(result.Findings, f.finding(burst))
		}
		result.Blind = append(result.Blind, f.blind(met[f.rule.Over], len(bursts) > 0, f.failures(known))...)
	}
	result.Rulings = rulings(result.Findings)
	return result, outside
}

// rulings gives the verdict about each object that there is a finding about, for
// the reason of the first.
func rulings(findings []*detectors.Finding) (list []detectors.Ruling) {
	seen := map[detectors.Ruling]bool{}
	for _, f := range findings {
		r := detectors.Ruling{Detector: f.Detector, Cluster: f.Cluster, Object: f.Object, UID: f.UID, Verdict: detectors.Captured}
		if !seen[r] {
			seen[r] = true
			r.Reason = f.Summary
			list = append(list, r)
		}
	}
	return list
}

// AsksObjects reports whether it is a run of any rule about the states of objects.
func (w *Watch) AsksObjects() bool { return len(w.over[Objects]) > 0 }

// Families looks at the states of the objects of some families.
func (w *Watch) Families(families []*timeline.Family) {
	if !w.AsksObjects() {
		return
	}
	record := states.facts()
	for _, family := range families {
		for _, o := range family.Objects() {
			for _, s := range statesOf(o) {
				w.stated = true
				record.of(&s)
				describe := sync.OnceValue(func() *origin { return ofState(family.Cluster.Name, &s) })
				for _, f := range w.over[Objects] {
					if s.write != nil || f.rule.Window.Count == 0 { // a snapshot has no time
						f.look(record, describe)
					}
				}
			}
		}
	}
}

// nameClusters returns a function that tells how the history names the cluster
// of a record, and whether it is one of those asked for. What names no cluster is
// of the one that there is.
func nameClusters(clusters []*timeline.Cluster) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if len(clusters) == 1 && clusters[0].Name == "" {
			return "", true
		}
		return name, slices.ContainsFunc(clusters, func(c *timeline.Cluster) bool { return c.Name == name })
	}
}

// ofClusters leaves the matches of the clusters asked for, and brings them in
// order again: a request can be in the records of one that is named and of one
// that is not.
func (f *found) ofClusters(known func(string) (string, bool)) {
	f.matches = slices.DeleteFunc(f.matches, func(m match) (other bool) {
		name, ok := known(m.cluster)
		m.cluster = name
		return !ok
	})
	f.settle()
}

// failures sums up what the rule failed on in the clusters asked for.
func (f *found) failures(known func(string) (string, bool)) (all failure) {
	for cluster, failed := range f.failed {
		if _, ok := known(cluster); ok {
			all = all.and(failed)
		}
	}
	return all
}

// blind tells what the rule could not see. One that found nothing is undecided
// if there are records that it failed on, or left out: they could have matched.
func (f *found) blind(met, captured bool, failed failure) (list []detectors.Blindness) {
	add := func(total bool, needs, format string, args ...any) {
		list = append(list, detectors.Blindness{Detector: f.rule.ID, Total: total, Needs: needs, Reason: fmt.Sprintf(format, args...)})
	}
	switch {
	case met:
	case f.rule.Over == Requests:
		add(true, "audit events at the end of a request", "the inputs hold none")
	default:
		add(true, "objects of Knative families, in audit events with bodies or in snapshots", "the inputs show none")
	}
	if failed.count > 0 {
		add(!captured, "an expression that can be answered", "for %d of the %s it could not, the first at %s:%d: %s",
			failed.count, f.rule.Over, failed.first.source.File, failed.first.source.Line, failed.err)
	}
	if f.last != nil {
		add(!captured, "fewer matches", "of more than %d, those after %s were left out", f.most, f.last.time.UTC().Format(time.RFC3339))
	}
	return list
}
