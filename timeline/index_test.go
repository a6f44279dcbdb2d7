package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// busy is a Revision whose Deployment and Pods had n status writes, some late
// and some without bodies.
func busy(t testing.TB, n int) *Revision {
	var text strings.Builder
	text.WriteString(join(event{id: "r", at: 1, verb: "create", res: "revisions", name: "r-00001"}.both("1", object("revisions", "r-00001", "u", ofRevision+","+scale("initial-scale=3")))))
	for i := range n {
		at := 2 + float64(i)/10
		e := event{id: fmt.Sprint("w", i), at: at, received: at - float64(i%3)/10, verb: "update", res: "deployments/status", name: "r-00001-deployment", uid: "d"}
		body := object("deployments", e.name, "d", ofRevision, fmt.Sprintf(`"status":{"readyReplicas":%d}`, i%4))
		if i%2 == 1 {
			pod, ready := i/2%7, "False"
			if i%5 < 3 {
				ready = "True"
			}
			e.res, e.name, e.uid = "pods/status", fmt.Sprintf("r-00001-deployment-5c6554b685-%05d", pod), fmt.Sprint("p", pod)
			body = object("pods", e.name, e.uid, ofRevision, conditions("Ready="+ready, `"phase":"Running"`))
		}
		if e = e.both(fmt.Sprint(i+10), body); i%11 == 0 {
			e.level, e.req, e.resp = "Metadata", "", ""
		}
		text.WriteString(join(e))
		if i%29 == 1 {
			text.WriteString(join(event{id: fmt.Sprint("x", i), at: at + 0.05, verb: "delete", res: "pods", name: e.name}))
		}
	}
	return revision(t, read(t, text.String()), "r-00001")
}

// TestIndex compares the answers of the indexes with those that all writes give.
func TestIndex(t *testing.T) {
	r := busy(t, 400)
	objects := append(append([]*Object{r.Object}, r.Deployments...), r.Pods...)
	if len(objects) < 9 {
		t.Fatalf("%d objects", len(objects))
	}
	for at := 0.0; at < 45; at += 0.025 {
		now := sec(at)
		count, known, last := 0, false, time.Time{}
		for _, o := range objects {
			var state *State
			var status, touched, late *Write
			exists := false
			for _, w := range o.Writes {
				exists = exists || !w.Time.After(now)
				if !w.Time.After(now) && w.After != nil {
					state = w.After
				}
				if w.Subresource != "status" || w.Began().After(now) {
					continue
				}
				if w.BodySeen && w.Took() {
					status = w
				}
				if w.Took() || w.Hidden() {
					touched = w
					if w.Time.After(sec(at - 3)) {
						late = w
					}
				}
			}
			exists = exists && (o.Gone.IsZero() || o.Gone.After(now))
			if o.At(now) != state || o.statusAt(now) != status || o.Exists(now) != exists ||
				o.blindSince(time.Time{}, now) != (touched != nil && touched.Hidden()) || o.blindSince(sec(at-3), now) != (late != nil && late.Hidden()) {
				t.Fatalf("%s at %v: the index tells something else", o.Name, at)
			}
			if o.Kind == KindPod && exists && status != nil {
				known = true
				count += bit(status.After.Is("Ready", "True"))
				if status.Time.After(last) {
					last = status.Time
				}
			}
		}
		if n, ok := r.readyPods(now); n.Count != count || ok != known || !n.Time.Equal(last) {
			t.Fatalf("at %v: %d Pods ready (%v, %s), want %d (%v, %s)", at, n.Count, ok, n.Time, count, known, last)
		}
	}
}

func BenchmarkReady(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := busy(b, n)
			moments := r.ReadyMoments(sec(0), sec(10000))
			for i := 0; b.Loop(); i++ {
				t := moments[i%len(moments)]
				r.Ready(t)
				r.Target(t)
			}
		})
	}
}
