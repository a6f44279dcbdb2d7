package timeline

import (
	"maps"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/audit"
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
	return &sift.Search{Whole: wantsOfAll, Signs: []string{ // see releaseSign
		`"` + labelName + `":"knative-serving"`, `"` + labelOldRelease + `":`, "/serving/cmd/controller:"}}
}

// wantsOfAll reports whether a request is wanted, and whether it is where its bodies
// tell the release of Knative.
func wantsOfAll(g *sift.Glance) (wanted, ifSigned bool) {
	ref, bodies := &g.Reference, g.Level[0] == 'R'
	switch {
	case !strings.HasPrefix(g.URI, "/api"):
		return true, false // objectRef tells, if there is one
	case g.Verb == "list" || g.Verb == "watch" || g.Verb == "get" && !bodies:
		return false, false
	case ref.Resource == "events":
		return bodies, false
	case resourceKinds[groupName{ref.Group, ref.Resource}] != "":
		return concernsObjects(ref.Subresource), false
	}
	return false, bodies
}

// wantsAnyway reports whether a request without a name that is looked for is
// wanted, and whether it is where its bodies tell the release of Knative. Objects
// that Knative's users make do not.
func wantsAnyway(g *sift.Glance) (wanted, ifSigned bool) {
	ref := &g.Reference
	switch {
	case g.Verb == "deletecollection":
		return true, false
	case ref.Group == "" && ref.Resource == "configmaps" && (ref.Name == "" || isSetting(ref.Name)):
		return true, false
	case g.Verb == "list" || g.Verb == "watch":
		return false, false
	}
	return false, g.Level[0] == 'R' && !isCustom(ref)
}

// isCustom reports whether objects of a resource are made for the Services of users
// only: of Images and Certificates some are Knative's own.
func isCustom(ref *audit.Reference) bool {
	switch ref.Group {
	case "serving.knative.dev", "autoscaling.internal.knative.dev":
		return true
	case "networking.internal.knative.dev":
		return ref.Resource == "ingresses" || ref.Resource == "serverlessservices"
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
	if m := generated().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}
