package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// at is a request that ended some seconds after the start.
func at(seconds float64, change func(*request)) *request {
	r := &request{AuditID: fmt.Sprintf("id-%v", seconds), Stage: "ResponseComplete", Level: "Metadata", Verb: "update", User: "alice", UserAgent: "kubectl/v1.34.2",
		Resource: "pods", Namespace: "shop", Name: "cart", Code: 200, StageTime: start.Add(time.Duration(seconds * float64(time.Second)))}
	r.File, r.Line = "audit.log", int64(seconds)+1
	r.Received = r.StageTime.Add(-10 * time.Millisecond)
	if change != nil {
		change(r)
	}
	return r
}

// every is some requests, one each second.
func every(n int, change func(*request)) (list []*request) {
	for i := range n {
		list = append(list, at(float64(i), change))
	}
	return list
}

func parse(t testing.TB, text string) *Set {
	t.Helper()
	set, err := Parse("rules.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// one is a file with one rule: the given lines, and what every rule needs.
func one(lines ...string) string {
	text := "rules:\n  - id: r\n    severity: low\n"
	for _, need := range []string{`when: "true"`, `message: "{count} of {group}"`} {
		key, _, _ := strings.Cut(need, ":")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+":") }) {
			lines = append(lines, need)
		}
	}
	for _, line := range lines {
		text += "    " + line + "\n"
	}
	return text
}

var oneCluster = []*timeline.Cluster{{}}

func always(time.Time) bool { return true }

// judged is what a run finds at any time, in the clusters, or in the one of which
// all is.
func judged(w *Watch, clusters ...*timeline.Cluster) *detectors.Result {
	if len(clusters) == 0 {
		clusters = oneCluster
	}
	result, _ := w.Judge(clusters, always)
	result.Sort()
	return result
}

func judge(set *Set, list []*request) *detectors.Result {
	w := set.Watch(nil, "")
	for _, r := range list {
		w.Request(r)
	}
	return judged(w)
}

