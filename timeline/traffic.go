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

// routeShares returns the percentages of traffic that a Route's status gives Revisions, by
// name. Several entries can name one Revision. While a rollout goes on, those with a tag
// have percentages of their own, so that all come to more than 100: then they are not
// added up.
func routeShares(targets []TrafficTarget) map[string]int {
	sum, most, all := map[string]int{}, map[string]int{}, 0
	for _, t := range targets {
		all += t.Percent
		sum[t.Revision] += t.Percent
		most[t.Revision] = max(most[t.Revision], t.Percent)
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

// ingressShares returns the percentages of traffic that an Ingress gives Revisions on the
// Route's own hosts, by name. Tags have hosts of their own, which do not count unless
// there are no others.
func ingressShares(splits []Split, route string) map[string]int {
	own, any, sawOwn := map[string]int{}, map[string]int{}, false
	for _, split := range splits {
		isOwn := slices.ContainsFunc(split.Hosts, func(host string) bool { return strings.HasPrefix(host, route+".") })
		sawOwn = sawOwn || isOwn
		any[split.Revision] = max(any[split.Revision], split.Percent)
		if isOwn {
			own[split.Revision] = max(own[split.Revision], split.Percent)
		}
	}
	if sawOwn {
		return own
	}
	return any
}

// SharesOf returns the percentages of traffic that a state of an Ingress or a Route gives
// Revisions, by name. It is empty if that does not tell.
func (f *Family) SharesOf(o *Object, s *State) map[string]int {
	if o.Kind == KindRoute {
		return routeShares(Traffic(s))
	}
	return ingressShares(Splits(s), f.RouteName(o))
}

// Shares returns the percentages of traffic that the Ingresses of the family give
// Revisions at t, by name, else the Routes. Of an object that only snapshots show, that
// is what they show. A Route that is known to have no targets in its status sends nothing
// anywhere. known is false if neither tells.
func (f *Family) Shares(t time.Time) (percent map[string]int, known bool) {
	percent = map[string]int{}
	for _, objects := range [][]*Object{f.Ingresses, f.Routes} {
		for _, o := range objects {
			state := o.Last()
			if len(o.Writes) > 0 {
				state = o.At(t)
			}
			shares := f.SharesOf(o, state)
			known = known || tellsShares(o, state, shares)
			for name, share := range shares {
				percent[name] = max(percent[name], share)
			}
		}
		if known {
			break
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
