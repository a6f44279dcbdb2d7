package audit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/linemarks"
	"github.com/knforensics/knforensics/ingest/table"
)

// IsGroup reports whether an apiVersion is one of audit.k8s.io.
func IsGroup(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "audit.k8s.io/")
}

// Suspect reports whether a JSON object can be an audit event: all that can have a
// name, or the name of their group, with audit in it. Escapes may hide it.
func Suspect(data []byte) bool {
	if bytes.HasPrefix(data, []byte(`{"kind":"Event",`)) || len(data) > linemarks.MaxBuffer {
		return true
	}
	var marks [64]linemarks.Mark
	for at := 0; at < len(data); {
		var n int
		n, at = suspicious.Marks(marks[:], data, at)
		if slices.ContainsFunc(marks[:n], linemarks.Mark.Name) {
			return true
		}
	}
	return false
}

var suspicious, _ = linemarks.New(nil, "audit", `\u00`) // it takes any names that are one line

// isAudit tells an audit event from other objects. The items of an EventList
// have neither kind nor apiVersion.
func isAudit(kind, apiVersion string, ev *table.AuditEvent) bool {
	if kind == "" && apiVersion == "" {
		return ev.AuditID != "" && ev.Level != "" && ev.RequestURI != ""
	}
	return kind == "Event" && IsGroup(apiVersion)
}

// check refuses an event without the parts that make it one.
func check(ev *table.AuditEvent) error {
	switch {
	case ev.AuditID == "" && ev.RequestURI == "":
		return errors.New("audit event without auditID and requestURI")
	case ev.StageTime.IsZero() && ev.Received.IsZero():
		return errors.New("audit event without a time")
	case !knownLevel(ev.Level):
		return fmt.Errorf("audit event of unknown level %q", ev.Level)
	case ev.Stage != "" && !knownStage(ev.Stage):
		return fmt.Errorf("audit event of unknown stage %q", ev.Stage)
	}
	if ev.StageTime.IsZero() {
		ev.StageTime = ev.Received
	}
	return nil
}

// knownLevel and knownStage know what k8s.io/apiserver pkg/apis/audit/types.go lists.
func knownLevel(level string) bool {
	switch level {
	case "None", "Metadata", "Request", "RequestResponse":
		return true
	}
	return false
}

func knownStage(stage string) bool {
	switch stage {
	case "RequestReceived", "ResponseStarted", "ResponseComplete", "Panic":
		return true
	}
	return false
}

// Salvage makes what it can of an event that its carrier cut, after Decode
// failed with err: the members before the cut. The times stand last; where they are
// lost, who calls has to give one. It reports false if too little is left.
func Salvage(data []byte, err error, ev *table.AuditEvent) bool {
	var syntax *jsonscan.SyntaxError
	marked := errors.As(err, &syntax) && bytes.HasSuffix(data, []byte("[Truncated...]"))
	if !marked && !jsonscan.Cut(err, len(data)) {
		return false
	}
	if ev.AuditID == "" || ev.Verb == "" || !knownLevel(ev.Level) {
		return false
	}
	ev.Truncated = true
	ev.DryRun = dryRun(ev.RequestURI)
	if ev.Name == "" { // objectRef was cut, or names none
		refer(ev)
	}
	if ev.StageTime.IsZero() {
		ev.StageTime = ev.Received
	}
	return true
}
