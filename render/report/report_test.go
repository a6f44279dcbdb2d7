package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/registry"
	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render/rendertest"
	"github.com/knforensics/knforensics/timeline"
)

// incident reads a sample and makes the incident of it.
func incident(t testing.TB, sample string) *Incident {
	t.Helper()
	inputs, err := source.Find([]string{"../../samples/" + sample}, nil)
	if err != nil {
		t.Fatal(err)
	}
	builder := timeline.NewClusters(nil)
	c, err := ingest.Read(t.Context(), inputs, ingest.Options{Jobs: 2}, func(b *table.Batch) error {
		builder.Add(b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	families := builder.Build().Families
	result := registry.Run(nil, families, c)
	i := &Incident{Version: "test", Coverage: c, Releases: result.Releases, Blind: result.Blind}
	i.Families, i.LeftOut, i.Undecided = Choose(families, result, false)
	for n := range i.Families {
		i.Families[n].Take(i.Families[n].Family.Entries(nil))
	}
	return i
}

func picture(t testing.TB, sample string) familyDoc {
	t.Helper()
	doc, err := newDocument(incident(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Families[0]
}

// laneOf returns the lane of an object, which has to be there.
func laneOf(t *testing.T, doc familyDoc, kind, name string) lane {
	t.Helper()
	for _, l := range doc.Lanes {
		if l.Kind == kind && l.Name == name {
			return l
		}
	}
	t.Fatalf("no lane of %s %s", kind, name)
	return lane{}
}

func statuses(spans []span) string {
	var list []string
	for _, s := range spans {
		list = append(list, strings.TrimSuffix(s.Status+"/"+s.Reason, "/"))
	}
	return strings.Join(list, " ")
}

func TestLanes(t *testing.T) {
	doc := picture(t, "latched")
	ready := laneOf(t, doc, "Revision", "rt-00002").Conditions[0]
	if got, want := statuses(ready.Spans), "Unknown/ResolvingDigests Unknown/Deploying False/Unschedulable True"; ready.Type != "Ready" || got != want {
		t.Errorf("%s of the Revision: %s, want %s", ready.Type, got, want)
	}
	for i := 1; i < len(ready.Spans); i++ {
		if ready.Spans[i].From != ready.Spans[i-1].To {
			t.Errorf("span %d begins at %d, and the one before ends at %d", i, ready.Spans[i].From, ready.Spans[i-1].To)
		}
	}
	if last := ready.Spans[len(ready.Spans)-1]; last.To != doc.To {
		t.Errorf("the last span ends at %d, and the data at %d", last.To, doc.To)
	}
	if l := laneOf(t, doc, "PodAutoscaler", "rt-00001"); l.Short != "kpa" {
		t.Errorf("a PodAutoscaler is %q in little room", l.Short)
	}
	if got := laneOf(t, doc, "Deployment", "rt-00002-deployment").Conditions[0].Type; got != "Available" {
		t.Errorf("the Deployment is led by %s", got)
	}
	if got := statuses(laneOf(t, doc, "Image", "rt-00001-cache-user-container").Conditions[0].Spans); got != exists {
		t.Errorf("an Image without conditions: %s", got)
	}
	if got := laneOf(t, doc, "Image", "rt-00002-cache-user-container").Conditions; len(got) > 0 {
		t.Errorf("an Image that was always refused: %v", got)
	}
}

// TestUnknown holds that where bodies are missing no status is drawn.
func TestUnknown(t *testing.T) {
	doc := picture(t, "latched-metadata")
	for _, l := range doc.Lanes {
		for _, c := range l.Conditions {
			for _, s := range c.Spans {
				if s.Status != "" && s.Status != exists {
					t.Errorf("%s %s: %s %s without a body", l.Kind, l.Name, c.Type, s.Status)
				}
			}
		}
	}
	for _, c := range doc.Capacity {
		for _, s := range c.Steps {
			if s.Ready != nil || s.Share != nil {
				t.Errorf("%s: numbers without a body: %+v", c.Revision, s)
			}
		}
	}
}

func TestCapacity(t *testing.T) {
	doc := picture(t, "latched")
	show := func(n *int) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	var steps []string
	for _, s := range doc.Capacity[1].Steps {
		steps = append(steps, show(s.Ready)+"/"+show(s.Want)+" "+show(s.Share)+"%")
	}
	if got, want := strings.Join(steps[len(steps)-4:], ", "), "0/6 0%, 1/6 0%, 1/6 100%, 2/6 100%"; got != want {
		t.Errorf("of %s: %s, want %s", doc.Capacity[1].Revision, got, want)
	}
}

// TestCapacityEnds holds that numbers end with the Revision, and where there is no room
// for more of them.
func TestCapacityEnds(t *testing.T) {
	r := incident(t, "latched").Families[0].Revisions[1]
	from, to := r.Family.Cluster.From, r.Family.Cluster.End()
	last := func(steps []step) step { return steps[len(steps)-1] }
	r.Gone = to.Add(-time.Second)
	if s := last(stepsOf(r, axis{from}, from, to, mostSteps)); s != (step{Time: r.Gone.Sub(from).Microseconds()}) {
		t.Errorf("gone at %v, and the last step is %+v", r.Gone.Sub(from), s)
	}
	all := stepsOf(r, axis{from}, from, to, mostSteps)
	c := capacity{Steps: stepsOf(r, axis{from}, from, to, 3)}
	if s := last(c.Steps); len(c.Steps) != 4 || s != (step{Time: all[3].Time}) {
		t.Errorf("with room for 3 the steps are %+v, of %+v", c.Steps, all)
	}
}

// TestSaysWhatIsMissing looks for what the page holds less of than the family has, and
// what is wrong with the inputs.
func TestSaysWhatIsMissing(t *testing.T) {
	i := incident(t, "latched")
	f := i.Families[0].Family
	for len(f.Revisions) < 8 {
		f.Revisions = append(f.Revisions, f.Revisions[0])
	}
	i.Families[0].LeftOut, i.Families[0].CutOff = 7, 5
	i.Skew = []coverage.Skew{{A: "a.log", B: "b.log", Millis: -5}}
	var page bytes.Buffer
	if err := Write(&page, i); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Traffic and replicas are drawn of 6 of 8 Revisions",
		fmt.Sprintf("Of %d rows the raw record is not on this page", len(i.Families[0].Entries)),
		"that of b.log is 5 ms behind that of a.log",
		"7 rows that tell least are left out",
		"The last 5 rows are left out too, but for those that prove something",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestRows(t *testing.T) {
	doc := picture(t, "latched")
	marks, ids := map[string]int{}, map[string]bool{}
	for _, r := range doc.Rows {
		marks[r.Mark]++
		if ids[r.ID] {
			t.Errorf("two rows are called %s", r.ID)
		}
		ids[r.ID] = true
		if r.ID == "3abf6edc-a06a-4057-9dd1-bd0bf58d9c31" && (!r.Proves || r.Scale != "1/6" || doc.Actors[r.Actor] != "controller") {
			t.Errorf("the Ready write: %+v", r)
		}
	}
	for _, mark := range []string{"write", "refusal", "error", "event", "snapshot", "log"} {
		if marks[mark] == 0 {
			t.Errorf("no row is a %s: %v", mark, marks)
		}
	}
}

func TestStory(t *testing.T) {
	i := incident(t, "latched")
	var roles []string
	told, more := story(&i.Families[0])
	for _, s := range told {
		roles = append(roles, s[0].Role)
	}
	if got, want := strings.Join(roles, " "), "trigger ready-write latch traffic users"; got != want {
		t.Errorf("sentences of %s, want %s", got, want)
	}
	if n := len(i.Families[0].Findings); n != 4 || more != 1 {
		t.Errorf("%d of %d findings are not told of, want 1 of 4: what became of the Image", more, n)
	}
	i = incident(t, "route-race")
	if told, _ := story(&i.Families[0]); len(told) == 0 || len(told) > longest {
		t.Errorf("%d sentences without a chain", len(told))
	}
}

func TestStoryWithoutChain(t *testing.T) {
	f := &Family{}
	for n := range longest + 2 {
		f.Findings = append(f.Findings, &detectors.Finding{Severity: detectors.Low, Summary: fmt.Sprint(n), Evidence: []detectors.Evidence{{Role: "a"}}})
	}
	f.Findings[longest].Severity = detectors.High
	told, more := story(f)
	if len(told) != longest || more != 2 || told[0][0].What != fmt.Sprint(longest) {
		t.Errorf("%d sentences, %d findings more, the first is %q", len(told), more, told[0][0].What)
	}
}

// TestSaysHowFarNothingGoes looks for what the page says where nothing was found.
func TestSaysHowFarNothingGoes(t *testing.T) {
	held := []detectors.Ruling{{Verdict: detectors.Held}, {Verdict: detectors.Held}}
	for _, test := range []struct {
		name   string
		change func(*Incident)
		want   string
	}{
		{"all is clear", func(*Incident) {}, "No finding, and nothing undecided: 2 times a failure had its chance and did not happen."},
		{"a detector is blind", func(i *Incident) { i.Blind = []detectors.Blindness{{Detector: "d"}} }, "No finding where it could be seen: 2 times a failure had its chance and did not happen."},
		{"records were lost", func(i *Incident) { i.Coverage.Files[0].Rejected = 1 }, "No finding where it could be seen: 2 times a failure had its chance and did not happen."},
		{"another time was asked for", func(i *Incident) { i.Window.From = time.Unix(1, 0) }, "No finding: the inputs tell nothing of the time from --from to --to."},
		{"nothing had a chance", func(i *Incident) { i.Families[0].Held = nil }, "No finding: nothing in the inputs had the chance of one."},
		{"something is undecided", func(i *Incident) { i.Families[0].Undecided = held[:1] }, "No finding; 1 left undecided, see below."},
	} {
		i := &Incident{Coverage: &coverage.Coverage{Files: []coverage.File{{Path: "a", Records: 1}}}, Families: []Family{{Family: &timeline.Family{Cluster: &timeline.Cluster{}}, Held: held}}}
		test.change(i)
		if got := newSection(0, i, &familyDoc{}).nothing(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestZones(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	from := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)
	got := zones(berlin, axis{from}, from.Add(time.Hour))
	want := []zone{{0, 7200, "CEST"}, {(30 * time.Minute).Microseconds(), 3600, "CET"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := zones(nil, axis{}, time.Time{}); len(got) != 1 || got[0].Offset != 0 {
		t.Errorf("without a zone and times: %v", got)
	}
}

func TestTake(t *testing.T) {
	proof := func(line int64) timeline.Source { return timeline.Source{File: "a", Line: line} }
	finding := &detectors.Finding{Evidence: []detectors.Evidence{{Source: proof(0)}}, Chain: []detectors.Step{{Evidence: detectors.Evidence{Source: proof(mostRows + 9)}}}}
	for _, test := range []struct {
		name            string
		kind            func(i int) timeline.EntryKind
		leftOut, cutOff int
		first, last     int64 // that are no proof
	}{
		{"some log lines, the oldest", func(i int) timeline.EntryKind {
			if i%1000 == 0 {
				return timeline.EntryLog
			}
			return timeline.EntryCondition
		}, 10, 0, 1, mostRows + 8},
		{"all log lines, which prove something", func(int) timeline.EntryKind { return timeline.EntryLog }, 10, 0, 11, mostRows + 8},
		{"errors, the newest", func(int) timeline.EntryKind { return timeline.EntryError }, 0, 10, 1, mostRows - 2},
	} {
		var entries []timeline.Entry
		for i := range mostRows + 10 {
			entries = append(entries, timeline.Entry{Kind: test.kind(i), Source: proof(int64(i))})
		}
		f := Family{Family: &timeline.Family{}, Findings: []*detectors.Finding{finding}}
		f.Take(entries)
		if f.LeftOut != test.leftOut || f.CutOff != test.cutOff || len(f.Entries) != mostRows {
			t.Fatalf("%s: %d taken, %d left out, %d cut off", test.name, len(f.Entries), f.LeftOut, f.CutOff)
		}
		lines := []int64{f.Entries[0].Source.Line, f.Entries[1].Source.Line, f.Entries[mostRows-2].Source.Line, f.Entries[mostRows-1].Source.Line}
		if want := []int64{0, test.first, test.last, mostRows + 9}; !slices.Equal(lines, want) {
			t.Errorf("%s: the first and the last rows are %v, want %v", test.name, lines, want)
		}
		if !slices.IsSortedFunc(f.Entries, func(a, b timeline.Entry) int { return cmp.Compare(a.Source.Line, b.Source.Line) }) {
			t.Errorf("%s: out of order", test.name)
		}
	}
}

func TestChoose(t *testing.T) {
	var families []*timeline.Family
	for i := range mostFamilies + 3 {
		families = append(families, &timeline.Family{Namespace: "ns", Name: fmt.Sprint("f", i), Cluster: &timeline.Cluster{}})
	}
	list, leftOut, _ := Choose(families, &detectors.Result{}, false)
	if len(list) != mostFamilies || strings.Join(leftOut, " ") != "ns/f8 ns/f9 ns/f10" {
		t.Errorf("%d chosen, left out: %v", len(list), leftOut)
	}
}

// TestChooseNamesUndecided holds that families with something undecided are named where
// there is a finding in another.
func TestChooseNamesUndecided(t *testing.T) {
	var input strings.Builder
	for _, name := range []string{"found", "held", "open"} {
		fmt.Fprintf(&input, `{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":%q,"namespace":"ns"}}`+"\n", name)
	}
	var families []*timeline.Family
	for _, s := range rendertest.Told(t, input.String()) {
		families = append(families, s.Family)
	}
	ref := func(name string) timeline.Ref {
		return timeline.Ref{Kind: timeline.KindService, Namespace: "ns", Name: name}
	}
	result := &detectors.Result{Rulings: []detectors.Ruling{{Object: ref("open"), Verdict: detectors.Inconclusive}, {Object: ref("held"), Verdict: detectors.Held}}}
	if list, _, undecided := Choose(families, result, false); len(list) != 1 || list[0].Name() != "ns/open" || len(undecided) > 0 {
		t.Errorf("%v chosen, %v undecided", list, undecided)
	}
	result.Findings = []*detectors.Finding{{Object: ref("found")}}
	if list, _, undecided := Choose(families, result, false); len(list) != 1 || list[0].Name() != "ns/found" || strings.Join(undecided, " ") != "ns/open" {
		t.Errorf("%v chosen, %v undecided", list, undecided)
	}
	if list, _, undecided := Choose(families, result, true); len(list) != 3 || len(undecided) > 0 {
		t.Errorf("%d chosen of those asked for, %v undecided", len(list), undecided)
	}
}

// TestHostile holds that text cannot end the element that it stands in, nor turn
// the text around it.
func TestHostile(t *testing.T) {
	const evil = "</script><img src=x onerror=alert(1)>\u202e\"'<!--"
	family := &timeline.Family{Namespace: evil, Name: evil, Cluster: &timeline.Cluster{}}
	i := &Incident{Version: evil, Coverage: &coverage.Coverage{Files: []coverage.File{{Path: evil, Format: coverage.Unknown, Skipped: evil}}},
		Blind: []detectors.Blindness{{Detector: "d", Needs: evil, Reason: evil}}, LeftOut: []string{evil},
		Families: []Family{{Family: family, Undecided: []detectors.Ruling{{Reason: evil}}, Entries: []timeline.Entry{{
			Object: timeline.Ref{Kind: evil, Namespace: evil, Name: evil}, Actor: timeline.Actor{User: evil}, Summary: evil, Source: timeline.Source{File: evil, Line: 1, AuditID: evil}}}}}}
	var out bytes.Buffer
	if err := Write(&out, i); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	page = strings.Replace(page, script, "", 1)
	for _, bad := range []string{"<img", "\u202e", "<!--"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if n := strings.Count(page, "</script>"); n != 2 {
		t.Errorf("%d script elements end, want 2", n)
	}
}

// TestBuilt holds that what is embedded can stand in its elements.
func TestBuilt(t *testing.T) {
	for name, text := range map[string]string{"script": script, "style": style} {
		if len(text) < 1000 || strings.Contains(text, "</"+name) || strings.Contains(text, "<!--") {
			t.Errorf("the %s of the page is none: make report-page builds it", name)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	i := incident(b, "latched")
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := Write(&out, i); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(out.Len()))
	}
}

// TestFragment holds that a link to a name leads there, whatever the name.
func TestFragment(t *testing.T) {
	var b strings.Builder
	if err := fragment("row", "R&D=1/a b.log:7").Render(&b); err != nil || b.String() != ` href="#row=R%26D%3D1%2Fa%20b.log:7"` {
		t.Error(b.String(), err)
	}
}
