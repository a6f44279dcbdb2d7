package audit

import (
	"bytes"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/timestamp"
)

// ordered reads an event as kube-apiserver writes it: without white space, the
// members in the order of the Go types (k8s.io/apiserver
// pkg/apis/audit/v1/types.go, k8s.io/api authentication/v1, k8s.io/apimachinery
// meta/v1 Status), those that are empty left out. It expects what comes next
// instead of looking what it is, and passes over bodies without looking into them
// beyond their ends. It reports false where anything else stands: any is the way
// to read that.
func (d *Decoder) ordered(data []byte, ev *table.AuditEvent) (o outline, ok bool) {
	s := &d.scan
	s.Reset(data)
	if !s.Next(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"`) {
		return o, false
	}
	ok = d.rest(&ev.Level) &&
		d.text(`,"auditID":"`, &ev.AuditID) && d.text(`,"stage":"`, &ev.Stage) &&
		d.text(`,"requestURI":"`, &ev.RequestURI) && d.text(`,"verb":"`, &ev.Verb) &&
		d.orderedUser(`,"user":{`, &ev.User, &ev.Pod) &&
		d.orderedUser(`,"impersonatedUser":{`, &ev.ImpersonatedUser, nil) &&
		d.last(`,"sourceIPs":[`, &ev.SourceIP) && d.text(`,"userAgent":"`, &ev.UserAgent) &&
		d.orderedRef(ev, &o.objectVersion) && d.orderedStatus(ev) &&
		d.orderedBody(`,"requestObject":`, &ev.RequestOffset, &ev.RequestLength, &o.bodies.Request) &&
		d.orderedBody(`,"responseObject":`, &ev.ResponseOffset, &ev.ResponseLength, &o.bodies.Response) &&
		d.moment(`,"requestReceivedTimestamp":"`, &ev.Received) && d.moment(`,"stageTimestamp":"`, &ev.StageTime) &&
		d.orderedAnnotations(ev)
	return o, ok && s.Next(`}`) && s.Pos() == len(data)
}

// rest reads what is left of a string.
func (d *Decoder) rest(to *string) (ok bool) {
	*to, ok = d.scan.Rest()
	return ok
}

// text reads a string if its member is next.
func (d *Decoder) text(member string, to *string) bool {
	return !d.scan.Next(member) || d.rest(to)
}

func (d *Decoder) moment(member string, to *time.Time) bool {
	var text string
	if !d.scan.Next(member) {
		return true
	}
	if !d.rest(&text) {
		return false
	}
	var ok bool
	*to, ok = timestamp.Parse([]byte(text))
	return ok
}

// last reads the last of an array of strings if its member is next.
func (d *Decoder) last(member string, to *string) bool {
	return !d.scan.Next(member) || d.values(to)
}

// values reads the last of an array of strings whose bracket was consumed.
func (d *Decoder) values(to *string) bool {
	s := &d.scan
	for s.Next(`"`) {
		if !d.rest(to) {
			return false
		}
		if !s.Next(`,`) {
			break
		}
	}
	return s.Next(`]`)
}

// orderedUser reads a user and, unless pod is nil, the Pod that its token was made
// for, if the member is next.
func (d *Decoder) orderedUser(member string, name, pod *string) bool {
	s := &d.scan
	if !s.Next(member) {
		return true
	}
	var ignored string
	if s.Next(`"username":"`) && !d.rest(name) || !d.text(`,"uid":"`, &ignored) || !d.last(`,"groups":[`, &ignored) {
		return false
	}
	if start := s.Pos(); s.Next(`,"extra":{`) && !d.orderedExtra(pod) {
		s.Back(start)
		if s.Next(`,"extra":`); !d.otherExtra(s.Container(), pod) {
			return false
		}
	}
	return s.Next(`}`)
}

// orderedExtra reads the extra of a service account's token: what Kubernetes puts
// there, by name (k8s.io/apiserver pkg/authentication/serviceaccount/util.go).
func (d *Decoder) orderedExtra(pod *string) bool {
	s := &d.scan
	var ignored string
	if pod == nil {
		pod = &ignored
	}
	const group = `"authentication.kubernetes.io/`
	if s.Next(group+`credential-id":[`) && !(d.values(&ignored) && s.Next(`,`)) ||
		s.Next(group+`node-name":[`) && !(d.values(&ignored) && s.Next(`,`)) ||
		s.Next(group+`node-uid":[`) && !(d.values(&ignored) && s.Next(`,`)) {
		return false
	}
	return s.Next(group+`pod-name":[`) && d.values(pod) && (!s.Next(`,`+group+`pod-uid":[`) || d.values(&ignored)) && s.Next(`}`)
}

