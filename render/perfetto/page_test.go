package perfetto_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/rendertest"
	"github.com/knforensics/knforensics/render/report"
	"github.com/knforensics/knforensics/timeline"
)

// picture is what is looked at of the document in the page of "knforensics report".
type picture struct {
	Origin   int64
	Families []pictured
}

type pictured struct {
	From, To int64
	Lanes    []struct {
		Kind, Name string
		Conditions []struct {
			Type  string
			Spans []struct {
				From, To       int64
				Status, Reason string
			}
		}
	}
	Capacity []struct {
		Revision string
		Steps    []struct {
			T                  int64
			Ready, Want, Share *int
		}
	}
}

// pictureOf writes the page of a family, and reads it as a browser does.
func pictureOf(t *testing.T, s *render.Story) (doc picture) {
	t.Helper()
	f := report.Family{Family: s.Family, Findings: s.Findings}
	f.Take(s.Entries)
	var out bytes.Buffer
	if err := report.Write(&out, &report.Incident{Coverage: &coverage.Coverage{}, Families: []report.Family{f}}); err != nil {
		t.Fatal(err)
	}
	page, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if !slices.Contains(n.Attr, html.Attribute{Key: "id", Val: "document"}) {
			continue
		}
		if err := json.Unmarshal([]byte(n.FirstChild.Data), &doc); err != nil {
			t.Fatal(err)
		}
	}
	return doc
}

// said tells what a number or a condition was from a moment on, in microseconds since
// 1970; notKnown where nothing tells.
type said struct {
	from int64
	what string
}

const notKnown = "not known"

// courses are what numbers and conditions were through time, by "OBJECT NUMBER" and
// "OBJECT TYPE": of a condition also when it ended.
type courses map[string][]said

// add leaves out what says the same again, and that nothing is known yet.
func (c courses) add(name string, from int64, what string) {
	list := c[name]
	if n := len(list); n == 0 && what == notKnown || n > 0 && list[n-1].what == what {
		return
	}
	c[name] = append(list, said{from, what})
}

func (c courses) at(name string, micros int64) (what string) {
	what = notKnown
	for _, s := range c[name] {
		if s.from <= micros {
			what = s.what
		}
	}
	return what
}

func number(n *int) string {
	if n == nil {
		return notKnown
	}
	return fmt.Sprint(*n)
}

func (p *picture) courses() courses {
	c := courses{}
	f := p.Families[0]
	for _, r := range f.Capacity {
		for _, s := range r.Steps {
			for name, n := range map[string]*int{"ready replicas": s.Ready, "wanted replicas": s.Want, "traffic": s.Share} {
				c.add("Revision "+r.Revision+" "+name, p.Origin+s.T, number(n))
			}
		}
	}
	for _, l := range f.Lanes {
		for _, condition := range l.Conditions {
			name := l.Kind + " " + l.Name + " " + condition.Type
			for _, s := range condition.Spans {
				text := timeline.Condition{Status: s.Status, Reason: s.Reason}.Text()
				if text == "" {
					text = notKnown
				}
				if text != "exists" {
					c[name] = append(c[name], said{p.Origin + s.From, text}, said{p.Origin + s.To, "end"})
				}
			}
		}
	}
	return c
}

// coursesOf reads them from a trace.
func coursesOf(t *testing.T, data []byte) courses {
	c, doc := courses{}, read(t, data)
	tracks, _ := check(t, doc)
	for _, p := range doc.Packet {
		e := p.TrackEvent
		if e == nil {
			continue
		}
		micros, track := int64(p.Timestamp/1000), tracks[e.TrackUUID]
		name := track.Name
		if parent := tracks[track.ParentUUID]; parent != nil {
			name = parent.Name + " " + name
		}
		switch number, unknown := strings.CutSuffix(e.Name, " "+notKnown); {
		case e.Type == "TYPE_COUNTER":
			c.add(name, micros, *e.CounterValue)
		case e.Type == "TYPE_SLICE_BEGIN":
			c[name] = append(c[name], said{micros, e.Name})
		case e.Type == "TYPE_SLICE_END":
			c[name] = append(c[name], said{micros, "end"})
		case unknown:
			c.add(track.Name+" "+number, micros, notKnown)
		}
	}
	return c
}

