package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// place says that what is at a path is of a cluster.
type place struct{ cluster, path string }

// settleClusters reads --cluster: one name to look at, and paths with their
// clusters.
func (o *options) settleClusters() error {
	for _, text := range o.clusters {
		name, path, placed := strings.Cut(text, "=")
		switch {
		case name == "" || placed && path == "":
			return usagef("--cluster is NAME or NAME=PATH, not %q", text)
		case placed:
			o.places = append(o.places, place{name, filepath.Clean(path)})
		case o.only != "" && o.only != name:
			return usagef("one cluster at a time: --cluster %s or --cluster %s", o.only, name)
		default:
			o.only = name
		}
	}
	return nil
}

// checkPlaces refuses a --cluster that says nothing of any input.
func (o *options) checkPlaces(inputs []source.Input) error {
	for _, p := range o.places {
		if !slices.ContainsFunc(inputs, func(in source.Input) bool { return p.holds(in.Path) }) {
			return usagef("--cluster %s=%s: no input is there", p.cluster, p.path)
		}
	}
	return nil
}

// holds reports whether a path leads to or below the place.
func (p place) holds(path string) bool {
	if path == source.Stdin || p.path == source.Stdin {
		return path == p.path
	}
	top, err := filepath.Abs(p.path)
	if err != nil {
		return false
	}
	path, err = filepath.Abs(path)
	return err == nil && (path == top || strings.HasPrefix(path, strings.TrimSuffix(top, string(filepath.Separator))+string(filepath.Separator)))
}

// clusterAt returns the cluster of what is at a path, as --cluster says: that of
// the longest path that leads there.
func (o *options) clusterAt(path string) string {
	var best place
	for _, p := range o.places {
		if p.holds(path) && len(p.path) >= len(best.path) {
			best = p
		}
	}
	return best.cluster
}

// mixed says that the inputs are of several clusters and nothing tells them
// apart, for each cluster of which that is proven.
func mixed(h *timeline.History) (warnings []string) {
	for _, c := range h.Clusters {
		if m := c.Mixed; m != nil {
			warnings = append(warnings, fmt.Sprintf("the inputs are of several clusters: %s lived as uid %s (%s:%d) and as uid %s (%s:%d) at the same time",
				m.Ref, m.UIDs[0], m.Proof[0].File, m.Proof[0].Line, m.UIDs[1], m.Proof[1].File, m.Proof[1].Line))
		}
	}
	return warnings
}

// warnings prints what mixed says.
func (o *options) warnings(list []string) {
	for _, text := range list {
		if !o.quiet {
			_, _ = fmt.Fprintf(o.err, "knforensics: %s\n  keep them apart with --cluster NAME=PATH for each\n", render.Safe(text))
		}
	}
}

// narrow leaves out what is of other clusters than the one asked for.
func (o *options) narrow(h *timeline.History) error {
	if o.only == "" {
		return nil
	}
	var names []string
	for _, c := range h.Clusters {
		if name := c.Name + c.Label; name != "" {
			names = append(names, name)
		}
	}
	if !slices.Contains(names, o.only) {
		e := &exit{code: exitNoMatch, message: "nothing of cluster " + o.only + " in the inputs"}
		if len(names) == 0 {
			return e.hint("they name no cluster; --cluster NAME=PATH says which one a path is of")
		}
		return e.hint("found: %s", listSome(names))
	}
	h.Clusters = slices.DeleteFunc(h.Clusters, func(c *timeline.Cluster) bool { return c.Name+c.Label != o.only })
	h.Families = slices.DeleteFunc(h.Families, func(f *timeline.Family) bool { return f.Cluster.Name+f.Cluster.Label != o.only })
	return nil
}
