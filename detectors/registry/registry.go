// Package registry lists the detectors that there are.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/detectors/activationstuck"
	"github.com/knforensics/knforensics/detectors/belowinitialscaleready"
	"github.com/knforensics/knforensics/detectors/imagecachewedge"
	"github.com/knforensics/knforensics/detectors/ingressnotready"
	"github.com/knforensics/knforensics/detectors/initialscaleregression"
	"github.com/knforensics/knforensics/detectors/latchcontradiction"
	"github.com/knforensics/knforensics/detectors/latestreadylatch"
	"github.com/knforensics/knforensics/detectors/latestreadymovedback"
	"github.com/knforensics/knforensics/detectors/latestreadystale"
	"github.com/knforensics/knforensics/detectors/neverready"
	"github.com/knforensics/knforensics/detectors/oldcapacitydroppedearly"
	"github.com/knforensics/knforensics/detectors/readyflap"
	"github.com/knforensics/knforensics/detectors/routereadbeforetrack"
	"github.com/knforensics/knforensics/detectors/skippedreconcilepa"
	"github.com/knforensics/knforensics/detectors/statuswriteclobber"
	"github.com/knforensics/knforensics/detectors/stuckrevisionmissing"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/timeline"
)

// All are the detectors, each after those it requires.
var All = []*detectors.Detector{
	skippedreconcilepa.Detector,
	belowinitialscaleready.Detector,
	latestreadylatch.Detector,
	routereadbeforetrack.Detector,
	stuckrevisionmissing.Detector,
	latchcontradiction.Detector,
	latestreadymovedback.Detector,
	latestreadystale.Detector,
	readyflap.Detector,
	imagecachewedge.Detector,
	neverready.Detector,
	initialscaleregression.Detector,
	statuswriteclobber.Detector,
	oldcapacitydroppedearly.Detector,
	activationstuck.Detector,
	ingressnotready.Detector,
}

// Names returns the names of all detectors, sorted.
func Names() (names []string) {
	for _, d := range All {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}

// Find returns the detector of a name, nil if there is none.
func Find(name string) *detectors.Detector {
	for _, d := range All {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Run asks the named detectors, all if none is named, about the families.
func Run(names []string, families []*timeline.Family, c *coverage.Coverage) *detectors.Result {
	r := NewInquiry(names, c)
	return r.Join(r.Ask(families))
}

// Inquiry is one run of detectors, which may be asked about some families at a time.
type Inquiry struct {
	list     []*detectors.Detector // those that are needed
	wanted   map[string]bool
	coverage *coverage.Coverage
}

// Answers are what the detectors of an Inquiry found in some families.
type Answers struct {
	result  detectors.Result
	behaved detectors.Behaved
}

// NewInquiry returns a run of the named detectors, of all if none is named.
func NewInquiry(names []string, c *coverage.Coverage) *Inquiry {
	if len(names) == 0 {
		names = Names()
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	needed := map[string]bool{}
	for _, d := range slices.Backward(All) {
		if wanted[d.Name] || needed[d.Name] {
			needed[d.Name] = true
			for _, name := range d.Requires {
				needed[name] = true
			}
		}
	}
	list := slices.DeleteFunc(slices.Clone(All), func(d *detectors.Detector) bool { return !needed[d.Name] })
	return &Inquiry{list, wanted, c}
}

// Ask asks about some families. Several can be asked about at once.
func (r *Inquiry) Ask(families []*timeline.Family) *Answers {
	a := &Answers{}
	for _, f := range families {
		a.result.Add(detectors.Run(r.list, f, r.coverage), r.wanted)
		a.behaved.Add(f)
		f.Forget()
	}
	return a
}

// Join returns the result about all families, whatever the order in which they were
// asked about.
func (r *Inquiry) Join(parts ...*Answers) *detectors.Result {
	result, behaved := &detectors.Result{}, detectors.Behaved{}
	for _, part := range parts {
		result.Join(&part.result)
		behaved.Join(&part.behaved)
	}
	result.Releases = behaved.Releases()
	for _, d := range r.list {
		if !r.wanted[d.Name] {
			continue
		}
		for _, b := range append(d.Blind(r.coverage), detectors.CutBodies(r.coverage, d.Bodies)...) {
			b.Detector = d.Name
			result.Blind = append(result.Blind, b)
		}
	}
	result.Sort()
	return result
}

var validName = lazyregexp.New(`^[a-z]+(-[a-z]+)*$`)

// Check reports what is wrong with a list of detectors: names, manuals, facts
// and the order that Requires asks for.
func Check(list []*detectors.Detector) error {
	seen := map[string]bool{}
	for _, d := range list {
		title := d.Title()
		switch {
		case !validName().MatchString(d.Name):
			return fmt.Errorf("detector %q: a name is lower case words joined by hyphens", d.Name)
		case seen[d.Name]:
			return fmt.Errorf("detector %s: listed twice", d.Name)
		case title == "" || strings.HasSuffix(title, "."):
			return fmt.Errorf("detector %s: the manual needs a title without a full stop", d.Name)
		case len(d.Facts) == 0 || d.Run == nil || d.Blind == nil:
			return fmt.Errorf("detector %s: incomplete", d.Name)
		}
		for _, name := range d.Requires {
			if !seen[name] {
				return fmt.Errorf("detector %s: requires %s, which is not listed before it", d.Name, name)
			}
		}
		seen[d.Name] = true
	}
	return nil
}
