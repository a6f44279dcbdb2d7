package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/linemarks"
	"github.com/knforensics/knforensics/ingest/table"
)

// IsGroup reports whether an apiVersion is one of audit.k8s.io.
func IsGroup(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, auditinternal.GroupName+"/")
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

func knownLevel(level string) bool {
	switch auditinternal.Level(level) {
	case auditinternal.LevelNone, auditinternal.LevelMetadata, auditinternal.LevelRequest, auditinternal.LevelRequestResponse:
		return true
	}
	return false
}

func knownStage(stage string) bool {
	switch auditinternal.Stage(stage) {
	case auditinternal.StageRequestReceived, auditinternal.StageResponseStarted, auditinternal.StageResponseComplete, auditinternal.StagePanic:
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

// Strict decodes one event with the types and the rules of Kubernetes. Unlike
// Decode it looks into nothing but the declared fields and refuses a wrong
// type anywhere.
func Strict(data []byte) (*auditv1.Event, error) {
	var ev auditv1.Event
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&ev); err != nil {
		return nil, err
	}
	return &ev, nil
}

// Reason words why Decode refused data with err. Where the JSON is well-formed
// the strict decoder knows better: it has the types of all fields.
func Reason(data []byte, err error) error {
	var wrongType *json.UnmarshalTypeError
	var wrongTime *time.ParseError
	switch _, strict := Strict(data); {
	case errors.As(strict, &wrongType) && wrongType.Field != "":
		return fmt.Errorf("audit event with a %s in %s", wrongType.Value, wrongType.Field)
	case errors.As(strict, &wrongTime):
		return fmt.Errorf("audit event with %q for a time", wrongTime.Value)
	}
	return err
}
