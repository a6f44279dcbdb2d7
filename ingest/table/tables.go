// Package table declares the Arrow tables that everything read becomes, and is,
// with package lookup below it, the only place that builds or reads Arrow arrays:
//
//   - audit_events: one row per audit event, that is per stage of a request
//   - controller_logs: one row per line a component logged
//   - kube_events: one row per Kubernetes Event seen, in whatever carrier
//   - objects: one row per state of an object seen, in a snapshot or in the
//     body of an audit event
//   - records: one row per record of any kind, where records are to be kept,
//     with what was written there
//
// Each row knows where it was read (Location). Rows of kube_events and objects
// that come from the body of an audit event have the location of that event
// and its audit ID; that is how they are joined.
//
// On its way a row is a Go value in a Batch; it becomes part of an Arrow array
// where it is stored or exported, and a Go value again where it is read back.
//
// A table is declared once, as a list of columns, and its schema, its builder
// and its reader all follow from that list. The columns are described in the
// metadata of the schema fields under the key "doc"; docs/tables.md is made
// from them.
package table

import (
	"strings"
	"time"
)

// Location tells where a record lies. Offsets and lines are those of the file
// after decompression.
type Location struct {
	File   string // the path as it was given
	Line   int64  // of the first byte, from 1
	Lines  int64  // how many lines the record spans
	Offset int64  // of the first byte, from 0
	Length int64  // in bytes, without the end of the line
	Part   int64  // which it is of several records within one wrapper there, from 1; 0 if it stands alone
	// Cluster is the name of the cluster that the record is of, empty where
	// neither the user nor the record's wrapper tells.
	Cluster string
}

// Place is where in its file a record lies.
type Place struct{ Offset, Part int64 }

// Before reports whether a place comes first in the file.
func (p Place) Before(q Place) bool {
	return p.Offset < q.Offset || p.Offset == q.Offset && p.Part < q.Part
}

// Place returns the place of the record in its file.
func (l *Location) Place() Place { return Place{l.Offset, l.Part} }

func location[Row any](at func(*Row) *Location) []column[Row] {
	columns := []column[Row]{
		word("file", "path of the input, as given", func(r *Row) *string { return &at(r).File }),
		number("line", "line of the record's first byte, from 1, after decompression", func(r *Row) *int64 { return &at(r).Line }),
		number("lines", "number of lines the record spans", func(r *Row) *int64 { return &at(r).Lines }),
		number("offset", "offset of the record's first byte, from 0, after decompression", func(r *Row) *int64 { return &at(r).Offset }),
		number("length", "length of the record in bytes", func(r *Row) *int64 { return &at(r).Length }),
		integer("part", "which it is of several records in one wrapper there, from 1; null if it stands alone", func(r *Row) *int64 { return &at(r).Part }),
		word("cluster", "the cluster, as --cluster or the record's wrapper tells", func(r *Row) *string { return &at(r).Cluster }),
	}
	for i := range columns {
		columns[i].located = true
	}
	return columns
}

// AuditEvent is a row of audit_events: one stage of one request, as in
// audit.k8s.io/v1 Event (k8s.io/apiserver pkg/apis/audit/v1/types.go).
type AuditEvent struct {
	Location
	AuditID, Level, Stage, Verb, RequestURI string
	User, ImpersonatedUser                  string
	UserAgent, SourceIP, Pod                string
	Group, Version, Resource, Subresource   string
	Namespace, Name, UID, ResourceVersion   string
	Code                                    int64
	Reason, Message, DetailsUID             string
	Received, StageTime                     time.Time
	DryRun, Truncated                       bool
	RequestOffset, RequestLength            int64
	ResponseOffset, ResponseLength          int64
}