// otherExtra looks for the name of the Pod in any extra. A quote that stands behind
// a comma or a brace, and before a letter, starts a name.
func (d *Decoder) otherExtra(extra []byte, pod *string) bool {
	if extra == nil || pod == nil {
		return extra != nil
	}
	*pod = ""
	at := bytes.Index(extra, []byte(`"`+podNameExtra+`":[`))
	if at < 0 {
		return bytes.IndexByte(extra, '\\') < 0 // else a name may be spelled with escapes
	}
	rest := extra[at+len(podNameExtra)+4:]
	before := extra[at-1]
	end := bytes.IndexByte(rest[min(1, len(rest)):], '"')
	if before != '{' && before != ',' || rest[0] != '"' || end < 0 || rest[end+2] != ']' || bytes.IndexByte(rest[:end+1], '\\') >= 0 {
		return false
	}
	*pod = d.scan.Share(rest[1 : end+1])
	return true
}

func (d *Decoder) orderedRef(ev *table.AuditEvent, version *string) bool {
	s := &d.scan
	if !s.Next(`,"objectRef":{`) {
		return true
	}
	return s.Next(`"resource":"`) && d.rest(&ev.Resource) &&
		d.text(`,"namespace":"`, &ev.Namespace) && d.text(`,"name":"`, &ev.Name) && d.text(`,"uid":"`, &ev.UID) &&
		d.text(`,"apiGroup":"`, &ev.Group) && d.text(`,"apiVersion":"`, version) &&
		d.text(`,"resourceVersion":"`, &ev.ResourceVersion) && d.text(`,"subresource":"`, &ev.Subresource) && s.Next(`}`)
}

func (d *Decoder) orderedStatus(ev *table.AuditEvent) bool {
	s := &d.scan
	if !s.Next(`,"responseStatus":{"metadata":`) {
		return true
	}
	var ignored string
	if !s.Next(`{}`) && d.scan.Container() == nil ||
		!d.text(`,"status":"`, &ignored) || !d.text(`,"message":"`, &ev.Message) || !d.text(`,"reason":"`, &ev.Reason) {
		return false
	}
	if s.Next(`,"details":`) {
		details := d.scan.Container()
		if details == nil {
			return false
		}
		ev.DetailsUID = d.uidOf(details)
	}
	if s.Next(`,"code":`) {
		ev.Code = d.integer()
	}
	return s.Next(`}`)
}

// uidOf reads the uid of details that are set apart.
func (d *Decoder) uidOf(details []byte) string {
	if !bytes.Contains(details, []byte(`"uid"`)) && bytes.IndexByte(details, '\\') < 0 {
		return ""
	}
	outer := d.scan
	defer func() { d.scan = outer }()
	d.scan.Reset(details)
	return d.detailsUID()
}

func (d *Decoder) orderedBody(member string, offset, length *int64, body *[]byte) bool {
	if !d.scan.Next(member) {
		return true
	}
	*offset = int64(d.scan.Pos())
	*body = d.scan.Container()
	*length = int64(len(*body))
	return *body != nil
}

func (d *Decoder) orderedAnnotations(ev *table.AuditEvent) bool {
	if !d.scan.Next(`,"annotations":`) {
		return true
	}
	if d.orderedDecision() {
		return true
	}
	annotations := d.scan.Container()
	if bytes.Contains(annotations, []byte(truncatedAnnotation)) || bytes.IndexByte(annotations, '\\') >= 0 {
		outer := d.scan
		d.scan.Reset(annotations)
		d.annotations(ev)
		outer, d.scan = d.scan, outer
		return outer.Err() == nil
	}
	return annotations != nil
}

// orderedDecision reads annotations of nothing but the decision about the request,
// and reports false, and consumes nothing, if they are others.
func (d *Decoder) orderedDecision() bool {
	s := &d.scan
	start := s.Pos()
	var ignored string
	if s.Next(`{"authorization.k8s.io/decision":"`) && d.rest(&ignored) && d.text(`,"authorization.k8s.io/reason":"`, &ignored) && s.Next(`}`) {
		return true
	}
	s.Back(start)
	return false
}
