package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// clusterAt returns the cluster of what is at a path, as --cluster says: that of
// the longest path that leads there.
func (o *options) clusterAt(path string) string {
	path = filepath.Clean(path)
	var best place
	for _, p := range o.places {
		if (path == p.path || strings.HasPrefix(path, p.path+string(filepath.Separator)) || p.path == ".") && len(p.path) > len(best.path) {
			best = p
		}
	}
	return best.cluster
}

// warn says that the inputs are of several clusters and nothing tells them apart.
func (o *options) warn(h *timeline.History) {
	for _, c := range h.Clusters {
		if m := c.Mixed; m != nil && !o.quiet {
			_, _ = fmt.Fprintln(o.err, render.Safe(fmt.Sprintf("knforensics: the inputs are of several clusters: %s lived as uid %s (%s:%d) and as uid %s (%s:%d) at the same time",
				m.Ref, m.UIDs[0], m.Proof[0].File, m.Proof[0].Line, m.UIDs[1], m.Proof[1].File, m.Proof[1].Line)))
			_, _ = fmt.Fprintln(o.err, "  keep them apart with --cluster NAME=PATH for each")
		}
	}
}

// narrow leaves out what is of other clusters than the one asked for.
func (o *options) narrow(h *timeline.History) error {
	o.warn(h)
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