var auditEvents = newTable("audit_events", append(location(func(r *AuditEvent) *Location { return &r.Location }),
	id("audit_id", "auditID: the same for all stages of one request", func(r *AuditEvent) *string { return &r.AuditID }),
	word("level", "None, Metadata, Request or RequestResponse", func(r *AuditEvent) *string { return &r.Level }),
	word("stage", "RequestReceived, ResponseStarted, ResponseComplete or Panic", func(r *AuditEvent) *string { return &r.Stage }),
	word("verb", "Kubernetes verb", func(r *AuditEvent) *string { return &r.Verb }),
	word("request_uri", "URI as sent by the client", func(r *AuditEvent) *string { return &r.RequestURI }),
	word("user", "authenticated user", func(r *AuditEvent) *string { return &r.User }),
	word("impersonated_user", "user acted as, where the request impersonated one", func(r *AuditEvent) *string { return &r.ImpersonatedUser }),
	word("user_agent", "as sent by the client, which can send anything", func(r *AuditEvent) *string { return &r.UserAgent }),
	word("source_ip", "last of sourceIPs, the only one the API server vouches for", func(r *AuditEvent) *string { return &r.SourceIP }),
	word("pod", "user.extra authentication.kubernetes.io/pod-name", func(r *AuditEvent) *string { return &r.Pod }),
	word("api_group", "objectRef.apiGroup, null for the core group", func(r *AuditEvent) *string { return &r.Group }),
	word("api_version", "objectRef.apiVersion", func(r *AuditEvent) *string { return &r.Version }),
	word("resource", "objectRef.resource", func(r *AuditEvent) *string { return &r.Resource }),
	word("subresource", "objectRef.subresource", func(r *AuditEvent) *string { return &r.Subresource }),
	word("namespace", "objectRef.namespace", func(r *AuditEvent) *string { return &r.Namespace }),
	word("name", "objectRef.name, else the name in the response or request body", func(r *AuditEvent) *string { return &r.Name }),
	word("uid", "objectRef.uid", func(r *AuditEvent) *string { return &r.UID }),
	text("resource_version", "objectRef.resourceVersion: the version the client sent as precondition", func(r *AuditEvent) *string { return &r.ResourceVersion }),
	integer("code", "responseStatus.code, null before there is a response", func(r *AuditEvent) *int64 { return &r.Code }),
	word("reason", "responseStatus.reason", func(r *AuditEvent) *string { return &r.Reason }),
	text("message", "responseStatus.message", func(r *AuditEvent) *string { return &r.Message }),
	word("details_uid", "uid of the object a Status answer is about, as after a delete", func(r *AuditEvent) *string { return &r.DetailsUID }),
	instant("received", "requestReceivedTimestamp", func(r *AuditEvent) *time.Time { return &r.Received }),
	instant("stage_time", "stageTimestamp", func(r *AuditEvent) *time.Time { return &r.StageTime }),
	flag("dry_run", "the request asked for a dry run", func(r *AuditEvent) *bool { return &r.DryRun }),
	flag("truncated", "bodies were removed by the API server (annotation audit.k8s.io/truncated)", func(r *AuditEvent) *bool { return &r.Truncated }),
	integer("request_offset", "offset of requestObject within the record", func(r *AuditEvent) *int64 { return &r.RequestOffset }),
	integer("request_length", "length of requestObject, null if there is none", func(r *AuditEvent) *int64 { return &r.RequestLength }),
	integer("response_offset", "offset of responseObject within the record", func(r *AuditEvent) *int64 { return &r.ResponseOffset }),
	integer("response_length", "length of responseObject, null if there is none", func(r *AuditEvent) *int64 { return &r.ResponseLength }),
)...)

// ControllerLog is a row of controller_logs: one line of a component's log.
type ControllerLog struct {
	Location
	Format                string // LogZap, LogKlog or LogPlain
	Time                  time.Time
	Level, Logger, Caller string
	Message, Error        string
	Controller, Kind, Key string
	TraceID, Pod          string
	Duration              int64 // nanoseconds
}

// The values of ControllerLog.Format.
const (
	LogZap   = "zap"   // written by go.uber.org/zap, in JSON or in its console encoding
	LogKlog  = "klog"  // a text line with a klog header
	LogPlain = "plain" // any other text
)

