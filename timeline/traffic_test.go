package timeline

import (
	"fmt"
	"strings"
	"testing"
)

// rule writes a rule of an Ingress: hosts joined by commas, and the splits of
// its path, each "REVISION=PERCENT" or "REVISION".
func rule(hosts string, splits ...string) string {
	var list []string
	for _, s := range splits {
		name, percent, ok := strings.Cut(s, "=")
		if ok {
			percent = `,"percent":` + percent
		}
		list = append(list, fmt.Sprintf(`{"serviceName":%q%s}`, name, percent))
	}
	return fmt.Sprintf(`{"hosts":["%s"],"http":{"paths":[{"splits":[%s]}]}}`, strings.ReplaceAll(hosts, ",", `","`), strings.Join(list, ","))
}

func TestIngressShare(t *testing.T) {
	const host, local = "rt.shop.example.test", "rt.shop.svc.cluster.local,rt.shop.svc,rt.shop"
	tests := []struct {
		name  string
		rules []string
		want  map[string]int
	}{
		{"all", []string{rule(host, "a=100")}, map[string]int{"a": 100, "b": 0}},
		{"split", []string{rule(local, "a=80", "b=20"), rule(host, "a=80", "b=20")}, map[string]int{"a": 80, "b": 20}},
		{"no percent is all", []string{rule(host, "a")}, map[string]int{"a": 100}},
		{"a tag has hosts of its own", []string{rule(local, "a=100"), rule("next-"+host, "b=100")}, map[string]int{"a": 100, "b": 0}},
		{"a tag that steps while the main host has moved", []string{rule(host, "b=100"), rule("next-"+host, "a=20", "b=80")}, map[string]int{"a": 0, "b": 100}},
		{"hosts of another shape", []string{rule("rt-shop.example.test", "a=60", "b=40")}, map[string]int{"a": 60, "b": 40}},
		{"another Route whose name begins the same", []string{rule("rt2.shop.example.test", "b=100"), rule(host, "a=100")}, map[string]int{"a": 100, "b": 0}},
		{"no rules", nil, map[string]int{"a": 0}},
	}
	for _, test := range tests {
		h := read(t, seen("ingresses", "rt", "i", "", `"spec":{"rules":[`+strings.Join(test.rules, ",")+`]}`)+seen("routes", "rt", "t", ""))
		s := one(t, h, KindIngress, "rt").Last()
		for revision, want := range test.want {
			if got := ingressShares(Splits(s), "rt")[revision]; got != want {
				t.Errorf("%s: %s has %d %%, want %d %%", test.name, revision, got, want)
			}
		}
		if n := len(Splits(s)); len(test.rules) > 0 && n == 0 {
			t.Errorf("%s: no splits", test.name)
		}
	}
	if Splits(nil) != nil || ingressShares(nil, "rt")["a"] != 0 {
		t.Error("an unknown Ingress has splits")
	}
}

func TestRouteShare(t *testing.T) {
	tests := []struct {
		name, traffic string
		want          map[string]int
	}{
		{"all", `{"revisionName":"a","percent":100,"latestRevision":true}`, map[string]int{"a": 100, "b": 0}},
		{"split", `{"revisionName":"a","percent":80},{"revisionName":"b","percent":20}`, map[string]int{"a": 80, "b": 20}},
		{"one Revision twice", `{"revisionName":"a","percent":50,"latestRevision":true},{"revisionName":"a","percent":50}`, map[string]int{"a": 100}},
		{"a tag without traffic", `{"revisionName":"a","percent":100},{"revisionName":"b","tag":"next"}`, map[string]int{"a": 100, "b": 0}},
		{"a rollout under way: 180 in all", `{"revisionName":"b","percent":100,"latestRevision":true},{"revisionName":"b","percent":80,"tag":"next"}`, map[string]int{"b": 100}},
		{"and the old one", `{"revisionName":"b","percent":100},{"revisionName":"b","percent":80,"tag":"x"},{"revisionName":"a","percent":20,"tag":"x"}`, map[string]int{"a": 20, "b": 100}},
		{"none", ``, map[string]int{"a": 0}},
	}
	for _, test := range tests {
		s := one(t, read(t, seen("routes", "rt", "t", "", `"status":{"traffic":[`+test.traffic+`]}`)), KindRoute, "rt").Last()
		for revision, want := range test.want {
			if got := routeShares(Traffic(s))[revision]; got != want {
				t.Errorf("%s: %s has %d %%, want %d %%", test.name, revision, got, want)
			}
		}
	}
}

func TestTraffic(t *testing.T) {
	s := one(t, read(t, seen("routes", "rt", "t", "", `"status":{"traffic":[{"latestRevision":true,"revisionName":"a","percent":100},{"tag":"next","revisionName":"b","percent":0}]}`)), KindRoute, "rt").Last()
	got := Traffic(s)
	if len(got) != 2 || got[0] != (TrafficTarget{Revision: "a", Percent: 100, Latest: true}) || got[1] != (TrafficTarget{Revision: "b", Tag: "next"}) {
		t.Errorf("%+v", got)
	}
	if Traffic(nil) != nil {
		t.Error("an unknown Route has traffic")
	}
}

func TestRouteName(t *testing.T) {
	h := read(t, seen("routes", "rt", "t", "")+seen("ingresses", "i", "i", owner("Route", "rt", "t"))+seen("ingresses", "rt", "j", ""))
	for _, o := range h.Families[0].Ingresses {
		if got := h.Families[0].RouteName(o); got != "rt" {
			t.Errorf("%s: %s", o.Name, got)
		}
	}
}

// TestShares: a Route whose whole status names no target sends nothing anywhere, and what
// a snapshot shows of it counts at the end only.
func TestShares(t *testing.T) {
	bare := event{at: 1, verb: "update", res: "routes/status", name: "rt", uid: "t", level: "Metadata"}.json()
	all := seen("routes", "rt", "t", "", `"status":{"traffic":[{"revisionName":"a","percent":100}]}`)
	for _, test := range []struct {
		name     string
		files    []string
		at, last string // in percent
	}{
		{"no targets", []string{seen("routes", "rt", "t", "", conditions("Ready=Unknown/RevisionMissing"))}, "0", "0"},
		{"all traffic", []string{all}, "100", "100"},
		{"no body", []string{bare}, "unknown", "unknown"},
		{"no body, and a snapshot", []string{bare, all}, "unknown", "100"},
	} {
		f := read(t, test.files...).Families[0]
		text := func(percent int, known bool) string {
			if !known {
				return "unknown"
			}
			return fmt.Sprint(percent)
		}
		percent, known := f.Shares(sec(2))
		at, last := text(f.Share("a", sec(2))), text(f.LastShare("a"))
		if at != test.at || last != test.last || at != text(percent["a"], known) {
			t.Errorf("%s: %s and %s at the end, want %s and %s", test.name, at, last, test.at, test.last)
		}
	}
}
