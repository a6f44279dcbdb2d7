package wrapper

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// cloudWatch is a batch of Amazon CloudWatch Logs: of a subscription, of
// filter-log-events, or of an Insights query.
func cloudWatch(o *Opener) (inner []Inner) {
	for _, name := range []string{"logEvents", "events"} {
		for _, event := range o.elements(o.members[name]) {
			inner = append(inner, line(object(event)["message"], event)...)
		}
	}
	if raw := o.members["@message"]; raw != nil {
		return record(raw)
	}
	for _, result := range o.elements(o.members["results"]) {
		inner = append(inner, line(insightsMessage(result), result)...)
	}
	return inner
}

// insightsMessage returns the field of a result of Insights that is the line.
func insightsMessage(result []byte) []byte {
	for _, field := range elements(result) {
		members := object(field)
		if name, _ := content(members["field"]); string(name) == "@message" {
			return members["value"]
		}
	}
	return nil
}

// eventHub is a batch of Azure diagnostic records, or one of them: the line is
// in properties.log.
func eventHub(o *Opener) (inner []Inner) {
	if properties := object(o.members["properties"]); properties != nil && o.has("category") {
		return record(properties["log"])
	}
	for _, raw := range o.elements(o.members["records"]) {
		members := object(raw)
		inner = append(inner, of(members, line(object(members["properties"])["log"], raw))...)
	}
	return inner
}

// tooBig is what Azure puts where a body was too big for its tables.
const tooBig = `"skipped-too-big-size-object"`

// aksRow is a row of the tables AKSAudit and AKSAuditAdmin: the event with
// other names.
func aksRow(o *Opener) []Inner {
	if !o.has("AuditId", "ObjectRef", "Verb") {
		return nil
	}
	event := map[string]json.RawMessage{"kind": json.RawMessage(`"Event"`), "apiVersion": json.RawMessage(`"audit.k8s.io/v1"`)}
	for from, to := range map[string]string{"AuditId": "auditID", "Level": "level", "Stage": "stage", "Verb": "verb", "RequestUri": "requestURI",
		"User": "user", "SourceIps": "sourceIPs", "UserAgent": "userAgent", "ObjectRef": "objectRef", "ResponseStatus": "responseStatus",
		"RequestObject": "requestObject", "ResponseObject": "responseObject", "RequestReceivedTime": "requestReceivedTimestamp",
		"StageReceivedTime": "stageTimestamp", "Annotations": "annotations"} {
		raw := bytes.TrimSpace(o.members[from])
		switch {
		case len(raw) == 0 || string(raw) == "null" || string(raw) == `""`:
		case string(raw) == tooBig:
			event["annotations"] = json.RawMessage(`{"audit.k8s.io/truncated":"true"}`)
		case raw[0] == '"' && slices.Contains([]string{"user", "sourceIPs", "objectRef", "responseStatus", "requestObject", "responseObject", "annotations"}, to):
			if text, ok := content(raw); ok && json.Valid(text) { // a dynamic column that was exported as text
				event[to] = slices.Clone(text)
			}
		default:
			event[to] = raw
		}
	}
	return asAudit(o.whole(), event)
}

// asAudit pairs a record with the event it stands for.
func asAudit(data []byte, event map[string]json.RawMessage) []Inner {
	out, err := json.Marshal(event)
	if err != nil {
		return nil
	}
	return []Inner{{Data: data, Audit: out}}
}

// whole returns the object that was read, as it was written.
func (o *Opener) whole() []byte { return o.data }

// logEntry is an entry of Google Cloud Logging: a line, or an audit event of
// GKE in protoPayload.
func logEntry(o *Opener) []Inner {
	if !o.has("logName") && !o.has("insertId") {
		return nil
	}
	if raw := o.members["jsonPayload"]; raw != nil {
		return record(raw)
	}
	if text, ok := o.text("textPayload"); ok {
		return []Inner{{Data: text}}
	}
	if raw := o.members["protoPayload"]; raw != nil {
		return gkeAudit(o, object(raw))
	}
	return nil
}

