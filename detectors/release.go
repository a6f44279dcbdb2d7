package detectors

import (
	"fmt"
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
type Behaved struct {
	clusters []*timeline.Cluster
	releases map[*timeline.Cluster][]timeline.Release
}

// Add takes over what a family tells.
func (b *Behaved) Add(f *timeline.Family) {
	if b.releases == nil {
		b.releases = map[*timeline.Cluster][]timeline.Release{}
	}
	if b.releases[f.Cluster] == nil {
		b.clusters = append(b.clusters, f.Cluster)
	}
	b.releases[f.Cluster] = append(b.releases[f.Cluster], f.Release())
}

// Releases returns what is known of the release of each cluster of the families:
// what its own objects tell, else how it behaved towards all of them.
func (b *Behaved) Releases() (list []Release) {
	for _, c := range b.clusters {
		release := c.Release()
		if len(release.Signs) == 0 {
			release = timeline.Common(b.releases[c])
		}
		list = append(list, Release{c.Name, release})
	}
	return list
}