// said lists the findings as "OBJECT: SUMMARY".
func said(result *detectors.Result) (list []string) {
	for _, f := range result.Findings {
		list = append(list, f.Object.String()+": "+f.Summary)
	}
	return list
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestFinding(t *testing.T) {
	set := parse(t, one(`when: responseStatus.code == 409`, `message: "{verb} of {objectRef.name}: {count}, {{{from} to {to}}} {latency}"`))
	list := every(25, func(r *request) { r.Code = 409 })
	result := judge(set, append(list, at(30, nil)))
	if len(result.Findings) != 1 || len(result.Blind) != 0 {
		t.Fatalf("%+v", result)
	}
	f := result.Findings[0]
	if want := "update of cart: 25, {2026-03-02T09:00:00Z to 2026-03-02T09:00:24Z} 10ms"; f.Summary != want {
		t.Errorf("summary %q, want %q", f.Summary, want)
	}
	wantFacts := []detectors.Fact{{Name: "group", Value: "Pod shop/cart"}, {Name: "count", Value: 25}, {Name: "from", Value: start}, {Name: "to", Value: start.Add(24 * time.Second)}, {Name: "more", Value: 5}}
	if !slices.Equal(f.Facts, wantFacts) {
		t.Errorf("facts %v, want %v", f.Facts, wantFacts)
	}
	if f.Detector != "r" || f.Severity != detectors.Low || f.Confidence != detectors.Strong || !f.Time.Equal(start) || !slices.Equal(f.Decisive, []string{"id-0"}) {
		t.Errorf("%+v", f)
	}
	if len(f.Evidence) != 20 || f.Evidence[0] != (detectors.Evidence{Role: "match", Time: start, Source: timeline.Source{File: "audit.log", Line: 1, AuditID: "id-0"}}) {
		t.Errorf("%d pieces of evidence, the first %+v", len(f.Evidence), f.Evidence[0])
	}
	if from, to := f.Course(start.Add(time.Hour)); !from.Equal(start) || !to.Equal(start.Add(24*time.Second)) {
		t.Errorf("its course is %s to %s", from, to)
	}
	ruling := detectors.Ruling{Detector: "r", Object: f.Object, Verdict: detectors.Captured, Reason: f.Summary}
	if !slices.Equal(result.Rulings, []detectors.Ruling{ruling}) {
		t.Errorf("rulings %+v", result.Rulings)
	}
}

// TestGroups tells what the finding is about, by what the rule groups by.
func TestGroups(t *testing.T) {
	list := []*request{
		at(1, nil),
		at(2, func(r *request) { r.User, r.Namespace, r.Subresource = "bob", "bank", "status" }),
		at(3, func(r *request) { r.Name, r.Resource, r.Group = "", "roles", "rbac.authorization.k8s.io" }),
		at(4, func(r *request) { r.Resource, r.Namespace, r.Name, r.RequestURI = "", "", "", "/readyz?verbose" }),
		at(5, func(r *request) { r.User, r.Namespace, r.Resource, r.Name = "bob", "", "services", "x" }),
	}
	for by, wanted := range map[string][]string{
		"object": {"Pod shop/cart: 1 of Pod shop/cart", "Pod bank/cart: 1 of Pod bank/cart", "roles.rbac.authorization.k8s.io shop/*: 1 of roles.rbac.authorization.k8s.io shop/*",
			"URL /readyz: 1 of URL /readyz", "services x: 1 of services x"},
		"namespace":                 {"Namespace shop: 2 of shop", "Namespace bank: 1 of bank", "Namespace (none): 2 of (none)"},
		"user":                      {"User alice: 3 of alice", "User bob: 2 of bob"},
		"component":                 {"Component kubectl: 5 of kubectl"},
		`user.username + "@" + pod`: {"Group alice@: 3 of alice@", "Group bob@: 2 of bob@"},
	} {
		want(t, said(judge(parse(t, one("by: "+by)), list)), wanted...)
	}
}

// TestCountsEachRequestOnce gives the same request in several records.
func TestCountsEachRequestOnce(t *testing.T) {
	set := parse(t, one())
	stage := func(name string) *request { return at(1, func(r *request) { r.Stage = name }) }
	again := at(1, func(r *request) { r.File, r.Line = "copy.log", 7 })
	dry := at(2, func(r *request) { r.DryRun = true })
	want(t, said(judge(set, []*request{stage("RequestReceived"), stage("ResponseStarted"), stage("ResponseComplete"), again, dry})), "Pod shop/cart: 1 of Pod shop/cart")
	want(t, said(judge(set, []*request{stage("RequestReceived"), dry})))
	want(t, said(judge(set, []*request{stage("Panic")})), "Pod shop/cart: 1 of Pod shop/cart")

	// An audit ID alone makes no request: clients can choose it.
	chosen := at(1, func(r *request) { r.Name = "other" })
	nameless := func(r *request) { r.AuditID = "" }
	want(t, said(judge(set, []*request{at(1, nil), chosen})), "Pod shop/cart: 1 of Pod shop/cart", "Pod shop/other: 1 of Pod shop/other")
	result := judge(set, []*request{at(1, nameless), at(1, nameless)})
	want(t, said(result), "Pod shop/cart: 2 of Pod shop/cart")
	if id := result.Findings[0].Decisive[0]; id != "2026-03-02T09:00:01Z" {
		t.Errorf("without an audit ID, %q is decisive", id)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	set := parse(t, one("window: 3 within 5s", "by: namespace", `message: "{objectRef.name} {count} {from}"`))
	var list []*request
	for i := range 200 {
		list = append(list, at(float64(i*i%97), func(r *request) {
			r.AuditID, r.Namespace, r.Name, r.File = fmt.Sprint(i), fmt.Sprint("ns", i%3), fmt.Sprint("n", i%7), fmt.Sprint("f", i%4)
		}))
	}
	first := fmt.Sprintf("%+v", dereferenced(judge(set, list)))
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := fmt.Sprintf("%+v", dereferenced(judge(set, list))); got != first {
			t.Fatalf("another order gives\n%s\nand not\n%s", got, first)
		}
	}
}

func dereferenced(result *detectors.Result) (list []detectors.Finding) {
	for _, f := range result.Findings {
		list = append(list, *f)
	}
	return list
}

// TestMost has a rule match more than is kept, in an order in which the earliest
// come last.
func TestMost(t *testing.T) {
	set := parse(t, one("by: user", `message: "{count} from {from}"`))
	w := set.Watch(nil, "")
	for i := range 2*most + 10 {
		w.Request(at(float64(2*most+10-i), nil))
	}
	result := judged(w)
	want(t, said(result), "User alice: 100000 from 2026-03-02T09:00:01Z")
	if len(result.Blind) != 1 || result.Blind[0].Total || !strings.Contains(result.Blind[0].Reason, "after 2026-03-03T12:46:40Z") {
		t.Errorf("%+v", result.Blind)
	}

	// Many rules share what is kept.
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "  - {id: r%d, severity: low, when: \"true\", by: user, message: \"{count} to {to}\"}\n", i)
	}
	w = parse(t, "rules:\n"+many.String()).Watch(nil, "")
	for i := range 1200 {
		w.Request(at(float64(i*7%1200), nil))
	}
	result = judged(w)
	if got := said(result); len(got) != 1000 || got[999] != "User alice: 1000 to 2026-03-02T09:16:39Z" {
		t.Errorf("%d findings, the last %s", len(got), got[len(got)-1])
	}
	if b := result.Blind; len(b) != 1000 || !strings.Contains(b[0].Reason, "of more than 1000, those after 2026-03-02T09:16:39Z") {
		t.Errorf("%d of 1000 rules left something out", len(b))
	}

	// Those of other clusters count too.
	w = set.Watch(nil, "")
	for i := range most + 2 {
		w.Request(at(float64(i), func(r *request) { r.Cluster = []string{"east", "west"}[i%2] }))
	}
	result = judged(w, &timeline.Cluster{Name: "west"})
	want(t, said(result), "User alice: 50000 from 2026-03-02T09:00:01Z")
	if len(result.Blind) != 1 {
		t.Errorf("%+v", result.Blind)
	}
}

