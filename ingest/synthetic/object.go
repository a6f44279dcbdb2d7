package synthetic

import (
	"fmt"
	"time"
)

// kind is a kind of object, and who writes its spec and its status.
type kind struct {
	group, version, name, resource string
	writer, reporter               string // managers of its fields
}

var (
	serviceKind       = &kind{"serving.knative.dev", "v1", "Service", "services", "kn", "controller"}
	configurationKind = &kind{"serving.knative.dev", "v1", "Configuration", "configurations", "controller", "controller"}
	revisionKind      = &kind{"serving.knative.dev", "v1", "Revision", "revisions", "controller", "controller"}
	routeKind         = &kind{"serving.knative.dev", "v1", "Route", "routes", "controller", "controller"}
	autoscalerKind    = &kind{"autoscaling.internal.knative.dev", "v1alpha1", "PodAutoscaler", "podautoscalers", "controller", "controller"}
	serverlessKind    = &kind{"networking.internal.knative.dev", "v1alpha1", "ServerlessService", "serverlessservices", "autoscaler", "controller"}
	ingressKind       = &kind{"networking.internal.knative.dev", "v1alpha1", "Ingress", "ingresses", "controller", "kourier"}
	imageKind         = &kind{"caching.internal.knative.dev", "v1alpha1", "Image", "images", "controller", "controller"}
	deploymentKind    = &kind{"apps", "v1", "Deployment", "deployments", "controller", "kube-controller-manager"}
	replicaSetKind    = &kind{"apps", "v1", "ReplicaSet", "replicasets", "kube-controller-manager", "kube-controller-manager"}
	podKind           = &kind{"", "v1", "Pod", "pods", "kube-controller-manager", "kubelet"}
)

func (k *kind) apiVersion() string {
	if k.group == "" {
		return k.version
	}
	return k.group + "/" + k.version
}

// object is an object as it stands. What is JSON goes into its body as it is.
type object struct {
	*kind
	namespace, name, uid string
	generation           int
	version              int64
	created, changed     time.Time
	owner                *object
	labels, annotations  string // JSON
	spec, status         string // JSON
}

// owned returns a new object.
func (c *cluster) owned(k *kind, owner *object, namespace, name string) *object {
	return &object{kind: k, namespace: namespace, name: name, uid: c.uid(), owner: owner}
}

func (o *object) ref(subresource string) ref {
	return ref{o.group, o.kind.version, o.resource, o.namespace, o.name, o.uid, subresource}
}

// body returns the object as JSON, with what it was asked for as its spec and
// what became of it as its status.
func (o *object) body() []byte {
	b := fmt.Appendf(make([]byte, 0, 8<<10), `{"apiVersion":%q,"kind":%q,"metadata":{"annotations":%s,"creationTimestamp":%q,"generation":%d,"labels":%s,"managedFields":[%s`,
		o.apiVersion(), o.kind.name, o.annotations, o.created.Format(time.RFC3339), o.generation, o.labels, o.managed(o.writer, o.created, metadataFields+specFields))
	if o.status != "" {
		b = fmt.Appendf(b, `,%s`, o.managed(o.reporter, o.changed, statusFields))
	}
	b = fmt.Appendf(b, `],"name":%q,"namespace":%q`, o.name, o.namespace)
	if o.owner != nil {
		b = fmt.Appendf(b, `,"ownerReferences":[{"apiVersion":%q,"blockOwnerDeletion":true,"controller":true,"kind":%q,"name":%q,"uid":%q}]`,
			o.owner.apiVersion(), o.owner.kind.name, o.owner.name, o.owner.uid)
	}
	b = fmt.Appendf(b, `,"resourceVersion":"%d","uid":%q},"spec":%s`, o.version, o.uid, o.spec)
	if o.status != "" {
		b = append(append(b, `,"status":`...), o.status...)
	}
	return append(b, '}')
}

// What an API server notes of who wrote which fields.
const (
	metadataFields = `"f:metadata":{"f:annotations":{".":{},"f:autoscaling.knative.dev/initial-scale":{},"f:autoscaling.knative.dev/max-scale":{},"f:autoscaling.knative.dev/min-scale":{},"f:client.knative.dev/user-image":{},"f:serving.knative.dev/creator":{},"f:serving.knative.dev/routes":{},"f:serving.knative.dev/routingStateModified":{}},"f:labels":{".":{},"f:app":{},"f:serving.knative.dev/configuration":{},"f:serving.knative.dev/configurationGeneration":{},"f:serving.knative.dev/configurationUID":{},"f:serving.knative.dev/revision":{},"f:serving.knative.dev/routingState":{},"f:serving.knative.dev/service":{},"f:serving.knative.dev/serviceUID":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"4e7e2f66-6a9c-4b4d-bd0d-92b4fd5df1c8\"}":{}}},`
	specFields     = `"f:spec":{".":{},"f:containerConcurrency":{},"f:containers":{},"f:enableServiceLinks":{},"f:template":{".":{},"f:metadata":{".":{},"f:annotations":{".":{},"f:autoscaling.knative.dev/initial-scale":{}}},"f:spec":{".":{},"f:containers":{}}},"f:timeoutSeconds":{}}`
	statusFields   = `"f:status":{".":{},"f:actualReplicas":{},"f:conditions":{},"f:containerStatuses":{},"f:desiredReplicas":{},"f:latestCreatedRevisionName":{},"f:latestReadyRevisionName":{},"f:observedGeneration":{},"f:traffic":{},"f:url":{}}`
)

func (o *object) managed(manager string, t time.Time, fields string) string {
	sub := ""
	if fields == statusFields {
		sub = `"subresource":"status",`
	}
	return fmt.Sprintf(`{"apiVersion":%q,"fieldsType":"FieldsV1","fieldsV1":{%s},"manager":%q,"operation":"Update",%s"time":%q}`,
		o.apiVersion(), fields, manager, sub, t.Format(time.RFC3339))
}

// write writes an object, or the subresource of it: what change makes of it.
func (c *cluster) write(t time.Time, by *user, o *object, subresource string, change func()) {
	verb, code := "update", 200
	if o.version == 0 {
		verb, code, o.created = "create", 201, t
	}
	old := o.version
	o.changed = t
	change()
	asked := o.body()
	r := request{verb: verb, about: o.ref(subresource), code: code, took: c.between(2, 14), version: old, request: asked}
	if verb == "create" {
		r.about.uid = ""
	}
	if verb == "update" && c.rng.IntN(40) == 0 {
		c.conflict(t.Add(-r.took-c.between(5, 15)), by, o, r)
	}
	o.version = c.newVersion()
	r.response = o.body()
	c.ask(t, by, r)
}

// conflict writes that the same request was refused before.
func (c *cluster) conflict(t time.Time, by *user, o *object, r request) {
	message := fmt.Sprintf(`Operation cannot be fulfilled on %s.%s \"%s\": the object has been modified; please apply your changes to the latest version and try again`, o.resource, o.group, o.name)
	r.code = 409
	r.status = fmt.Sprintf(`"status":"Failure","message":"%s","reason":"Conflict",`, message)
	r.response = fmt.Appendf(nil, `{"apiVersion":"v1","code":409,"details":{"group":%q,"kind":%q,"name":%q},"kind":"Status","message":"%s","metadata":{},"reason":"Conflict","status":"Failure"}`, o.group, o.resource, o.name, message)
	c.ask(t, by, r)
}
