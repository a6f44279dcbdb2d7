package timeline

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/sift"
)

// SearchFor returns the search of audit logs for what a Builder needs to tell of
// objects of some names: the events that the names stand in, those that concern
// all objects of a namespace, Knative's settings, and what tells its release.
func SearchFor(names []string) *sift.Search {
	s := SearchAll()
	s.Names, s.Whole = names, wantsAnyway
	return s
}

// SearchAll returns the search for what a Builder takes anything of, whatever its
// name: what Wants holds of, as far as a look at a line tells.
func SearchAll() *sift.Search {
	return &sift.Search{Whole: wantsOfAll,
		Signs: []string{`"` + labelName + `":"knative-serving"`, `"` + labelOldRelease + `":`, "/serving/cmd/controller:"}, // see releaseSign
		Groups: []string{"serving.knative.dev", "autoscaling.internal.knative.dev", "networking.internal.knative.dev", "caching.internal.knative.dev",
			"serving.kserve.io", "apps", "autoscaling", "coordination.k8s.io", "events.k8s.io"}}
}

// wantsOfAll reports whether a request is wanted, and whether it is where its bodies
// tell the release of Knative.
func wantsOfAll(g *sift.Glance) (wanted, ifSigned bool) {
	verb, bodies := string(g.Verb), g.Level[0] == 'R'
	if !bytes.HasPrefix(g.URI, []byte("/api")) {
		return true, false // the reference tells, if there is one
	}
	if verb == "list" || verb == "watch" || verb == "get" && !bodies {
		return false, false
	}
	key := g.Resource
	if key.Group == "" {
		key.Resource, key.Subresource = coreResource(g.URI)
	}
	switch {
	case key.Resource == "events":
		return bodies, false
	case resourceKinds[groupName{key.Group, key.Resource}] != "":
		return concernsObjects(key.Subresource), false
	}
	return false, bodies
}

// coreResource returns the resource and subresource of a URI of the core group.
func coreResource(uri []byte) (resource, sub string) {
	path, ok := bytes.CutPrefix(uri, []byte("/api/v1/namespaces/"))
	if !ok {
		return "", ""
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	_, path, _ = bytes.Cut(path, []byte("/"))
	for _, name := range []string{"pods", "configmaps", "events"} {
		if after, ok := bytes.CutPrefix(path, []byte(name)); ok && (len(after) == 0 || after[0] == '/') {
			_, path, _ = bytes.Cut(bytes.TrimPrefix(after, []byte("/")), []byte("/"))
			return name, string(path)
		}
	}
	return "", ""
}

// wantsAnyway reports whether a request without a name that is looked for is
// wanted, and whether it is where its bodies tell the release of Knative. Objects
// that Knative's users make do not.
func wantsAnyway(g *sift.Glance) (wanted, ifSigned bool) {
	if string(g.Verb) == "deletecollection" {
		return true, false
	}
	if name, ok := namedConfigMap(g.URI); ok && (len(name) == 0 || isSetting(string(name))) {
		return true, false
	}
	switch string(g.Verb) {
	case "list", "watch":
		return false, false
	}
	return false, g.Level[0] == 'R' && !isCustom(g.Resource)
}

// namedConfigMap returns the name in a URI of ConfigMaps, nothing where it is of none or
// of all.
func namedConfigMap(uri []byte) (name []byte, ok bool) {
	path, ok := bytes.CutPrefix(uri, []byte("/api/v1/namespaces/"))
	if !ok {
		return nil, false
	}
	_, path, _ = bytes.Cut(path, []byte("/"))
	name, ok = bytes.CutPrefix(path, []byte("configmaps"))
	if !ok {
		return nil, false
	}
	name, _, _ = bytes.Cut(name, []byte("?"))
	return bytes.TrimPrefix(name, []byte("/")), true
}

// isCustom reports whether objects of a resource are made for the Services of users
// only: of Images and Certificates some are Knative's own.
func isCustom(key coverage.ResourceKey) bool {
	switch key.Group {
	case "serving.knative.dev", "autoscaling.internal.knative.dev":
		return true
	case "networking.internal.knative.dev":
		return key.Resource == "ingresses" || key.Resource == "serverlessservices"
	}
	return false
}

// Related returns the names of the objects of families, of those that they refer
// to, and of the children that Revisions have: what tells of one of a family has one
// of these names in it.
func Related(families []*Family) []string {
	names := map[string]bool{}
	for _, f := range families {
		names[f.Name], names[f.InferenceService] = true, true
		for _, component := range kserveComponents {
			if above, ok := strings.CutSuffix(f.Name, "-"+component); ok {
				names[above] = true
			}
		}
		for _, o := range f.objects {
			names[o.Name] = true
			if o.Owner != nil {
				names[o.Owner.Name] = true
			}
			if o.Kind == KindRevision {
				children := revisionNames{}
				children.add(o.Namespace, o.Name) // long names are cut, and end in a hash
				for child := range children {
					names[child.Name] = true
				}
			}
			o.refersTo(names)
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// refersTo adds the names that the last known state of an object refers to.
func (o *Object) refersTo(names map[string]bool) {
	s := o.Last()
	if s == nil {
		return
	}
	for _, label := range []string{labelService, labelConfiguration, labelRevision, labelRoute, labelInferenceService} {
		names[s.Labels.Get(label)] = true
	}
	for _, path := range []string{"spec.traffic", "status.traffic"} {
		for _, target := range trafficOf(s, path) {
			names[target.Configuration], names[target.Revision] = true, true
		}
	}
	names[s.Field("spec.ref.name")] = true
}

// RootOf returns the name that the names of a Revision and of all that belongs to
// it begin with, as far as Knative made them.
func RootOf(name string) string {
	if m := generated.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}
