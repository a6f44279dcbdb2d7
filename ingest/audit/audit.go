// Package audit reads audit events, one JSON object each, as kube-apiserver
// writes them: kind Event of audit.k8s.io/v1, and its older versions v1beta1
// and v1alpha1 where they differ in the spelling of times and groups only.
//
// Decode takes what the tables keep, and is written for speed: it tries how
// kube-apiserver writes events, and then any JSON. Strict is the
// decoder of Kubernetes itself; it says what is wrong with a record that
// Decode refused, and the tests hold the two against each other.
package audit

import (
	"errors"
	"strings"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
)

// truncatedAnnotation marks events whose bodies the API server removed
// (k8s.io/apiserver plugin/pkg/audit/truncate/truncate.go).
const truncatedAnnotation = "audit.k8s.io/truncated"

// podNameExtra holds the name of the pod a bound service account token was
// made for (k8s.io/apiserver pkg/authentication/serviceaccount/util.go).
const podNameExtra = "authentication.kubernetes.io/pod-name"

// ErrNotAudit says that a JSON value is something else than an audit event.
var ErrNotAudit = errors.New("not an audit event")

// Bodies are the requestObject and responseObject of an event as written; nil
// where there is none.
type Bodies struct{ Request, Response []byte }

// Decoder reads audit events. It is not safe for concurrent use.
type Decoder struct {
	// Forwarded tells that the event decoded last went through OpenShift's log
	// forwarder, which adds members to it.
	Forwarded bool
	// General counts the texts that were not written as kube-apiserver does.
	General int64
	scan    jsonscan.Scanner
}

// Decode fills ev from one audit event. The strings of ev and the bodies
// share memory with data. ev.Location is left alone. Of an event in the usual
// order of members the bodies may be no JSON: who opens one finds out.
func (d *Decoder) Decode(data []byte, ev *table.AuditEvent) (Bodies, error) {
	*ev = table.AuditEvent{Location: ev.Location}
	d.Forwarded = false
	o, ok := d.ordered(data, ev)
	if !ok {
		var err error
		*ev = table.AuditEvent{Location: ev.Location}
		d.General++
		if o, err = d.any(data, ev); err != nil {
			return o.bodies, err
		}
	}
	ev.Group, ev.Version = groupVersion(ev.Group, o.objectVersion)
	ev.DryRun = dryRun(ev.RequestURI) || (isDelete(ev.Verb) || ev.Subresource == "eviction") && d.optionsDryRun(o.bodies.Request)
	return o.bodies, check(ev)
}

// outline is what an event holds beside its columns.
type outline struct {
	kind, apiVersion, objectVersion, forwarded string
	bodies                                     Bodies
}

// any reads an event of members in any order.
func (d *Decoder) any(data []byte, ev *table.AuditEvent) (o outline, err error) {
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		return o, ErrNotAudit
	}
	for {
		key, ok := s.Member()
		if !ok {
			break
		}
		d.member(string(key), ev, &o)
	}
	if !s.End() {
		return o, s.Err()
	}
	if !isAudit(o.kind, o.apiVersion, ev) {
		return o, ErrNotAudit
	}
	if d.Forwarded = o.forwarded != ""; d.Forwarded {
		ev.Level = o.forwarded // "level" is that of a log line then (OpenShift's ViaQ data model)
	}
	return o, nil
}

// member reads the value of a member.
func (d *Decoder) member(key string, ev *table.AuditEvent, o *outline) {
	s := &d.scan
	switch key {
	case "kind":
		o.kind = s.String()
	case "apiVersion":
		o.apiVersion = s.String()
	case "level":
		ev.Level = s.String()
	case "auditID":
		ev.AuditID = s.String()
	case "stage":
		ev.Stage = s.String()
	case "requestURI":
		ev.RequestURI = s.String()
	case "verb":
		ev.Verb = s.String()
	case "user":
		ev.User, ev.Pod = d.user()
	case "impersonatedUser":
		ev.ImpersonatedUser, _ = d.user()
	case "sourceIPs":
		ev.SourceIP = d.lastString()
	case "userAgent":
		ev.UserAgent = s.String()
	case "objectRef":
		o.objectVersion = d.objectRef(ev)
	case "responseStatus":
		d.responseStatus(ev)
	case "requestObject":
		ev.RequestOffset, ev.RequestLength, o.bodies.Request = d.body()
	case "responseObject":
		ev.ResponseOffset, ev.ResponseLength, o.bodies.Response = d.body()
	case "requestReceivedTimestamp":
		ev.Received = d.time()
	case "stageTimestamp":
		ev.StageTime = d.time()
	case "timestamp": // the only time of v1alpha1 and early v1beta1
		if t := d.time(); ev.StageTime.IsZero() {
			ev.StageTime = t
		}
	case "annotations":
		d.annotations(ev)
	case "k8s_audit_level", "openshift_audit_level":
		o.forwarded = s.String()
	default:
		s.Skip()
	}
}

// groupVersion sorts out objectRef.apiVersion, which holds the version alone
// since v1beta1, and group/version in v1alpha1 (kubernetes/website#5300).
func groupVersion(group, version string) (string, string) {
	g, v, ok := strings.Cut(version, "/")
	switch {
	case !ok:
		return group, version
	case group == "":
		return g, v
	}
	return group, v
}

// dryRun reports whether the query of a request URI asks for a dry run. For all
// but deletions the URI is the only place that tells (KServe sends such a PUT
// before each real one, kserve
// pkg/controller/v1beta1/inferenceservice/reconcilers/knative).
func dryRun(uri string) bool {
	_, query, ok := strings.Cut(uri, "?")
	if !ok {
		return false
	}
	for part := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(part, "="); name == "dryRun" && value != "" {
			return true
		}
	}
	return false
}

func isDelete(verb string) bool { return verb == "delete" || verb == "deletecollection" }

// optionsDryRun reports whether DeleteOptions, the body of a deletion, or those in
// an Eviction, ask for a dry run, as those of kubectl delete --dry-run=server and
// kubectl drain --dry-run=server do.
func (d *Decoder) optionsDryRun(body []byte) bool {
	s := &d.scan
	s.Reset(body)
	if !s.BeginObject() {
		return false
	}
	var asked bool
	var options []byte
	for {
		key, ok := s.Member()
		switch {
		case !ok:
			return asked || options != nil && d.optionsDryRun(options)
		case string(key) == "deleteOptions":
			options = s.Raw()
		case string(key) == "dryRun":
			asked = d.lastString() != ""
		default:
			s.Skip()
		}
	}
}
