package sift

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/table"
)

func newSieve(t testing.TB, names ...string) *Sieve {
	t.Helper()
	s, err := New(Search{Names: names, Signs: []string{"a-sign"},
		Whole: func(g *Glance) (bool, bool) { return g.Verb == "deletecollection", g.Level[0] == 'R' }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile("../../samples/" + name + "/audit.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// agrees holds what a look tells against what is decoded of the same line.
func agrees(t *testing.T, line []byte, g *Glance) {
	t.Helper()
	var d audit.Decoder
	var ev table.AuditEvent
	if _, err := d.Decode(line, &ev); err != nil {
		t.Fatalf("passed, but %v: %.300s", err, line)
	}
	uri := strings.ReplaceAll(g.URI, `\u0026`, "&")
	for _, c := range []struct{ name, got, want string }{
		{"level", g.Level, ev.Level}, {"stage", g.Stage, ev.Stage}, {"verb", g.Verb, ev.Verb}, {"URI", uri, ev.RequestURI},
		{"pod", g.Pod, ev.Pod}, {"time", g.Time.String(), ev.StageTime.String()}, {"truncated", fmt.Sprint(g.Truncated), fmt.Sprint(ev.Truncated)},
	} {
		if c.got != c.want {
			t.Fatalf("%s is %q, want %q: %.300s", c.name, c.got, c.want, line)
		}
	}
	if k := g.Reference; k.Resource != "" && (k.Group != ev.Group || k.Resource != ev.Resource || k.Subresource != ev.Subresource) {
		t.Fatalf("resource is %+v, want %s/%s/%s: %.300s", k, ev.Group, ev.Resource, ev.Subresource, line)
	}
}

// split goes through a log, and returns the lines that are whole and how many were
// passed. It holds that no line is lost, and that each has its number.
func split(t *testing.T, s *Sieve, data []byte, passed func(line []byte, g *Glance)) (whole [][]byte, n int) {
	t.Helper()
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	if len(data) == 0 {
		lines = nil
	}
	next, at := 0, 0
	var marked []int
	end := s.Lines(data, 1, func(from, to int, number int64) {
		if !bytes.Equal(data[from:to], lines[number-1]) {
			t.Fatalf("line %d is %q, want %q", number, data[from:to], lines[number-1])
		}
		whole, marked = append(whole, data[from:to]), append(marked, int(number))
	}, func(g *Glance) {
		for slices.Contains(marked, next+1) {
			next++
		}
		for ; at < len(marked) && marked[at] < next; at++ {
		}
		passed(lines[next], g)
		next++
		n++
	})
	if int(end) != len(lines) || len(whole)+n != len(lines) {
		t.Fatalf("%d lines, %d whole and %d passed, want %d", end, len(whole), n, len(lines))
	}
	return whole, n
}

// TestSamples holds every line that is passed in real logs against the decoder, and
// that each line with a name is whole.
func TestSamples(t *testing.T) {
	for _, name := range []string{"latched", "route-race"} {
		data := sample(t, name)
		s := newSieve(t, "rt-00002")
		whole, passed := split(t, s, data, func(line []byte, g *Glance) {
			agrees(t, line, g)
			if bytes.Contains(line, []byte("rt-00002")) {
				t.Fatalf("passed with a name: %.300s", line)
			}
		})
		if name == "latched" && len(whole) == 0 || passed < len(whole) {
			t.Errorf("%s: %d whole, %d passed", name, len(whole), passed)
		}
	}
}

const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"5c2d5a9e-9a3f-4f6e-8d57-6b5d5a3c7e10","stage":"ResponseComplete","requestURI":"/apis/apps/v1/namespaces/n/deployments/d/status","verb":"get","user":{"username":"u"},"userAgent":"a","objectRef":{"resource":"deployments","namespace":"n","name":"d","apiGroup":"apps","apiVersion":"v1","subresource":"status"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-03-02T09:00:00.000000Z","stageTimestamp":"2026-03-02T09:00:01.000000Z","annotations":{"authorization.k8s.io/decision":"allow"}}`

func TestLines(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(event) }
	for name, tt := range map[string]struct {
		line  string
		whole bool
	}{
		"as most are":                 {event, false},
		"with a name":                 {replace(`"u"`, `"my-name"`), true},
		"an audit ID of another kind": {replace("5c2d5a9e-9a3f-4f6e-8d57-6b5d5a3c7e10", "x"), false},
		"another stage":               {replace("ResponseComplete", "RequestReceived"), false},
		"no annotations":              {replace(`,"annotations":{"authorization.k8s.io/decision":"allow"}`, ""), false},
		"bodies were removed":         {replace(`"authorization.k8s.io/decision":"allow"`, `"audit.k8s.io/truncated":"true"`), false},
		"wanted by its verb":          {replace(`"get"`, `"deletecollection"`), true},
		"a body with a sign":          {replace("Metadata", "RequestResponse", `"code":200`, `"code":200,"message":"a-sign"`), true},
		"a sign without a body":       {replace(`"code":200`, `"code":200,"message":"a-sign"`), false},
		"members in another order":    {replace(`"kind":"Event","apiVersion":"audit.k8s.io/v1"`, `"apiVersion":"audit.k8s.io/v1","kind":"Event"`), true},
		"white space":                 {replace(`"level":`, `"level": `), true},
		"an older version":            {replace("audit.k8s.io/v1", "audit.k8s.io/v1beta1"), true},
		"an unknown level":            {replace("Metadata", "Some"), true},
		"an unknown stage":            {replace("ResponseComplete", "Some"), true},
		"no time":                     {replace(`2026-03-02T09:00:01.000000Z`, "now"), true},
		"cut":                         {event[:len(event)-1], true},
		"cut at the time":             {event[:strings.LastIndex(event, "01.000")], true},
		"an escape in the verb":       {replace(`"get"`, `"g\"t"`), true},
		"more behind it":              {event + "{}", true},
		"two events in one line":      {event + event, true},
		"a time that does not fit":    {replace("2026-03-02T09:00:01", "2300-03-02T09:00:01"), true},
		"removed bodies behind more":  {replace(`"authorization.k8s.io/decision":"allow"`, `"authorization.k8s.io/decision":"allow","audit.k8s.io/truncated":"true"`), false},
		"empty":                       {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSieve(t, "my-name")
			for _, end := range []string{"", "\n", "\n\n"} {
				whole, passed := split(t, s, []byte(event+"\n"+tt.line+"\n"+event+end), func(line []byte, g *Glance) { agrees(t, line, g) })
				blank := strings.Count(end, "\n\n")
				if want := map[bool]int{true: 1}[tt.whole] + blank; len(whole) != want || passed != 3-want+blank {
					t.Errorf("%d lines are whole, want %d", len(whole), want)
				}
			}
		})
	}
}

func TestNothingToSearchFor(t *testing.T) {
	if _, err := New(Search{Signs: []string{"x"}, Names: []string{""}}, nil); err == nil {
		t.Error("an empty name is taken")
	}
}

// FuzzLines: of any text no line is lost, none with the name is passed, and what is
// passed and can be decoded is as decoded.
func FuzzLines(f *testing.F) {
	f.Add([]byte(event))
	f.Add([]byte(event + "\n{\"a\":1}\n" + strings.ReplaceAll(event, `"get"`, `"list"`) + "\r\n\n"))
	f.Add([]byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"","auditID":"` + stageMember))
	s := newSieve(f, "u-1")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() {
			split(t, s, data, func(line []byte, g *Glance) {
				if bytes.Contains(line, []byte("u-1")) {
					t.Fatalf("passed with the name: %q", line)
				}
				var d audit.Decoder
				var ev table.AuditEvent
				if _, err := d.Decode(line, &ev); err == nil && d.General == 0 {
					if g.Level != ev.Level || g.Stage != ev.Stage || g.Verb != ev.Verb || !g.Time.Equal(ev.StageTime) {
						t.Fatalf("%+v, decoded %+v: %q", g, ev, line)
					}
				}
			})
		})
	})
}

func TestLinesAllocatesNothing(t *testing.T) {
	s, data := newSieve(t, "my-name"), []byte(strings.Repeat(event+"\n", 50))
	count := 0
	if n := testing.AllocsPerRun(20, func() {
		s.Lines(data, 1, func(int, int, int64) {}, func(*Glance) { count++ })
	}); n > 3 || count == 0 {
		t.Errorf("%v allocations for 50 lines", n)
	}
}

func BenchmarkLines(b *testing.B) {
	data := sample(b, "route-race")
	s := newSieve(b, "rt-00002")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s.Lines(data, 1, func(int, int, int64) {}, func(*Glance) {})
	}
}
