package timeline

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// TrafficTarget is an entry of a Route's traffic.
type TrafficTarget struct {
	Revision, Configuration, Tag string
	Percent                      int
	Latest                       bool
}

// Traffic returns the targets in a Route's status.
func Traffic(s *State) []TrafficTarget { return trafficOf(s, "status.traffic") }

func trafficOf(s *State, at string) (targets []TrafficTarget) {
	if s == nil {
		return nil
	}
	for i := 0; ; i++ {
		target := at + "[" + strconv.Itoa(i) + "]."
		get := func(name string) string { return s.Fields.Get(target + name) }
		t := TrafficTarget{Revision: get("revisionName"), Configuration: get("configurationName"), Tag: get("tag"), Latest: get("latestRevision") == "true"}
		percent := get("percent")
		t.Percent, _ = strconv.Atoi(percent)
		if t.Revision == "" && t.Configuration == "" && percent == "" && !t.Latest {
			return targets
		}
		targets = append(targets, t)
	}
}

// RouteShare returns the percentage of traffic that a Route's status gives a
// Revision. Several entries can name one Revision. While a rollout goes on, those
// with a tag have percentages of their own, so that all come to more than 100:
// then they are not added up.
func RouteShare(s *State, revision string) int { return routeShare(Traffic(s), revision) }

func routeShare(targets []TrafficTarget, revision string) int {
	sum, most, all := 0, 0, 0
	for _, t := range targets {
		all += t.Percent
		if t.Revision == revision {
			sum += t.Percent
			most = max(most, t.Percent)
		}
	}
	if all > 100 {
		return most
	}
	return sum
}

// Split is a share of the traffic of some hosts.
type Split struct {
	Hosts    []string
	Revision string // name of the Service behind it, which is the Revision's
	Percent  int
}

// Splits returns the splits in an Ingress's spec, one rule after the other.
func Splits(s *State) (splits []Split) {
	if s == nil {
		return nil
	}
	for rule := 0; ; rule++ {
		prefix := "spec.rules[" + strconv.Itoa(rule) + "]"
		hosts := listOf(s, prefix+".hosts")
		found := len(hosts) > 0
		for path := 0; ; path++ {
			n := 0
			for ; ; n++ {
				at := prefix + ".http.paths[" + strconv.Itoa(path) + "].splits[" + strconv.Itoa(n) + "]."
				name := s.Fields.Get(at + "serviceName")
				if name == "" {
					break
				}
				percent, err := strconv.Atoi(s.Fields.Get(at + "percent"))
				if err != nil {
					percent = 100 // a single backend needs none
				}
				splits = append(splits, Split{hosts, name, percent})
				found = true
			}
			if n == 0 {
				break
			}
		}
		if !found {
			return splits
		}
	}
}

func listOf(s *State, at string) (list []string) {
	for i := 0; ; i++ {
		v, ok := s.Fields.Find(at + "[" + strconv.Itoa(i) + "]")
		if !ok {
			return list
		}
		list = append(list, v)
	}
}

// IngressShare returns the percentage of traffic that an Ingress gives a
// Revision on the Route's own hosts. Tags have hosts of their own, which do not
// count unless there are no others.
func IngressShare(s *State, route, revision string) int {
	return ingressShare(Splits(s), route, revision)
}

func ingressShare(splits []Split, route, revision string) int {
	own, any, sawOwn := 0, 0, false
	for _, split := range splits {
		isOwn := false
		for _, host := range split.Hosts {
			isOwn = isOwn || strings.HasPrefix(host, route+".")
		}
		sawOwn = sawOwn || isOwn
		if split.Revision != revision {
			continue
		}
		any = max(any, split.Percent)
		if isOwn {
			own = max(own, split.Percent)
		}
	}
	if sawOwn {
		return own
	}
	return any
}

// Share returns the percentage of traffic that Shares gives a Revision.
func (f *Family) Share(revision string, t time.Time) (percent int, known bool) {
	shares, known := f.Shares(t)
	return shares[revision], known
}

// Shares returns the percentages of traffic that the Ingresses of the family give
// Revisions at t, by name, else the Routes. Of an object that only snapshots show, that
// is what they show. known is false if neither tells.
func (f *Family) Shares(t time.Time) (percent map[string]int, known bool) {
	state := func(o *Object) *State {
		if len(o.Writes) == 0 {
			return o.Last()
		}
		return o.At(t)
	}
	percent = map[string]int{}
	for _, o := range f.Ingresses {
		splits := Splits(state(o))
		for _, s := range splits {
			percent[s.Revision], known = max(percent[s.Revision], ingressShare(splits, f.RouteName(o), s.Revision)), true
		}
	}
	if known {
		return percent, known
	}
	for _, o := range f.Routes {
		targets := Traffic(state(o))
		for _, target := range targets {
			percent[target.Revision], known = max(percent[target.Revision], routeShare(targets, target.Revision)), true
		}
	}
	return percent, known
}

// Follows reports whether a Route sends traffic to the latest ready Revision of a
// Configuration, as its spec tells; one whose spec is unknown does.
func Follows(route *Object, configuration string) bool {
	targets := trafficOf(route.Last(), "spec.traffic")
	return len(targets) == 0 || slices.ContainsFunc(targets, func(t TrafficTarget) bool { return t.Configuration == configuration })
}

// RouteName returns the name of the Route that an Ingress belongs to.
func (f *Family) RouteName(ingress *Object) string {
	if o := ingress.Owner; o != nil && o.Kind == KindRoute {
		return o.Name
	}
	return ingress.Name
}
