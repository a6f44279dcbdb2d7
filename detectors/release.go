package detectors

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/timeline"
)

// Release is what is known of the version of Knative of a cluster.
type Release struct {
	Cluster string // empty where nothing tells
	timeline.Release
}

// Name returns the version, else the classes that it may be of.
func (r Release) Name() string {
	if r.Version != "" {
		return r.Version
	}
	return "class " + r.classes()
}

func (r Release) classes() string {
	var names []string
	for _, c := range r.Classes {
		names = append(names, string(c))
	}
	return strings.Join(names, " or ")
}

// Text says what is known, and by what.
func (r Release) Text() string {
	text := r.Version
	if text == "" {
		text = "of an unknown version"
	}
	text += ", class " + r.classes()
	var signs []string
	for _, s := range r.Signs {
		signs = append(signs, s.What)
	}
	switch {
	case len(signs) > 0:
		text += ": " + strings.Join(signs, "; ")
	default:
		text += ": nothing in the inputs tells (--knative-version does)"
	}
	for i, s := range r.Against {
		if i == 0 {
			text += ", but the inputs tell of " + s.Version + ": "
		} else {
			text += "; "
		}
		text += s.What
	}
	if r.Cluster != "" {
		text = fmt.Sprintf("in cluster %s: %s", r.Cluster, text)
	}
	return text
}

// Behaved collects what families tell of the release of Knative. Its zero value is
// ready for use.
type Behaved struct{ families []told }

// told is what a family tells.
type told struct {
	cluster         *timeline.Cluster
	namespace, name string
	release         timeline.Release
}

// Add takes over what a family tells.
func (b *Behaved) Add(f *timeline.Family) {
	b.families = append(b.families, told{f.Cluster, f.Namespace, f.Name, f.Release()})
}

// Join takes over what other families tell.
func (b *Behaved) Join(other *Behaved) { b.families = append(b.families, other.families...) }

// Releases returns what is known of the release of each cluster of the families:
// what its own objects tell, else how it behaved towards all of them.
func (b *Behaved) Releases() (list []Release) {
	slices.SortFunc(b.families, func(x, y told) int {
		return cmp.Or(cmp.Compare(x.cluster.Name, y.cluster.Name), cmp.Compare(x.namespace, y.namespace), cmp.Compare(x.name, y.name))
	})
	for rest := b.families; len(rest) > 0; {
		c, n := rest[0].cluster, 0
		var releases []timeline.Release
		for ; n < len(rest) && rest[n].cluster == c; n++ {
			releases = append(releases, rest[n].release)
		}
		release := c.Release()
		if len(release.Signs) == 0 {
			release = timeline.Common(releases)
		}
		list, rest = append(list, Release{c.Name, release}), rest[n:]
	}
	return list
}
