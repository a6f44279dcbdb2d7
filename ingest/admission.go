package ingest

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/table"
)

// admission keeps that there was an AdmissionReview. What a webhook was asked
// about did not have to happen: other webhooks, validation or a conflict could
// still refuse it, and a dry run is reviewed too. So none of the objects in it
// becomes a state.
func (p *parser) admission(data []byte, at table.Location, header object.Header) {
	var review struct {
		Request, Response struct{ UID, Namespace, Name string }
		Received          time.Time `json:"requestReceivedTimestamp"` // added by kube-audit-rest (internal/audit_writer/common_writer)
	}
	if err := json.Unmarshal(data, &review); err != nil {
		p.reject(at, err)
		return
	}
	uid := cmp.Or(review.Request.UID, review.Response.UID)
	p.obj = table.Object{Location: at, Origin: table.OriginReview, Group: header.Group(), Version: header.Version(), Kind: header.Kind,
		UID: uid, Namespace: review.Request.Namespace, Name: review.Request.Name}
	p.rows.Object(&p.obj)
	p.out.formats.add(coverage.Admission, 1)
	p.span(review.Received)
	if uid != "" {
		p.identity.begin(uid, review.Received, header.Kind)
		p.identity.from = 0 // its row has no time, so that one from a case tells none
		p.identity.body(data, p.oneLine)
	}
	p.remember(at, coverage.Admission, nil)
}
