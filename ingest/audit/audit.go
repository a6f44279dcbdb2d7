// Package audit reads audit events, one JSON object each, as kube-apiserver
// writes them: kind Event of audit.k8s.io/v1, and its older versions v1beta1
// and v1alpha1 where they differ in the spelling of times and groups only.
//
// Decode is written for speed and takes what the tables keep. Strict is the
// decoder of Kubernetes itself; it says what is wrong with a record that
// Decode refused, and the tests hold the two against each other.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

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
type Decoder struct{ scan jsonscan.Scanner }

// Decode fills ev from one audit event. The strings of ev and the bodies
// share memory with data. ev.Location is left alone.
func (d *Decoder) Decode(data []byte, ev *table.AuditEvent) (Bodies, error) {
	*ev = table.AuditEvent{Location: ev.Location}
	var bodies Bodies
	var kind, apiVersion, objectVersion string
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		return bodies, ErrNotAudit
	}
	for {
		key, ok := s.Member()
		if !ok {
			break
		}
		switch string(key) {
		case "kind":
			kind = s.String()
		case "apiVersion":
			apiVersion = s.String()
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
			objectVersion = d.objectRef(ev)
		case "responseStatus":
			d.responseStatus(ev)
		case "requestObject":
			ev.RequestOffset, ev.RequestLength, bodies.Request = d.body()
		case "responseObject":
			ev.ResponseOffset, ev.ResponseLength, bodies.Response = d.body()
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
		default:
			s.Skip()
		}
	}
	if !s.End() {
		return bodies, s.Err()
	}
	if !isAudit(kind, apiVersion, ev) {
		return bodies, ErrNotAudit
	}
	ev.Group, ev.Version = groupVersion(ev.Group, objectVersion)
	ev.DryRun = dryRun(ev.RequestURI)
	return bodies, check(ev)
}

// isAudit tells an audit event from other objects. The items of an EventList
// have neither kind nor apiVersion.
func isAudit(kind, apiVersion string, ev *table.AuditEvent) bool {
	if kind == "" && apiVersion == "" {
		return ev.AuditID != "" && ev.Level != "" && ev.RequestURI != ""
	}
	return kind == "Event" && strings.HasPrefix(apiVersion, auditinternal.GroupName+"/")
}

// check refuses an event without the parts that make it one.
func check(ev *table.AuditEvent) error {
	switch {
	case ev.AuditID == "" && ev.RequestURI == "":
		return errors.New("audit event without auditID and requestURI")
	case ev.StageTime.IsZero() && ev.Received.IsZero():
		return errors.New("audit event without a time")
	case !knownLevel[auditinternal.Level(ev.Level)]:
		return fmt.Errorf("audit event of unknown level %q", ev.Level)
	case ev.Stage != "" && !knownStage[auditinternal.Stage(ev.Stage)]:
		return fmt.Errorf("audit event of unknown stage %q", ev.Stage)
	}
	if ev.StageTime.IsZero() {
		ev.StageTime = ev.Received
	}
	return nil
}

var knownLevel = map[auditinternal.Level]bool{
	auditinternal.LevelNone: true, auditinternal.LevelMetadata: true,
	auditinternal.LevelRequest: true, auditinternal.LevelRequestResponse: true,
}

var knownStage = map[auditinternal.Stage]bool{
	auditinternal.StageRequestReceived: true, auditinternal.StageResponseStarted: true,
	auditinternal.StageResponseComplete: true, auditinternal.StagePanic: true,
}

// Strict decodes one event with the types and the rules of Kubernetes. Unlike
// Decode it looks into nothing but the declared fields and refuses a wrong
// type anywhere.
func Strict(data []byte) (*auditv1.Event, error) {
	var ev auditv1.Event
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&ev); err != nil {
		return nil, err
	}
	return &ev, nil
}

func (d *Decoder) user() (name, pod string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return "", ""
	}
	for {
		key, ok := s.Member()
		if !ok {
			return name, pod
		}
		switch string(key) {
		case "username":
			name = s.String()
		case "extra":
			pod = d.extraPod()
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) extraPod() (pod string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return ""
	}
	for {
		key, ok := s.Member()
		if !ok {
			return pod
		}
		if string(key) == podNameExtra {
			pod = d.lastString()
		} else {
			s.Skip()
		}
	}
}

func (d *Decoder) lastString() (last string) {
	s := &d.scan
	if !s.BeginArray() {
		s.Skip()
		return ""
	}
	for s.Element() {
		last = s.String()
	}
	return last
}

func (d *Decoder) objectRef(ev *table.AuditEvent) (apiVersion string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return ""
	}
	for {
		key, ok := s.Member()
		if !ok {
			return apiVersion
		}
		switch string(key) {
		case "resource":
			ev.Resource = s.String()
		case "namespace":
			ev.Namespace = s.String()
		case "name":
			ev.Name = s.String()
		case "uid":
			ev.UID = s.String()
		case "apiGroup":
			ev.Group = s.String()
		case "apiVersion":
			apiVersion = s.String()
		case "resourceVersion":
			ev.ResourceVersion = s.String()
		case "subresource":
			ev.Subresource = s.String()
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) responseStatus(ev *table.AuditEvent) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		switch string(key) {
		case "code":
			ev.Code = d.integer()
		case "reason":
			ev.Reason = s.String()
		case "message":
			ev.Message = s.String()
		case "details":
			ev.DetailsUID = d.detailsUID()
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) detailsUID() (uid string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return ""
	}
	for {
		key, ok := s.Member()
		if !ok {
			return uid
		}
		if string(key) == "uid" {
			uid = s.String()
		} else {
			s.Skip()
		}
	}
}

func (d *Decoder) annotations(ev *table.AuditEvent) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		if string(key) == truncatedAnnotation {
			ev.Truncated = s.String() == "true"
		} else {
			s.Skip()
		}
	}
}

func (d *Decoder) body() (offset, length int64, raw []byte) {
	s := &d.scan
	s.Peek()
	offset = int64(s.Pos())
	raw = s.Raw()
	if string(raw) == "null" {
		return 0, 0, nil
	}
	return offset, int64(len(raw)), raw
}

func (d *Decoder) integer() int64 {
	var n int64
	for _, c := range d.scan.Raw() {
		if c < '0' || c > '9' || n > 1e9 {
			return 0
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

func (d *Decoder) time() time.Time {
	text := d.scan.String()
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// groupVersion sorts out objectRef.apiVersion, which holds the version alone
// since v1beta1, and group/version in v1alpha1 (kubernetes/website#5300).
func groupVersion(group, version string) (string, string) {
	if g, v, ok := strings.Cut(version, "/"); ok && group == "" {
		return g, v
	}
	return group, version
}

// dryRun reports whether the query of a request URI asks for a dry run. The
// URI is the only place that tells (KServe sends such a PUT before each real
// one, kserve pkg/controller/v1beta1/inferenceservice/reconcilers/knative).
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
