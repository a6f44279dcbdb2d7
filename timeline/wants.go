package timeline

import (
	"bytes"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/table"
)

// Wants reports whether a Builder takes anything from an audit event beyond what
// coverage.Reach tells. Where it is not sure, it does.
func Wants(row *table.AuditEvent, bodies audit.Bodies) bool {
	switch {
	case row.Verb == "list" || row.Verb == "watch":
		return false
	case row.Resource == "events":
		return bodies.Request != nil || bodies.Response != nil
	case resourceKinds[groupName{row.Group, row.Resource}] != "":
		return wantsRequest(row, bodies.Response != nil)
	}
	return tellsRelease(bodies.Request) || tellsRelease(bodies.Response)
}

// wantsRequest reports whether a request is one of those about an object of a
// family: see isFamilyRequest.
func wantsRequest(row *table.AuditEvent, answered bool) bool {
	if !concernsObjects(row.Subresource) {
		return false
	}
	return row.Verb != "get" || answered
}

// concernsObjects reports whether requests to a subresource say something about the
// object.
func concernsObjects(subresource string) bool {
	switch subresource {
	case "", "status", "scale", "eviction", "binding":
		return true
	}
	return false
}

// tellsRelease reports whether a body may have a label that tells the release of
// Knative.
func tellsRelease(body []byte) bool {
	return bytes.Contains(body, []byte(labelVersion)) || bytes.Contains(body, []byte(labelOldRelease))
}