func TestNamesAndNamespace(t *testing.T) {
	set := parse(t, one()+"  - id: s\n    severity: low\n    when: \"true\"\n    message: s\n")
	w := set.Watch([]string{"s"}, "bank")
	w.Request(at(1, nil))
	if w.Met() {
		t.Error("a request of another namespace was looked at")
	}
	w.Request(at(2, func(r *request) { r.Namespace = "bank" }))
	want(t, said(judged(w)), "Pod bank/cart: s")
	if !w.Met() || !w.Asks() || (*Set)(nil).Watch(nil, "").Asks() {
		t.Error("what was looked at is not told")
	}
}

// TestClusters has requests of two clusters, and of one whose records do not all
// name it.
func TestClusters(t *testing.T) {
	set := parse(t, one("window: 2 within 1m"))
	run := func(clusters ...*timeline.Cluster) (list []string, blind bool) {
		w := set.Watch(nil, "")
		for i, name := range []string{"east", "", "west", "east"} {
			w.Request(at(float64(i), func(r *request) { r.Cluster = name }))
		}
		result := judged(w, clusters...)
		for _, f := range result.Findings {
			list = append(list, f.Cluster+" "+f.Summary)
		}
		return list, len(result.Blind) > 0
	}
	all, _ := run(&timeline.Cluster{}, &timeline.Cluster{Name: "east"}, &timeline.Cluster{Name: "west"})
	want(t, all, "east 2 of Pod shop/cart")
	if west, blind := run(&timeline.Cluster{Name: "west"}); len(west) > 0 || blind {
		t.Errorf("of west alone: %q, blind %v", west, blind)
	}
	if _, blind := run(&timeline.Cluster{Name: "north"}); !blind {
		t.Error("not blind about a cluster of which there is no request")
	}
	w := set.Watch(nil, "")
	for _, name := range []string{"east", ""} {
		w.Request(at(1, func(r *request) { r.Cluster = name }))
	}
	want(t, said(judged(w, &timeline.Cluster{Label: "east"})))
	merged, _ := run(&timeline.Cluster{Label: "east"})
	want(t, merged, " 4 of Pod shop/cart")
}

func TestBlind(t *testing.T) {
	result := judge(parse(t, one()), nil)
	if len(result.Blind) != 1 || !result.Blind[0].Total || !result.Inconclusive() {
		t.Errorf("without a request: %+v", result.Blind)
	}
	result = judge(parse(t, one("over: objects")), every(1, nil))
	if len(result.Blind) != 1 || !result.Blind[0].Total {
		t.Errorf("without an object: %+v", result.Blind)
	}
}

// TestFailures has expressions that cannot be answered for some records.
func TestFailures(t *testing.T) {
	names := []*request{at(3, func(r *request) { r.Name = "x" }), at(2, func(r *request) { r.Name = "y" }), at(1, func(r *request) { r.Name = "7" })}
	for _, lines := range [][]string{{`when: int(objectRef.name) == 7`}, {`when: "true"`, `by: string(int(objectRef.name))`, `message: "1 of Pod shop/7"`}} {
		result := judge(parse(t, one(lines...)), names)
		if len(result.Findings) != 1 || result.Findings[0].Summary != "1 of Pod shop/7" {
			t.Errorf("%q", said(result))
		}
		if b := result.Blind; len(b) != 1 || b[0].Total || !strings.HasPrefix(b[0].Reason, "for 2 of the requests it could not, the first at audit.log:3: ") {
			t.Errorf("%+v", b)
		}
	}
	for _, lines := range [][]string{{`when: stageTimestamp.getHours("Europe/Warszawa") < 6`}, {"window: 2 within 1m", `when: int(objectRef.name) == 7`}} {
		if result := judge(parse(t, one(lines...)), names); len(result.Findings) != 0 || !result.Inconclusive() {
			t.Errorf("%s: found %q, blind for %+v", lines, said(result), result.Blind)
		}
	}
	want(t, said(judge(parse(t, one(`message: "{int(objectRef.name)}!"`)), names[:1])), "Pod shop/x: ?!")
	want(t, said(judge(parse(t, one(`message: "{pod}"`)), names[:1])), "Pod shop/x: r")
}

