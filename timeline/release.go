package timeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
)

// Class tells releases of Knative Serving apart by how a Revision can become Ready
// below its initial scale. Three changes made the classes; the last two came in
// patch releases too, so that a minor version does not tell:
//
//	A  up to 1.15.2, and 1.16.0: ContainerHealthy is set by what the autoscaler says
//	B  1.15.3, 1.16.1 to 1.16.x, 1.17, 1.18.0, 1.18.1, 1.19.0 to 1.19.6: one ready
//	   Pod makes ContainerHealthy True (knative/serving#15503)
//	C  1.18.2, 1.19.7 and later, 1.20: ResourcesAvailable waits for the autoscaler
//	   where reconcilePA is reached (#16094)
//	D  from 1.21: reconcilePA copies the autoscaler's verdict before it updates the
//	   PodAutoscaler (#16186)
type Class string

// The classes.
const (
	ClassA Class = "A"
	ClassB Class = "B"
	ClassC Class = "C"
	ClassD Class = "D"
)

var allClasses = []Class{ClassA, ClassB, ClassC, ClassD}

// Release is what is known of the version of Knative Serving.
type Release struct {
	// Version is the number, such as 1.20.3; empty if no record tells, or several
	// versions are told.
	Version string
	// Classes are those that it may be of; all if nothing tells.
	Classes []Class
	Signs   []Sign // what tells, best first
	Against []Sign // what tells another one than was given
}

// Sign is something that tells of a release.
type Sign struct {
	What    string
	Version string // empty if it tells the class only
	Classes []Class
	Source  Source // none if the version was given
}

// May reports whether the release may be of a class.
func (r Release) May(c Class) bool { return slices.Contains(r.Classes, c) }

// Known reports whether there is but one class that it can be of.
func (r Release) Known() bool { return len(r.Classes) == 1 }

// version matches a version of Knative, also with a suffix of a distribution.
var version = lazyregexp.New(`^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:[-+].*)?$`)

// ParseVersion returns the number of a release, and the classes that it may be of:
// those of the minor version, where the patch is not told.
func ParseVersion(text string) (number string, classes []Class, err error) {
	m := version().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", nil, fmt.Errorf("%q is no version of Knative, such as 1.20.3", text)
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	patch, err := strconv.Atoi(m[3])
	classes = []Class{classOf(major, minor, patch)}
	if last := classOf(major, minor, math.MaxInt); err != nil && last != classes[0] {
		classes = append(classes, last)
	}
	return strings.Trim(fmt.Sprintf("%d.%d.%s", major, minor, m[3]), "."), classes, nil
}

func classOf(major, minor, patch int) Class {
	firstB := map[int]int{15: 3, 16: 1}
	firstC := map[int]int{18: 2, 19: 7}
	switch {
	case major < 1 || major == 1 && (minor < 15 || patch < firstB[minor]):
		return ClassA
	case major > 1 || minor > 20:
		return ClassD
	case minor < 18 || patch < firstC[minor]:
		return ClassB
	}
	return ClassC
}

// The labels that tell a release: those of today, and that of before 0.26
// (knative/serving config/core, hack/generate-yamls.sh).
const (
	labelName       = "app.kubernetes.io/name"
	labelVersion    = "app.kubernetes.io/version"
	labelComponent  = "app.kubernetes.io/component"
	labelOldRelease = "serving.knative.dev/release"
)

// controllerImage matches the image of Knative's controller where its tag is a
// version.
var controllerImage = lazyregexp.New(`/serving/cmd/controller:(v?\d+\.\d+\.\d+)`)

// releaseSign returns the sign that an object of Knative's own gives; ok is false if
// it gives none.
func releaseSign(row *table.Object) (s Sign, ok bool) {
	text, what := labelledRelease(row.Labels)
	if text == "" {
		text, what = taggedRelease(row), "image"
	}
	if text == "" {
		return s, false
	}
	number, classes, err := ParseVersion(text)
	if err != nil {
		return s, false
	}
	of := row.Kind + " " + row.Namespace + "/" + row.Name
	if row.Kind == "PartialObjectMetadata" { // which does not tell of what
		of = row.Namespace + "/" + row.Name
	}
	return Sign{What: what + " of " + of, Version: number, Classes: classes}, true
}