// TestSaysWhatThePageAndTheTimelineSay reads what target, ready replicas, share and
// conditions were from the trace and from the page, and holds them against each other
// and against the rows of the timeline.
func TestSaysWhatThePageAndTheTimelineSay(t *testing.T) {
	told := 0
	for _, sample := range rendertest.Samples(t, "../..") {
		for _, s := range rendertest.Stories(t, sample) {
			for i := range s.Entries {
				s.Entries[i].Time = s.Entries[i].Time.Truncate(time.Microsecond) // as the page counts
			}
			page := pictureOf(t, s)
			s.From, s.To = time.UnixMicro(page.Origin+page.Families[0].From), time.UnixMicro(page.Origin+page.Families[0].To)
			want, got := page.courses(), coursesOf(t, written(t, []*render.Story{s}))
			for name := range want {
				if told++; !slices.Equal(got[name], want[name]) {
					t.Errorf("%s: %s is in the trace\n%v\nand on the page\n%v", sample, name, got[name], want[name])
				}
			}
			for name := range got {
				if want[name] == nil {
					t.Errorf("%s: %s is in the trace only: %v", sample, name, got[name])
				}
			}
			checkRows(t, s, want)
			checkEnds(t, s, want)
		}
	}
	if told == 0 {
		t.Error("nothing is told")
	}
}

// checkRows holds the rows of a timeline against courses. The numbers beside a request
// are those of when it came in, unless it tells them itself.
func checkRows(t *testing.T, s *render.Story, c courses) {
	t.Helper()
	of := map[timeline.Ref]*timeline.Revision{}
	for o, r := range s.Family.RevisionsOf() {
		of[o.Ref] = r
	}
	for _, e := range s.Entries {
		r := of[e.Object]
		if r == nil || e.Verb == "" || e.Time.Before(r.Born) {
			continue
		}
		at := e.Received
		switch e.Object.Kind {
		case timeline.KindDeployment, timeline.KindReplicaSet, timeline.KindPod, timeline.KindPodAutoscaler:
			at = e.Time
		}
		if at.Before(r.Born) {
			at = r.Born
		}
		name := "Revision " + r.Name + " "
		for what, n := range map[string]*int{"ready replicas": e.Ready, "wanted replicas": e.Want} {
			if want := c.at(name+what, at.UnixMicro()); number(n) != want {
				t.Errorf("%s: %s %s at %v: %s in the row, %s on the page", e.Source.AuditID, name, what, at, number(n), want)
			}
		}
		for _, change := range e.Changes {
			typ, is := strings.CutPrefix(change.Path, "conditions.")
			if !is || change.To == nil {
				continue
			}
			course := c[e.Object.Kind+" "+e.Object.Name+" "+typ]
			if !slices.Contains(course, said{e.Time.UnixMicro(), *change.To}) {
				t.Errorf("%s: %s %s turned %s at %v, and not on the page: %v", e.Source.AuditID, e.Object, typ, *change.To, e.Time, course)
			}
		}
	}
}

// checkEnds holds how the Revisions stand at the end against courses.
func checkEnds(t *testing.T, s *render.Story, c courses) {
	t.Helper()
	for _, r := range s.Family.Revisions {
		v := render.EndOf(r)
		for what, n := range map[string]*int{"ready replicas": v.Replicas, "wanted replicas": v.Want, "traffic": v.Traffic} {
			course := c["Revision "+r.Name+" "+what]
			if len(course) == 0 {
				continue
			}
			if last := course[len(course)-1].what; number(n) != last {
				t.Errorf("%s: %s ends with %v, and on the page with %s", r.Ref, what, n, last)
			}
		}
	}
}
