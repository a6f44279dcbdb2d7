package rules

import (
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

type request = table.AuditEvent

// requests is what rules can say of a request, named as the audit event names it
// (audit.k8s.io/v1, k8s.io/apiserver pkg/apis/audit/v1/types.go).
var requests = newVocabulary(
	text("verb", "Kubernetes verb: get, list, watch, create, update, patch, apply, delete, deletecollection; of other URLs that of HTTP", func(r *request) string { return r.Verb }),
	text("user.username", "who was authenticated", func(r *request) string { return r.User }),
	text("impersonatedUser.username", "who was acted as, where the request impersonated someone", func(r *request) string { return r.ImpersonatedUser }),
	text("userAgent", "as sent by the client, which can send anything", func(r *request) string { return r.UserAgent }),
	text("component", "the program, as user and user agent tell: `controller`, `kubelet`, `kubectl`, `deployment-controller`", func(r *request) string { return timeline.Component(r.User, r.UserAgent) }),
	text("pod", "the Pod that the token of the service account was made for", func(r *request) string { return r.Pod }),
	text("sourceIP", "the last of sourceIPs, the only one the API server vouches for", func(r *request) string { return r.SourceIP }),
	text("objectRef.apiGroup", "`\"\"` for the core group", func(r *request) string { return r.Group }),
	text("objectRef.apiVersion", "version within the group", func(r *request) string { return r.Version }),
	text("objectRef.resource", "such as `pods`; `\"\"` for URLs that are no resource", func(r *request) string { return r.Resource }),
	text("objectRef.subresource", "such as `status`, `scale`, `exec`", func(r *request) string { return r.Subresource }),
	text("objectRef.namespace", "`\"\"` for what is in none", func(r *request) string { return r.Namespace }),
	text("objectRef.name", "of a create without a name, that in the answer; `\"\"` for collections", func(r *request) string { return r.Name }),
	text("objectRef.uid", "of few requests", func(r *request) string { return r.UID }),
	text("objectRef.resourceVersion", "the version that the client sent as precondition", func(r *request) string { return r.ResourceVersion }),
	text("requestURI", "as sent by the client", func(r *request) string { return r.RequestURI }),
	variable[request]{"responseStatus.code", cel.IntType, "HTTP status; 0 if it was not logged", func(r *request) ref.Val { return types.Int(r.Code) }},
	text("responseStatus.reason", "such as `Conflict`, `AlreadyExists`, `Forbidden`; of errors only", func(r *request) string { return r.Reason }),
	text("responseStatus.message", "of errors only", func(r *request) string { return r.Message }),
	text("level", "`Metadata`, `Request` or `RequestResponse`", func(r *request) string { return r.Level }),
	text("stage", "`ResponseComplete` or `Panic`", func(r *request) string { return r.Stage }),
	moment("requestReceivedTimestamp", "when the request came in", func(r *request) time.Time { return r.Received }),
	moment("stageTimestamp", "when it was answered", func(r *request) time.Time { return r.StageTime }),
	variable[request]{"latency", cel.DurationType, "from the one to the other; 0 if the first was not logged", func(r *request) ref.Val { return types.Duration{Duration: latency(r)} }},
)

func text[Row any](name, doc string, value func(*Row) string) variable[Row] {
	return variable[Row]{name, cel.StringType, doc, func(r *Row) ref.Val { return types.String(value(r)) }}
}

func moment[Row any](name, doc string, value func(*Row) time.Time) variable[Row] {
	return variable[Row]{name, cel.TimestampType, doc, func(r *Row) ref.Val { return types.Timestamp{Time: value(r)} }}
}

func latency(r *request) time.Duration {
	if r.Received.IsZero() {
		return 0
	}
	return r.StageTime.Sub(r.Received)
}

// counts tells whether a record stands for its request: it is its last stage,
// and what was asked for was meant. A client that makes sure by a dry run, as
// KServe does before each update, asks once.
func counts(r *request) bool {
	return (r.Stage == "ResponseComplete" || r.Stage == "Panic") && !r.DryRun
}
