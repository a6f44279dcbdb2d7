package timeline

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// FullName returns "namespace/name" of the family, after its cluster where that has a
// name.
func (f *Family) FullName() string { return f.InCluster(f.Namespace + "/" + f.Name) }

// InCluster puts the name of the family's cluster, where it has one, before the name of
// something in it.
func (f *Family) InCluster(name string) string {
	if f.Cluster.Name == "" {
		return name
	}
	return f.Cluster.Name + ": " + name
}

// Objects returns all objects of the family, by kind and name.
func (f *Family) Objects() []*Object { return f.objects }

// generated matches the names that Knative makes for Revisions: Configuration
// and generation (knative/serving pkg/reconciler/configuration/resources/revision.go).
var generated = lazyregexp.New(`^(.+)-(\d{5,})$`)

// grouping works out which family each object belongs to.
type grouping struct {
	byUID     map[string]*Object
	byRef     map[Ref]*Object
	revisions revisionNames
	memo      map[*Object]string
}

func groupFamilies(objects []*Object, revisions revisionNames) map[string]*Family {
	g := &grouping{byUID: map[string]*Object{}, byRef: map[Ref]*Object{}, revisions: revisions, memo: map[*Object]string{}}
	for _, o := range objects {
		if o.UID != "" {
			g.byUID[o.UID] = o
		}
		g.byRef[o.Ref] = o
	}
	families := map[string]*Family{}
	above := map[Ref][]*Object{}
	for _, o := range objects {
		if o.Kind == KindInferenceService {
			above[o.Ref] = append(above[o.Ref], o)
			continue
		}
		root := g.root(o, 0)
		if root == "" {
			continue // a Pod or Deployment of someone else
		}
		key := o.Namespace + "/" + root
		f := families[key]
		if f == nil {
			f = &Family{Namespace: o.Namespace, Name: root}
			families[key] = f
		}
		o.family = key
		f.objects = append(f.objects, o)
	}
	for _, f := range families {
		g.inferenceService(f, above)
	}
	return families
}

// root returns the name of the Service or Configuration at the top of an
// object's family, "" if it is not of one. Owner references come first, then
// labels, then names.
func (g *grouping) root(o *Object, depth int) string {
	if name, ok := g.memo[o]; ok || depth > 8 {
		return name
	}
	g.memo[o] = "" // breaks circles of owners
	name := g.findRoot(o, depth)
	g.memo[o] = name
	return name
}

func (g *grouping) findRoot(o *Object, depth int) string {
	if o.Kind == KindService {
		o.joined = Observed
		return o.Name
	}
	if o.Owner != nil {
		if owner := g.byUID[o.Owner.UID]; owner != nil && owner.Kind != KindInferenceService {
			o.joined = Observed
			return g.root(owner, depth+1)
		}
		if name := g.ofName(Ref{o.Owner.Kind, o.Namespace, o.Owner.Name}, depth); name != "" {
			o.joined = Observed
			return name
		}
	}
	if name := g.byLabel(o, depth); name != "" {
		o.joined = Observed
		return name
	}
	o.joined = Inferred
	if o.Kind == KindConfiguration || o.Kind == KindRoute || o.Kind == KindDomainMapping {
		o.joined = Observed // at the top of a family of its own, or named in its spec
	}
	return g.byName(o, depth)
}

func (g *grouping) byLabel(o *Object, depth int) string {
	for _, w := range slices.Backward(o.Writes) {
		if w.After == nil || w.After.Labels == nil {
			continue
		}
		return g.labelled(o, w.After.Labels, depth)
	}
	for _, s := range o.Sightings {
		if name := g.labelled(o, s.State.Labels, depth); name != "" {
			return name
		}
	}
	return ""
}

func (g *grouping) labelled(o *Object, labels Pairs, depth int) string {
	if name := labels.Get(labelService); name != "" {
		return name
	}
	if name := labels.Get(labelConfiguration); name != "" {
		return g.ofName(Ref{KindConfiguration, o.Namespace, name}, depth)
	}
	if name := labels.Get(labelRoute); name != "" && o.Kind == KindIngress {
		return g.ofName(Ref{KindRoute, o.Namespace, name}, depth)
	}
	return ""
}

// ofName returns the root of a named object, whether or not it was seen.
func (g *grouping) ofName(ref Ref, depth int) string {
	if o := g.byRef[ref]; o != nil {
		return g.root(o, depth+1)
	}
	switch ref.Kind {
	case KindService, KindConfiguration, KindRoute:
		return ref.Name
	case KindRevision:
		if m := generated().FindStringSubmatch(ref.Name); m != nil {
			return g.ofName(Ref{KindConfiguration, ref.Namespace, m[1]}, depth)
		}
		return ref.Name
	}
	return ""
}

func (g *grouping) byName(o *Object, depth int) string {
	switch o.Kind {
	case KindDomainMapping:
		s := o.Last()
		if kind := s.Field("spec.ref.kind"); kind == KindService || kind == KindRoute {
			return g.ofName(Ref{kind, o.Namespace, s.Field("spec.ref.name")}, depth)
		}
		return ""
	case KindConfiguration, KindRoute:
		if o.Kind == KindRoute {
			if name := routeTarget(o); name != "" && name != o.Name {
				return g.ofName(Ref{KindConfiguration, o.Namespace, name}, depth)
			}
		}
		return o.Name
	case KindRevision:
		if m := generated().FindStringSubmatch(o.Name); m != nil {
			return g.ofName(Ref{KindConfiguration, o.Namespace, m[1]}, depth)
		}
		return o.Name
	case KindIngress:
		return g.ofName(Ref{KindRoute, o.Namespace, o.Name}, depth)
	}
	if rev := g.revisions.of(o.Ref); rev != "" {
		return g.ofName(Ref{KindRevision, o.Namespace, rev}, depth)
	}
	return ""
}

