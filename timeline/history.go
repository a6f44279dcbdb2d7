package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// History is all that is known of all families.
type History struct {
	Families []*Family  // sorted by cluster, namespace and name
	Clusters []*Cluster // sorted by name
}

// End is the last moment that the inputs tell of.
func (h *History) End() (end time.Time) {
	for _, c := range h.Clusters {
		if c.End().After(end) {
			end = c.End()
		}
	}
	return end
}

// Cluster is what holds for all families of one cluster.
type Cluster struct {
	// Name is empty where the inputs are of one cluster only, or nothing tells.
	// Label is the name of that one cluster, if a record tells.
	Name, Label string
	// From and To are the first and the last time of any audit event; zero
	// without an audit log. LogTo is the time of the last log line.
	From, To, LogTo time.Time
	Mixed           *Mixed // proof that the inputs are of more clusters than one, nil if there is none
	mixing          sync.Mutex
	settings        map[string][]*Object // Knative's ConfigMaps by name
	reconciles      func() map[workers]*worked
	alive           map[string]time.Time // last sign of each process, by its Pod
	signs           []Sign               // of the release of Knative
	against         []Sign               // that of another one than was given
}

// End is the last moment that the inputs tell of the cluster.
func (c *Cluster) End() time.Time {
	if c.LogTo.After(c.To) {
		return c.LogTo
	}
	return c.To
}

// Family is a Service, or a Configuration or Route without one, and all that
// belongs to it.
type Family struct {
	Namespace, Name   string
	Cluster           *Cluster
	InferenceServices []*Object
	Services          []*Object
	Configurations    []*Object
	Routes            []*Object
	Ingresses         []*Object
	Revisions         []*Revision // oldest first
	Notes             []*Note
	Attempts          []*Attempt                // by begin
	Enqueued          []Enqueue                 // of the Route, by time
	InferenceService  string                    // name of the InferenceService above, empty if there is none
	objects           []*Object                 // sorted by kind and name
	named             listed[string, *Revision] // in the order of Revisions
	readied           listed[string, *Write]    // by the latest ready Revision that a Configuration names after it
	shownReady        listed[string, Sighting]
	noted             listed[[2]string, *Note] // by reason and message
	told              listed[Ref, *Note]       // by the object
	tried             listed[reconciled, *Attempt]
	clocking          sync.Once
	apart             time.Duration // of the clocks of its audit logs
	showing           sync.Once
	shown             map[string]time.Time // by file, the latest time that a snapshot tells
	sharing           sync.Once
	shared            [2]*shares // as Ingresses tell, and Routes
	ending            sync.Once
	ended             map[string]int // the percentages of traffic at the end, nil if unknown
	behaving          sync.Once
	behaved           []Sign
}

// Build makes the History of what was added, as that of one cluster. The Builder
// must not be used afterwards.
func (b *Builder) Build() *History {
	b.settle()
	revisions := b.revisionNames()
	lives := b.lives(revisions)
	own(lives)
	cluster := b.cluster(lives)
	objects := slices.DeleteFunc(lives, func(o *Object) bool { return o.Kind == kindConfigMap })
	objects = append(objects, b.logged(objects)...)
	slices.SortFunc(objects, compareObjects)
	families := groupFamilies(objects, revisions)
	for _, f := range families {
		f.Cluster = cluster
	}
	b.attach(families)
	h := &History{Clusters: []*Cluster{cluster}}
	h.Families = slices.SortedFunc(maps.Values(families), func(x, y *Family) int {
		return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name))
	})
	for _, f := range h.Families {
		f.arrange()
		for _, r := range f.Revisions {
			r.refusals, r.activatorSeen = b.refusals(r.Ref)
		}
	}
	return h
}

// cluster makes the Cluster of the objects of a Builder, unless it has one.
func (b *Builder) cluster(objects []*Object) *Cluster {
	if b.within != nil {
		b.within.mix(b.mixed)
		return b.within
	}
	attempts, others := b.attempts, b.others // the History holds no more of the Builder
	c := &Cluster{Mixed: b.mixed, From: b.from, To: b.to, LogTo: b.logTo, settings: map[string][]*Object{},
		reconciles: sync.OnceValue(func() map[workers]*worked { return reconciles(attempts, others) }), alive: b.alive, signs: slices.SortedFunc(maps.Values(b.releases), compareSigns)}
	for _, o := range objects {
		if o.Kind == kindConfigMap {
			c.settings[o.Name] = append(c.settings[o.Name], o)
		}
	}
	return c
}

func compareAttempts(x, y *Attempt) int {
	return cmp.Or(x.Begin.Compare(y.Begin), cmp.Compare(x.TraceID, y.TraceID), cmp.Compare(x.Reconciler, y.Reconciler))
}

func compareObjects(a, b *Object) int {
	if c := cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)); c != 0 {
		return c
	}
	return cmp.Or(a.firstSeen().Compare(b.firstSeen()), cmp.Compare(a.UID, b.UID))
}

func (o *Object) firstSeen() time.Time {
	if len(o.Writes) > 0 {
		return o.Writes[0].Time
	}
	return o.Born
}

// logged makes objects of which only a log or an Event tells.
func (b *Builder) logged(known []*Object) (more []*Object) {
	seen := map[Ref]bool{}
	for _, o := range known {
		seen[o.Ref] = true
	}
	add := func(ref Ref, uid string) {
		if ref.Name == "" || seen[ref] {
			return
		}
		seen[ref] = true
		more = append(more, &Object{Ref: ref, UID: uid})
	}
	for _, n := range b.notes { // they tell the uid, a log does not
		switch n.Object.Kind {
		case KindRevision, KindConfiguration, KindRoute, KindService:
			add(n.Object, n.UID)
		}
	}
	for _, a := range b.attempts {
		add(a.Object, "")
	}
	return more
}

// attach hands Events, reconciles and enqueuings to their families.
func (b *Builder) attach(families map[string]*Family) {
	byRef := map[Ref]*Family{}
	for _, f := range families {
		for _, o := range f.objects {
			byRef[o.Ref] = f
		}
	}
	for _, n := range distinctNotes(b.notes) {
		if f := byRef[n.Object]; f != nil {
			f.Notes = append(f.Notes, n)
		}
	}
	for _, a := range b.attempts {
		a.finish()
		if f := byRef[a.Object]; f != nil {
			f.Attempts = append(f.Attempts, a)
		}
	}
	for ref, list := range b.enqueued {
		if f := byRef[ref]; f != nil && ref.Kind == KindRoute {
			f.Enqueued = append(f.Enqueued, list...)
		}
	}
	for _, f := range families {
		slices.SortFunc(f.Attempts, compareAttempts)
		slices.SortFunc(f.Enqueued, func(x, y Enqueue) int {
			return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Source.File, y.Source.File), cmp.Compare(x.Source.Line, y.Source.Line))
		})
	}
}

// Setting returns the value of a key of one of Knative's ConfigMaps at t, as
// last written before, else as a snapshot shows it. known tells whether the
// ConfigMap was seen at all: a key that is absent then has its default.
func (c *Cluster) Setting(configMap, key string, t time.Time) (value string, known bool) {
	for _, o := range c.settings[configMap] {
		state := o.At(t)
		if state == nil || !state.Whole {
			if o.moves("data." + key).after(t) {
				continue // it was changed since, and what it was before is not known
			}
			state = o.Last()
		}
		if state != nil && (state.Whole || state.Field("data."+key) != "") {
			return strings.TrimSpace(state.Field("data." + key)), true
		}
	}
	return "", false
}
