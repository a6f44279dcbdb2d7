package synthetic

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ref is what a request is about.
type ref struct{ group, version, resource, namespace, name, uid, subresource string }

// path returns the path of a request about one object, or about all if it is
// asked to list, watch or create.
func (r ref) path(verb string) string {
	path := "/api/" + r.version
	if r.group != "" {
		path = "/apis/" + r.group + "/" + r.version
	}
	if r.namespace != "" {
		path += "/namespaces/" + r.namespace
	}
	path += "/" + r.resource
	if r.name != "" && (verb != "create" || r.subresource != "") && verb != "watch" {
		path += "/" + r.name
	}
	if r.subresource != "" {
		path += "/" + r.subresource
	}
	return path
}

// request is a request with its answer.
type request struct {
	verb              string
	about             ref
	uri               string // path of about if empty
	code              int
	took              time.Duration
	stage             string // ResponseComplete if empty
	version           int64  // the resourceVersion that is written over, 0 if none
	status            string // members of the answer's status but the code, JSON
	request, response []byte // bodies; without any the level is Metadata
}

// ask writes the audit event of a request that was answered at t, with the
// members that kube-apiserver writes, in its order.
func (c *cluster) ask(t time.Time, by *user, r request) {
	level, stage, uri := "Metadata", "ResponseComplete", r.uri
	if r.response != nil {
		level = "RequestResponse"
	}
	if r.stage != "" {
		stage = r.stage
	}
	if uri == "" {
		uri = r.about.path(r.verb)
	}
	b := fmt.Appendf(c.audit.line[:0], `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":%q,"auditID":%q,"stage":%q,"requestURI":%s,"verb":%q,"user":%s,"sourceIPs":[%q],"userAgent":%q`,
		level, c.uid(), stage, quoted(uri), r.verb, by.info, by.ip, by.agent)
	b = r.about.append(b, r.version)
	b = fmt.Appendf(b, `,"responseStatus":{"metadata":{},%s"code":%d}`, r.status, r.code)
	b = appendBody(b, `,"requestObject":`, r.request)
	b = appendBody(b, `,"responseObject":`, r.response)
	b = t.Add(-r.took).AppendFormat(append(b, `,"requestReceivedTimestamp":"`...), micro)
	b = t.AppendFormat(append(b, `","stageTimestamp":"`...), micro)
	b = append(b, `","annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"`...)
	b = append(b, by.reason...)
	c.audit.line = append(b, `"}}`...)
	c.audit.end()
}

const micro = "2006-01-02T15:04:05.000000Z07:00"

func (r ref) append(b []byte, version int64) []byte {
	if r.resource == "" {
		return b
	}
	b = append(b, `,"objectRef":{"resource":"`...)
	b = append(b, r.resource...)
	number := ""
	if version != 0 {
		number = strconv.FormatInt(version, 10)
	}
	for _, m := range [...]struct{ name, value string }{
		{"namespace", r.namespace}, {"name", r.name}, {"uid", r.uid}, {"apiGroup", r.group},
		{"apiVersion", r.version}, {"resourceVersion", number}, {"subresource", r.subresource},
	} {
		if m.value != "" {
			b = append(append(append(append(b, `","`...), m.name...), `":"`...), m.value...)
		}
	}
	return append(b, `"}`...)
}

func appendBody(b []byte, key string, body []byte) []byte {
	if body == nil {
		return b
	}
	return append(append(b, key...), body...)
}

// quoted returns a string as JSON, as the encoder of kube-apiserver writes it.
func quoted(s string) string {
	if !strings.ContainsAny(s, `&<>"\`) {
		return `"` + s + `"`
	}
	b, _ := json.Marshal(s) // a string is always JSON
	return string(b)
}