func labelledRelease(labels []table.Pair) (version, what string) {
	own, network := false, false
	for _, l := range labels {
		switch l.Key {
		case labelOldRelease:
			return l.Value, "label " + labelOldRelease
		case labelVersion:
			version = l.Value
		case labelName:
			own = l.Value == "knative-serving"
		case labelComponent:
			network = strings.HasPrefix(l.Value, "net-")
		}
	}
	if !own || network {
		return "", "" // the networking layers have the name too, and versions of their own
	}
	return version, "label " + labelVersion
}

// taggedRelease returns the tag of the image of Knative's controller.
func taggedRelease(row *table.Object) string {
	if row.Kind != KindDeployment && row.Kind != KindReplicaSet {
		return ""
	}
	for _, f := range row.Fields {
		if !strings.Contains(f.Value, "/serving/cmd/controller:") {
			continue
		}
		if m := controllerImage().FindStringSubmatch(f.Value); m != nil {
			return m[1]
		}
	}
	return ""
}

// Signs are what objects of a cluster tell of its release of Knative: of each version the
// first that does, the controller's before those of others, else by name.
type Signs map[string]Sign

// Add takes note of what an object tells, if it does.
func (known Signs) Add(row *table.Object) {
	s, ok := releaseSign(row)
	if !ok {
		return
	}
	s.Source = Source{File: row.File, Line: row.Line, AuditID: row.AuditID}
	if old, seen := known[s.Version]; seen && compareSigns(s, old) >= 0 {
		return
	}
	for _, text := range []*string{&s.What, &s.Version, &s.Source.File, &s.Source.AuditID} {
		*text = strings.Clone(*text) // the row refers to a batch
	}
	known[s.Version] = s
}

// Merge takes over what others tell.
func (known Signs) Merge(others Signs) {
	for version, s := range others {
		if old, seen := known[version]; !seen || compareSigns(s, old) < 0 {
			known[version] = s
		}
	}
}

func compareSigns(a, b Sign) int {
	other := func(s Sign) int {
		if strings.Contains(s.What, "/controller") {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(a.What, b.What),
		cmp.Compare(a.Source.AuditID, b.Source.AuditID), cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// Given has a version count as that of the cluster, whatever the inputs tell.
func (c *Cluster) Given(number string, classes []Class) {
	c.against = slices.DeleteFunc(c.signs, func(s Sign) bool {
		return slices.ContainsFunc(s.Classes, func(k Class) bool { return slices.Contains(classes, k) })
	})
	c.signs = []Sign{{What: "given", Version: number, Classes: classes}}
}

// Release returns what objects of Knative's own tell of its version.
func (c *Cluster) Release() Release {
	r := conclude(c.signs)
	r.Against = c.against
	return r
}

// Release returns what is known of the version of Knative by which a family was
// reconciled: what the cluster tells, else how it behaved.
func (f *Family) Release() Release {
	if len(f.Cluster.signs) > 0 {
		return f.Cluster.Release()
	}
	f.behaving.Do(func() { f.behaved = f.behaviour() })
	return conclude(f.behaved)
}

// Common returns what several families together tell of the release: of each kind of
// sign the first.
func Common(of []Release) Release {
	var signs []Sign
	for _, r := range of {
		for _, s := range r.Signs {
			if !slices.ContainsFunc(signs, func(have Sign) bool { return have.What == s.What }) {
				signs = append(signs, s)
			}
		}
	}
	slices.SortFunc(signs, func(a, b Sign) int { return cmp.Compare(a.What, b.What) })
	return conclude(signs)
}

// conclude makes a Release of signs. Where they contradict each other, as while an
// upgrade is under way, it may be any that one of them names.
func conclude(signs []Sign) Release {
	r := Release{Classes: slices.Clone(allClasses), Signs: signs}
	var named []Class
	versions := map[string]bool{}
	for _, s := range signs {
		r.Classes = slices.DeleteFunc(r.Classes, func(c Class) bool { return !slices.Contains(s.Classes, c) })
		named = append(named, s.Classes...)
		if s.Version != "" {
			versions[s.Version] = true
			r.Version = s.Version
		}
	}
	if len(versions) > 1 {
		r.Version = ""
	}
	if len(r.Classes) == 0 {
		slices.Sort(named)
		r.Classes = slices.Compact(named)
	}
	return r
}