// TestFailuresOfClusters has records fail in a cluster and in one without a name,
// and asks of each cluster and of all.
func TestFailuresOfClusters(t *testing.T) {
	set := parse(t, one(`when: int(objectRef.name) == 7`))
	ask := func(clusters ...*timeline.Cluster) string {
		w := set.Watch(nil, "")
		for i, name := range []string{"", "east", "west", "east"} {
			w.Request(at(float64(i), func(r *request) {
				if r.Cluster = name; name == "west" {
					r.Name = "7"
				}
			}))
		}
		result := judged(w, clusters...)
		if len(result.Blind) == 0 {
			return ""
		}
		return result.Blind[0].Reason
	}
	east, west := &timeline.Cluster{Name: "east"}, &timeline.Cluster{Name: "west"}
	for wanted, got := range map[string]string{
		"for 2 of the requests it could not, the first at audit.log:2: ": ask(east),
		"for 3 of the requests it could not, the first at audit.log:1: ": ask(east, west, &timeline.Cluster{}),
	} {
		if !strings.HasPrefix(got, wanted) {
			t.Errorf("%q, want %q", got, wanted)
		}
	}
	if got := ask(west); got != "" {
		t.Errorf("of west: %q", got)
	}
}

// TestCost has loops: nine, which are refused; and one over an object
// with more fields than any has.
func TestCost(t *testing.T) {
	digits, loops := "[0,1,2,3,4,5,6,7,8,9]", `"x"`
	for i := range 9 {
		loops = fmt.Sprintf("%s.map(v%d, %s)", digits, i, loops)
	}
	_, err := Parse("f", []byte(one("when: '"+loops+" == []'")), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "f:4:12: the expression can take more than 100000 steps a record") {
		t.Errorf("%v", err)
	}
	users := make([]string, 1000)
	for i := range users {
		users[i] = fmt.Sprintf(`"user-%d"`, i)
	}
	list := "[" + strings.Join(users, ", ") + "]"
	_, err = Parse("f", []byte(one("when: '"+list+".exists(u, u == user.username)'")), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "f:4:12: the loop can take more than 1000 steps a request") {
		t.Errorf("%v", err)
	}
	parse(t, one("when: 'user.username in "+list+"'"))
	parse(t, one("over: objects", "when: '"+list+".exists(u, u == user.username)'"))
	rule := parse(t, one("over: objects", `when: object.fields.exists(path, object.fields[path] == "y")`)).rules[0]
	for n, failures := range map[int]int{100: 0, 50_000: 1} {
		var fields []table.Pair
		for i := range n {
			fields = append(fields, table.Pair{Key: fmt.Sprint(i), Value: "x"})
		}
		s := state{object: &timeline.Object{}, now: &timeline.State{Fields: timeline.PairsOf(fields...)}}
		f := &found{rule: rule}
		f.look(states.facts().of(&s), func() *origin { return &origin{} })
		failed := f.failed[""]
		if failed.count != failures || failures > 0 && !strings.Contains(failed.err.Error(), "cost limit") {
			t.Errorf("%d fields: %d failures, %v", n, failed.count, failed.err)
		}
	}
}

func TestLongAndHostileText(t *testing.T) {
	set := parse(t, one(`message: "{responseStatus.message}"`))
	result := judge(set, []*request{at(1, func(r *request) { r.Message = strings.Repeat("ü", 1000) })})
	if s := result.Findings[0].Summary; len(s) > 320 || !strings.HasSuffix(s, "ü…") {
		t.Errorf("%d bytes: %s", len(s), s)
	}
	result = judge(set, []*request{at(1, func(r *request) { r.Message = "two\nlines\xff\x1b[2J {verb}" })})
	if s := result.Findings[0].Summary; strings.Contains(s, "\n") || !strings.HasSuffix(s, "{verb}") {
		t.Errorf("%q", s)
	}
}

func TestManual(t *testing.T) {
	set := parse(t, `
rules:
  - id: first
    description: |
      A title

      And more.
    severity: high
    when: |
      verb == "get" &&
        level == "Metadata"
    window: 20 within 90s
    by: user
    message: "{count}"
  - {id: second, severity: low, over: objects, when: "true", message: all}
`)
	list := set.Detectors()
	wantDoc := "A title\n\nAnd more.\n\nSeverity: high\nOver: requests\nWhen:\n    verb == \"get\" &&\n      level == \"Metadata\"\nWindow: 20 within 1m30s\nBy: user\nMessage: {count}\n"
	if len(list) != 2 || list[0].Doc() != wantDoc || list[0].Title() != "A title" || list[1].Title() != "all" || !slices.Equal(list[1].Facts, Facts) {
		t.Errorf("%+v", list)
	}
}
