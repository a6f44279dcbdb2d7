package audit

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
)

// legacyLine is a line of the text format that kube-apiserver wrote up to 1.6,
// and until 1.29 with --audit-log-format=legacy (k8s.io/apiserver
// pkg/audit/format.go, EventString).
var legacyLine = lazyregexp.New(`^(\d{4}-\d\d-\d\dT\S+) AUDIT: (id="[^"]*".*)$`)

// IsLegacy reports whether a line is an audit event in the text format.
func IsLegacy(line []byte) bool {
	return bytes.Contains(line[:min(len(line), 64)], []byte(" AUDIT: id=")) && legacyLine().Match(line)
}

// Impacted returns the audit events in the text format that a message of
// kube-apiserver lists, because a backend may have lost them
// (k8s.io/apiserver pkg/audit/metrics.go, HandlePluginError).
func Impacted(message string) (events []string) {
	_, list, _ := strings.Cut(message, "\nImpacted events:\n")
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); IsLegacy([]byte(line)) {
			events = append(events, line)
		}
	}
	return events
}

// DecodeLegacy fills ev from a line in the text format. All stages of a request
// print the time at which it came in, and there are no bodies. The object is
// told by the URI alone. The older dialect has no stages: its second line has
// the ID and the response only.
func DecodeLegacy(line []byte, ev *table.AuditEvent) error {
	*ev = table.AuditEvent{Location: ev.Location, Level: "Metadata"}
	m := legacyLine().FindSubmatch(line)
	if m == nil {
		return ErrNotAudit
	}
	at, err := time.Parse(time.RFC3339Nano, string(m[1]))
	if err != nil {
		return err
	}
	ev.Received, ev.StageTime = at.UTC(), at.UTC()
	fields := quotedFields(string(m[2]))
	ev.AuditID, ev.Stage, ev.SourceIP = fields["id"], fields["stage"], fields["ip"]
	ev.User, ev.UserAgent, ev.RequestURI = fields["user"], fields["user-agent"], fields["uri"]
	if as := fields["as"]; as != "<self>" {
		ev.ImpersonatedUser = as
	}
	code, err := strconv.Atoi(fields["response"])
	if err == nil {
		ev.Code = int64(code)
	}
	if ev.Stage == "" {
		ev.Stage = "RequestReceived"
		if err == nil {
			ev.Stage = "ResponseComplete"
		}
	}
	ev.Verb = verbOf(fields["method"])
	refer(ev)
	return check(ev)
}

// quotedFields reads name="value" pairs; values are quoted as Go quotes them.
func quotedFields(text string) map[string]string {
	fields := map[string]string{}
	for {
		name, rest, ok := strings.Cut(strings.TrimLeft(text, " "), "=")
		if !ok {
			return fields
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return fields
		}
		if value, err := strconv.Unquote(quoted); err == nil {
			fields[name] = value
		}
		text = rest[len(quoted):]
	}
}

// verbOf gives the verb of a method: the newer dialect writes verbs, the older
// one HTTP methods, of which GET can be get, list or watch.
func verbOf(method string) string {
	switch method {
	case "POST":
		return "create"
	case "PUT":
		return "update"
	}
	return strings.ToLower(method)
}

// refer fills in the object that the path of the URI names.
func refer(ev *table.AuditEvent) {
	r := ReferenceOf(ev.RequestURI)
	ev.Group, ev.Version, ev.Resource = cmp.Or(r.Group, ev.Group), cmp.Or(r.Version, ev.Version), cmp.Or(r.Resource, ev.Resource)
	ev.Namespace, ev.Name, ev.Subresource = cmp.Or(r.Namespace, ev.Namespace), cmp.Or(r.Name, ev.Name), cmp.Or(r.Subresource, ev.Subresource)
}
