package audit

import (
	"bytes"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/timestamp"
)

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

// integer reads a whole number of some digits; 0 stands for anything else.
func (d *Decoder) integer() (n int64) {
	digits, negative := bytes.CutPrefix(d.scan.Raw(), []byte{'-'})
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1e9 {
			return 0
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		return -n
	}
	return n
}

func (d *Decoder) time() time.Time {
	text := d.scan.String()
	if text == "" {
		return time.Time{}
	}
	t, _ := timestamp.Parse([]byte(text))
	return t
}