var controllerLogs = newTable("controller_logs", append(location(func(r *ControllerLog) *Location { return &r.Location }),
	word("format", "zap, klog or plain", func(r *ControllerLog) *string { return &r.Format }),
	instant("time", "time of the line", func(r *ControllerLog) *time.Time { return &r.Time }),
	word("level", "DEBUG, INFO, WARN, ERROR or FATAL, whatever the spelling was", func(r *ControllerLog) *string { return &r.Level }),
	word("logger", "name of the logger", func(r *ControllerLog) *string { return &r.Logger }),
	word("caller", "file and line in the component's source", func(r *ControllerLog) *string { return &r.Caller }),
	text("message", "the message", func(r *ControllerLog) *string { return &r.Message }),
	text("error", "the error field", func(r *ControllerLog) *string { return &r.Error }),
	word("controller", "knative.dev/controller: which reconciler", func(r *ControllerLog) *string { return &r.Controller }),
	word("kind", "knative.dev/kind: kind of the reconciled object", func(r *ControllerLog) *string { return &r.Kind }),
	word("key", "knative.dev/key: namespace/name of the reconciled object", func(r *ControllerLog) *string { return &r.Key }),
	word("trace_id", "knative.dev/traceid: one for each reconcile", func(r *ControllerLog) *string { return &r.TraceID }),
	word("pod", "knative.dev/pod: the logging process", func(r *ControllerLog) *string { return &r.Pod }),
	integer("duration", "how long the reconcile took, in nanoseconds", func(r *ControllerLog) *int64 { return &r.Duration }),
)...)

// KubeEvent is a row of kube_events: one sight of a Kubernetes Event, core/v1
// or events.k8s.io/v1.
type KubeEvent struct {
	Location
	Origin, AuditID                  string
	Namespace, Name, UID             string
	ObjectKind, ObjectNamespace      string
	ObjectName, ObjectUID            string
	Type, Reason, Message, Component string
	Count                            int64
	FirstTime, LastTime, EventTime   time.Time
}

var kubeEvents = newTable("kube_events", append(joined(append(location(func(r *KubeEvent) *Location { return &r.Location }),
	id("audit_id", "of the audit event that carried it", func(r *KubeEvent) *string { return &r.AuditID }))...),
	word("origin", "snapshot, audit-request or audit-response", func(r *KubeEvent) *string { return &r.Origin }),
	word("namespace", "namespace of the Event", func(r *KubeEvent) *string { return &r.Namespace }),
	word("name", "name of the Event", func(r *KubeEvent) *string { return &r.Name }),
	word("uid", "uid of the Event", func(r *KubeEvent) *string { return &r.UID }),
	word("object_kind", "kind of the object it is about", func(r *KubeEvent) *string { return &r.ObjectKind }),
	word("object_namespace", "namespace of that object", func(r *KubeEvent) *string { return &r.ObjectNamespace }),
	word("object_name", "name of that object", func(r *KubeEvent) *string { return &r.ObjectName }),
	word("object_uid", "uid of that object", func(r *KubeEvent) *string { return &r.ObjectUID }),
	word("type", "Normal or Warning", func(r *KubeEvent) *string { return &r.Type }),
	word("reason", "reason", func(r *KubeEvent) *string { return &r.Reason }),
	text("message", "message or note", func(r *KubeEvent) *string { return &r.Message }),
	word("component", "reporting controller", func(r *KubeEvent) *string { return &r.Component }),
	integer("count", "how often it happened so far", func(r *KubeEvent) *int64 { return &r.Count }),
	instant("first_time", "firstTimestamp", func(r *KubeEvent) *time.Time { return &r.FirstTime }),
	instant("last_time", "lastTimestamp or series.lastObservedTime", func(r *KubeEvent) *time.Time { return &r.LastTime }),
	instant("event_time", "eventTime", func(r *KubeEvent) *time.Time { return &r.EventTime }),
)...)

// The values of KubeEvent.Origin and Object.Origin.
const (
	OriginSnapshot = "snapshot"       // read from the cluster by someone, as with kubectl get
	OriginRequest  = "audit-request"  // requestObject: before defaulting and admission
	OriginResponse = "audit-response" // responseObject: as stored
	OriginReview   = "admission"      // an AdmissionReview: what was asked for, not what came of it
)

// Object is a row of objects: the state of one object as seen in a snapshot or
// in the body of an audit event.
type Object struct {
	Location
	Origin, AuditID             string
	Patch                       string
	Group, Version, Kind        string
	Namespace, Name, UID        string
	ResourceVersion             string
	Generation, Observed        int64
	Created, Deleted            time.Time
	HasStatus                   bool
	Labels, Annotations, Fields []Pair
	Owners                      []Owner
	Conditions                  []Condition
	Removed                     []Path
	SpecDigest                  string
}

// Path is the path of a field.
type Path struct{ Path string }