// gkeAudit puts an event of GKE into the terms of Kubernetes. It has no audit
// ID and one stage; its insertId identifies it. Its status is a gRPC code, of
// which only 0, success, says something about the answer.
func gkeAudit(o *Opener, payload map[string][]byte) []Inner {
	service, _ := content(payload["serviceName"])
	method, _ := content(payload["methodName"])
	resourceName, _ := content(payload["resourceName"])
	if string(service) != "k8s.io" && !strings.HasPrefix(string(method), "io.k8s.") && !strings.Contains(string(resourceName), "/v1") {
		return nil // some other API of Google's
	}
	ref, verb, ok := gkeReference(string(resourceName), string(method))
	if !ok {
		return nil
	}
	event := map[string]any{"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "ResponseComplete", "verb": verb, "objectRef": ref,
		"auditID": rawText(o.members["insertId"]), "requestReceivedTimestamp": rawText(o.members["timestamp"]), "stageTimestamp": rawText(o.members["timestamp"])}
	event["level"] = "Metadata"
	for from, to := range map[string]string{"request": "requestObject", "response": "responseObject"} {
		if body := withoutType(payload[from]); body != nil {
			event[to] = body
			event["level"] = "RequestResponse"
		}
	}
	if info := object(payload["authenticationInfo"]); info != nil {
		event["user"] = map[string]any{"username": rawText(info["principalEmail"])}
	}
	if meta := object(payload["requestMetadata"]); meta != nil {
		event["userAgent"] = rawText(meta["callerSuppliedUserAgent"])
		event["sourceIPs"] = []string{rawText(meta["callerIp"])}
	}
	status := object(payload["status"])
	code := string(bytes.TrimSpace(status["code"]))
	event["responseStatus"] = gkeStatus(code, rawText(status["message"]))
	labels := object(o.members["labels"])
	uri := "/" + string(resourceName)
	if labels["command.gke.io/dryRun"] != nil {
		uri += "?dryRun=All"
	}
	event["requestURI"] = uri
	annotations := map[string]string{}
	for name := range labels {
		annotations[name] = rawText(labels[name])
	}
	event["annotations"] = annotations
	out, err := json.Marshal(event)
	if err != nil {
		return nil
	}
	return []Inner{{Data: o.whole(), Audit: out}}
}

func rawText(raw []byte) string {
	text, _ := content(raw)
	return string(text)
}

// grpcCodes maps gRPC codes to the HTTP status that a Kubernetes API server
// sends for the same, where there is one
// (google/rpc/code.proto).
var grpcCodes = map[string]int{"": 200, "0": 200, "3": 400, "4": 504, "5": 404, "6": 409, "7": 403, "8": 429, "10": 409, "13": 500, "14": 503, "16": 401}

func gkeStatus(code, message string) map[string]any {
	status := map[string]any{"code": grpcCodes[code], "message": message}
	switch code {
	case "6":
		status["reason"] = "AlreadyExists"
	case "7":
		status["reason"] = "Forbidden"
	case "10":
		status["reason"] = "Conflict"
	}
	return status
}

// gkeReference reads group, version, namespace, resource, name and subresource
// from resourceName, such as
// serving.knative.dev/v1/namespaces/shop/revisions/cart-00002/status, and the
// verb from the end of methodName.
func gkeReference(resourceName, method string) (map[string]string, string, bool) {
	parts := strings.Split(resourceName, "/")
	if len(parts) < 3 {
		return nil, "", false
	}
	ref := map[string]string{"apiGroup": parts[0], "apiVersion": parts[1]}
	if parts[0] == "core" {
		ref["apiGroup"] = ""
	}
	rest := parts[2:]
	if rest[0] == "namespaces" && len(rest) > 2 {
		ref["namespace"] = rest[1]
		rest = rest[2:]
	}
	for i, name := range []string{"resource", "name", "subresource"} {
		if i < len(rest) {
			ref[name] = rest[i]
		}
	}
	verb := method[strings.LastIndexByte(method, '.')+1:]
	return ref, verb, verb != ""
}

// withoutType returns a body without the type that Google adds.
func withoutType(raw []byte) json.RawMessage {
	members := object(raw)
	if len(members) == 0 {
		return nil
	}
	typ := rawText(members["@type"])
	delete(members, "@type")
	if len(members) == 0 || strings.HasSuffix(typ, "google.protobuf.Empty") {
		return nil
	}
	out := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		out[name] = value
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return text
}
