package timeline

import (
	"slices"
	"strings"
)

// Minor tells the rows that hardly anybody asks for: requests that changed
// nothing, objects that only carry out what others decide, steps of a reconcile
// that went through, and conflicts, which are retried as a matter of course.
func (e *Entry) Minor() bool {
	switch e.Kind {
	case EntryFinding, EntryGap, EntryTraffic, EntrySnapshot:
		return false
	case EntryLog:
		return true
	case EntryEvent:
		return !e.tellingEvent()
	case EntryError:
		return e.Echo || e.Code == 409 && !e.tellingConflict() || e.Source.TraceID != "" && e.Object.Kind == KindService
	}
	return e.Outcome == Unchanged || !e.tellingWrite()
}

// tellingEvent tells the Events about readiness, and about errors unless the
// reconcile's own rows say the same.
func (e *Entry) tellingEvent() bool {
	reason, _, _ := strings.Cut(e.Summary, ":")
	switch reason {
	case "LatestReadyUpdate", "RevisionReady", "LatestReadyFailed", "LatestCreatedFailed":
		return true
	case "InternalError", "UpdateFailed":
		return e.Object.Kind != KindRevision
	}
	return false
}

// tellingConflict tells the conflicts that end a pass before or in reconcilePA.
func (e *Entry) tellingConflict() bool {
	return e.Object.Kind == KindImage || e.Object.Kind == KindPodAutoscaler && e.Sub == ""
}

// tellingWrite tells the writes that move readiness, scale or traffic, and
// those that make or end an object.
func (e *Entry) tellingWrite() bool {
	moved := func(paths ...string) bool {
		return slices.ContainsFunc(e.Changes, func(c Change) bool { return slices.Contains(paths, c.Path) })
	}
	made := e.Verb == "create" || strings.HasPrefix(e.Verb, "delete")
	switch e.Object.Kind {
	case KindRevision, KindConfiguration, KindRoute, KindInferenceService:
		return made || moved("conditions.Ready", "status.latestReadyRevisionName", "metadata.deletionTimestamp")
	case KindService, KindImage, KindIngress, KindDomainMapping:
		return e.Sub == "" || moved("conditions.Ready")
	case KindDeployment:
		return made || moved("spec.replicas", "status.readyReplicas")
	case KindPodAutoscaler:
		return made || moved("conditions.ScaleTargetInitialized", "spec.reachability", "status.actualScale")
	}
	return false
}
