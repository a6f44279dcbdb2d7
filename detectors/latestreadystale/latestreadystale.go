package latestreadystale

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/timeline"
)

//go:embed doc.go
var manual string

// Detector is the detector latest-ready-stale.
var Detector = &detectors.Detector{
	Name:  "latest-ready-stale",
	Doc:   detectors.Manual(manual),
	Facts: []string{"latestReady", "newerReady"},
	Bodies: []coverage.ResourceKey{
		{Group: "serving.knative.dev", Resource: "configurations", Subresource: "status"},
		{Group: "serving.knative.dev", Resource: "revisions", Subresource: "status"},
	},
	Blind: blind,
	Run:   run,
}

const (
	// patience is how long a Configuration may take to move: a reconcile takes 30 s
	// at most (knative/pkg reconciler/reconcile_common.go), and has to be queued.
	patience = time.Minute
	// reaction is how long it may take until a reconcile of the Configuration knows
	// that a Revision is Ready.
	reaction = 5 * time.Second
)

const latestReady = "status.latestReadyRevisionName"

func blind(c *coverage.Coverage) []detectors.Blindness {
	return append(detectors.NeedStates(c, "serving.knative.dev", "configurations", "status"),
		detectors.NeedStates(c, "serving.knative.dev", "revisions", "status")...)
}

func run(p *detectors.Pass) {
	for _, c := range p.Family.Configurations {
		named := newNamed(p.Family, p.Family.SpellsBy(c, unasked))
		for _, r := range p.Family.Revisions {
			if r.Configuration() == c.Name {
				examine(p, c, r, named)
			}
		}
	}
}

// unasked names the latest ready Revision of a Configuration, unless its template
// names that too: then it was told to go there.
func unasked(s *timeline.State) (name string, known bool, since time.Time) {
	name = s.Field(latestReady)
	known = name != "" || s.Whole
	if name == s.Field("spec.template.metadata.name") {
		name = ""
	}
	return name, known, since
}

func examine(p *detectors.Pass, c *timeline.Object, r *timeline.Revision, named *named) {
	readies := p.Family.Spells(r.Object, timeline.StatusIs("Ready", "True"))
	course := timeline.CourseOf(readies)
	for _, older := range named.beside(r, readies) {
		for _, ready := range course.Beside(older.Spell) {
			both, ok := older.Overlap(ready)
			if !ok || !isNewer(r, older.Name) {
				continue
			}
			if older.From.IsZero() {
				both.From = ready.From // since when it names the older one, a snapshot does not tell
			}
			switch {
			case both.Length() >= patience, lookedAfter(p.Family, c, older, both, ready.From):
				report(p, c, r, both, older.Spell, ready)
				return
			case both.Unsure:
				p.Rule(c, detectors.Inconclusive, fmt.Sprintf("it stayed with an older Revision than %s, and the next write of one of the two is without a body in the inputs", r.Name))
			case both.Ended:
				p.Hold(c, both.From, both.To, fmt.Sprintf("it stayed with an older Revision than %s, which was Ready, for %s only", r.Name, both.Length().Round(time.Millisecond)))
			}
		}
	}
}

func isNewer(r *timeline.Revision, name string) bool {
	newer, known := r.Newer(name)
	return known && newer
}

// lookedAfter reports whether the Configuration's status was written while it named
// the older Revision and the newer one was Ready, so long after that turned Ready
// that it knew of it.
func lookedAfter(f *timeline.Family, c *timeline.Object, older timeline.Named, both timeline.Spell, ready time.Time) bool {
	if ready.IsZero() {
		return false
	}
	late := func(at time.Time) bool { return at.Sub(ready) >= reaction && (!both.Ended || at.Before(both.To)) }
	for _, v := range slices.Backward(c.Views()) {
		if v.Write != nil {
			break // what snapshots show comes last
		}
		if condition, _ := v.State.Condition("Ready"); late(condition.Since) && v.State.Field(latestReady) == older.Name {
			return true
		}
	}
	writes := f.NamedReady(older.Name)
	first := sort.Search(len(writes), func(i int) bool { return writes[i].Time.Sub(ready) >= reaction })
	for _, w := range writes[first:] {
		if !late(w.Time) {
			break
		}
		if w.Object == c && w.Subresource == "status" {
			return true
		}
	}
	return false
}

func report(p *detectors.Pass, c *timeline.Object, r *timeline.Revision, both, older, ready timeline.Spell) {
	proof := []detectors.Evidence{detectors.FromView("configuration-write", older.Last), detectors.FromView("ready-write", ready.First)}
	f := p.Capture(c, proof[0], proof[1:]...)
	f.Time = both.From
	f.Severity = detectors.Low
	f.Confidence = detectors.Support(both, older, ready)
	if !older.Timed() {
		f.Confidence = detectors.Probable
	}
	f.Decisive = detectors.Decisive(proof...)
	name := older.Last.State.Field(latestReady)
	f.Facts = []detectors.Fact{{Name: "latestReady", Value: name}, {Name: "newerReady", Value: r.Name}}
	f.Summary = fmt.Sprintf("Configuration %s stayed with %s although the newer %s is Ready", c.Name, name, r.Name)
}