// Holds reports whether another path is this one, or leads on from there.
func (p Path) Holds(path string) bool {
	rest, ok := strings.CutPrefix(path, p.Path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Pair is a name and its value.
type Pair struct{ Key, Value string }

// Owner is an entry of metadata.ownerReferences; Controller is "true" for the
// managing one.
type Owner struct{ Kind, Name, UID, Controller string }

// Condition is an entry of status.conditions.
type Condition struct {
	Type, Status, Reason, Message, Severity string
	Transition                              string // lastTransitionTime as written
}

func keyOf(p *Pair) *string   { return &p.Key }
func valueOf(p *Pair) *string { return &p.Value }

var objects = newTable("objects", append(joined(append(location(func(r *Object) *Location { return &r.Location }),
	id("audit_id", "of the audit event that carried it", func(r *Object) *string { return &r.AuditID }))...),
	word("origin", "snapshot, audit-request, audit-response or admission", func(r *Object) *string { return &r.Origin }),
	word("patch", "null for a whole object; merge or json where the body is a patch and holds only what it sets", func(r *Object) *string { return &r.Patch }),
	word("api_group", "null for the core group", func(r *Object) *string { return &r.Group }),
	word("api_version", "version within the group", func(r *Object) *string { return &r.Version }),
	word("kind", "kind", func(r *Object) *string { return &r.Kind }),
	word("namespace", "metadata.namespace", func(r *Object) *string { return &r.Namespace }),
	word("name", "metadata.name", func(r *Object) *string { return &r.Name }),
	word("uid", "metadata.uid", func(r *Object) *string { return &r.UID }),
	text("resource_version", "metadata.resourceVersion", func(r *Object) *string { return &r.ResourceVersion }),
	integer("generation", "metadata.generation", func(r *Object) *int64 { return &r.Generation }),
	integer("observed_generation", "status.observedGeneration", func(r *Object) *int64 { return &r.Observed }),
	instant("created", "metadata.creationTimestamp", func(r *Object) *time.Time { return &r.Created }),
	instant("deleted", "metadata.deletionTimestamp", func(r *Object) *time.Time { return &r.Deleted }),
	flag("has_status", "the body has a status", func(r *Object) *bool { return &r.HasStatus }),
	structs("labels", "metadata.labels", "key value", func(r *Object) *[]Pair { return &r.Labels }, keyOf, valueOf),
	structs("annotations", "metadata.annotations of Kubernetes and Knative that steer behaviour", "key value", func(r *Object) *[]Pair { return &r.Annotations }, keyOf, valueOf),
	structs("owners", "metadata.ownerReferences", "kind name uid controller", func(r *Object) *[]Owner { return &r.Owners },
		func(o *Owner) *string { return &o.Kind }, func(o *Owner) *string { return &o.Name }, func(o *Owner) *string { return &o.UID }, func(o *Owner) *string { return &o.Controller }),
	structs("conditions", "status.conditions", "type status reason message severity last_transition_time", func(r *Object) *[]Condition { return &r.Conditions },
		func(c *Condition) *string { return &c.Type }, func(c *Condition) *string { return &c.Status }, func(c *Condition) *string { return &c.Reason },
		func(c *Condition) *string { return &c.Message }, func(c *Condition) *string { return &c.Severity }, func(c *Condition) *string { return &c.Transition }),
	structs("fields", "selected scalars of spec, status and data, by path", "path value", func(r *Object) *[]Pair { return &r.Fields }, keyOf, valueOf),
	structs("removed", "of a patch, the paths in spec, status and data of which nothing of before is left: what it removes, and lists that it changes", "path", func(r *Object) *[]Path { return &r.Removed },
		func(p *Path) *string { return &p.Path }),
	word("spec_digest", "64-bit hash of spec as written, in hex: equal digests, equal specs", func(r *Object) *string { return &r.SpecDigest }),
)...)

// Record is a row of records: one record of any kind, as it was written.
type Record struct {
	Location
	Format   string // as in coverage.Format
	Identity int64
	Raw      string
}

const (
	formatDoc   = "what the record was read as, as coverage names formats"
	identityDoc = "64-bit hash of what makes the record itself: equal for what was given twice; null for what is not compared"
)

var records = newTable("records", append(location(func(r *Record) *Location { return &r.Location }),
	word("format", formatDoc, func(r *Record) *string { return &r.Format }),
	integer("identity", identityDoc, func(r *Record) *int64 { return &r.Identity }),
	text("raw", "the record as it was written, its wrappers taken off; null where it was not kept", func(r *Record) *string { return &r.Raw }),
)...)
