package otlp

import (
	"cmp"
	"slices"
	"strings"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"

	"github.com/knforensics/knforensics/timeline"
)

// attributes are those of a span, a log or a resource. Names that the semantic
// conventions of OpenTelemetry have are used as they are there
// (https://opentelemetry.io/docs/specs/semconv/), and k8s.object.* as the collector's
// receiver of Kubernetes Events does; the others begin with knforensics. What is empty
// has none.
type attributes []*common.KeyValue

func (a *attributes) text(key, value string) {
	if value != "" {
		*a = append(*a, &common.KeyValue{Key: key, Value: text(value)})
	}
}

func (a *attributes) number(key string, n int64) {
	*a = append(*a, &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: n}}})
}

func (a *attributes) count(key string, n *int) {
	if n != nil {
		a.number(key, int64(*n))
	}
}

func (a *attributes) list(key string, values []string) {
	if len(values) == 0 {
		return
	}
	list := &common.ArrayValue{}
	for _, v := range values {
		list.Values = append(list.Values, text(v))
	}
	*a = append(*a, &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: list}}})
}

// text makes a value of text, which protobuf wants to be UTF-8.
func text(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: valid(s)}}
}

func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// conventional are the kinds of which the semantic conventions have the name and uid.
var conventional = map[string]string{timeline.KindDeployment: "k8s.deployment", timeline.KindReplicaSet: "k8s.replicaset", timeline.KindPod: "k8s.pod", timeline.KindHPA: "k8s.hpa"}

func (a *attributes) object(r timeline.Ref, uid string) {
	a.text("k8s.namespace.name", r.Namespace)
	a.text("k8s.object.kind", r.Kind)
	a.text("k8s.object.name", r.Name)
	a.text("k8s.object.uid", uid)
	if key := conventional[r.Kind]; key != "" {
		a.text(key+".name", r.Name)
		a.text(key+".uid", uid)
	}
}

func (a *attributes) source(s timeline.Source) {
	a.text("log.file.path", s.File)
	if s.Line != 0 {
		a.number("knforensics.line", s.Line)
	}
	a.text("knforensics.audit_id", s.AuditID)
	a.text("knforensics.trace_id", s.TraceID)
	a.text("knforensics.event_id", s.EventID)
}

func (a *attributes) request(user, agent, verb, subresource string, code int) {
	a.text("user.name", user)
	a.text("user_agent.original", agent)
	a.text("knforensics.verb", verb)
	a.text("knforensics.subresource", subresource)
	if code != 0 {
		a.number("http.response.status_code", int64(code))
	}
}

// process is what sent a request or logged a line: a resource.
type process struct{ component, pod string }

func compareProcesses(a, b process) int {
	return cmp.Or(cmp.Compare(a.component, b.component), cmp.Compare(a.pod, b.pod))
}

// resource describes a process of a cluster. Without a name, the conventions ask for
// unknown_service.
func (p process) resource(c *timeline.Cluster) *resource.Resource {
	var a attributes
	a.text("service.name", cmp.Or(p.component, "unknown_service"))
	a.text("k8s.cluster.name", cmp.Or(c.Name, c.Label))
	a.text("k8s.pod.name", p.pod)
	return &resource.Resource{Attributes: a}
}

func scope(version string) *common.InstrumentationScope {
	return &common.InstrumentationScope{Name: "github.com/knforensics/knforensics", Version: valid(version)}
}

// byProcess puts the lists of processes in order.
func byProcess[T any](lists map[process][]T) (order []process) {
	for p := range lists {
		order = append(order, p)
	}
	slices.SortFunc(order, compareProcesses)
	return order
}
