package redact

import (
	"regexp"
	"strings"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

var number = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][-+]?\d+)?$`)

// sealedFields hold what users put there: none of it stays.
var sealedFields = map[string]bool{"env": true, "envFrom": true, "args": true, "command": true, "continue": true, "password": true}

// emptied are fields of which nothing is left: secrets, what repeats others, and traces
// of a program's stack.
var emptied = map[string]bool{
	"kubectl.kubernetes.io/last-applied-configuration": true, "token": true, "caBundle": true, "stacktrace": true, "stack_trace": true,
}

// wordFields hold words of the API in small letters, not names.
var wordFields = map[string]bool{
	"apiVersion": true, "kind": true, "level": true, "stage": true, "verb": true, "reason": true, "status": true, "type": true, "phase": true,
	"severity": true, "logger": true, "caller": true, "resource": true, "subresource": true, "apiGroup": true, "group": true, "version": true,
	"operation": true, "op": true, "path": true, "from": true, "component": true, "reportingComponent": true, "targetMethod": true, "fieldPath": true,
	"knative.dev/controller": true, "knative.dev/kind": true, "methodName": true, "method": true, "stream": true, "category": true,
	"autoscaling.knative.dev/class": true, "autoscaling.knative.dev/metric": true, "serving.knative.dev/routingState": true,
	"Verb": true, "Stage": true, "Level": true, "resources": true, "verbs": true,
}

// pairs are the fields whose members users name.
var pairs = map[string]bool{"labels": true, "annotations": true, "matchLabels": true, "nodeSelector": true, "selector": true}

// ours matches the keys of labels and annotations of Kubernetes and Knative.
var ours = regexp.MustCompile(`^([a-z0-9-]+\.)*(k8s\.io|kubernetes\.io|knative\.dev|kserve\.io)/|^(app|k8s-app|pod-template-hash|controller-revision-hash)$`)

// steps matches what is between slashes, also as a JSON patch writes them.
var steps = regexp.MustCompile(`~[01]|[^/~]+`)

// field returns the name of a field, the key of a label, or a path of these.
func (r *Redactor) field(name string) string {
	return r.memo.once(memoKey{name, asWords}, func() string {
		return steps.ReplaceAllStringFunc(name, func(step string) string {
			if step[0] == '~' {
				return step
			}
			return r.token(step, asWords)
		})
	})
}

// seals reports whether values of a field are replaced as a whole.
func (d *rewriter) seals(key string) bool {
	switch key {
	case "data", "stringData", "binaryData":
		return !d.plain()
	case "value":
		return d.patches()
	}
	return sealedFields[key]
}

// value returns the string that is next as it may be shared.
func (d *rewriter) value(text string) string {
	up := d.top()
	key := d.key
	if up.array {
		key = up.key
	}
	switch {
	case text == "", emptied[key], up.key == "stringData" && up.sealed, (up.key == "data" || up.key == "binaryData") && up.sealed:
		return ""
	case up.sealed, d.seals(key):
		return d.r.opaque(text)
	case key == "_example":
		return ""
	case key == "resourceName" && strings.Contains(text, "/"):
		return d.r.uri(text)
	case pairs[up.key] && !up.array && !ours.MatchString(key):
		return d.pair(up.key, text)
	case wordFields[key] && !strings.ContainsAny(text, " {"):
		return d.r.field(text)
	}
	return d.r.text(text, d.depth+1)
}

// pair returns the value of a label or annotation that users made up.
func (d *rewriter) pair(of, text string) string {
	if of == "annotations" || strings.Trim(text, digits+".-") == "" {
		return d.r.opaque(text)
	}
	return d.r.text(text, maxQuotes)
}

// maxLooks is how deep objects are looked into before they are redacted. No record has
// what matters deeper.
const maxLooks = 64

// plain reports whether the data of the object under way stay: those of Knative's own
// ConfigMaps, and what Loki answers with.
func (d *rewriter) plain() bool {
	up := d.top()
	if up.looked || len(d.open) == 0 || len(d.open) > maxLooks {
		return up.plain
	}
	kind, name, answer := header(d.s[up.start:])
	if kind == "" && len(d.open) > 1 { // what was sent to patch it need not say
		kind, name = reference(d.s[d.open[0].start:])
	}
	up.looked, up.plain = true, answer || (kind == "ConfigMap" || kind == "configmaps") && strings.HasPrefix(name, "config-")
	return up.plain
}

// patches reports whether the value under way is of an operation of a JSON patch
// that is about what is sealed.
func (d *rewriter) patches() bool {
	up := d.top()
	if up.looked || len(d.open) == 0 || len(d.open) > maxLooks {
		return up.patches || len(d.open) > maxLooks
	}
	path := ""
	members(d.s[up.start:], func(key string, s *jsonscan.Scanner) {
		if key == "path" {
			text, _ := s.Scalar()
			path = string(text)
			return
		}
		s.Skip()
	})
	for step := range strings.SplitSeq(path, "/") {
		step = strings.ReplaceAll(step, "~1", "/")
		up.patches = up.patches || sealedFields[step] || emptied[step] || pairs[step] || step == "data" || step == "stringData" || step == "binaryData"
	}
	up.looked = true
	return up.patches
}

// header returns kind and name of the object that a text starts with, and whether it
// is an answer of Loki.
func header(text string) (kind, name string, answer bool) {
	members(text, func(key string, s *jsonscan.Scanner) {
		switch key {
		case "kind":
			b, _ := s.Scalar()
			kind = string(b)
		case "metadata":
			members(string(s.Raw()), func(key string, s *jsonscan.Scanner) {
				if key != "name" {
					s.Skip()
					return
				}
				b, _ := s.Scalar()
				name = string(b)
			})
		case "data":
			members(string(s.Raw()), func(key string, s *jsonscan.Scanner) {
				answer = answer || key == "resultType"
				s.Skip()
			})
		default:
			s.Skip()
		}
	})
	return kind, name, answer && kind == ""
}

// reference returns resource and name of the object that an audit event is about.
func reference(text string) (resource, name string) {
	members(text, func(key string, s *jsonscan.Scanner) {
		if key != "objectRef" {
			s.Skip()
			return
		}
		members(string(s.Raw()), func(key string, s *jsonscan.Scanner) {
			b, _ := s.Scalar()
			switch key {
			case "resource":
				resource = string(b)
			case "name":
				name = string(b)
			}
		})
	})
	return resource, name
}

// members calls fn with each member of the object that a text starts with, as far as
// it is whole. fn has to consume the value.
func members(text string, fn func(key string, s *jsonscan.Scanner)) {
	var s jsonscan.Scanner
	s.Reset([]byte(text))
	if !s.BeginObject() {
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		fn(string(key), &s)
	}
}
