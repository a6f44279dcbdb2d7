package otlp

import (
	"time"

	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// severities are those of findings.
var severities = map[detectors.Severity]logs.SeverityNumber{
	detectors.Critical: logs.SeverityNumber_SEVERITY_NUMBER_FATAL, detectors.High: logs.SeverityNumber_SEVERITY_NUMBER_ERROR,
	detectors.Medium: logs.SeverityNumber_SEVERITY_NUMBER_WARN, detectors.Low: logs.SeverityNumber_SEVERITY_NUMBER_INFO2, detectors.Info: logs.SeverityNumber_SEVERITY_NUMBER_INFO,
}

// logsOf returns the rows and the findings of a story as logs, by what sent or logged
// them. A row about a request or a reconcile names its span.
func logsOf(s *render.Story, contexts map[timeline.Source]spanContext, once render.Once, version string) *logs.LogsData {
	lists := map[process][]*logs.LogRecord{}
	for _, e := range s.Exported() {
		if once.Again(e) {
			continue
		}
		p := process{e.Actor.Component, e.Actor.Pod}
		lists[p] = append(lists[p], entryLog(e, contexts[e.Source]))
	}
	for _, f := range s.Findings {
		p := process{component: "knforensics"}
		lists[p] = append(lists[p], findingLog(f, s.At(f)))
	}
	data := &logs.LogsData{}
	for _, p := range byProcess(lists) {
		data.ResourceLogs = append(data.ResourceLogs, &logs.ResourceLogs{Resource: p.resource(s.Family.Cluster),
			ScopeLogs: []*logs.ScopeLogs{{Scope: scope(version), LogRecords: lists[p]}}})
	}
	return data
}

func entryLog(e timeline.Entry, at spanContext) *logs.LogRecord {
	severity := logs.SeverityNumber_SEVERITY_NUMBER_INFO
	if e.Kind == timeline.EntryError {
		severity = logs.SeverityNumber_SEVERITY_NUMBER_ERROR
	}
	var a attributes
	a.object(e.Object, e.UID)
	a.request(e.Actor.User, e.Actor.UserAgent, e.Verb, e.Sub, e.Code)
	a.list("knforensics.changes", timeline.ChangeTexts(e.Changes))
	a.count("knforensics.ready_replicas", e.Ready)
	a.count("knforensics.wanted_replicas", e.Want)
	a.text("knforensics.grade", string(e.Grade))
	a.source(e.Source)
	return &logs.LogRecord{TimeUnixNano: render.Nanos(e.Time), ObservedTimeUnixNano: render.Nanos(e.Time), SeverityNumber: severity, EventName: "knforensics." + string(e.Kind),
		Body: text(e.Summary), Attributes: a, TraceId: at.trace, SpanId: at.span}
}

func findingLog(f *detectors.Finding, at time.Time) *logs.LogRecord {
	return &logs.LogRecord{TimeUnixNano: render.Nanos(at), ObservedTimeUnixNano: render.Nanos(at), SeverityNumber: severities[f.Severity], SeverityText: string(f.Severity),
		EventName: "knforensics." + string(timeline.EntryFinding), Body: text(f.Summary), Attributes: findingAttributes(f)}
}

func findingAttributes(f *detectors.Finding) (a attributes) {
	a.object(f.Object, f.UID)
	a.text("knforensics.detector", f.Detector)
	a.text("knforensics.severity", string(f.Severity))
	a.text("knforensics.confidence", string(f.Confidence))
	a.text("knforensics.summary", f.Summary)
	a.text("knforensics.fingerprint", f.Fingerprint())
	if f.Time.IsZero() {
		a.text("knforensics.time", render.NoTime)
	}
	a.text("knforensics.open", render.OpenText(f))
	a.list("knforensics.evidence", render.EvidenceTexts(f))
	return a
}