// routeTarget returns the Configuration that a Route points at, as its spec
// tells.
func routeTarget(o *Object) string {
	s := o.Last()
	if s == nil {
		return ""
	}
	for _, target := range trafficOf(s, "spec.traffic") {
		if target.Configuration != "" {
			return target.Configuration
		}
	}
	return ""
}

// inferenceService finds the InferenceService above a family: its Service's
// owner or label, else the name that KServe gives (kserve
// pkg/constants/constants.go: <name>-predictor, -transformer, -explainer).
func (g *grouping) inferenceService(f *Family, above map[Ref][]*Object) {
	for _, o := range f.objects {
		if o.Kind != KindService && o.Kind != KindConfiguration {
			continue
		}
		if o.Owner != nil && o.Owner.Kind == KindInferenceService {
			f.InferenceService = o.Owner.Name
		} else if s := o.Last(); s != nil && s.Labels.Get(labelInferenceService) != "" {
			f.InferenceService = s.Labels.Get(labelInferenceService)
		}
	}
	named := func(name string) []*Object { return above[Ref{KindInferenceService, f.Namespace, name}] }
	if f.InferenceService == "" {
		for _, component := range kserveComponents {
			name, ok := strings.CutSuffix(f.Name, "-"+component)
			if ok && len(named(name)) > 0 && (f.InferenceService == "" || name < f.InferenceService) {
				f.InferenceService = name
			}
		}
	}
	f.InferenceServices = named(f.InferenceService)
}

var kserveComponents = []string{"predictor", "predictor-default", "transformer", "transformer-default", "explainer", "explainer-default"}

// arrange sorts the objects of a family to their places.
func (f *Family) arrange() {
	byUID := map[string]*Revision{}
	for _, o := range f.objects {
		switch o.Kind {
		case KindService:
			f.Services = append(f.Services, o)
		case KindConfiguration:
			f.Configurations = append(f.Configurations, o)
		case KindRoute:
			f.Routes = append(f.Routes, o)
		case KindIngress:
			f.Ingresses = append(f.Ingresses, o)
		case KindRevision:
			r := &Revision{Object: o, Family: f}
			f.Revisions = append(f.Revisions, r)
			if o.UID != "" {
				byUID[o.UID] = r
			}
		}
	}
	slices.SortStableFunc(f.Revisions, func(a, b *Revision) int {
		return cmp.Or(a.Born.Compare(b.Born), cmp.Compare(a.Name, b.Name))
	})
	names := sync.OnceValue(func() revisionNames {
		names := revisionNames{}
		for _, r := range f.Revisions {
			names.add(f.Namespace, r.Name)
		}
		return names
	})
	owners := map[string]*Object{}
	for _, o := range f.objects {
		if o.UID != "" {
			owners[o.UID] = o
		}
	}
	for _, o := range f.objects {
		if r := f.revisionOf(o, byUID, owners, names); r != nil {
			r.adopt(o)
		}
	}
	f.objects = append(f.objects, f.InferenceServices...)
	for _, a := range f.Attempts {
		if r := f.Find(a.Object.Name, a.Begin); r != nil && a.Reconciler == "revision" {
			r.Attempts = append(r.Attempts, a)
		}
	}
	for _, r := range f.Revisions {
		r.joinAttempts()
	}
}

// revisionOf finds the Revision that an object exists for.
func (f *Family) revisionOf(o *Object, byUID map[string]*Revision, owners map[string]*Object, names func() revisionNames) *Revision {
	switch o.Kind {
	case KindService, KindConfiguration, KindRoute, KindIngress, KindDomainMapping, KindRevision:
		return nil
	}
	for owner, depth := o, 0; owner != nil && owner.Owner != nil && depth < 8; depth++ {
		if r := byUID[owner.Owner.UID]; r != nil {
			return r
		}
		owner = owners[owner.Owner.UID]
	}
	if s := o.Last(); s != nil {
		if r := byUID[s.Labels.Get("serving.knative.dev/revisionUID")]; r != nil {
			return r
		}
		if name := s.Labels.Get(labelRevision); name != "" {
			return f.Find(name, o.firstSeen())
		}
	}
	return f.Find(names().of(o.Ref), o.firstSeen())
}

func (r *Revision) adopt(o *Object) {
	switch o.Kind {
	case KindDeployment:
		r.Deployments = append(r.Deployments, o)
	case KindReplicaSet:
		r.ReplicaSets = append(r.ReplicaSets, o)
	case KindPod:
		r.Pods = append(r.Pods, o)
	case KindPodAutoscaler:
		r.PodAutoscalers = append(r.PodAutoscalers, o)
	case KindServerlessService:
		r.ServerlessServices = append(r.ServerlessServices, o)
	case KindImage:
		r.Images = append(r.Images, o)
	}
}
